"""Results of a benchmark as data: a JSON file for each agent, which anybody can read and compare.

A file may come from a stranger. Every value is checked, a digest covers all values, and nothing
that a file names is imported or opened (decision 23).
"""

from __future__ import annotations

import hashlib
import json
import math
import platform
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import plyglass
from plyglass.arena.limits import read_json, refuse_odd_name, refuse_odd_text, shown
from plyglass.benchmark.audits import Exploited
from plyglass.benchmark.contests import Cell, Cells
from plyglass.benchmark.pace import Pace, Try
from plyglass.benchmark.suite import MODES, SUITES, Suite

FORMAT = "plyglass-benchmark-1"
MOST_BYTES = 20_000_000
MOST_VALUES = 100_000


@dataclass
class BeliefScores:
    """How well calibrated a belief is, by batch of games.

    Attributes:
        brier: the Brier score of each batch.
        expected: for each batch, the mean Brier score that correct probabilities would have.
        questions: the number of predictions in all batches.
    """

    brier: list[float] = field(default_factory=list)
    expected: list[float] = field(default_factory=list)
    questions: int = 0


@dataclass
class Result:
    """What a benchmark found about one agent.

    Attributes:
        suite, suite_digest: the name of the suite, and a digest of its contents.
        agent: the agent as text, without its budget.
        name: the agent's name in tables.
        belief: the agent's belief as text. Empty for a player without a belief.
        made_by: the version of Plyglass, and the kind of machine.
        pace: the budget of the agent in each game, and the tries that led to this budget.
        refused: the reasons why the agent cannot play some games, by game.
        contests: the matches against the references, by mode and game.
        exploited: exploitability, by game.
        regret: by solved game, a regret for each seed or position.
        beliefs: how well calibrated the belief is, by game.
    """

    suite: str
    suite_digest: str
    agent: str
    name: str
    belief: str = ""
    made_by: str = ""
    pace: dict[str, Pace] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    contests: dict[str, dict[str, Cells]] = field(
        default_factory=lambda: {mode: {} for mode in MODES}
    )
    exploited: dict[str, Exploited] = field(default_factory=dict)
    regret: dict[str, list[float]] = field(default_factory=dict)
    beliefs: dict[str, BeliefScores] = field(default_factory=dict)

    def cell(self, mode: str, game: str, reference: str) -> Cell | None:
        """Return the matches against a reference, or None if none of them counts."""
        cells = self.contests[mode].get(game)
        found = cells.by_reference.get(reference) if cells else None
        return found if found and found.games else None

    @property
    def games(self) -> int:
        """The number of matches that count."""
        return sum(
            cell.games
            for games in self.contests.values()
            for cells in games.values()
            for cell in cells.by_reference.values()
        )

    def text(self) -> str:
        """Return the result as the text of a file."""
        values = {"format": FORMAT, **asdict(self)}
        return json.dumps({**values, "digest": _digest(values)}, indent=1) + "\n"

    def write(self, path: Path) -> None:
        """Write the file. An interruption leaves either the old file or the complete new file."""
        part = path.with_suffix(".part")
        part.write_text(self.text(), encoding="utf-8")
        part.replace(path)


def new_result(suite: Suite, text: str, belief: str) -> Result:
    """Return an empty result of an agent."""
    made = f"plyglass {plyglass.__version__}, {platform.machine()}, {platform.system()}"
    return Result(suite.name, suite.digest, text, suite.name_of(text), belief, made)


def file_name(name: str) -> str:
    """Return the name of the file of an agent."""
    plain = re.sub(r"[^A-Za-z0-9.-]+", "-", name).strip("-.")[:60]
    if plain == name:
        return f"{plain}.json"
    return f"{plain}-{hashlib.blake2b(name.encode(), digest_size=4).hexdigest()}.json"


def read(path: str | Path, suites: Mapping[str, Suite] = SUITES) -> Result:
    """Return the result in a file, as data."""
    values = read_json(path, "a result of a benchmark", MOST_BYTES)
    where = str(path)
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise ValueError(f"{where} is not a result of `plyglass benchmark`.")
    digest = values.pop("digest", None)
    if digest != _digest(values):
        raise ValueError(f"{where} is refused: its digest does not fit, so it was edited.")
    values.pop("format")
    try:
        found = _result(values, suites)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ValueError(f"{where} is refused: {error}") from error
    return found


