"""Kernels as Python and other kernels call them."""

import numpy as np
import pytest

from plyglass.core.compile import JIT, compilations, interpreted, kernel

pytestmark = pytest.mark.skipif(not JIT, reason="it is about compiled code")


@kernel
def doubled(number):
    return 2 * number


@kernel
def factorial(number):
    return number * factorial(number - 1) if number > 1 else 1


@kernel
def sum_of_doubled(numbers):
    total = 0
    for number in numbers:
        total += doubled(number)
    return total


def test_what_only_kernels_call_gets_no_wrapper_until_python_calls_it():
    assert sum_of_doubled(np.arange(5)) == 20
    assert not doubled.overloads
    assert len(doubled.twin.overloads) == 1
    assert doubled(4) == 8
    assert len(doubled.overloads) == 1


def test_a_kernel_may_call_itself():
    assert [factorial(number) for number in range(6)] == [interpreted(factorial)(number) for number in range(6)] == [1, 1, 2, 6, 24, 120]


def test_twins_are_counted_among_what_was_compiled_or_loaded():
    @kernel
    def halved(number):
        return number // 2

    @kernel
    def quartered(number):
        return halved(halved(number))

    before = sum(compilations().values())
    assert quartered(20) == 5
    assert sum(compilations().values()) == before + 2
