"""Expectiminimax by its definition: slow and obvious, with every position and every outcome."""

from plyglass.core.tape import outcomes


def root_values(world, depth, judge, luck=outcomes, unit="actions"):
    """The values of the root actions for the mover; every player maximises their own."""
    seat = world.to_move
    return [action_value(world, action, depth, judge, luck, unit)[seat] for action in world.legal()]


def action_value(world, action, depth, judge, luck, unit):
    players, discount = world.game.players, world.game.discount
    total = [0.0] * players
    for chance, after in luck(world, action):
        counted = unit == "actions" or after.to_move != world.to_move
        values = value(after, depth - counted, judge, luck, unit)
        for player in range(players):
            earned = after.score(player) - world.score(player) if discount != 1.0 else 0.0
            total[player] += chance * (earned + discount * values[player])
    return total


def value(world, depth, judge, luck, unit):
    players = range(world.game.players)
    if world.over or depth == 0:
        return [
            judge(world, player) - (world.score(player) if world.game.discount != 1.0 else 0.0)
            for player in players
        ]
    tried = [action_value(world, action, depth, judge, luck, unit) for action in world.legal()]
    return max(tried, key=lambda values: values[world.to_move])


def by_score(world, player):
    return world.score(player)


def by_evaluator(name):
    def judge(world, player):
        game = world.game
        return float(game.verbs.evaluate(game.table, world.address, player, game.evaluator(name)))

    return judge


def foreseen(world, action):
    """The one outcome that the world's own chance holds."""
    after = world.copy()
    after.apply(action)
    return [(1.0, after)]
