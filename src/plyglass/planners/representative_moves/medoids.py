"""Which few of many points stand for all: extremes first, then the middle of what is nearest to
each (k-medoids).

Points are rows of `width` numbers, one after the other in `points`. The first choice is a
farthest-first traversal (Gonzalez 1985): each new one is as far as can be from those chosen
already. Then, in rounds, every point goes to the class of the nearest chosen one, and each chosen
one gives way to the medoid of its class, the point with the least sum of distances to the others
(Kaufman and Rousseeuw 1987). Distance is the sum of differences. Of equals the first is taken, so
the choice is the same every time.
"""

import math

from plyglass.core.compile import kernel

CHOSEN = -1.0  # in place of a distance


@kernel
def scale_by_spread(points, count, width):
    """Divide every number by the difference between the highest and the lowest of its kind,
    where there is one.
    """
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
    """Fill `chosen`, whose first `fixed` are given; `nearest` becomes how far each point is from
    the nearest chosen one.
    """
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
    """Let every chosen point but the first `fixed` give way to the medoid of its class, for so
    many rounds or until none does.
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
    """Give every point the class of the nearest chosen one; a chosen one stays in its own, so
    that no class is empty.
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
