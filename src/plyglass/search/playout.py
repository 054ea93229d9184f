"""What an iteration was worth, found by playing on at random from where the tree ends."""

from plyglass.core.compile import kernel
from plyglass.core.luck import below
from plyglass.core.memory import read_action
from plyglass.core.verbs import legal, playout, score, step


@kernel
def play_to_end(table, work, player):
    """Play on at random; the value of each player is his final score, scaled."""
    playout(table, work.world, player, work.actions, work.stream, work.most_steps)
    for each in range(work.players):
        work.values[each] = (score(table, work.world, each) - work.low) / work.span


@kernel
def play_to_end_discounted(table, work, player):
    """Play on at random; the value of each player is the discounted sum of what he earns from here on, not scaled."""
    for each in range(work.players):
        work.values[each] = 0.0
    weight = 1.0
    steps = 0
    while player >= 0 and steps < work.most_steps and weight > 1e-6:
        for each in range(work.players):
            work.values[each] -= weight * score(table, work.world, each)
        count = legal(table, work.world, work.actions)
        player = step(table, work.world, player, read_action(work.actions, below(work.stream, count)))
        for each in range(work.players):
            work.values[each] += weight * score(table, work.world, each)
        weight *= work.discount
        steps += 1
