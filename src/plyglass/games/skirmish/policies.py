"""Play without search: a simple policy, and representative actions for a search."""

from plyglass.core import kernel, pack
from plyglass.core.luck import below
from plyglass.games.skirmish.rules import ATTACK, END, MOVE, can_attack, can_move, sees, taken_cells


@kernel
def attack_first(r, s, stream):
    """Return a random attack if there is one; otherwise a random move, or the end of the turn.

    A policy has no array to list the choices. Instead, the n-th choice replaces the choice so far
    with probability 1/n, so all choices are equally likely.
    """
    player = s.turn % 2
    chosen, choices = pack(END, 0, 0), 0
    for unit in range(r.units):
        for enemy in range(r.units):
            if can_attack(r, s, player, unit, enemy):
                choices += 1
                if below(stream, choices) == 0:
                    chosen = pack(ATTACK, unit, enemy)
    return chosen if choices > 0 else _any_move(r, s, player, stream)


@kernel
def represent(r, s, out):
    """List at most three actions for each unit, and the end of the turn.

    The attack on the weakest enemy represents all attacks of a unit. Two moves represent all moves
    of the unit: the move that ends nearest to an enemy, and the move that ends farthest from all
    enemies.
    """
    player = s.turn % 2
    taken = taken_cells(r, s, player)
    count = 0
    for unit in range(r.units):
        enemy = _weakest_target(r, s, player, unit)
        if enemy >= 0:
            out[count] = pack(ATTACK, unit, enemy)
            count += 1
        nearest, farthest = (
            _extreme_move(r, s, player, taken, unit, 1),
            _extreme_move(r, s, player, taken, unit, -1),
        )
        if nearest >= 0:
            out[count] = pack(MOVE, unit, nearest)
            count += 1
        if farthest != nearest:
            out[count] = pack(MOVE, unit, farthest)
            count += 1
    out[count] = pack(END, 0, 0)
    return count + 1


@kernel
def _any_move(r, s, player, stream):
    """Return a random choice among all units' legal moves and the end of the turn."""
    taken = taken_cells(r, s, player)
    chosen, choices = pack(END, 0, 0), 1
    for unit in range(r.units):
        for cell in range(r.size * r.size):
            if can_move(r, s, player, taken, unit, cell):
                choices += 1
                if below(stream, choices) == 0:
                    chosen = pack(MOVE, unit, cell)
    return chosen


@kernel
def _weakest_target(r, s, player, unit):
    """Return the weakest enemy that the unit can attack, or -1 if it can attack no enemy."""
    weakest = -1
    for enemy in range(r.units):
        if can_attack(r, s, player, unit, enemy) and (
            weakest < 0 or s.health[1 - player, enemy] < s.health[1 - player, weakest]
        ):
            weakest = enemy
    return weakest


@kernel
def _extreme_move(r, s, player, taken, unit, sign):
    """Return the cell of the move that ends nearest to an enemy, or farthest from all enemies.

    `sign` is 1 for the nearest cell and -1 for the farthest. Return -1 if the unit cannot move.
    """
    best, least = -1, 0
    for cell in range(r.size * r.size):
        if can_move(r, s, player, taken, unit, cell):
            gap = sign * _gap(r, s, player, cell)
            if best < 0 or gap < least:
                best, least = cell, gap
    return best


@kernel
def _gap(r, s, player, cell):
    """Return the steps to the nearest enemy in sight or, without one, to the enemy's home row."""
    row = cell // r.size
    nearest = 2 * r.size
    for enemy in range(r.units):
        there = s.cell[1 - player, enemy]
        if there >= 0 and sees(r, s, player, there):
            nearest = min(nearest, r.distance[there, cell])
    if nearest < 2 * r.size:
        return nearest
    return r.size - 1 - row if player == 0 else row
