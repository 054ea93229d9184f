"""Gymnasium: one learner against agents, and many matches in one compiled loop."""

import warnings

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env

import plyglass as pg
from plyglass.interop.codec import Codec
from plyglass.interop.gymnasium import PlyglassEnv, environment_id
from plyglass.interop.matches import EVERY_SEAT, Matches
from plyglass.interop.observation import Layout
from plyglass.interop.vector import PlyglassVectorEnv
from tests.sizes import sized

OBSERVATIONS = {"connect-four": "planes", "skirmish": "planes", "leduc-poker": "fields"}


@pytest.mark.parametrize("name", pg.games.names())
def test_gymnasiums_checker_finds_nothing_wrong(name):
    env = gymnasium.make(
        environment_id(name), observation=OBSERVATIONS.get(name, "flat"), render_mode="ansi"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # A number as large as 2**63 in a bound is what an int64 field may hold.
        warnings.filterwarnings("ignore", ".*(not within|precision|minimum value|maximum value).*")
        check_env(env.unwrapped, skip_render_check=False, skip_close_check=True)


def test_an_agent_as_opponent_sees_only_its_views():
    """A match through the environment equals a match by `pg.play` with the same seeds."""
    env = PlyglassEnv("leduc-poker", "so-ismcts:iterations=50", seat=1)
    for seed in range(20):
        observation, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            assert env.observation_space.contains(observation)
            number = int(np.flatnonzero(info["action_mask"])[-1])
            observation, reward, over, truncated, info = env.step(number)
            total += reward
            assert not truncated
        assert total == env.world.score(1) and not info["action_mask"].any()


def test_a_match_in_the_environment_is_the_same_as_a_match_of_the_arena():
    agent = pg.agent_from("so-ismcts:iterations=50")

    class Last:
        """A player that takes the last legal action."""

        cheats = False

        def take_seat(self, game, seat, seed):
            return self

        def observe(self, own_action, view):
            self.view = view

        def decide(self):
            return pg.Decision(self.view.legal()[-1], ())

    game = pg.games.LeducPoker()
    from plyglass.arena.match.match import run
    from plyglass.core.seeds import derive

    env = PlyglassEnv(game, agent, seat=0)
    for seed in range(5):
        _, info = env.reset(seed=seed)
        root = int(np.random.Generator(np.random.PCG64(seed)).integers(1 << 62))
        over = False
        while not over:
            *_, over, _, info = env.step(np.flatnonzero(info["action_mask"])[-1])
        players = [Last(), agent]
        seats = [player.take_seat(game, n, derive(root, n + 1)) for n, player in enumerate(players)]
        assert run(game, players, seats, seed=root).end == env.world


def test_an_illegal_action_ends_the_game_with_the_lowest_score():
    env = PlyglassEnv("connect-four")
    env.reset(seed=0)
    for _ in range(3):
        *_, info = env.step(0)
    full = int(np.flatnonzero(info["action_mask"] == 0)[0]) if not info["action_mask"].all() else 7
    _, reward, over, _, info = env.step(full)
    assert over and reward == -1.0 and info["illegal"]


def test_a_learner_without_a_seat_of_its_own_draws_one_for_every_game():
    env = PlyglassEnv("tic-tac-toe", seat=None)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"opponents": ["random", "random"]}, "so 1 opponents are needed, not 2"),
        ({"seat": 2}, "has the seats 0 to 1, not 2"),
        ({"observation": "pixels"}, "'flat', 'planes' or 'fields', not 'pixels'"),
    ],
)
def test_wrong_arguments_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        PlyglassEnv("tic-tac-toe", **wrong)


def test_an_environment_before_reset_says_so():
    with pytest.raises(RuntimeError, match="call reset first"):
        PlyglassEnv("tic-tac-toe").step(0)


# -- many matches


def choices(masks, rng):
    """A random legal number for each match."""
    return np.argmax(masks * (1.0 - rng.random(masks.shape)), axis=1)


