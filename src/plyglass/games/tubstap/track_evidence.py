"""What a side learns about unseen enemies from arrivals and from shots out of the fog."""

from plyglass.core import kernel
from plyglass.core.memory import stack_reals
from plyglass.games.tubstap.cells import beside, has, no_cells, row, single, union
from plyglass.games.tubstap.combat import damage
from plyglass.games.tubstap.movement import own_cells
from plyglass.games.tubstap.state import MOST_UNITS, UNSEEN
from plyglass.games.tubstap.track_motion import fog_for, showing
from plyglass.games.tubstap.tracks import ACTED, blend, narrow, share, track_of

TINY = 1e-12  # avoids a division by zero


@kernel
def notice_arrivals(r, s, seen, viewer, tracks, origins, eager):
    """Weigh which unseen units may have come into sight, and update all units' tracks.

    An arrival is a unit that has come into sight. The view identifies each arrival with one unseen
    unit, but this identification is only a guess. The arrival may be another unit that looks the
    same, and then the guessed unit is still unseen. So each similar unit's track is blended with
    the guessed unit's track, by the probability that the similar unit is the arrival.
    """
    enemy, arrived, likely = 1 - viewer, no_cells(), stack_reals(MOST_UNITS)
    gone, settled = _gone(r, s, seen, enemy, origins), 0
    for slot in range(r.units[enemy]):
        if gone >> slot & 1:
            there = _arrival(r, s, seen, viewer, slot, arrived)
            arrived = union(arrived, there)
            total = _weigh_arrival(r, s, seen, viewer, tracks, slot, there, settled, eager, likely)
            settled |= 1 << slot
            for other in range(r.units[enemy]):
                if other != slot and likely[other] > 0.0:
                    blend(tracks, track_of(other), track_of(slot), likely[other] / total)


@kernel
def notice_shots(r, s, seen, viewer, tracks):
    """Attribute lost health to cannons in the fog, unless an enemy in sight may be the cause."""
    if s.turn & 1 == viewer or not _all_stayed(r, s, seen, 1 - viewer):
        return
    for victim in range(r.units[viewer]):
        cell, loss = s.cell[viewer, victim], s.health[viewer, victim] - seen.health[viewer, victim]
        if (
            loss > 0
            and not _was_in_sight(r, s, 1 - viewer, cell)
            and not _was_in_sight(r, seen, 1 - viewer, cell)
        ):
            _blame(r, s, viewer, victim, loss, tracks)


@kernel
def guilt(r, s, seen, viewer, last, origins):
    """Return the probability that the enemy on `last` killed its observer without moving.

    The observer is the viewer's unit that saw the enemy. The enemy is now out of sight.
    """
    enemy, suspects, accused = 1 - viewer, 0, False
    if _somebody_moved(r, s, seen, enemy, origins):
        return 0.0
    for victim in range(r.units[viewer]):
        if s.cell[viewer, victim] >= 0 and seen.cell[viewer, victim] < 0:
            for slot in range(r.units[enemy]):
                if _can_kill(r, s, viewer, victim, slot):
                    suspects += 1
                    accused = accused or s.cell[enemy, slot] == last
    return 1.0 / suspects if accused else 0.0


@kernel
def _somebody_moved(r, s, seen, enemy, origins):
    """Return whether an enemy is known to be on a cell that had no enemy in the last view."""
    before = own_cells(r, s, enemy)
    for slot in range(r.units[enemy]):
        cell = seen.cell[enemy, slot]
        if cell == UNSEEN and origins[slot] >= MOST_UNITS:
            cell = seen.last_cell[enemy, slot]
        if cell >= 0 and not has(r, before, cell):
            return True
    return False


@kernel
def _can_kill(r, s, viewer, victim, slot):
    """Return whether an enemy may have killed a unit without moving."""
    enemy, cell, health = 1 - viewer, s.cell[viewer, victim], s.health[viewer, victim]
    here, kind = s.cell[enemy, slot], r.kind[enemy, slot]
    if (
        s.acted[enemy, slot]
        or damage(r, kind, s.health[enemy, slot], r.kind[viewer, victim], health, cell) < health
    ):
        return False
    return (here == UNSEEN and r.indirect[kind]) or (here >= 0 and _can_attack(r, kind, here, cell))


@kernel
def _can_attack(r, kind, here, cell):
    """Return whether a kind of unit can attack a cell without moving."""
    return has(r, row(r.prey[kind, cell]) if r.indirect[kind] else beside(single(r, cell)), here)


