"""K-medoids: choose a few points that represent many points.

A farthest-first traversal (Gonzalez 1985) makes the first choice: each new point is as far as
possible from the chosen points. In each of several rounds, every point then joins the class of the
nearest chosen point. Then the medoid of each class replaces its chosen point (Kaufman and Rousseeuw
1987). The medoid is the point with the least sum of distances to the other points of the class. A
distance is the sum of absolute differences. In a tie, the first point is chosen, so the same points
always give the same choice.

    points   (count * width,): rows of `width` numbers, one after the other
    chosen   (representatives,): indices of points; the first `fixed` never change
    nearest  (count,): distance of each point to the nearest chosen one
    classes  (count,): which chosen point each point belongs to
"""

import math

from plyglass.core.compile import kernel

CHOSEN = -1.0  # the entry in `nearest` of a chosen point


@kernel
def scale_by_spread(points, count, width):
    """Divide every feature by its range, unless the range is 0."""
    for feature in range(width):
        low = high = points[feature]
        for point in range(1, count):
            low, high = (
                min(low, points[point * width + feature]),
                max(high, points[point * width + feature]),
            )
        for point in range(count if high > low else 0):
            points[point * width + feature] /= high - low


@kernel
def choose_extremes(points, count, width, chosen, fixed, nearest):
    """Fill `chosen` and `nearest`; the first `fixed` entries of `chosen` are given."""
    for point in range(count):
        nearest[point] = math.inf
    for place in range(len(chosen)):
        if place >= fixed:
            chosen[place] = _farthest(nearest, count)
        for point in range(count):
            nearest[point] = min(nearest[point], _distance(points, width, point, chosen[place]))
        for before in range(place + 1):
            nearest[chosen[before]] = CHOSEN


@kernel
def move_to_medoids(points, count, width, chosen, fixed, classes, rounds):
    """Replace chosen points by the medoids of their classes until no chosen point changes.

    The first `fixed` chosen points stay, and the number of rounds is limited.
    """
    moved = True
    while moved and rounds > 0:
        _assign(points, count, width, chosen, classes)
        moved = False
        for place in range(fixed, len(chosen)):
            medoid = _medoid(points, count, width, classes, place)
            moved = moved or medoid != chosen[place]
            chosen[place] = medoid
        rounds -= 1


@kernel
def _distance(points, width, one, other):
    total = 0.0
    for feature in range(width):
        total += abs(points[one * width + feature] - points[other * width + feature])
    return total


@kernel
def _farthest(nearest, count):
    farthest = 0
    for point in range(1, count):
        if nearest[point] > nearest[farthest]:
            farthest = point
    return farthest


@kernel
def _assign(points, count, width, chosen, classes):
    """Put every point into the class of the nearest chosen point.

    A chosen point stays in its own class, so no class is empty.
    """
    for point in range(count):
        least = math.inf
        for place in range(len(chosen)):
            distance = _distance(points, width, point, chosen[place])
            if distance < least:
                least, classes[point] = distance, place
    for place in range(len(chosen)):
        classes[chosen[place]] = place


@kernel
def _medoid(points, count, width, classes, place):
    medoid, least = -1, math.inf
    for point in range(count):
        if classes[point] == place:
            total = 0.0
            for other in range(count):
                if classes[other] == place:
                    total += _distance(points, width, point, other)
            if total < least:
                medoid, least = point, total
    return medoid
