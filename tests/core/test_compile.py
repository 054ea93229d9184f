"""Kernels as Python and other kernels call them."""

import numpy as np
import pytest

from plyglass.core import jit
from plyglass.core.compile import JIT, compilations, interpreted, kernel
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