@kernel
def _gone(r, s, seen, enemy, origins):
    """Return the slots of units that were unseen in the last view and are now seen or lost."""
    gone = 0
    for slot in range(r.units[enemy]):
        if s.cell[enemy, slot] == UNSEEN:
            gone |= 1 << slot
    for slot in range(r.units[enemy]):
        if seen.cell[enemy, slot] == UNSEEN:
            gone &= ~(1 << origins[slot])
    return gone


@kernel
def _arrival(r, s, seen, viewer, slot, arrived):
    """Return, as a set, the cell of the arrival that the view identifies with a slot's unit.

    If no arrival fits, the unit came into sight and was destroyed before this view. Then the set
    has all cells beside the viewer's units.
    """
    enemy, before = 1 - viewer, own_cells(r, s, 1 - viewer)
    for other in range(r.units[enemy]):
        cell = seen.cell[enemy, other]
        alike = r.kind[enemy, other] == r.kind[enemy, slot]
        if s.turn & 1 == viewer:  # in the enemy's turn, a strike back may change health
            alike = alike and seen.health[enemy, other] == s.health[enemy, slot]
        if alike and cell >= 0 and not has(r, before, cell) and not has(r, arrived, cell):
            return single(r, cell)
    return beside(own_cells(r, s, viewer))


@kernel
def _weigh_arrival(r, s, seen, viewer, tracks, slot, there, settled, eager, likely):
    """Write to `likely` how likely each unseen unit is to be the arrival; return the sum.

    The candidates have the kind and health of the unit in the slot. Units in `settled` have already
    been identified with other arrivals.
    """
    enemy, total, fog = 1 - viewer, 0.0, fog_for(r, seen, viewer, r.kind[1 - viewer, slot])
    for other in range(r.units[enemy]):
        likely[other] = 0.0
        alike = (
            r.kind[enemy, other] == r.kind[enemy, slot]
            and s.health[enemy, other] == s.health[enemy, slot]
        )
        if alike and s.cell[enemy, other] == UNSEEN and not settled >> other & 1:
            at = track_of(other)
            if s.turn & 1 == enemy:
                likely[other] = showing(r, s, viewer, r.kind[enemy, slot], tracks, at, there, eager)
            else:  # the odds of being there against still being unseen
                likely[other] = share(tracks, at, there) / (share(tracks, at, fog) + TINY)
            total += likely[other]
    return total


@kernel
def _all_stayed(r, s, seen, enemy):
    """Return whether all enemies look as in the last view, so no enemy has come into sight."""
    for slot in range(r.units[enemy]):
        if (
            seen.cell[enemy, slot] != s.cell[enemy, slot]
            or seen.health[enemy, slot] != s.health[enemy, slot]
        ):
            return False
        noted = (
            seen.last_cell[enemy, slot] != s.last_cell[enemy, slot]
            or seen.last_turn[enemy, slot] != s.last_turn[enemy, slot]
        )
        if seen.cell[enemy, slot] == UNSEEN and noted:  # it was seen by a unit that was then lost
            return False
    return True


@kernel
def _was_in_sight(r, s, enemy, cell):
    """Return whether an enemy in sight could have attacked a unit on `cell` without moving."""
    for slot in range(r.units[enemy]):
        if s.cell[enemy, slot] >= 0 and _can_attack(
            r, r.kind[enemy, slot], s.cell[enemy, slot], cell
        ):
            return True
    return False


@kernel
def _blame(r, s, viewer, victim, loss, tracks):
    """Weigh which unseen cannons may have shot at a unit, and narrow the cannons' tracks.

    Each track is mixed with its restriction to the cells from which the cannon can hit the unit.
    The restriction has a weight equal to the probability that this cannon shot.
    """
    enemy, cell, likely, total = 1 - viewer, s.cell[viewer, victim], stack_reals(MOST_UNITS), 0.0
    for slot in range(r.units[enemy]):
        at, likely[slot] = track_of(slot), 0.0
        if s.cell[enemy, slot] == UNSEEN and r.indirect[r.kind[enemy, slot]]:
            kind, health = r.kind[viewer, victim], s.health[viewer, victim]
            if damage(r, r.kind[enemy, slot], s.health[enemy, slot], kind, health, cell) == loss:
                likely[slot] = (1.0 - tracks[at + ACTED]) * share(
                    tracks, at, row(r.prey[r.kind[enemy, slot], cell])
                )
        total += likely[slot]
    for slot in range(r.units[enemy]):
        if likely[slot] > 0.0:
            part = likely[slot] / total
            narrow(r, tracks, track_of(slot), row(r.prey[r.kind[enemy, slot], cell]), part)
            tracks[track_of(slot) + ACTED] += part * (1.0 - tracks[track_of(slot) + ACTED])
