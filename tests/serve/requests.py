"""Requests for decisions, made from real matches, and answered in this process."""

import functools

import numpy as np

from plyglass.arena.specs import game_from
from plyglass.serve.catalogue import Served
from plyglass.serve.client import fields
from plyglass.serve.decisions import decide
from tests.beliefs.histories import note


@functools.cache
def served(text):
    game = game_from(text)
    return Served(text, game, dict(game.levels))


def until_decision(game, seat, seed, decisions=1):
    """What a seat sees until it decides for the n-th time in a random match, and the world then."""
    choice = np.random.default_rng(seed)
    for _ in range(1000):
        world = game.start(int(choice.integers(2**60)))
        shown, made = [(None, world.hide(seat))], 0
        while not world.over:
            made += world.to_move == seat
            if made == decisions:
                return world, shown
            own = world.to_move == seat
            action = int(choice.choice(world.legal()))
            world.apply(action)
            note(shown, world.hide(seat), action if own else None)
    raise ValueError(f"Seat {seat} has no {decisions} decisions in any of 1,000 matches of {game}.")


def entries(shown):
    """A history as a request holds it."""
    return [{"own": own, "view": fields(view), "changed": None} for own, view in shown]


def request(history, seat, agent, turn=(), **more):
    return {
        "id": "", "seat": seat, "seed": 7, "agent": agent, "history": history, "turn": [*turn],
        "budget": {"iterations": 30, "seconds": None}, "report_every_ms": None, "expert": True,
        "left": 600.0, **more,
    }  # fmt: skip


def decided(game, values, tell=lambda event, data: None, seconds=600.0):
    found = decide(game, values, seconds, tell, lambda: False)
    times = ("seconds", "found_belief")
    return {name: value for name, value in found.items() if name not in times}
