"""A game written in C works exactly as one in Python."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import plyglass
from plyglass.core import Game, SharedLibrary
from plyglass.core.admission import PositionRefused, admitted_world
from plyglass.core.check import check
from plyglass.core.compile import JIT
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP, chance, draw
from plyglass.core.seeds import derive
from plyglass.core.state import HEADER, HEADER_BYTES
from plyglass.core.tape import outcomes
from plyglass.games.pig import Pig
from plyglass.games.pig import rules as pig

HERE = Path(__file__).parent
INCLUDE = Path(plyglass.core.__file__).parent
GAMES = 1000

LUCK_SOURCE = """
#include <stddef.h>
#include "plyglass.h"

int64_t a_draw(plyglass_header *header, int64_t n) { return plyglass_draw(header, n); }
int64_t a_chance(plyglass_header *header, const double *weights, int64_t n) {
    return plyglass_chance(header, weights, n);
}

void layout(int64_t *out) {
    out[0] = offsetof(plyglass_header, luck);
    out[1] = offsetof(plyglass_header, rng);
    out[2] = offsetof(plyglass_header, tape);
    out[3] = offsetof(plyglass_header, ply);
    out[4] = offsetof(plyglass_header, drawn);
    out[5] = sizeof(plyglass_header);
}
"""

pytestmark = [
    pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler"),
    pytest.mark.skipif(not JIT, reason="interpreted kernels cannot call machine code"),
]


def build(folder, source, name, *options):
    """A shared library made of a C file."""
    library = folder / f"{name}.so"
    command = [
        "cc",
        "-O2",
        "-shared",
        "-fPIC",
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{INCLUDE}",
        *options,
        "-o",
        str(library),
        str(source),
    ]
    subprocess.run(command, check=True)
    return library


@pytest.fixture(scope="module")
def pig_library(tmp_path_factory):
    return build(tmp_path_factory.mktemp("pig"), HERE / "pig.c", "pig")


@pytest.fixture(scope="module")
def pig_in_c(pig_library):
    class PigInC(Game):
        name = "pig-in-c"
        state = pig.State
        constants = pig.Constants
        rules = SharedLibrary(pig_library)

        def __init__(self, goal=100, turns=1000):
            super().__init__(
                players=2,
                most_actions=2,
                most_steps=turns * (goal // 2 + 1),
                scores=(-1.0, 1.0),
                constants={"goal": goal, "turns": turns},
            )

    return PigInC


@pytest.fixture(scope="module")
def luck_library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("luck")
    source = folder / "luck.c"
    source.write_text(LUCK_SOURCE)
    library = ctypes.CDLL(str(build(folder, source, "luck")))
    library.a_draw.restype = library.a_chance.restype = ctypes.c_int64
    library.a_draw.argtypes = ctypes.c_void_p, ctypes.c_int64
    library.a_chance.argtypes = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64
    library.layout.argtypes = (ctypes.c_void_p,)
    return library


def test_the_header_in_c_lies_in_memory_as_the_one_in_python(luck_library):
    layout = np.zeros(6, np.int64)
    luck_library.layout(layout.ctypes.data)
    dtype = np.dtype(list(HEADER), align=True)
    assert layout.tolist() == [*(dtype.fields[name][1] for name, _ in HEADER), HEADER_BYTES]


def test_draw_in_c_equals_draw_in_python(luck_library):
    ours, theirs = headers(seed=1)
    for n in numbers(seed=2):
        assert luck_library.a_draw(theirs.ctypes.data, n) == draw(ours[0], n)
        assert ours.tobytes() == theirs.tobytes()


def test_chance_in_c_equals_chance_in_python(luck_library):
    ours, theirs = headers(seed=3)
    for weights in weightings(seed=4):
        assert luck_library.a_chance(
            theirs.ctypes.data, weights.ctypes.data, len(weights)
        ) == chance(ours[0], weights)
        assert ours.tobytes() == theirs.tobytes()


def test_a_tape_dictates_the_same_in_c_and_is_written_the_same_even_when_it_is_full(luck_library):
    choice = np.random.default_rng(5)
    for n, weights in zip(numbers(seed=6), weightings(seed=7), strict=False):
        (ours, our_tape), (theirs, their_tape) = (
            taped(digits := choice.integers(0, min(n, np.count_nonzero(weights)), 3)),
            taped(digits),
        )
        for _ in range(2):  # four draws on a tape for three
            assert luck_library.a_draw(theirs.ctypes.data, n) == draw(ours[0], n)
            assert luck_library.a_chance(
                theirs.ctypes.data, weights.ctypes.data, len(weights)
            ) == chance(ours[0], weights)
        assert our_tape.tobytes() == their_tape.tobytes()
        assert our_tape[0] == 4
        assert ours["drawn"] == theirs["drawn"] == 4


def headers(seed):
    """Two equal headers with the same stream."""
    header = np.zeros(1, np.dtype(list(HEADER), align=True))
    header["rng"] = derive(seed)
    return header, header.copy()


def taped(digits):
    """A header and the tape it carries."""
    tape = np.zeros(TAPE_HEAD + TAPE_STEP * len(digits), np.int64)
    tape[1] = len(digits)
    tape[TAPE_HEAD::TAPE_STEP] = digits
    header = headers(seed=0)[0]
    header["tape"] = tape.ctypes.data
    return header, tape


def numbers(seed):
    """From how many a draw chooses: mostly few, sometimes many."""
    return [
        int(n) for n in np.exp(np.random.default_rng(seed).uniform(0, 20, 2000)).astype(np.int64)
    ]


def weightings(seed):
    """Weights of very different sizes, some of them zero, never all."""
    choice = np.random.default_rng(seed)
    for _ in range(2000):
        weights = choice.exponential(10.0 ** choice.integers(-3, 4), choice.integers(1, 12))
        weights[1:] *= choice.random(len(weights) - 1) < 0.7
        yield weights


def test_a_thousand_random_games_are_equal_to_the_last_byte(pig_in_c):
    games = Pig(goal=40, turns=15), pig_in_c(goal=40, turns=15)
    longest, drawn = 0, 0
    for seed in range(GAMES):
        ours, theirs = (game.start(derive(seed)) for game in games)
        choice, actions = np.random.default_rng(seed), 0
        while not ours.over:
            legal = ours.legal()
            assert theirs.legal() == legal
            action = legal[choice.integers(len(legal))]
            ours.apply(action)
            theirs.apply(action)
            assert theirs.row().tobytes() == ours.row().tobytes()
            actions += 1
        assert theirs.over
        assert theirs.scores == ours.scores
        longest = max(longest, actions)
        drawn += ours.record["winner"] == pig.DRAW
    assert 0 < drawn < GAMES
    print(f"\n{GAMES} games, the longest of {longest} actions, {drawn} drawn at the turn limit")


def test_the_tape_finds_the_same_outcomes(pig_in_c):
    ours, theirs = Pig().start(1), pig_in_c().start(1)
    for action in (pig.ROLL, pig.ROLL, pig.HOLD, pig.ROLL):
        if action in ours.legal():
            for one in ours.legal():
                assert list(rows_after(theirs, one)) == list(rows_after(ours, one))
            ours.apply(action)
            theirs.apply(action)
    assert len(list(outcomes(theirs, pig.ROLL))) == pig.SIDES


def rows_after(world, action):
    return [(probability, after.row().tobytes()) for probability, after in outcomes(world, action)]


def test_uct_thinks_the_same_of_both(pig_in_c):
    agents = [
        plyglass.Agent(plyglass.UCT(), budget=plyglass.Budget(iterations=400)) for _ in range(2)
    ]
    ours, theirs = (plyglass.play(game(goal=25), agents, seed=11) for game in (Pig, pig_in_c))
    assert [decision.visits for decision in theirs.decisions] == [
        decision.visits for decision in ours.decisions
    ]
    assert theirs.decisions == ours.decisions
    assert theirs.scores == ours.scores
    assert sum(ours.decisions[0].visits) >= 400


def test_the_check_examines_a_game_in_c(pig_in_c):
    report = check(pig_in_c(goal=20), games=5)
    assert report.ok, str(report)
    assert "the rules keep their contract, compiled" in report.passed
    assert "compiled rules equal interpreted ones" not in report.passed


def test_a_game_in_c_has_no_python_to_run(pig_in_c):
    with pytest.raises(TypeError, match="pig-in-c has rules from a shared library"):
        pig_in_c().interpreted()


@pytest.mark.parametrize("rule", ["start", "to_move", "legal", "apply", "score"])
def test_a_library_that_lacks_a_rule_is_refused(tmp_path, rule):
    library = build(tmp_path, HERE / "pig.c", "lacking", f"-D{rule}=something_else")
    with pytest.raises(TypeError, match=f"does not export '{rule}'; a game needs start, to_move"):
        SharedLibrary(library)


def test_a_rule_is_not_looked_for_in_the_libraries_that_a_game_was_linked_with(
    tmp_path, pig_library
):
    assert sorted(SharedLibrary(pig_library).addresses) == [
        "apply",
        "legal",
        "score",
        "start",
        "to_move",
    ]


def test_no_position_from_outside_is_admitted(pig_in_c):
    game = pig_in_c()
    with pytest.raises(PositionRefused, match="shared library"):
        admitted_world(game, game.start(0).row().tobytes())