def _digest(values: Mapping[str, Any]) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _result(values: dict[str, Any], suites: Mapping[str, Suite]) -> Result:
    names = {each.name for each in fields(Result)}
    if values.keys() != names:
        raise ValueError(f"it has other fields than {', '.join(sorted(names))}.")
    for name in ("suite", "suite_digest", "belief", "made_by", "agent"):
        refuse_odd_text(name, values[name])
    refuse_odd_name("name", values["name"])
    suite = suites.get(values["suite"])
    if suite is None:
        raise ValueError(f"this version of Plyglass does not know {shown(values['suite'])}.")
    if suite.digest != values["suite_digest"]:
        raise ValueError(f"its {suite.name} is not the published one.")
    games = [each.game for each in suite.contests]
    plain = {name: values[name] for name in ("suite", "suite_digest", "agent", "name", "belief")}
    return Result(
        **plain,
        made_by=values["made_by"],
        pace=_table(values["pace"], games, _pace),
        refused=_table(values["refused"], games, _text),
        contests={mode: _contests(values["contests"][mode], suite) for mode in MODES},
        exploited=_table(values["exploited"], suite.exploited, _exploited),
        regret=_table(values["regret"], (*suite.enumerated, *suite.solved), _numbers),
        beliefs=_table(values["beliefs"], suite.believed, _beliefs),
    )


def _table(values: Any, known: Iterable[str], make: Callable[[Any], Any]) -> dict[str, Any]:
    """Return a table with the values that `make` returns; refuse names that are not in `known`."""
    if not isinstance(values, dict) or not values.keys() <= set(known):
        raise ValueError(f"it names games that the suite does not have: {shown(values)}.")
    return {game: make(values[game]) for game in known if game in values}


def _text(value: Any) -> str:
    refuse_odd_text("a reason", value)
    return str(value)


def _number(value: Any, least: float = -math.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{shown(value)} is not a number.")
    if not math.isfinite(value) or value < least:
        raise ValueError(f"{shown(value)} is not a possible value.")
    return value


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 10**12:
        raise ValueError(f"{shown(value)} is not a possible count.")
    return value


def _numbers(values: Any, least: float = -math.inf) -> list[float]:
    if not isinstance(values, list) or len(values) > MOST_VALUES:
        raise TypeError(f"{shown(values)} is not a list of numbers.")
    return [_number(value, least) for value in values]


def _pace(values: Any) -> Pace:
    tries = tuple(
        Try(_whole(each["iterations"]), _number(each["ms"], 0), _number(each["reference_ms"], 0))
        for each in values["tries"][:MOST_VALUES]
    )
    iterations = values["iterations"]
    ms, reference, equal = (_number(values[n], 0) for n in ("ms", "reference_ms", "equal_ms"))
    return Pace(None if iterations is None else _whole(iterations), ms, reference, equal, tries)


def _contests(values: Any, suite: Suite) -> dict[str, Cells]:
    """Return a mode's contests; refuse missing scores in chips, which would count as draws."""
    units = {each.game: each.unit for each in suite.contests}

    def cells(given: Any) -> Cells:
        refuse_odd_text("code", given["code"])
        refuse_odd_text("digest", given["digest"])
        by_reference = _table(given["by_reference"], suite.references, _cell)
        return Cells(by_reference, given["code"], given["digest"])

    found = _table(values, units, cells)
    for game, contest in found.items():
        for cell in contest.by_reference.values():
            if units[game] == "deal" and len(cell.scores) < len(cell.results):
                raise ValueError(f"it lacks the chips of {game}, which is scored by deal.")
    return found


def _cell(values: Any) -> Cell:
    results, scores = values["results"], tuple(_numbers(values["scores"]))
    if not isinstance(results, str) or not re.fullmatch(r"[-+=?]*", results):
        raise ValueError(f"{shown(results)} is not a list of results.")
    if len(results) % 2 or len(results) > MOST_VALUES or len(scores) not in (0, len(results)):
        raise ValueError("a deal has two matches, and each has one result.")
    return Cell(results, scores, _whole(values["faults"]))


def _exploited(values: Any) -> Exploited:
    low, high = (
        None if each is None else _number(each) for each in (values["low"], values["high"])
    )
    return Exploited(
        _whole(values["sets"]),
        _number(values["value"]),
        low,
        high,
        _whole(values["seeds"]),
        tuple(_numbers(values["by_visits"])),
    )


def _beliefs(values: Any) -> BeliefScores:
    brier, expected = _numbers(values["brier"], 0), _numbers(values["expected"], 0)
    if len(brier) != len(expected):
        raise ValueError("each batch has two scores.")
    return BeliefScores(brier, expected, _whole(values["questions"]))
