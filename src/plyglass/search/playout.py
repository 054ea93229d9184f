"""What an iteration was worth, found by playing on at random from where the tree ends."""

from plyglass.core.compile import kernel
from plyglass.core.luck import below
from plyglass.core.memory import read_action
from plyglass.core.verbs import legal, playout, prefer, score, step


@kernel
def judge_by_playout(table, work, player):
    """What the iteration is worth to each player, by playing on at random; scaled, or where the game discounts, not yet."""
    if work.discount == 1.0:
        play_to_end(table, work, player)
    else:
        play_on(table, work, player, work.most_steps, False)


@kernel
def play_to_end(table, work, player):
    """Play on at random; the value of each player is his final score, scaled."""
    playout(table, work.world, player, work.actions, work.stream, work.most_steps)
    for each in range(work.players):
        work.values[each] = (score(table, work.world, each) - work.low) / work.span


@kernel
def play_on(table, work, player, limit, preferred):
    """Play on for `limit` actions at most, at random among all or among the preferred ones.

    The value of each player is the discounted sum of what he earns from here on, not scaled. It is added up by what each score counts
    until the next action, so that scores are asked for once a step.
    """
    for each in range(work.players):
        work.values[each] = -score(table, work.world, each)
    weight = 1.0
    steps = 0
    while player >= 0 and steps < limit:
        count = prefer(table, work.world, work.actions) if preferred else legal(table, work.world, work.actions)
        player = step(table, work.world, player, read_action(work.actions, below(work.stream, count)))
        after = weight * work.discount
        if work.discount < 1.0:
            for each in range(work.players):
                work.values[each] += (weight - after) * score(table, work.world, each)
        weight = after
        steps += 1
    for each in range(work.players):
        work.values[each] += weight * score(table, work.world, each)
