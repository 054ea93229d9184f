"""Bounds of honest play, checked with exact optima and with a naive search of every plan."""

import itertools

import numpy as np
import pytest

import plyglass as pg
from plyglass.arena.audit import bound as bounds
from plyglass.arena.audit.exploitability import best_response, whole_game
from plyglass.core.compile import JIT
from plyglass.core.luck import mix
from plyglass.search.layers import fill, new_layers

WORLDS, STARTS = (500, 20) if JIT else (60, 4)
TIGER = pg.game_from("tiger:steps=3,discount=1.0")
ROCKS = pg.game_from("rocksample:size=2,rocks=2,steps=4,discount=1.0")
SEA = pg.game_from("navy:size=5,cargo=2,steps=9")
needs_jit = pytest.mark.skipif(not JIT, reason="too long for interpreted code")


def optimum(game):
    whole = whole_game(game)
    return best_response(whole, [whole.uniform()], 0)


def error(values):
    return float(np.std(values, ddof=1)) / len(values) ** 0.5


@pytest.mark.parametrize("game, honest", [(TIGER, 3), (ROCKS, 4)])
def test_a_player_that_stays_honest_to_the_end_is_bound_by_the_exact_optimum(game, honest):
    best = optimum(game)
    found = pg.bound(game, honest=honest, worlds=WORLDS, starts=STARTS)
    mean, _, _ = found.interval()
    assert mean > best - 3 * error(found.values[honest])
    if JIT:
        assert mean < best + 3 * error(found.values[honest]) + 0.35


def test_a_player_that_knows_everything_always_opens_the_right_door():
    found = pg.bound(TIGER, honest=0, worlds=10, starts=2)
    assert found.values == ((30.0, 30.0),)
    assert found.interval() == (30.0, None, None)


@pytest.mark.parametrize("game", [TIGER, ROCKS])
def test_the_bound_never_rises_as_the_player_must_stay_honest_for_longer(game):
    found = pg.bound(game, honest=4, worlds=40, starts=3)
    for values in zip(*found.values, strict=True):
        assert list(values) == sorted(values, reverse=True)
        assert values[0] > values[3]


@needs_jit
def test_more_worlds_make_the_bound_tighter():
    few, many = (
        pg.bound(SEA, honest=5, horizon=5, falling=True, worlds=worlds, starts=10, seed=3)
        for worlds in (10, 500)
    )
    assert few.interval(5)[0] > many.interval(5)[0] + 3


@needs_jit
def test_no_captain_scores_more_than_the_bound():
    captain = pg.agent_from(
        "hindsight:worlds=30,horizon=3,costs=true,iterations=100000,belief=particles(worlds=300)"
    )
    scores = [pg.play(SEA, [captain], seed=seed).scores[0] for seed in range(60)]
    found = pg.bound(SEA, honest=5, horizon=6, falling=True, worlds=300, starts=30, seed=7)
    assert found.interval()[0] > np.mean(scores) - 3 * error(scores)


def naive_best(world, depth, luck):
    """The best score by trying every plan, one after the other."""
    best = -np.inf
    for plan in itertools.product(range(5), repeat=depth):
        after = world.copy()
        after.game.verbs.change_luck(after.address, mix(luck, 0))
        for step, choice in enumerate(plan):
            actions = after.legal()
            if choice >= len(actions):
                break
            after.apply(actions[choice])
            after.game.verbs.change_luck(after.address, np.uint64(mix(luck, step + 1)))
        else:
            best = max(best, after.score(0))
    return best


@pytest.mark.parametrize("seed", range(4 if JIT else 1))
def test_layers_find_the_best_of_all_plans(seed):
    depth = 5 if JIT else 2
    world, luck = SEA.start(seed), np.uint64(1234 + seed)
    layers = new_layers(SEA, depth, 20_000)
    assert fill(SEA, layers, world.row(), int(luck), depth, -np.inf) == depth
    assert layers.values[0] == naive_best(world, depth, luck)
    found = layers.starts[depth + 1]
    plans = sum(5**length for length in range(depth + 1))
    assert found < plans * (0.5 if depth == 5 else 1.0)  # equal positions are merged
    rows = {layers.states[at, 32:].tobytes() for at in range(layers.starts[depth], found)}
    assert len(rows) == found - layers.starts[depth]


@needs_jit
def test_a_world_that_does_not_fit_is_cut_and_gives_a_looser_bound(monkeypatch):
    settings = {"honest": 3, "horizon": 7, "falling": True, "worlds": 50, "starts": 4, "seed": 1}
    whole = pg.bound(SEA, **settings)
    monkeypatch.setattr(bounds, "ROOM", 300)
    cut = pg.bound(SEA, **settings)
    assert cut.values != whole.values
    for loose, tight in zip(cut.values, whole.values, strict=True):
        assert all(np.array(loose) >= np.array(tight))


def test_beyond_the_horizon_the_bound_assumes_the_highest_score_unless_scores_fall():
    assert pg.bound(TIGER, honest=1, horizon=1, worlds=5, starts=1).interval()[0] == TIGER.scores[1]
    found = pg.bound(SEA, honest=0, horizon=1, worlds=5, starts=1)
    assert found.interval()[0] == 0.0


@needs_jit
def test_the_worlds_of_a_first_view_are_as_likely_as_true_worlds():
    """How many submarines there are, and how far from the Navy ship, as a histogram."""
    true, imagined = np.zeros(30), np.zeros(30)
    for seed in range(4000):
        world = SEA.start(seed)
        count_submarines(world.row(), true)
        count_submarines(bounds._worlds(SEA, 1, seed)[0], imagined)
    spread = np.sqrt(true + imagined)
    differences = (true - imagined)[spread > 0] / spread[spread > 0]
    assert np.abs(differences).max() < 4


def count_submarines(row, counts):
    record = row.view(SEA.state)[0]
    cells = [int(cell) for cell in record["submarine"] if cell != 255]
    counts[20 + len(cells)] += 1
    for cell in cells:
        rows, columns = abs(cell // 16 - record["navy"] // 16), abs(cell % 16 - record["navy"] % 16)
        counts[max(rows, columns)] += 1


def test_games_without_a_bound_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match=r"for games of one player, but duel has 2"):
        pg.bound(pg.games.Duel())
    with pytest.raises(ValueError, match="tiger discounts rewards"):
        pg.bound(pg.games.Tiger())
    with pytest.raises(ValueError, match="horizon is at least 4; it cannot be 3"):
        pg.bound(TIGER, honest=4, horizon=3)
    with pytest.raises(ValueError, match="worlds is at least 1; it cannot be 0"):
        pg.bound(TIGER, worlds=0)
