"""Threads: several threads for a single search, one thread for a player of a tournament."""

import threading

import pytest

from plyglass.arena.tournament import work
from plyglass.arena.tournament.settings import Settings
from plyglass.core.compile import JIT
from plyglass.search.threads import for_each, one_thread


def threads_of(count):
    """The names of the threads that make so many calls."""
    found = []
    for_each(lambda _: found.append(threading.current_thread().name), range(count))
    assert len(found) == count
    return set(found)


HERE = {threading.current_thread().name}


@pytest.mark.skipif(not JIT, reason="nothing is gained by threads where nothing is compiled")
def test_several_calls_are_made_in_threads_and_one_is_not():
    assert threads_of(1) == HERE
    assert threads_of(3).isdisjoint(HERE)


def test_one_thread_is_enough_until_it_is_over():
    before = threads_of(3)
    with one_thread():
        with one_thread():
            assert threads_of(3) == HERE
        assert threads_of(3) == HERE
    assert (threads_of(3) == HERE) == (before == HERE)
    with pytest.raises(ZeroDivisionError), one_thread():
        raise ZeroDivisionError
    assert (threads_of(3) == HERE) == (before == HERE)


def test_all_calls_are_made_with_their_own_arguments():
    found = []
    for_each(lambda *each: found.append(each), range(4), "abcd")
    assert sorted(found) == [(0, "a"), (1, "b"), (2, "c"), (3, "d")]


def test_players_of_a_tournament_have_one_thread_each(monkeypatch):
    found = []

    class Over(Exception):
        """Ends the match before it is played."""

    def instead(*_):
        found.append(threads_of(3))
        raise Over

    monkeypatch.setattr(work, "replay_match", instead)
    settings = Settings(games=("tic-tac-toe",), agents={"a": "random", "b": "random"}, deals=1)
    with pytest.raises(Over):
        work.play_match(settings, 0)
    assert found == [HERE]
