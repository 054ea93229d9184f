"""The clock of a decision: time, cancellation or replay stops a search at a clock check."""

import threading
import time

import pytest

from plyglass.core.compile import JIT, kernel
from plyglass.search.clock import BELIEF_SHARE, Clock, is_stopped, late

FEW = 1 << 10
MANY = 1 << 40 if JIT else 1 << 14


@kernel
def look_often(clock, most):
    """Look at a clock until it is late; returns how often it was not."""
    count = 0
    while count < most and not late(clock):
        count += 1
    return count


def test_a_clock_without_a_limit_never_stops():
    clock = Clock()
    with clock.started(None):
        assert look_often(clock.search, FEW) == FEW
        assert clock.stop == (0, 0)
        assert not clock.stopped


def test_a_kernel_stops_when_the_time_is_over():
    clock = Clock()
    look_often(clock.search, 1)
    with clock.started(0.02):
        looks = look_often(clock.search, MANY)
        assert 0.02 <= clock.seconds < 10.0
        assert clock.left <= 0
        assert clock.stop == (0, looks + 1)
        assert is_stopped(clock.search)
        assert look_often(clock.search, FEW) == 0  # it stays stopped


def test_a_belief_has_a_share_of_the_time():
    clock = Clock()
    look_often(clock.belief, 1)
    with clock.started(0.02):
        look_often(clock.belief, MANY)
        assert clock.seconds >= BELIEF_SHARE * 0.02
        assert clock.belief_stopped
        assert not clock.stopped


def test_a_replay_stops_at_the_same_look():
    clock = Clock()
    with clock.started(None, stop=(5, 7)):
        assert look_often(clock.belief, FEW) == 4
        assert look_often(clock.search, FEW) == 6
        assert clock.stop == (5, 7)
    with clock.started(None):
        assert look_often(clock.search, FEW) == FEW  # the next decision begins anew


def test_a_belief_that_an_onlooker_asked_for_stops_where_the_decision_will():
    clock = Clock()
    clock.expect((5, 0))
    assert look_often(clock.belief, FEW) == 4
    with clock.started(None, stop=(5, 0)):
        assert clock.stop == (5, 0)
        assert look_often(clock.belief, FEW) == 0


def test_starting_a_running_clock_changes_nothing():
    clock = Clock()
    with clock.started(None, stop=(0, 3)):
        with clock.started(1e-9):
            assert look_often(clock.search, FEW) == 2
        assert clock.running
    assert not clock.running


@pytest.mark.skipif(not JIT, reason="interpreted kernels hold the interpreter's lock")
def test_a_cancellation_stops_a_kernel():
    clock, wish = Clock(), threading.Event()
    look_often(clock.search, 1)
    threading.Timer(0.02, wish.set).start()
    began = time.perf_counter()
    with clock.started(None, wish.is_set):
        looks = look_often(clock.search, MANY)
        assert clock.stop == (0, looks + 1)
    assert time.perf_counter() - began < 10.0
