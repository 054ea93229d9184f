"""Kernels as Python and other kernels call them."""

import numpy as np
import pytest
from numba import types

from plyglass.core.compile import JIT, compilations, interpreted, kernel, pointer
from plyglass.games.pig import Pig

pytestmark = pytest.mark.skipif(not JIT, reason="it is about compiled code")


@kernel
def doubled(number):
    return 2 * number


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
    assert not raised.overloads
    assert len(raised.twin.overloads) == 1
    assert raised(4) == 7
    assert len(raised.overloads) == 1


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


def test_what_differs_has_pointers_of_its_own(monkeypatch):
    number, real = types.int64(types.int64), types.float64(types.float64)
    assert pointer(doubled, number) is pointer(doubled, number)
    assert pointer(doubled, number) is not pointer(doubled, real)
    assert pointer(doubled, number) is not pointer(factorial, number)
    monkeypatch.setenv("PLYGLASS_CACHE", "0")
    assert pointer(doubled, number) is not pointer(doubled, number)


def test_closures_with_other_values_have_pointers_of_their_own():
    def adding(step):
        return lambda number: number + step

    one, other = (pointer(adding(step), types.int64(types.int64)) for step in (1, 2))
    assert [one.ctypes(5), other.ctypes(5)] == [6, 7]
