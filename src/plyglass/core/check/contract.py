"""Do the rules keep their contract?

The contract: actions are legal, every game ends, scores are in range, rules change only what they
may, and the same seed gives the same game.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from plyglass.core.check.finding import Finding
from plyglass.core.check.walk import Probe, probes
from plyglass.core.compile import plain
from plyglass.core.game import Game
from plyglass.core.mistakes import line_of
from plyglass.core.state import Bytes
from plyglass.core.table import BEFORE_LUCK, POSTPONED, SAMPLED, SURE, SharedLibrary
from plyglass.core.time_limit import NeverEnded

DRAWN = slice(28, 32)  # the bytes of the header that count draws of chance


def contract(game: Game, games: int, seed: int) -> Iterator[Finding]:
    """Play random games, and examine everything that the rules return and change."""
    outcomes = []
    for probe, choice in probes(game, games, seed):
        try:
            yield from _one_game(probe, choice)
            yield from _same_again(probe)
            outcomes.append(probe.scores())
        except NeverEnded as error:
            finding = probe.finding(
                "rules",
                "a rule does not end",
                "correct its loop: every rule must end in every position",
            )
            yield replace(finding, place=raised_at(probe.game, error))
            return
        except Exception as error:  # a rule may raise anything
            finding = probe.finding(
                "rules",
                f"interpreted, they raise {type(error).__name__}: {error}",
                "correct it: compiled, this would corrupt memory or go on with garbage",
            )
            yield replace(finding, place=raised_at(probe.game, error))
            return
    yield from _both_scored(game, outcomes)


def raised_at(game: Game, error: Exception) -> str:
    """The file and line where a rule raised an error: the innermost line in a file of the rules."""
    rules = () if isinstance(game.rules, SharedLibrary) else game.rules
    files = {
        plain(rule).__code__.co_filename: line_of(rule).rpartition(", line ")[0] for rule in rules
    }
    frames = traceback.extract_tb(error.__traceback__)
    lines = [
        f"{files[each.filename]}, line {each.lineno}" for each in frames if each.filename in files
    ]
    return lines[-1] if lines else ""


def _one_game(probe: Probe, choice: np.random.Generator) -> Iterator[Finding]:
    probe.start()
    while True:
        faults = list(_position(probe))
        yield from faults
        player = probe.to_move()
        if faults or player < 0:
            return
        if len(probe.history) >= probe.game.most_steps:
            yield probe.finding(
                "apply",
                f"the game goes on after the {probe.game.most_steps} actions declared",
                "declare a larger most_steps, or end the game",
            )
            return
        header = probe.row[:24].copy()
        actions = probe.legal()
        probe.step(player, actions[choice.integers(len(actions))])
        if (header[:8] != probe.row[:8]).any() or (header[16:24] != probe.row[16:24]).any():
            yield probe.finding(
                "apply",
                "it wrote to the header",
                "leave luck, rng, tape, ply and drawn to the core; use draw and chance",
            )


def _position(probe: Probe) -> Iterator[Finding]:
    """Properties that must hold in every position."""
    game, before = probe.game, probe.row.copy()
    player = probe.to_move()
    if not -1 <= player < game.players:
        yield probe.finding(
            "to_move",
            f"it says {player}, but players are 0 to {game.players - 1}, and -1 when the game is "
            "over",
            "return one of these",
        )
        return
    if player >= 0:
        yield from _actions(probe)
        yield from _advice(probe)
        yield from _after(probe, player)
    yield from _scores(probe)
    yield from _features(probe)
    yield from _views(probe)
    if (probe.row != before).any():
        yield probe.finding(
            "legal, to_move, score or features",
            "it changed the state",
            "only apply may change a state",
        )
    yield from _floats(probe)
    damage = probe.damage()
    if damage:
        yield damage


def _actions(probe: Probe) -> Iterator[Finding]:
    game, actions, count = probe.game, probe.legal(), probe.legal_count()
    if count < 1:
        yield probe.finding(
            "legal",
            "there is no legal action, but the game is not over",
            "let to_move return -1, or offer a pass",
        )
    if count > game.most_actions:
        yield probe.finding(
            "legal",
            f"{count} actions, but {game.most_actions} are declared at most",
            "declare a larger most_actions",
        )
    if len(set(actions)) < len(actions):
        yield probe.finding(
            "legal",
            f"an action is listed twice in {actions}",
            "list every action once; otherwise its probability doubles in random play",
        )
    if any(action < 0 for action in actions):
        yield probe.finding(
            "legal",
            f"{min(actions)} is not a packed action",
            "pack(kind, source, target) with kind < 128, source and target < 4096",
        )
    if probe.legal() != actions:
        yield probe.finding(
            "legal",
            "it lists other actions when it is called again",
            "it must depend on the state and the constants alone",
        )


def _advice(probe: Probe) -> Iterator[Finding]:
    legal = set(probe.legal())
    for rule, given in (("represent", probe.game.represents), ("prefer", probe.game.prefers)):
        actions = probe.advised(rule) if given else sorted(legal)
        real = probe.realized(actions) if rule == "represent" and given else actions
        if not set(real) <= legal or len(set(actions)) < len(actions):
            advice = (
                "list some of the legal actions, each once; `realize` must turn any other action "
                "that `represent` lists into a legal one"
            )
            yield probe.finding(rule, f"it lists {actions}, not all legal or some twice", advice)
        if not actions:
            yield probe.finding(
                rule,
                "it lists no action",
                "list at least one action for every decision",
            )


def _after(probe: Probe, player: int) -> Iterator[Finding]:
    """`after` must agree with `apply`; equal positions and equal chance must give equal results."""
    results: dict[bytes, Bytes] = {}
    for action in probe.legal() if probe.game.foresees else ():
        told, before_luck = probe.after(player, action)
        result = probe.stepped(player, action)
        draws = bool((result[DRAWN] != probe.row[DRAWN]).any())
        if told != SAMPLED and (before_luck[DRAWN] != probe.row[DRAWN]).any():
            yield probe.finding(
                "after",
                f"it draws luck for {action}",
                "stop and return 1 before chance is drawn",
            )
        elif (told != SURE) != draws:
            problem = (
                f"it says {told} for {action}, but `apply` draws {'some' if draws else 'no'} luck"
            )
            yield probe.finding(
                "after", problem, "return 1 if chance is drawn next, and 0 if the action is over"
            )
        elif told in (SURE, SAMPLED) and (before_luck != result).any():
            advice = "do all that `apply` does before chance; do nothing if you return 2"
            yield probe.finding(
                "after", f"{action} ends in another position than by `apply`", advice
            )
        elif (
            told in (BEFORE_LUCK, POSTPONED)
            and (results.setdefault(before_luck.tobytes(), result) != result).any()
        ):
            advice = "keep in the state everything that later play depends on"
            yield probe.finding(
                "after",
                f"{action} leaves the same position as another action, but the same luck then "
                "leads to different positions",
                advice,
            )


def _scores(probe: Probe) -> Iterator[Finding]:
    low, high = probe.game.scores
    for player, score in enumerate(probe.scores()):
        if math.isnan(score) or not low <= score <= high:
            yield probe.finding(
                "score",
                f"player {player} has {score}, outside of the scores declared, {low} to {high}",
                "declare the true range, or correct the score",
            )


def _features(probe: Probe) -> Iterator[Finding]:
    game = probe.game
    for player in range(game.players if game.describes else 0):
        values = probe.features(player)
        if not 1 <= len(values) <= game.most_features:
            problem = (
                f"it says that it wrote {len(values)} numbers, but 1 to {game.most_features} are "
                "declared"
            )
            yield probe.finding(
                "features", problem, "declare a larger most_features, or return how many it wrote"
            )
        elif not all(map(math.isfinite, values)):
            yield probe.finding(
                "features",
                f"player {player} has {values}",
                "write finite numbers: no infinity, no NaN",
            )
        elif probe.features(player) != values:
            advice = "it must depend on the state, the constants and the player alone"
            yield probe.finding(
                "features", "it writes other numbers when it is called again", advice
            )


def _views(probe: Probe) -> Iterator[Finding]:
    """Views and imagined worlds must depend on the position, the viewer and the seed alone."""
    for viewer in range(probe.game.players if probe.game.hides else 0):
        view = probe.hidden(viewer)
        world = probe.imagined(view, viewer)
        advice = "use draw and chance for all chance; depend on nothing but r, s and viewer"
        if (probe.hidden(viewer) != view).any():
            yield probe.finding(
                "hide", "the same position gives another view when it is hidden again", advice
            )
        if (probe.imagined(view, viewer) != world).any():
            yield probe.finding(
                "imagine",
                "the same view and seed give another world when it is imagined again",
                advice,
            )


def _floats(probe: Probe) -> Iterator[Finding]:
    """Equal numbers must have equal bytes; otherwise equal positions get different hashes."""
    record = probe.row.view(probe.game.state)
    for name in probe.game.state.names or ():
        values = np.atleast_1d(record[name])
        if (
            values.dtype.kind == "f"
            and (np.isnan(values) | ((values == 0) & np.signbit(values))).any()
        ):
            yield probe.finding(
                "apply",
                f"the field {name!r} holds NaN or a negative zero, so equal positions have "
                "different hashes",
                "add 0.0 to a result that can be -0.0; never store NaN",
            )


def _same_again(probe: Probe) -> Iterator[Finding]:
    """The same seed and actions must give the same bytes."""
    again = Probe(probe.game, probe.seed)
    again.start()
    for action in probe.history:
        again.step(again.to_move(), action)
    if (again.row != probe.row).any():
        yield probe.finding(
            "apply",
            "the same seed and actions led to another state",
            "use draw and chance for all chance; depend on nothing but r and s",
        )


def _both_scored(game: Game, outcomes: list[list[float]]) -> Iterator[Finding]:
    """Opponents must have different scores in at least one game, unless all scores are 0."""
    if (
        game.players > 1
        and not game.cooperative
        and outcomes
        and all(len(set(scores)) == 1 for scores in outcomes)
        and any(scores[0] for scores in outcomes)
    ):
        yield Finding(
            "score",
            f"all players had the same score in all {len(outcomes)} games",
            "use the argument `player`, or declare the game cooperative",
        )
