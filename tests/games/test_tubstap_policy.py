"""TUBSTAP: the policy attack-80, and the evaluators."""

import numpy as np
import pytest

from plyglass.core import unpack
from plyglass.core.compile import JIT
from plyglass.games.tubstap import Tubstap
from plyglass.games.tubstap.state import END, MOVE, SHOOT, STRIKE
from tests.games.tubstap_maps import game_on

FIELD = ["........"] * 8


def chosen(game, world, seed):
    stream, row = np.array([seed], np.uint64), world.row()
    return int(
        game.verbs.choose(game.table, row.ctypes.data, stream.ctypes.data, game.policy("attack-80"))
    )


def test_the_policy_attacks_four_times_in_five_and_likes_all_attacks_alike(tmp_path):
    game = game_on(tmp_path, FIELD, "P10@d4 U10@a1 R10@h8", "I10@d6 P10@a3 I10@d5", fog=False)
    world, tries = game.start(0), 4000 if JIT else 400
    picks = [chosen(game, world, seed) for seed in range(tries)]
    legal = world.legal()
    assert set(picks) <= set(legal) - {END}
    attacks = [action for action in legal if unpack(action)[0] in (STRIKE, SHOOT)]
    counts = np.array([picks.count(action) for action in attacks])
    # One in five actions is any action, and some of these are attacks.
    assert 0.8 * tries < counts.sum() < 0.88 * tries
    assert counts.max() - counts.min() < 6 * (tries / len(attacks)) ** 0.5
    assert len({action for action in picks if unpack(action)[0] == MOVE}) > 50


def test_the_policy_plays_legal_actions_to_the_end():
    for name in ("crossroads", "delta"):
        game = Tubstap(map=name)
        world, seed = game.start(1), 0
        while not world.over and seed < (10_000 if JIT else 30):
            seed += 1
            world.apply(chosen(game, world, seed))


def value(world, name, player):
    return world.game.verbs.evaluate(
        world.game.table, world.address, player, world.game.evaluator(name)
    )


def test_evaluators_are_fair_and_know_what_health_is_good_for(tmp_path):
    even = game_on(tmp_path, FIELD, "F10@a1 A10@b1 P10@c1", "F10@h8 A10@g8 P10@f8").start(0)
    assert value(even, "health", 0) == value(even, "strength", 0) == 0.0
    ahead = game_on(tmp_path, FIELD, "P10@a1 P5@b1", "P10@h8").start(0)
    assert value(ahead, "health", 0) == pytest.approx(5 / 25)
    assert value(ahead, "health", 1) == -value(ahead, "health", 0)
    # A fighter cannot hurt a tank, nor a tank a fighter.
    useless = game_on(tmp_path, FIELD, "P10@a1", "F10@h8").start(0)
    assert value(useless, "strength", 0) == 0.0
    hunted = game_on(tmp_path, FIELD, "A10@a1", "P10@h8").start(0)
    assert value(hunted, "health", 0) == 0.0
    assert value(hunted, "strength", 0) > 0.3


def test_threats_count_for_the_side_that_can_carry_them_out(tmp_path):
    """Within reach, the mover has the better threat; out of reach, nearer is better."""
    near = game_on(tmp_path, FIELD, "P10@a1", "P10@a5", fog=False).start(0)
    assert value(near, "threat", 0) == -value(near, "threat", 1) > 0.0
    near.apply(END)
    assert value(near, "threat", 1) > 0.0
    # Three cells: the cannon reaches the infantry.
    gun = game_on(tmp_path, FIELD, "U10@a1", "I10@a4", fog=False).start(0)
    safe = game_on(tmp_path, FIELD, "U10@a1", "I10@a5", fog=False).start(0)
    assert value(gun, "threat", 0) > value(safe, "threat", 0) + 0.03
    hill = game_on(tmp_path, ["^.......", *FIELD[1:]], "I10@a1", "I10@a3", fog=False).start(0)
    plain = game_on(tmp_path, FIELD, "I10@a1", "I10@a3", fog=False).start(0)
    assert value(hill, "threat", 0) > value(plain, "threat", 0)