@pytest.mark.parametrize(
    "name", ["connect-four", "leduc-poker", "skirmish:fog=true", "pig:goal=20"]
)
def test_the_compiled_loop_equals_matches_played_one_by_one(name):
    """A slow twin: the same seeds, played by `World`, with random opponents drawn alike."""
    game = pg.game_from(name)
    codec, layout = Codec(game), Layout(game)
    matches = Matches(codec, layout, 5, EVERY_SEAT)
    seen, rng = matches.begin(7), np.random.default_rng(1)
    worlds = [pg.World(game, row.copy()) for row in matches.truth.rows]
    ended = 0
    for _ in range(sized(200, 3000)):
        for match, world in enumerate(worlds):
            view = world.hide(world.to_move)
            assert seen.viewer[match] == world.to_move
            assert np.array_equal(seen.views[match], layout.encode(view))
            assert np.array_equal(seen.masks[match], codec.mask(world.legal()))
        numbers = choices(seen.masks, rng)
        before = [world.scores for world in worlds]
        for world, number in zip(worlds, numbers, strict=True):
            world.apply(int(codec.actions[number]))
        seen = matches.play(numbers)
        for match, world in enumerate(worlds):
            assert seen.over[match] == world.over and not seen.illegal[match]
            assert np.allclose(seen.gains[match], np.subtract(world.scores, before[match]))
            if world.over:
                ended += 1
                viewer = seen.actor[match]
                assert np.array_equal(seen.last[match], layout.encode(world.hide(viewer)))
                worlds[match] = pg.World(game, matches.truth.rows[match].copy())
    assert ended >= 5


def test_a_learner_against_random_opponents_meets_only_its_own_decisions():
    env = gymnasium.make_vec(environment_id("leduc-poker"), num_envs=8, seat=None)
    _, infos = env.reset(seed=3)
    rng, seats, total = np.random.default_rng(0), set(), 0.0
    for _ in range(300):
        seats |= {*infos["seat"].tolist()}
        _, rewards, over, truncated, infos = env.step(choices(infos["action_mask"], rng))
        total += float(rewards[over].sum())
        assert not rewards[~over].any() and not truncated.any()
        assert ("final_obs" in infos) == bool(over.any())
    assert seats == {0, 1} and total != 0


def test_a_policy_of_the_game_can_be_the_opponent():
    rng, scores = np.random.default_rng(0), {}
    for opponents in ("random", "policy:attack-first"):
        env = PlyglassVectorEnv("skirmish", 64, opponents=opponents)
        _, infos = env.reset(seed=1)
        won = 0.0
        for _ in range(300):
            _, rewards, _, _, infos = env.step(choices(infos["action_mask"], rng))
            won += rewards.sum()
        scores[opponents] = won
    assert scores["policy:attack-first"] < scores["random"] - 50


def test_seeds_of_matches_are_independent():
    """Start positions and opponents' choices of different matches are uncorrelated."""
    count = 2000
    env = PlyglassVectorEnv("leduc-poker", count, opponents=None)
    env.reset(seed=11)
    cards = env.matches.truth.rows.view(env.game.state)["card"].reshape(count, 2).astype(float)
    assert len({*env.matches.truth.streams.reshape(-1).tolist()}) == 2 * count
    for shift in (1, 2, 7):
        for left in range(2):
            for right in range(2):
                seen = np.corrcoef(cards[:-shift, left], cards[shift:, right])[0, 1]
                assert abs(seen) < 4.5 / np.sqrt(count)
    first = env.matches.truth.rows.copy()
    env.reset(seed=11)
    assert np.array_equal(first, env.matches.truth.rows)
    env.reset(seed=12)
    other = env.matches.truth.rows.view(env.game.state)["card"].reshape(count, 2).astype(float)
    assert abs(np.corrcoef(cards[:, 0], other[:, 0])[0, 1]) < 4.5 / np.sqrt(count)
    # One match more leaves the others as they are.
    more = PlyglassVectorEnv("leduc-poker", count + 1, opponents=None)
    env.reset(seed=11), more.reset(seed=11)
    assert np.array_equal(env.matches.truth.rows, more.matches.truth.rows[:-1])


def test_an_illegal_number_ends_a_match_in_the_compiled_loop():
    env = PlyglassVectorEnv("tic-tac-toe", 3, opponents=None)
    env.reset(seed=0)
    env.step(np.array([4, 4, 4]))
    _, rewards, over, _, infos = env.step(np.array([4, 0, 99]))
    assert over.tolist() == [True, False, True] and rewards.tolist() == [-1.0, 0.0, -1.0]
    assert infos["illegal"].tolist() == [True, False, True]
    assert infos["action_mask"].sum(axis=1).tolist() == [9, 7, 9]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"opponents": "uct"}, "cannot play in a compiled loop"),
        ({"observation": "fields"}, "'flat' and 'planes'"),
        ({"seat": 5}, "has the seats 0 to 1, not 5"),
    ],
)
def test_a_compiled_loop_refuses_what_it_cannot_do(wrong, message):
    with pytest.raises(ValueError, match=message):
        PlyglassVectorEnv("tic-tac-toe", 2, **wrong)


def test_python_environments_can_be_stepped_in_turn():
    env = gymnasium.make_vec(
        environment_id("tic-tac-toe"), num_envs=2, vectorization_mode="sync", opponents="uct"
    )
    observations, infos = env.reset(seed=0)
    assert observations.shape == (2, 20) and infos["action_mask"].shape == (2, 9)
