"""Prints planners' decisions in small cases of the signature, with or without compiled code.

The cases are few and short, because interpreted code is slow.
"""

import json
from dataclasses import replace

from plyglass.arena.specs import agent_from
from plyglass.bench.signature import REFUSED, cases, decisions
from plyglass.search.interface import Budget

BELIEFS, GAMES = ("fresh", "particles"), ("kuhn-poker", "skirmish", "duel")
UCT_ON = (
    "connect-four", "duel", "kuhn-poker", "leduc-poker", "navy", "phantom-tic-tac-toe", "pig",
    "rocksample", "skirmish", "tic-tac-toe", "tiger",
)  # fmt: skip
ITERATIONS, MOVES = 12, 2


def small_cases():
    """Every planner with two beliefs on three small games, and UCT on all small games."""
    wanted = {"uct, eight trees", *(f"uct on {name}" for name in UCT_ON)}
    for name, game, agent in cases():
        parts = name.split(", ")
        if name in wanted or (len(parts) == 3 and parts[1] in BELIEFS and parts[2] in GAMES):
            yield name, game, agent


def decided(game, text):
    agent = replace(agent_from(text), budget=Budget(iterations=ITERATIONS))
    try:
        return decisions(game, agent, MOVES)
    except ValueError:
        return REFUSED


if __name__ == "__main__":
    print(json.dumps({name: decided(game, agent) for name, game, agent in small_cases()}))
