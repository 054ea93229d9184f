"""Trackers: functions that update the tracks of unseen enemies from one view to the next.

The track of an enemy holds the probability of each cell. A track begins at the enemy's first cell.
Observations change the tracks in this order:

1. An enemy comes into sight. This enemy may be any unseen enemy of the same kind and health, each
   with some probability. The view names one unseen enemy. If the view names the wrong enemy, the
   two enemies swap tracks.
2. One of the side's units loses health, and no enemy in sight can be the cause. Then a cannon in
   range has acted.
3. An enemy goes out of sight. Either the enemy has gone into the fog, or the enemy has stayed and
   the side no longer sees the enemy's cell.
4. The enemy's turn ends. All unseen enemies that have not acted yet are assumed to act now
   (track_motion.py). The exact moment within the turn makes little difference.
5. No unseen enemy is on a cell that the side sees.

If a track has no probability left on any cell, the track is reset: the enemy may be anywhere in the
fog. A track becomes empty only because tracks lose information, by rounding or by treating enemies
as independent. The trackers count how often a track becomes empty.
"""

from plyglass.core import kernel
from plyglass.core.memory import stack_ints, stack_reals
from plyglass.games.tubstap.cells import CELLS, has, single
from plyglass.games.tubstap.legal_actions import stops
from plyglass.games.tubstap.movement import own_cells
from plyglass.games.tubstap.sight import seen_cells
from plyglass.games.tubstap.state import MOST_UNITS, PLAYING, UNSEEN
from plyglass.games.tubstap.track_evidence import guilt, notice_arrivals, notice_shots
from plyglass.games.tubstap.track_motion import find_free, fog_for, go, idleness
from plyglass.games.tubstap.tracks import ACTED, NUMBERS, copy, keep, put, put_anywhere, track_of

# After the ordinary tracks come spare tracks, for units that have just gone out of sight.
SPARE = MOST_UNITS


@kernel
def by_random(r, s, seen, viewer, tracks):
    """Track enemies, assuming that they play at random."""
    return _track(r, s, seen, viewer, tracks, False)


@kernel
def by_attack_80(r, s, seen, viewer, tracks):
    """Track enemies, assuming that they play by the policy attack-80."""
    return _track(r, s, seen, viewer, tracks, True)


@kernel
def by_mirror(r, s, seen, viewer, tracks):
    """Assume that unseen enemies are still on their first cells, as Pipan 2021 guesses.

    An enemy's first cell mirrors the first cell of one of the player's own units. If an enemy's
    first cell is in sight and empty, the enemy may be anywhere in the fog.
    """
    enemy = 1 - viewer
    for slot in range(r.units[enemy]):
        if seen.cell[enemy, slot] == UNSEEN:
            fog = fog_for(r, seen, viewer, r.kind[enemy, slot])
            home = single(r, r.home[enemy, slot])
            put_anywhere(
                tracks, track_of(slot), home if has(r, fog, r.home[enemy, slot]) else fog, 0.0
            )
    return 0


@kernel
def _track(r, s, seen, viewer, tracks, eager):
    """Update all tracks from view `s` to view `seen`; return how many became empty."""
    if not r.fog or seen.result != PLAYING:
        return 0
    if tracks[NUMBERS] == 0.0:
        tracks[NUMBERS] = 1.0
        return _begin(r, seen, viewer, tracks)
    before, origins = stack_reals(2 * NUMBERS), stack_ints(MOST_UNITS)
    for slot in range(r.units[1 - viewer]):
        copy(tracks, track_of(slot), before, track_of(slot))
    _find_origins(r, s, seen, 1 - viewer, origins)
    notice_arrivals(r, s, seen, viewer, before, origins, eager)
    notice_shots(r, s, seen, viewer, before)
    for slot in range(r.units[1 - viewer]):
        if seen.cell[1 - viewer, slot] == UNSEEN and origins[slot] >= SPARE:
            _lose_sight(r, s, seen, viewer, slot, before, track_of(origins[slot]), origins)
    return _go_on(r, s, seen, viewer, before, origins, tracks, eager)


