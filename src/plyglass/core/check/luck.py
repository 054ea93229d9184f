"""Does all chance come from `draw` and `chance`?

If a tape dictates chance, nothing else in the header may make a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from plyglass.core.check.finding import Finding
from plyglass.core.check.walk import Probe, positions
from plyglass.core.game import Game
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP, mix
from plyglass.core.seeds import derive
from plyglass.core.state import HEADER_BYTES, Bytes, filled
from plyglass.core.tape import MOST_DRAWS
from plyglass.core.world import World

ADVICE = (
    "use draw(s, n) or chance(s, weights) for all chance, and never read or write luck, rng, "
    "tape, ply or drawn"
)
HEADER = {"luck": 1, "rng": 1, "ply": 1, "drawn": 1}

Header = dict[str, int]
Run = Callable[[World, np.uint64], object]


@dataclass(frozen=True)
class Outcome:
    """The result of a rule: the state, the return value, the number of draws, and the header."""

    body: bytes
    answer: object
    draws: int
    header: Header


def luck(game: Game, games: int, seed: int) -> Iterator[Finding]:
    """Run every rule on the same tape under different headers; the results must be equal."""
    for probe in positions(game, games, seed):
        findings = [
            finding
            for rule, row, run in _runs(probe)
            for finding in _examine(probe, rule, row, run)
        ]
        yield from findings
        if findings:
            return


def _runs(probe: Probe) -> Iterator[tuple[str, Bytes, Run]]:
    """Yield each rule that can run here: its name, a state to run it on, and how to run it."""
    player, row = probe.to_move(), probe.row
    if not probe.history:
        yield "start", np.zeros_like(row), _start
    yield "to_move", row, lambda world, luck: world.to_move
    yield "legal", row, lambda world, luck: world.legal()
    yield "score", row, lambda world, luck: world.scores
    if player >= 0:
        actions = probe.legal()
        yield "apply", row, partial(_apply, player, actions[len(probe.history) % len(actions)])
    for viewer in range(probe.game.players if probe.game.hides else 0):
        yield "hide", row, partial(_hide, viewer)
        yield "imagine", probe.hidden(viewer), partial(_imagine, viewer)


def _start(world: World, luck: np.uint64) -> object:
    secret = filled(world.game.setup, world.game.default_setup())
    return world.game.verbs.start(world.game.table, secret.ctypes.data, world.address, luck)


def _apply(player: int, action: int, world: World, luck: np.uint64) -> object:
    return int(world.game.verbs.step(world.game.table, world.address, player, action))


def _hide(viewer: int, world: World, luck: np.uint64) -> object:
    return world.game.verbs.hide(world.game.table, world.address, viewer)


def _imagine(viewer: int, world: World, luck: np.uint64) -> object:
    return world.game.verbs.imagine(world.game.table, world.address, viewer, luck)


def _examine(probe: Probe, rule: str, row: Bytes, run: Run) -> Iterator[Finding]:
    game = probe.game
    first, other = (
        _outcome(game, row, HEADER, run),
        _outcome(game, row, _another_header(probe), run),
    )
    if (first.body, first.answer) != (other.body, other.answer):
        names = (
            " and ".join(repr(name) for name in HEADER if _matters(probe, row, name, run, first))
            or "the header"
        )
        yield probe.finding(
            rule,
            "the result depends on luck that was not drawn, or on a count that players cannot "
            f"know: on {names}",
            ADVICE,
        )
    if rule == "hide" and first.draws:
        yield probe.finding(
            rule,
            "it draws luck, so the same position gives different views",
            "let hide depend on the position and the viewer alone",
        )
    if rule == "apply" and not _kept_header(probe, first):
        yield probe.finding(rule, "it wrote to the header", ADVICE)


def _another_header(probe: Probe) -> Header:
    """A header that varies by position; with a fixed header, results could be equal by accident."""
    steps = len(probe.history)
    words = derive(probe.seed, steps), derive(probe.seed, steps, 1)
    return {"luck": words[0], "rng": words[1], "ply": 77 + steps, "drawn": 5 + steps}


def _matters(probe: Probe, row: Bytes, name: str, run: Run, first: Outcome) -> bool:
    """Whether this field of the header alone makes a difference."""
    changed = _outcome(probe.game, row, {**HEADER, name: _another_header(probe)[name]}, run)
    return (first.body, first.answer) != (changed.body, changed.answer)


def _kept_header(probe: Probe, outcome: Outcome) -> bool:
    """Whether the header is as the core would leave it.

    The header must count one more ply if the turn passed to another player, and must count every
    draw. In a game for one player, the rules may begin one more ply, because the turn never passes.
    """
    passed = int(outcome.answer != probe.to_move())
    return any(
        _has_plies(outcome, plies)
        for plies in range(passed, passed + 1 + (probe.game.players == 1))
    )


def _has_plies(outcome: Outcome, plies: int) -> bool:
    """Whether the header is correct for `plies` more plies, with the old or a new stream."""
    expected = {**HEADER, "ply": HEADER["ply"] + plies, "drawn": HEADER["drawn"] + outcome.draws}
    anew = {**expected, "rng": int(mix(np.uint64(expected["luck"]), expected["ply"]))}  # type: ignore[no-untyped-call]
    return outcome.header == expected or (plies > 0 and outcome.header == anew)


def _outcome(game: Game, row: Bytes, header: Header, run: Run) -> Outcome:
    """Call `run` on a copy of the state, with chance dictated by a tape of zeros."""
    tape = np.zeros(TAPE_HEAD + TAPE_STEP * MOST_DRAWS, np.int64)
    tape[1] = MOST_DRAWS
    state = row.copy()
    record = state.view(game.state)
    record["tape"] = tape.ctypes.data
    for name, value in header.items():
        record[name] = value
    answer = run(World(game, state), np.uint64(header["luck"]))
    return Outcome(
        state[HEADER_BYTES:].tobytes(),
        answer,
        int(tape[0]),
        {name: int(record[name][0]) for name in header},
    )
