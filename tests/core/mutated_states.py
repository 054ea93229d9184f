"""Mutated positions for test_admission.py, with the gate's answers and the rules' behaviour.

    NUMBA_BOUNDSCHECK=1 python -m tests.core.mutated_states gate GAME+GAME FOLDER COUNT SEED
    python -m tests.core.mutated_states play GAME+GAME FOLDER

The first command takes positions of random games, changes some of their bytes, and passes them to
the gate, between wide canaries. It writes the positions that the gate admits. The second command
continues play from these positions with unchecked rules, again between canaries. Each command
prints how often each outcome occurred.
"""

import json
import os
import random
import signal
import sys
from collections import Counter
from pathlib import Path

import numpy as np

import plyglass as pg
from plyglass.core.admission import PositionRefused, _gaps, admitted_view, admitted_world
from plyglass.core.check import walk
from plyglass.core.state import HEADER_BYTES

WIDE = 1 << 10  # elements of each canary
BATCH = 100  # positions in one process, which may crash or hang
SECONDS = 5.0  # CPU time for one position
PLAYED = 10  # random games from each position
EDGES = (0, 1, 2, 127, 128, 255)


def positions(game, choice):
    """A random position of a random game: (viewer or -1 for a world, bytes)."""
    while True:
        world = game.start(choice.randrange(1 << 60))
        for _ in range(choice.randrange(min(60, game.most_steps))):
            if world.over:
                break
            world.apply(choice.choice(world.legal()))
        if not world.over:
            viewer = choice.randrange(-1, game.players)
            return viewer, (world.row() if viewer < 0 else world.hide(viewer).row())


def mutated(game, row, choice):
    """Some bytes changed, at random, to edges, by one bit, or copied from elsewhere."""
    places = range(HEADER_BYTES, game.state.itemsize)
    if choice.randrange(20):  # bytes between fields are refused at once
        places = [at for at in places if not _gaps(game)[at]]
    for _ in range(choice.choice((1, 1, 1, 2, 4, 16))):
        at = choice.choice(places)
        row[at] = choice.choice(
            (
                choice.randrange(256),
                choice.choice(EDGES),
                row[at] ^ (1 << choice.randrange(8)),
                (int(row[at]) + choice.choice((-1, 1))) % 256,
                row[choice.randrange(HEADER_BYTES, game.state.itemsize)],
            )
        )
    return row


def asked(game, number, seed):
    """What the gate says about a mutated position: (verdict, viewer, bytes)."""
    choice = random.Random(f"{game.name} {seed} {number}")
    viewer, row = positions(game, choice)
    row = mutated(game, row, choice)
    try:
        if viewer < 0:
            admitted_world(game, row.tobytes())
        else:
            admitted_view(game, viewer, row.tobytes())
    except PositionRefused as refusal:
        written = "wrote outside" in str(refusal)
        return ("written outside" if written else f"refused: {refusal.code}"), viewer, row
    return "admitted", viewer, row


def played(game, viewer, row, number):
    """What unchecked rules do from an admitted position."""
    for again in range(PLAYED):
        choice = random.Random(f"{number} {again}")
        probe = walk.Probe(game, choice.randrange(1 << 60))
        probe.row[:] = row if viewer < 0 else probe.imagined(row, viewer)
        game.verbs.change_luck(probe.address, np.uint64(choice.randrange(1 << 60)))
        for _ in range(game.most_steps):
            mover = probe.to_move()
            if not 0 <= mover < game.players:
                break
            actions = probe.legal()
            if not actions:
                break
            probe.step(mover, choice.choice(actions))
            for each in range(game.players if game.hides else 0):
                probe.imagined(probe.hidden(each), each)
        probe.row[:] = row if viewer < 0 else probe.imagined(row, viewer)
        for _ in range(PLAYED):
            before = probe.row.copy()
            probe.play_on(probe.to_move(), choice.randrange(1 << 60), game.most_steps)
            probe.row[:] = before
        if probe.damage() is not None:
            return "written outside"
    return "in bounds"


def batches(count, work):
    """Call `work(number)` for each number in other processes; count what each comes to."""
    found, first = Counter(), 0
    while first < count:
        last = min(first + BATCH, count)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            for number in range(first, last):
                signal.setitimer(signal.ITIMER_PROF, SECONDS)
                os.write(writing, f"{work(number)}\n".encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as lines:
            told = [line.strip() for line in lines]
        _, status = os.waitpid(child, 0)
        found.update(told)
        first += len(told)
        if os.WIFSIGNALED(status):
            hung = os.WTERMSIG(status) == signal.SIGPROF
            found["hung" if hung else signal.Signals(os.WTERMSIG(status)).name] += 1
            first += 1
        elif status:
            raise RuntimeError(f"position {first} raised an error")
    return found


def asked_of(text, count, seed, file):
    """What the gate says about `count` positions of a game; those that it admits go to the file."""
    game = pg.game_from(text)
    _ = game.table, game.ranges
    with file.open("wb") as kept:

        def work(number):
            verdict, viewer, row = asked(game, number, seed)
            if verdict == "admitted":
                kept.write(np.int8(viewer).tobytes() + row.tobytes())
                kept.flush()
            return verdict

        return batches(count, work)


def played_of(text, file):
    """What unchecked rules of a game do from the positions of the file."""
    game = pg.game_from(text)
    _ = game.table
    rows = np.frombuffer(file.read_bytes(), np.uint8).reshape(-1, game.state.itemsize + 1)

    def work(number):
        return played(game, int(rows[number, 0].view(np.int8)), rows[number, 1:].copy(), number)

    return batches(len(rows), work)


def main(what, games, folder, count="0", seed="0"):
    walk.GUARD = WIDE
    found = {}
    for text in games.split("+"):
        file = Path(folder) / text.replace(":", "-")
        found[text] = (
            asked_of(text, int(count), int(seed), file) if what == "gate" else played_of(text, file)
        )
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
