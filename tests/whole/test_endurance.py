"""100,000 searches in one process without growth of memory; in CI a tenth as many."""

import gc
import os
from pathlib import Path

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from tests.sizes import sized

SEARCHES = 10  # of a seat


def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(
    not JIT or not Path("/proc/self/statm").exists(), reason="needs compiled code and Linux"
)
def test_many_searches_grow_memory_by_less_than_5_megabytes():
    games = [pg.games.TicTacToe(), pg.games.KuhnPoker(), pg.games.Pig(goal=20), pg.games.Duel()]

    def search(count):
        for number in range(count // SEARCHES):
            game = games[number % len(games)]
            world = game.start(number)
            seat = pg.Agent(pg.UCT(), budget=pg.Budget(iterations=5)).take_seat(
                game, world.to_move, number
            )
            seat.observe(None, world.hide(world.to_move))
            for _ in range(SEARCHES):
                seat.decide()
        gc.collect()
        return resident_bytes()

    before = search(5_000)
    after = search(sized(10_000, 100_000))
    assert after - before < 5_000_000
