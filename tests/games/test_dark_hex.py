"""Dark Hex compared with OpenSpiel, and its posterior compared with enumerated games."""

import random
from collections import defaultdict

import pytest

from plyglass.core.tape import outcomes
from plyglass.games.dark_hex import DarkHex
from tests.games.enumeration import assert_imagines_the_posterior, imagined

SIZES = pytest.mark.parametrize("size", [2, 3, 4])


def play(size, *names):
    game = DarkHex(size)
    cells = {game.action_name(action): action for action in game.start(0).legal()}
    world = game.start(0)
    for name in names:
        world.apply(cells[name])
    return world


def random_game(game, seed):
    """The worlds of a game between random players, without the last."""
    choose, world = random.Random(seed).choice, game.start(seed)
    while not world.over:
        yield world.copy()
        world.apply(choose(world.legal()))


def surely_wins(worlds):
    """Whether the first player can force a win, knowing only that one of these worlds is true."""
    if any(world.over for world in worlds):
        return all(world.score(0) == 1.0 for world in worlds)
    return any(all(map(surely_wins, _seen_alike(worlds, action))) for action in worlds[0].legal())


def _seen_alike(worlds, action):
    """The worlds that an action and every answer lead to, grouped by what the first player sees."""
    groups = defaultdict(list)
    for world in worlds:
        for _, after in outcomes(world, action):
            for reached in _answered(after):
                groups[reached.hide(0)].append(reached)
    return groups.values()


def _answered(world):
    """The worlds in which the first player is to move again, or the game is over."""
    if world.to_move != 1:
        return [world]
    return [
        reached
        for action in world.legal()
        for _, after in outcomes(world, action)
        for reached in _answered(after)
    ]


@SIZES
def test_random_games_are_those_of_openspiel(size):
    pyspiel = pytest.importorskip("pyspiel")
    game, peer = (
        DarkHex(size),
        pyspiel.load_game(f"dark_hex(num_rows={size},num_cols={size},gameversion=cdh)"),
    )
    assert game.most_steps == peer.max_game_length()
    for seed in range(200):
        choose, ours, theirs = (
            random.Random(seed).choice,
            game.start(seed),
            peer.new_initial_state(),
        )
        while not theirs.is_terminal():
            assert (ours.to_move, ours.legal()) == (theirs.current_player(), theirs.legal_actions())
            action = choose(ours.legal())
            ours.apply(action)
            theirs.apply_action(action)
        assert ours.over
        assert ours.scores == theirs.returns()


def test_imagine_is_the_exact_posterior_of_the_smallest_board():
    assert_imagines_the_posterior(DarkHex(2))


def test_imagine_is_the_exact_posterior_before_the_second_turn():
    layer, joint = {DarkHex(3).start(0): 1.0}, defaultdict(dict)
    for _ in range(4):  # two stones, and one try that failed
        following = defaultdict(float)
        for world, share in layer.items():
            joint[world.hide(0)][world] = share
            for action in world.legal():
                ((_, after),) = outcomes(world, action)
                following[after] += share / len(world.legal())
        layer = following
    for view, worlds in joint.items():
        if view.to_move == 0 and not view.record["known"][0]:
            assert imagined(view) == pytest.approx(
                {world: share / sum(worlds.values()) for world, share in worlds.items()}
            )


def test_the_first_player_wins_for_certain_on_the_smallest_board():
    assert surely_wins([DarkHex(2).start(0)])


@SIZES
def test_no_imagined_world_is_over(size):
    game = DarkHex(size)
    for seed in range(10):
        for world in random_game(game, seed):
            assert not any(game.imagine(world.hide(viewer), seed).over for viewer in range(2))


def test_a_failed_try_is_seen_by_nobody_else_and_cannot_be_repeated():
    before, after = play(3, "b2"), play(3, "b2", "b2")
    assert after.to_move == 1
    assert before.hide(0) == after.hide(0)
    assert before.hide(1) != after.hide(1)
    assert [after.game.action_name(action) for action in after.legal()].count("b2") == 0


def test_x_connects_above_with_below_and_o_left_with_right():
    assert play(3, "a1", "b1", "a2", "b2", "a3").scores == [1.0, -1.0]
    assert play(3, "a2", "a1", "a3", "b1", "b3", "c1").scores == [-1.0, 1.0]


def test_a_cell_has_six_neighbours_which_lie_to_the_upper_right_and_lower_left():
    assert play(2, "b1", "a1", "a2").scores == [1.0, -1.0]
    assert not play(2, "a1", "b1", "b2").over


def test_all_stones_are_shown_in_the_end():
    world = play(3, "a1", "b1", "a2", "b2", "a3")
    assert world.hide(0).record["stones"].tolist() == world.hide(1).record["stones"].tolist()


def test_other_sizes_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="a side from 2 to 4, not 5"):
        DarkHex(5)
