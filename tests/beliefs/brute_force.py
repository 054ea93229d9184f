"""The exact posterior by brute force: dictionaries of worlds, chance enumerated in Python."""

from collections import Counter

from plyglass.beliefs.prior import has_open_setup
from plyglass.core.tape import deals, imaginations, outcomes


def merged(worlds):
    sums = Counter()
    for probability, world in worlds:
        sums[world] += probability
    return sums


def first_posterior(view):
    """The starts that look like the first view; if there are none, what the game imagines."""
    starts = merged(deals(view.game)) if has_open_setup(view.game) else {}
    return scaled(
        {world: weight for world, weight in starts.items() if world.hide(view.viewer) == view}
        or merged(imaginations(view))
    )


def next_posterior(worlds, before, own_action, view):
    """Every world played on in every way to the seat's next view; others act at random."""
    reached, unseen = Counter(), worlds
    while unseen:
        following = Counter()
        for world, weight, by_seat in steps(unseen, view.viewer, own_action):
            seen = world.hide(view.viewer)
            if seen == view and by_seat == (own_action is not None):
                reached[world] += weight
            elif seen == before and not by_seat:
                following[world] += weight
        unseen = following
    return scaled(reached)


def steps(worlds, seat, own_action):
    """Yields (next world, its weight, whether the seat acted) for every possible action."""
    for world, weight in worlds.items():
        by_seat = world.to_move == seat
        actions = ([] if own_action is None else [own_action]) if by_seat else world.legal()
        for action in actions:
            for share, after in outcomes(world, action):
                yield after, weight / len(actions) * share, by_seat


def scaled(worlds):
    total = sum(worlds.values())
    return {world: weight / total for world, weight in worlds.items()}
