"""Tracks: the truth stays possible, worlds fit the view, and no hidden fact is used."""

import itertools

import numpy as np
import pytest

import plyglass as pg
from plyglass.arena.audit.belief_walk import believed
from plyglass.arena.audit.glass_wall import examine
from plyglass.core.compile import JIT
from plyglass.core.seeds import derive
from plyglass.core.state import new_states
from plyglass.core.world import World
from plyglass.games.tubstap.state import UNSEEN
from plyglass.games.tubstap.tracks import CELLS, track_of
from tests.core.planted_leaks import TrackedCard

MAPS = ["sandbox", "crossroads", "siege", "ridge,ambush=stays,sight=euclid", "delta,turns=20"]


def chances(live, slot):
    """The probabilities of one TUBSTAP unit, by cell."""
    return live._tracks[track_of(slot) : track_of(slot) + CELLS]


def is_possible(live, world, viewer):
    """Whether unseen units of a kind can be matched to tracks that allow their cells."""
    view, truth, enemy = world.hide(viewer).record, world.record, 1 - viewer
    kinds, units = (
        world.game.constants_record["kind"][0, enemy],
        int(world.game.constants_record["units"][0, enemy]),
    )
    looks = {
        (kinds[slot], view["health"][enemy, slot])
        for slot in range(units)
        if view["cell"][enemy, slot] == UNSEEN
    }
    for look in looks:
        slots = [
            n
            for n in range(units)
            if (kinds[n], view["health"][enemy, n]) == look and view["cell"][enemy, n] == UNSEEN
        ]
        alike = [
            n
            for n in range(units)
            if (kinds[n], truth["health"][enemy, n]) == look and truth["cell"][enemy, n] >= 0
        ]
        cells = [truth["cell"][enemy, n] for n in alike if not truth["spotted"][enemy, n]]
        orders = itertools.permutations(cells)
        if not any(
            all(chances(live, slot)[cell] > 0 for slot, cell in zip(slots, order, strict=True))
            for order in orders
        ):
            return False
    return True


@pytest.mark.parametrize("others", ["random", "attack-80"])
@pytest.mark.parametrize("play", ["random", "attack-80"])
@pytest.mark.parametrize("place", MAPS if JIT else MAPS[:1])
def test_the_truth_is_never_ruled_out_and_worlds_look_like_the_view(place, play, others):
    game, decisions = pg.game_from(f"tubstap:map={place}"), 0
    for number in range(3 if JIT else 1):
        for world, (live,) in itertools.islice(
            believed(game, [pg.Tracks(20, others)], derive(5, number), play), 10_000 if JIT else 20
        ):
            view, given = world.hide(world.to_move), new_states(2, game.state)
            live.sample(given)
            assert all(World(game, row).hide(view.viewer) == view for row in given)
            assert is_possible(live, world, view.viewer)
            assert live.health().refilled == 0
            decisions += 1
    assert decisions > 5


@pytest.mark.parametrize("tracker", ["random", "attack-80", "mirrored"])
def test_probabilities_sum_up_to_one(tracker):
    game = pg.game_from("tubstap:map=sandbox")
    for world, (live,) in believed(game, [pg.Tracks(5, tracker)], 3):
        cells = world.hide(world.to_move).record["cell"][1 - world.to_move]
        sums = [chances(live, slot).sum() for slot in np.flatnonzero(cells == UNSEEN)]
        assert np.allclose(sums, 1.0)


@pytest.mark.skipif(not JIT, reason="compares both ways to run")
def test_trackers_and_worlds_are_the_same_interpreted():
    game = pg.game_from("tubstap:map=siege,turns=6")
    twin = game.interpreted()
    notes = {game: np.zeros(game.most_tracks), twin: np.zeros(game.most_tracks)}
    before, drawn = None, {}
    for number, (world, _) in enumerate(
        itertools.islice(believed(game, [pg.Fresh()], 4, "attack-80"), 40)
    ):
        seen = world.hide(0).row()
        before = seen if before is None else before
        for each, tracks in notes.items():
            tracker, row = each.tracker("random"), seen.copy()
            each.verbs.track(
                each.table, before.ctypes.data, seen.ctypes.data, 0, tracks.ctypes.data, tracker
            )
            weight = each.verbs.place(
                each.table, row.ctypes.data, 0, tracks.ctypes.data, np.uint64(number)
            )
            drawn[each] = weight, row.tobytes()
        assert notes[game].tobytes() == notes[twin].tobytes()
        assert drawn[game] == drawn[twin]
        before = seen


def test_the_same_seed_gives_the_same_worlds_and_another_gives_others():
    def told(seed):
        game = pg.game_from("tubstap:map=sandbox")
        found = [
            live.support(10)[0].tobytes() for _, (live,) in believed(game, [pg.Tracks(10)], seed)
        ]
        return found[-1]

    assert told(1) == told(1)
    assert told(1) != told(2)


@pytest.mark.skipif(not JIT, reason="decides hundreds of times")
@pytest.mark.parametrize("name", ["tubstap:map=sandbox", "tubstap:map=siege"])
@pytest.mark.parametrize("planner", ["pimc", "so-ismcts", "mo-ismcts", "bs-mcts"])
def test_decisions_do_not_depend_on_what_is_hidden(name, planner):
    cell = examine(name, pg.agent_from(f"{planner}:iterations=12,belief=tracks(worlds=20)"), 60)
    assert not cell.refusal
    assert (cell.points, cell.differences) == (60, 0)
    assert cell.swapped > 20


def test_what_cannot_be_tracked_is_refused():
    with pytest.raises(ValueError, match="tiger keeps no track of what is hidden; use particles"):
        pg.Tracks().begin(pg.games.Tiger(), 0, 0)
    with pytest.raises(
        ValueError, match="no tracker 'clever'; it offers attack-80, mirrored, random"
    ):
        pg.Tracks(others="clever").begin(pg.game_from("tubstap"), 0, 0)
    with pytest.raises(ValueError, match="worlds=0 is not possible"):
        pg.Tracks(0)
    with pytest.raises(RuntimeError, match="call observe first"):
        pg.Tracks().begin(pg.game_from("tubstap"), 0, 0).health()


def test_a_game_declares_all_that_tracking_takes():
    class Forgetful(TrackedCard):
        trackers = {}  # noqa: RUF012

    with pytest.raises(TypeError, match="needs all of these or none: a rule `place`, trackers"):
        Forgetful().start(0)
