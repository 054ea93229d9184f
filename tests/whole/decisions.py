"""Prints what UCT decides in several games, to the last bit; run in processes with and without compiled code."""

import json

import plyglass as pg

GAMES = (
    "connect-four", "tic-tac-toe", "kuhn-poker", "leduc-poker", "phantom-tic-tac-toe", "tiger:steps=6", "pig:goal=8", "rocksample:steps=8",
    "skirmish:size=3,units=2,turns=4", "skirmish:size=3,units=2,turns=4,fog=true", "duel:kinds=3,copies=2,health=4",
)  # fmt: skip


def decisions(name, iterations=25, moves=3):
    """(action, visits, values) of the first moves of a match between two searches."""
    game = pg.game_from(name)
    agent = pg.Agent(pg.UCT(trees=2), budget=pg.Budget(iterations=iterations))
    world, seats = game.start(3), [agent.take_seat(game, seat, 5 + seat) for seat in range(game.players)]
    found = []
    for _ in range(moves):
        mover = world.to_move
        if mover < 0:
            break
        for seat, each in enumerate(seats):
            each.observe(None, world.hide(seat))
        decision = seats[mover].decide()
        found.append([decision.action, decision.visits, [None if value is None else value.hex() for value in decision.values]])
        world.apply(decision.action)
    return [*found, world.row().tobytes().hex()]


if __name__ == "__main__":
    print(json.dumps({name: decisions(name) for name in GAMES}))
