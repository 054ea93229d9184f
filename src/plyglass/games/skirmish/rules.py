"""Skirmish: two small armies whose units move and attack once per turn; damage is random."""

import numpy as np

from plyglass.core import chance, draw, kernel, kind_of, pack, source_of, state_dtype, target_of

# Kinds of actions. The source is a unit, the target a cell (MOVE) or an enemy unit (ATTACK).
END, MOVE, ATTACK = range(3)
SOLDIER, ARCHER, KNIGHT = range(3)  # an army has at most one of each, so a kind identifies a unit
KINDS, MOST_SIZE, MOST_DAMAGE = 3, 5, 2
MOST_CELLS = MOST_SIZE * MOST_SIZE
DEAD, UNSEEN = -1, -2  # stand for the cell of a lost or unseen unit

State = state_dtype(
    ("cell", np.int8, (2, KINDS)),  # DEAD if lost; UNSEEN in a view if hidden
    ("health", np.int8, (2, KINDS)),
    ("moved", np.int8, (2, KINDS)),  # whether each unit has moved in the current turn
    ("attacked", np.int8, (2, KINDS)),
    ("turn", np.int16),  # number of turns that have ended; the first player moves when it is even
    ("over", np.int8),
)

Constants = np.dtype(
    [
        ("size", np.int64),
        ("units", np.int64),
        ("health", np.int64),
        ("turns", np.int64),
        ("sight", np.int64),  # how far a unit sees; without fog, the whole board
        ("steps", np.int64, (KINDS,)),
        ("reach", np.int64, (KINDS,)),
        ("blow", np.float64, (KINDS, MOST_DAMAGE + 1)),  # weights of each damage, by kind of unit
        ("distance", np.int8, (MOST_CELLS, MOST_CELLS)),  # steps between cells of an empty board
    ]
)


@kernel
def start(r, setup, s):
    """Place the first army on the bottom row; the second army is turned by 180 degrees."""
    for unit in range(KINDS):
        present = unit < r.units
        home = (r.size - r.units) // 2 + unit
        s.cell[0, unit] = home if present else DEAD
        s.cell[1, unit] = r.size * r.size - 1 - home if present else DEAD
        for player in range(2):
            s.health[player, unit] = r.health if present else 0


@kernel
def to_move(r, s):
    return -1 if s.over else s.turn % 2


@kernel
def legal(r, s, out):
    """List all moves and attacks that the mover considers possible, and the end of the turn.

    Unseen units do not change the list.
    """
    player = s.turn % 2
    taken = taken_cells(r, s, player)
    count = 0
    for unit in range(r.units):
        for cell in range(r.size * r.size):
            if can_move(r, s, player, taken, unit, cell):
                out[count] = pack(MOVE, unit, cell)
                count += 1
        for enemy in range(r.units):
            if can_attack(r, s, player, unit, enemy):
                out[count] = pack(ATTACK, unit, enemy)
                count += 1
    out[count] = pack(END, 0, 0)
    return count + 1


@kernel
def apply(r, s, action):
    player = s.turn % 2
    if kind_of(action) == MOVE:
        _move(r, s, player, source_of(action), target_of(action))
    elif kind_of(action) == ATTACK:
        _attack(r, s, player, source_of(action), target_of(action))
    else:
        _end_turn(r, s, player)


@kernel
def score(r, s, player):
    """Return 1 for a win, -1 for a loss, or the lead in health.

    An army wins when the other army has no health left. After the last turn, the score is the lead
    in health, divided by an army's health at the start.
    """
    if not s.over:
        return 0.0
    mine, theirs = army_health(s, player), army_health(s, 1 - player)
    if mine == 0 or theirs == 0:
        return 1.0 if mine > 0 else -1.0
    return (mine - theirs) / (r.units * r.health)


@kernel
def hide(r, s, viewer):
    """Erase where the unseen enemies stand and what they have done this turn.

    When the game is over, nothing is erased. The health of enemies is kept, because only the
    viewer's own attacks change it, and the viewer sees the damage of these attacks.
    """
    enemy = 1 - viewer
    for unit in range(r.units):
        cell = s.cell[enemy, unit]
        if cell >= 0 and not s.over and not sees(r, s, viewer, cell):
            s.cell[enemy, unit] = UNSEEN
            s.moved[enemy, unit] = 0
            s.attacked[enemy, unit] = 0


