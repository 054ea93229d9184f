"""Play without search: the policy attack-80."""

from plyglass.core import kernel, pack
from plyglass.core.luck import below, uniform
from plyglass.games.tubstap.cells import is_empty, nth, size, union
from plyglass.games.tubstap.legal_actions import can_act, count_attacks, stops, strikes, victims
from plyglass.games.tubstap.movement import foes, own_cells
from plyglass.games.tubstap.state import DIRECTION_BITS, END, MOVE, NORTH, SHOOT, STRIKE

EAGERNESS = 0.8


@kernel
def attack_80(r, s, stream):
    """Choose a random attack with probability 0.8; otherwise, a random action of a random unit."""
    side = s.turn & 1
    taken = own_cells(r, s, side)
    flying, grounded = foes(r, s, side)
    if uniform(stream) < EAGERNESS and not is_empty(union(flying, grounded)):
        attack = _any_attack(r, s, stream, side, taken, flying, grounded)
        if attack != END:
            return attack
    slot = _any_unit(r, s, stream, side)
    if slot < 0:
        return pack(END, 0, 0)
    kind, here = r.kind[side, slot], s.cell[side, slot]
    where, there = (
        stops(r, kind, here, taken, union(flying, grounded)),
        victims(r, kind, here, flying, grounded),
    )
    moves = size(where)
    choice = below(stream, moves + count_attacks(r, kind, where, there))
    return (
        pack(MOVE, here, nth(where, choice))
        if choice < moves
        else _attack(r, kind, here, where, there, choice - moves)
    )


@kernel
def _any_attack(r, s, stream, side, taken, flying, grounded):
    """Return one of all units' attacks, all equally likely; END if there is no attack.

    A policy has no array to list the attacks. Instead, the units are visited in turn. One of the
    visited unit's attacks replaces the choice so far with a certain probability: the share of this
    unit's attacks in all attacks found so far.
    """
    total, chosen, number = 0, -1, 0
    for slot in range(r.units[side]):
        if can_act(s, side, slot):
            kind, here = r.kind[side, slot], s.cell[side, slot]
            there = victims(r, kind, here, flying, grounded)
            if not is_empty(there):
                where = stops(r, kind, here, taken, union(flying, grounded))
                attacks = count_attacks(r, kind, where, there)
                total += attacks
                choice = below(stream, total) if attacks > 0 else total
                if choice < attacks:
                    chosen, number = slot, choice
    if chosen < 0:
        return END
    kind, here = r.kind[side, chosen], s.cell[side, chosen]
    where = stops(r, kind, here, taken, union(flying, grounded))
    return _attack(r, kind, here, where, victims(r, kind, here, flying, grounded), number)


@kernel
def _any_unit(r, s, stream, side):
    """Return the slot of a random unit that can act, or -1 if there is none."""
    chosen, units = -1, 0
    for slot in range(r.units[side]):
        if can_act(s, side, slot):
            units += 1
            if below(stream, units) == 0:
                chosen = slot
    return chosen


@kernel
def _attack(r, kind, here, where, there, number):
    """Return the unit's attack with the index `number`."""
    if r.indirect[kind]:
        return pack(SHOOT, here, nth(there, number))
    direction, cells = NORTH, strikes(where, there, NORTH)
    while number >= size(cells):
        number -= size(cells)
        direction += 1
        cells = strikes(where, there, direction)
    return pack(STRIKE, here, direction << DIRECTION_BITS | nth(cells, number))
