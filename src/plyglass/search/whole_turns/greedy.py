"""The best turn by an evaluator, made at once: how players are taken to go on where nothing is
searched any more.
"""

from plyglass.core.compile import kernel
from plyglass.core.verbs import copy_state, step
from plyglass.search.whole_turns.gambles import NONE, best_gamble
from plyglass.search.whole_turns.lookahead import begin
from plyglass.search.whole_turns.pools import INSIDE, LUCKY
from plyglass.search.whole_turns.positions import address, ply_of


@kernel
def make_turn(table, look, levels, places, slots, world, mover):
    """Make the best turn that the evaluator knows, with the world's own luck where it draws
    some; returns who moves next, or -1.
    """
    ply = ply_of(world)
    while mover >= 0 and ply_of(world) == ply:
        gamble = best_gamble(table, look, levels, places, world, mover)
        if gamble != NONE:
            mover = step(table, world, mover, gamble)
        else:
            chosen = find_best(table, look, levels, places, slots, world, mover)
            mover = take(table, look[0], places, world, mover, chosen)
    return mover


@kernel
def find_best(table, look, levels, places, slots, world, mover):
    """The place of the root that is best by the evaluator: a result of the turn, or a position
    where luck is drawn next.
    """
    copy_state(table, look[0].states, world)
    look[0].seat = mover
    begin(table, look, levels, places, slots, 1)
    chosen = -1
    for place in range(levels[0].used):
        if places[place].kind > INSIDE and (
            chosen < 0 or places[place].value > places[chosen].value
        ):
            chosen = place
    return chosen


@kernel
def take(table, look, places, world, mover, place):
    """Bring the world to a place of the root, or to where luck is drawn before, and draw it;
    returns who moves, or -1.
    """
    place = _first_luck(places, place)
    if places[place].kind == LUCKY or places[place].postponed:
        copy_state(table, world, address(table, look, 0, places[place].parent))
        return step(table, world, mover, places[place].action)
    copy_state(table, world, address(table, look, 0, place))
    return places[place].mover


@kernel
def _first_luck(places, place):
    """The first place on the way from the root whose action luck adds something to; if there is
    none, the place itself.
    """
    first = place
    while place > 0:
        if places[place].postponed:
            first = place
        place = places[place].parent
    return first