@kernel
def _begin(r, seen, viewer, tracks):
    """Begin the tracks of unseen enemies.

    At the start of a game, enemies are on their first cells. If the tracks begin later, an enemy
    may be anywhere in the fog, unless the viewer saw the enemy in the current turn.
    """
    enemy = 1 - viewer
    for slot in range(r.units[enemy]):
        if seen.cell[enemy, slot] == UNSEEN:
            known = seen.turn == 0 or (
                seen.turn & 1 == viewer and seen.last_turn[enemy, slot] == seen.turn
            )
            where = (
                single(r, seen.last_cell[enemy, slot])
                if known
                else fog_for(r, seen, viewer, r.kind[enemy, slot])
            )
            put_anywhere(tracks, track_of(slot), where, 0.0)
    return 0


@kernel
def _find_origins(r, s, seen, enemy, origins):
    """Use the viewer's memories to find the index of each unseen unit in the last view.

    A unit that was in sight in the last view gets a spare track.
    """
    used = 0
    for slot in range(r.units[enemy]):
        origins[slot] = SPARE + slot
        if seen.cell[enemy, slot] == UNSEEN:
            for other in range(r.units[enemy]):
                if (
                    not used >> other & 1
                    and s.cell[enemy, other] == UNSEEN
                    and _is_same(r, s, other, seen, slot, enemy)
                ):
                    origins[slot] = other
            used |= 1 << origins[slot]


@kernel
def _is_same(r, s, other, seen, slot, side):
    """Return whether the viewer remembers unit `other` in `s` and unit `slot` in `seen` alike."""
    alike = (
        r.kind[side, other] == r.kind[side, slot]
        and s.health[side, other] == seen.health[side, slot]
    )
    same_cell = s.last_cell[side, other] == seen.last_cell[side, slot]
    return alike and same_cell and s.last_turn[side, other] == seen.last_turn[side, slot]


@kernel
def _go_on(r, s, seen, viewer, before, origins, tracks, eager):
    """Make the new tracks, and return how many of the tracks became empty."""
    enemy, lost, idle, free = 1 - viewer, 0, idleness(r, s, seen, viewer, eager), stack_reals(CELLS)
    for slot in range(r.units[enemy]):
        if seen.cell[enemy, slot] == UNSEEN:
            at, kind, origin = track_of(slot), r.kind[enemy, slot], track_of(origins[slot])
            if s.turn & 1 == enemy and seen.turn != s.turn:
                find_free(r, seen, enemy, before, origins, slot, free)
                go(r, seen, viewer, kind, before, origin, tracks, at, free, idle, eager)
            else:
                copy(before, origin, tracks, at)
            if not keep(r, tracks, at, fog_for(r, seen, viewer, kind)):
                put_anywhere(tracks, at, fog_for(r, seen, viewer, kind), 0.0)
                lost += 1
            if seen.turn != s.turn:
                tracks[at + ACTED] = 0.0
    return lost


@kernel
def _lose_sight(r, s, seen, viewer, slot, tracks, at, origins):
    """Begin the track of a unit that has just gone out of sight.

    If the side still sees the unit's last cell, the unit has gone into the fog. Otherwise the unit
    is still on its last cell.
    """
    enemy = 1 - viewer
    kind, last = r.kind[enemy, slot], seen.last_cell[enemy, slot]
    if has(r, seen_cells(r, seen, viewer), last):
        put_anywhere(
            tracks,
            at,
            stops(r, kind, last, own_cells(r, seen, enemy), own_cells(r, seen, viewer)),
            1.0,
        )
    else:
        waited = _waited_at(r, s, enemy, kind, last)
        put(tracks, at, last, guilt(r, s, seen, viewer, last, origins) if waited else 1.0)


@kernel
def _waited_at(r, s, side, kind, cell):
    """Return whether a unit of a kind was on a cell in the last view and had not acted."""
    for slot in range(r.units[side]):
        if s.cell[side, slot] == cell and r.kind[side, slot] == kind and not s.acted[side, slot]:
            return True
    return False
