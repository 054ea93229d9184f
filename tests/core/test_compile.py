"""Kernels as Python and other kernels call them."""

import types
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import pytest

from plyglass.core import jit
from plyglass.core.compile import JIT, Meaning, compilations, interpreted, kernel
from plyglass.games.pig import Pig

pytestmark = pytest.mark.skipif(not JIT, reason="it is about compiled code")


@kernel
def factorial(number):
    return number * factorial(number - 1) if number > 1 else 1


def test_what_only_kernels_call_gets_no_wrapper_until_python_calls_it(monkeypatch):
    monkeypatch.setenv("PLYGLASS_CACHE", "0")
    step = 3

    @kernel
    def raised(number):
        return number + step

    @kernel
    def sum_of_raised(numbers):
        total = 0
        for number in numbers:
            total += raised(number)
        return total

    assert sum_of_raised(np.arange(5)) == 25
    assert not raised.dispatcher.overloads
    assert len(jit.twin_of(raised).overloads) == 1
    assert raised(4) == 7
    assert len(raised.dispatcher.overloads) == 1


def test_a_kernel_may_call_itself():
    assert (
        [factorial(number) for number in range(6)]
        == [interpreted(factorial)(number) for number in range(6)]
        == [1, 1, 2, 6, 24, 120]
    )


def test_twins_are_counted_among_what_was_compiled(monkeypatch):
    monkeypatch.setenv("PLYGLASS_CACHE", "0")

    @kernel
    def halved(number):
        return number // 2

    @kernel
    def quartered(number):
        return halved(halved(number))

    before = compilations()["compiled"]
    assert quartered(20) == 5
    assert compilations()["compiled"] == before + 2


def test_variants_of_a_game_share_their_rules():
    one, other = Pig(goal=10), Pig(goal=20)
    assert np.count_nonzero(one.table != other.table) == 1  # the constants


SOURCE = """
class Pair(NamedTuple):
    low: int
    high: int
class Kind(IntEnum):
    ONE = 1
STEP = 3
TABLE = np.array([1, 2, 3])
@kernel
def called(x):
    return x + STEP
@kernel
def root(x):
    'What it says does not count.'
    return called(x) * 2 + TABLE[0] + constants.WIDTH + Pair(x, 1).low + Kind.ONE
"""


def meaning(source, width=7):
    names = {"np": np, "kernel": kernel, "NamedTuple": NamedTuple, "IntEnum": IntEnum}
    names["constants"] = types.ModuleType("plyglass.constants")
    names["constants"].WIDTH = width
    exec(source, names)
    return Meaning(names["root"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("What it says", "Whatever it says"),
        ("@kernel\ndef root", "# a comment\n\n@kernel\ndef root"),
        ("def called(x)", "def called(x: int) -> int"),
        ("STEP = 3", "STEP = 3\nUNUSED = 4"),
    ],
)
def test_words_and_places_do_not_change_what_a_function_means(old, new):
    assert old in SOURCE
    assert meaning(SOURCE) == meaning(SOURCE.replace(old, new))
    assert meaning(SOURCE).digest == meaning(SOURCE.replace(old, new)).digest is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("STEP = 3", "STEP = 4"),
        ("STEP = 3", "STEP = 3.0"),
        ("[1, 2, 3]", "[1, 2, 4]"),
        ("[1, 2, 3]", "[1, 2, 3], dtype=np.int32"),
        ("x + STEP", "x - STEP"),
        ("* 2", "* 3"),
        ("TABLE[0]", "TABLE[1]"),
        ("low: int\n    high: int", "high: int\n    low: int"),
        ("ONE = 1", "ONE = 2"),
    ],
)
def test_another_value_or_callee_changes_what_a_function_means(old, new):
    assert old in SOURCE
    assert meaning(SOURCE) != meaning(SOURCE.replace(old, new))
    assert meaning(SOURCE).digest != meaning(SOURCE.replace(old, new)).digest


def test_a_text_in_a_comprehension_is_no_docstring():
    written = "@kernel\ndef root(s):\n    return [s['hp'] for i in range(3)]\n"
    assert meaning(written).digest != meaning(written.replace("hp", "armour")).digest


def test_a_value_within_a_module_is_part_of_the_meaning():
    assert meaning(SOURCE).digest != meaning(SOURCE, width=8).digest


def test_a_meaning_with_an_object_of_this_process_has_no_digest():
    assert meaning(SOURCE.replace("STEP = 3", "STEP = object()")).digest is None