@kernel
def imagine(r, s, viewer):
    """Put each unseen enemy on a random cell out of sight.

    During the enemy's turn, chance also decides whether an unseen enemy has moved and whether it
    has attacked.
    """
    enemy = 1 - viewer
    for unit in range(r.units):
        if s.cell[enemy, unit] == UNSEEN:
            s.cell[enemy, unit] = _hiding_place(r, s, viewer, draw(s, _hiding_places(r, s, viewer)))
            if s.turn % 2 == enemy:
                s.moved[enemy, unit] = draw(s, 2)
                s.attacked[enemy, unit] = draw(s, 2)


@kernel
def sees(r, s, viewer, cell):
    """Return whether any unit of `viewer` is near enough to see this cell."""
    for unit in range(r.units):
        here = s.cell[viewer, unit]
        if here >= 0 and r.distance[here, cell] <= r.sight:
            return True
    return False


@kernel
def taken_cells(r, s, player):
    """Return the cells that `player` knows to be occupied, as a set with one bit per cell."""
    taken = 0
    for unit in range(r.units):
        mine, theirs = s.cell[player, unit], s.cell[1 - player, unit]
        if mine >= 0:
            taken |= 1 << mine
        if theirs >= 0 and sees(r, s, player, theirs):
            taken |= 1 << theirs
    return taken


@kernel
def can_move(r, s, player, taken, unit, cell):
    """Return whether a unit can be sent to a cell.

    No known unit may stand on the cell or block all paths to it.
    """
    here = s.cell[player, unit]
    if (
        here < 0
        or s.moved[player, unit]
        or (taken >> cell) & 1
        or r.distance[here, cell] > r.steps[unit]
    ):
        return False
    return r.distance[here, cell] == 1 or gateway(r, taken, here, cell) >= 0


@kernel
def can_attack(r, s, player, unit, enemy):
    """Return whether a unit can attack this enemy: the enemy is in sight and within reach."""
    here, there = s.cell[player, unit], s.cell[1 - player, enemy]
    if here < 0 or there < 0 or s.attacked[player, unit]:
        return False
    return r.distance[here, there] <= r.reach[unit] and sees(r, s, player, there)


@kernel
def gateway(r, taken, here, there):
    """Return the first free cell between two cells that are two steps apart, or -1.

    The cells in `taken` are not free. The result is -1 if no cell between the two is free.
    """
    for cell in range(r.size * r.size):
        if r.distance[here, cell] == 1 and r.distance[cell, there] == 1 and not (taken >> cell) & 1:
            return cell
    return -1


@kernel
def army_health(s, player):
    total = 0
    for unit in range(KINDS):
        total += s.health[player, unit]
    return total


@kernel
def _move(r, s, player, unit, cell):
    """Move a unit to a cell, or one step short of it if an unseen enemy is on the cell.

    A unit always sees the cells next to it, so only the second of two steps can meet an unseen
    enemy.
    """
    s.moved[player, unit] = 1
    ambush = False
    for enemy in range(r.units):
        ambush = ambush or s.cell[1 - player, enemy] == cell
    s.cell[player, unit] = (
        gateway(r, taken_cells(r, s, player), s.cell[player, unit], cell) if ambush else cell
    )


@kernel
def _attack(r, s, player, unit, enemy):
    s.attacked[player, unit] = 1
    left = s.health[1 - player, enemy] - chance(s, r.blow[unit])
    s.health[1 - player, enemy] = max(left, 0)
    if left <= 0:
        s.cell[1 - player, enemy] = DEAD
        s.over = 1 if army_health(s, 1 - player) == 0 else 0


@kernel
def _end_turn(r, s, player):
    for unit in range(r.units):
        s.moved[player, unit] = 0
        s.attacked[player, unit] = 0
    s.turn += 1
    s.over = 1 if s.turn == r.turns else 0


@kernel
def _can_hide(r, s, viewer, cell):
    """Return whether an enemy of `viewer` could stand unseen on a cell, which must be free."""
    for unit in range(r.units):
        if s.cell[1 - viewer, unit] == cell:
            return False
    return not sees(r, s, viewer, cell)


@kernel
def _hiding_places(r, s, viewer):
    count = 0
    for cell in range(r.size * r.size):
        if _can_hide(r, s, viewer, cell):
            count += 1
    return count


@kernel
def _hiding_place(r, s, viewer, number):
    """Return the cell at index `number` among the cells where an enemy could stand unseen."""
    for cell in range(r.size * r.size):
        if _can_hide(r, s, viewer, cell):
            if number == 0:
                return cell
            number -= 1
    return DEAD
