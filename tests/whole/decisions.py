"""Prints what planners decide in several games, to the last bit; run in processes with and
without compiled code.
"""

import json

import plyglass as pg
from plyglass.arena.audit.glass_wall import thoughts
from plyglass.planners import PLANNERS

GAMES = (
    "connect-four", "tic-tac-toe", "kuhn-poker", "leduc-poker", "phantom-tic-tac-toe",
    "tiger:steps=6", "pig:goal=8", "rocksample:steps=8",
    "skirmish:size=3,units=2,turns=4", "skirmish:size=3,units=2,turns=4,fog=true",
    "duel:kinds=3,copies=2,health=4", "navy:size=5,steps=6",
)  # fmt: skip
FEW = ("kuhn-poker", "skirmish:size=3,units=2,turns=4,fog=true", "duel:kinds=3,copies=2,health=4")
SMALLER = {"greedy": {"worlds": 4}, "hindsight": {"worlds": 3, "horizon": 2}, "pimc": {"worlds": 3},
    "pomcp": {"particles": 20},
           "three-ply-mcts": {"simulations": 5}, "determinized-uct": {"histories": 4}}  # fmt: skip
BELIEFS = {"fresh": pg.Fresh(), "particles": pg.Particles(worlds=12, tries=2)}


def decisions(name, planner, belief=BELIEFS["fresh"], iterations=25, moves=3):
    """What was decided at the first moves of a match between two searches, and how it ended."""
    game = pg.game_from(name)
    agent = pg.Agent(planner, belief, pg.Budget(iterations=iterations))
    world, seats = (
        game.start(3),
        [agent.take_seat(game, seat, 5 + seat) for seat in range(game.players)],
    )
    found, own_action = [], [None] * game.players
    while (mover := world.to_move) >= 0 and len(found) < moves:
        for seat, each in enumerate(seats):
            each.observe(own_action[seat], world.hide(seat))
        decision = seats[mover].decide()
        found.append(thoughts(decision).decode())
        world.apply(decision.action)
        own_action = [decision.action if seat == mover else None for seat in range(game.players)]
    return [*found, world.row().tobytes().hex()]


def every_planner():
    """(what it is called, what it decides) for every planner, belief and small game."""
    for name, planner in PLANNERS.items():
        for game in FEW:
            refused = {
                "representative-moves": not pg.game_from(game).represents,
                "policy": not pg.game_from(game).policies,
            }
            if refused.get(name):
                continue
            for belief, each in BELIEFS.items():
                yield (
                    f"{name}, {belief}, {game}",
                    decisions(game, planner(**SMALLER.get(name, {})), each, iterations=12, moves=2),
                )


if __name__ == "__main__":
    print(
        json.dumps(
            {**{name: decisions(name, pg.UCT(trees=2)) for name in GAMES}, **dict(every_planner())}
        )
    )
