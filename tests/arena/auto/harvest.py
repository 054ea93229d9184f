"""Harvest, as a user's file: two farmers on one field, with three actions a turn.

A farmer walks to a neighbouring cell or harvests the cell that they stand on. Every turn, each cell
that is not bare grows by one, up to a limit, and a harvested cell is bare for the rest of the
game. All information is visible. The two farmers cannot stand on the same cell. Whoever has
harvested more after twelve turns wins.
"""

import numpy as np

import plyglass as pg

SIDE, CELLS, TURNS, ACTIONS, RIPE = 6, 36, 12, 3, 9
CUT, REST = 4, 5  # after the four directions
BARE = -1

State = pg.state_dtype(
    ("crop", np.int8, (CELLS,)),
    ("place", np.int8, (2,)),
    ("store", np.int16, (2,)),
    ("turn", np.int8),
    ("left", np.int8),  # actions of this turn
)


@pg.kernel
def start(r, setup, s):
    for cell in range(CELLS):
        s.crop[cell] = pg.draw(s, 5)
    s.place[0] = 0
    s.place[1] = CELLS - 1
    s.left = ACTIONS


@pg.kernel
def to_move(r, s):
    return s.turn % 2 if s.turn < TURNS else -1


@pg.kernel
def beside(cell, direction):
    """The cell beside another, or -1 outside the field."""
    row, column = cell // SIDE, cell % SIDE
    if direction == 0:
        row -= 1
    elif direction == 1:
        row += 1
    elif direction == 2:
        column -= 1
    else:
        column += 1
    if row < 0 or row >= SIDE or column < 0 or column >= SIDE:
        return -1
    return row * SIDE + column


@pg.kernel
def legal(r, s, out):
    player, count = s.turn % 2, 0
    for direction in range(4):
        cell = beside(s.place[player], direction)
        if cell >= 0 and cell != s.place[1 - player]:
            out[count] = direction
            count += 1
    if s.crop[s.place[player]] > 0:
        out[count] = CUT
        count += 1
    out[count] = REST
    return count + 1


@pg.kernel
def apply(r, s, action):
    player = s.turn % 2
    if action == CUT:
        s.store[player] += s.crop[s.place[player]]
        s.crop[s.place[player]] = BARE
    elif action != REST:
        s.place[player] = beside(s.place[player], action)
    s.left -= 1
    if s.left == 0:
        s.left = ACTIONS
        s.turn += 1
        for cell in range(CELLS):
            if s.crop[cell] != BARE and s.crop[cell] < RIPE:
                s.crop[cell] += 1


@pg.kernel
def score(r, s, player):
    ahead = s.store[player] - s.store[1 - player]
    return max(-1.0, min(1.0, ahead / 100.0))


class Harvest(pg.Game):
    """Two farmers harvest one field, three actions a turn."""

    name = "harvest"
    state = State
    rules = (start, to_move, legal, apply, score)

    def __init__(self):
        super().__init__(players=2, most_actions=6, most_steps=TURNS * ACTIONS, scores=(-1.0, 1.0))
