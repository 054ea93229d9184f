"""Does luck come from `draw` and `chance` alone? With a tape that dictates luck, nothing else in the header may make a difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from plyglass.core.check.finding import Finding
from plyglass.core.check.walk import Probe, positions
from plyglass.core.game import Game
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP
from plyglass.core.state import HEADER_BYTES, Bytes, record_of, rows
from plyglass.core.tape import MOST_DRAWS

ADVICE = "draw all luck with draw(s, n) or chance(s, weights), and never read luck, rng, ply or drawn"
HEADERS = ((1, 1, 1), (2**63 + 12345, 77, 5))  # luck, ply, drawn
Run = Callable[[int], Any]


def luck(game: Game, games: int, seed: int) -> Iterator[Finding]:
    """Run every rule twice on the same tape with different headers; the results must be equal."""
    secret = record_of(game.setup, game.default_setup())
    starts = {
        _result(
            game,
            rows(1, game.state)[0],
            HEADERS[0],
            lambda at, luck=luck: game.verbs.start(game.table, secret.ctypes.data, at, np.uint64(luck)),
        )
        for luck, _, _ in HEADERS
    }
    if len(starts) > 1:
        yield Finding("start", "the position depends on luck that was not drawn", ADVICE)
        return
    for probe in positions(game, games, seed):
        for rule, run in _runs(probe):
            results = {_result(game, probe.row, header, run) for header in HEADERS}
            if len(results) > 1:
                yield probe.finding(rule, "the result depends on luck that was not drawn", ADVICE)
                return


def _runs(probe: Probe) -> Iterator[tuple[str, Run]]:
    game, table, player = probe.game, probe.game.table, probe.to_move()
    if player >= 0:
        action = probe.legal()[0]
        yield "apply", lambda at: game.verbs.step(table, at, player, action)
    for viewer in range(game.players):
        yield "hide", lambda at, viewer=viewer: game.verbs.hide(table, at, viewer)


def _result(game: Game, row: Bytes, header: tuple[int, int, int], run: Run) -> bytes:
    """The state after `run`, luck dictated by a tape of zeros, under a header of these numbers."""
    tape = np.zeros(TAPE_HEAD + TAPE_STEP * MOST_DRAWS, np.int64)
    tape[1] = MOST_DRAWS
    state = row.copy()
    record = state.view(game.state)
    record["luck"], record["rng"] = header[0], header[0] ^ header[1]
    record["ply"], record["drawn"], record["tape"] = header[1], header[2], tape.ctypes.data
    run(int(state.ctypes.data))
    return state[HEADER_BYTES:].tobytes()
