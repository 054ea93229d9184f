"""Random matches of every game, for runs with NUMBA_BOUNDSCHECK=1, which checks every index."""

import pytest

import plyglass as pg
from tests.sizes import sized

# Compiling these a second time takes minutes: interpreted rules, which are compared with theirs
# (core/test_parity.py), check bounds too.
LARGE = ("battleship", "duel", "duelyst", "navy", "pandemic", "trading-cards", "tubstap")


SMALL = [name for name in pg.games.names() if name not in LARGE]


@pytest.mark.parametrize("name", [*sized(["kuhn-poker", "rocksample"], SMALL), "skirmish:fog=true"])
def test_matches_stay_in_bounds(name):
    game = pg.game_from(name)
    agents = [pg.agent_from("uct:iterations=30,trees=2")] * game.players
    for seed in range(3):
        match = pg.play(game, agents, seed=seed)
        assert len(match.moves) <= game.most_steps
