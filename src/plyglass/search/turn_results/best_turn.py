"""Gambles: actions that luck adds something to, tried before a turn is planned, as drawing a card
is better done before others are played.

A plan cannot count on what is drawn, so that such an action is worth too little to it. Here each of
them is carried out with luck drawn several times, the same for all, and the turn is completed by
the best action each time. The mean is compared with what the turn comes to without it, completed in
the same way.
"""

from plyglass.core.compile import kernel
from plyglass.core.luck import mix
from plyglass.core.memory import read_action
from plyglass.core.table import SIZE, SURE
from plyglass.core.verbs import after, change_luck, copy_state, fingerprint, step
from plyglass.search.turn_results.minimax import begin
from plyglass.search.turn_results.results import actions_of, address, complete, ply_of
from plyglass.search.turn_results.workspace import INSIDE, LUCKY
from plyglass.search.values import judge

NONE = -1


@kernel
def best_gamble(table, look, levels, places, world, mover):
    """The action of a position that the turn gains most by, or NONE where it gains nothing by
    any of them.
    """
    look, here, place = look[0], levels[0], places[len(places) - 1]
    if look.draws == 0:
        return NONE
    root, spare, here.player = look.states, look.spare + 3 * table[SIZE], mover
    copy_state(table, root, world)
    best, most, luck = NONE, complete(table, look, here, place, root), fingerprint(table, root)
    for i in range(actions_of(table, look, root, look.actions)):
        actions_of(table, look, root, look.actions)  # completing turns has written over them
        action = read_action(look.actions, i)
        copy_state(table, spare, root)
        if after(table, spare, mover, action) != SURE and ply_of(spare) == ply_of(root):
            total = 0.0
            for number in range(look.draws):
                total += _draw(table, look, here, place, spare, action, mix(luck, number))
            if total > most * look.draws:
                best, most = action, total / look.draws
    return best


@kernel
def _draw(table, look, here, place, spare, action, luck):
    """What the turn comes to after an action with this luck."""
    root = look.states
    copy_state(table, spare, root)
    change_luck(spare, luck)
    mover = step(table, spare, here.player, action)
    look.reached += 1
    if mover == here.player and ply_of(spare) == ply_of(root):
        return complete(table, look, here, place, spare)
    return judge(table, spare, here.player, look.evaluator)


# The best turn by an evaluator, made at once: how players are taken to go on where nothing is
# searched any more.


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
