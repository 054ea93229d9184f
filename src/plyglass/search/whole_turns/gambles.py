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
from plyglass.search.judging import judge
from plyglass.search.whole_turns.beam import complete
from plyglass.search.whole_turns.positions import actions_of, ply_of

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
