"""Random matches of every game; meant to be run with NUMBA_BOUNDSCHECK=1, where an index out of bounds is an error."""

import pytest

import plyglass as pg

LARGE = ("duelyst",)  # compiling them a second time takes a minute: interpreted rules, which are compared with theirs, check bounds too


@pytest.mark.parametrize("name", [*(name for name in pg.games.names() if name not in LARGE), "skirmish:fog=true", "duel:open_hands=true"])
def test_matches_stay_in_bounds(name):
    game = pg.game_from(name)
    agents = [pg.agent_from("uct:iterations=30,trees=2")] * game.players
    for seed in range(3):
        match = pg.play(game, agents, seed=seed)
        assert len(match.moves) <= game.most_steps
