"""Do the rules compile? Do compiled and interpreted rules agree to the last bit?"""

from __future__ import annotations

from collections.abc import Iterator

from plyglass.core.check.finding import Finding
from plyglass.core.check.walk import Probe, positions
from plyglass.core.game import Game
from plyglass.core.mistakes import RuleError

GAMES = 3


def compiles(game: Game, games: int, seed: int) -> Iterator[Finding]:
    """Compile the rules, or load them from disk."""
    from numba.core.errors import NumbaError

    try:
        _ = game.table
    except RuleError as error:
        yield Finding(error.rule, f"{error.place}: {error.problem}", error.advice)
    except NumbaError as error:
        yield Finding(
            "rules",
            f"Numba cannot compile them: {error}",
            "use only numbers, records and loops; every branch must give the same type",
        )


def parity(game: Game, games: int, seed: int) -> Iterator[Finding]:
    """Play the same random games with compiled and interpreted rules, and compare the results."""
    twin = game.interpreted()
    for probe in positions(game, min(games, GAMES), seed):
        if not probe.history:
            other = Probe(twin, probe.seed)
            other.start()
        else:
            other.step(other.to_move(), probe.history[-1])
        difference = _difference(probe, other)
        if difference:
            yield probe.finding(
                difference,
                "compiled and interpreted rules disagree",
                "use functions of math, numbers of 64 bits, and no negative index",
            )
            return


def _difference(compiled: Probe, interpreted: Probe) -> str | None:
    """The first rule on which compiled and interpreted rules disagree."""
    if (compiled.row != interpreted.row).any():
        return "apply" if compiled.history else "start"
    if compiled.to_move() != interpreted.to_move():
        return "to_move"
    if compiled.scores() != interpreted.scores():
        return "score"
    if compiled.game.describes and _described(compiled) != _described(interpreted):
        return "features"
    if compiled.to_move() >= 0 and compiled.legal() != interpreted.legal():
        return "legal"
    for viewer in range(compiled.game.players):
        views = compiled.world.hide(viewer), interpreted.world.hide(viewer)
        if views[0].row().tobytes() != views[1].row().tobytes():
            return "hide"
        worlds = (
            compiled.game.imagine(views[0], compiled.seed),
            interpreted.game.imagine(views[1], compiled.seed),
        )
        if worlds[0].row().tobytes() != worlds[1].row().tobytes():
            return "imagine"
    return None


def _described(probe: Probe) -> list[list[float]]:
    return [probe.features(player) for player in range(probe.game.players)]
