"""Numbers on pages are those of recorded results, and commands name the scale that was recorded.

A value with its interval must be a row or a claim of a recorded artifact, or a line of a file in
`measurements/data`, at the digits that the page shows. If a number of games follows, it must be
that of the same row.
"""

import bisect
import csv
import json
import math
import re
import runpy
from pathlib import Path

import pytest

from plyglass.experiments import recorded
from plyglass.experiments.study import artifacts

STUDY_PAGES = (
    "duelyst", "fog-of-war", "multi-ply", "navy-defense", "pandemic", "trading-cards",
)  # fmt: skip
ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
NUMBER = r"-?\d[\d,]*(?:\.\d+)?"
WITH_INTERVAL = re.compile(
    rf"(?P<value>{NUMBER})(?:\*\*)?(?: %| points| ms)?(?:\*\*)?[^\n().|;%]{{0,30}}?"
    rf"\((?:95 % interval )?(?P<low>{NUMBER}) to (?P<high>{NUMBER})"
    rf"(?:, (?P<games>\d[\d,]*)(?= games|\)|,))?"
)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(
    r"^(?:plyglass reproduce )?(?P<name>[\w-]+(?:/[\w-]+)?)(?: --scale (?P<scale>[\d.]+))?$"
)
FACTORS = (1.0, 100.0, 1000.0)
BY_HAND = {
    "docs/methods.md": {
        "94.0 % (91.6 to 95.8",  # measurements/sanity-random.toml, whose table is not kept
        "1.9x UCT iterations (230,000 to 430,000",  # before and after, no interval
        "95 % (0 to 20",  # Elo of a test, no interval
    },
}


def recorded_files():
    return {
        artifact.name: json.loads(recorded.path_of(artifact).read_text(encoding="utf-8"))
        for artifact in artifacts()
        if recorded.path_of(artifact).is_file()
    }


RECORDED = recorded_files()


def triples():
    """(value, low, high, games) of everything that is recorded; games is None for a claim."""
    levels = json.loads((ROOT / "src/plyglass/games/levels.json").read_text(encoding="utf-8"))
    for values in RECORDED.values():
        for row in values["rows"]:
            if row["low"] is not None:
                yield row["ours"], row["low"], row["high"], row["n"]
        for claim in values.get("claims", ()):
            if claim["low"] is not None:
                yield claim["estimate"], claim["low"], claim["high"], None
    for steps in levels.values():
        for step in steps:
            yield step["score"], step["low"], step["high"], step["games"]
    users = ROOT / "measurements" / "data" / "auto-users.json"
    for cell in json.loads(users.read_text(encoding="utf-8")):
        yield cell["points"], cell["low"], cell["high"], cell["games"]
    gate = ROOT / "measurements" / "data" / "net-gate" / "calibration.json"
    planted = json.loads(gate.read_text(encoding="utf-8"))
    yield (*planted["elo"], None)
    grid = runpy.run_path(str(ROOT / "measurements" / "auto_grid.py"))
    for seed in grid["AUTO_SEED"], grid["CHANGED_SEED"], grid["AGAIN_SEED"]:
        for *_, tally in grid["outcomes"](seed):
            if tally.games:
                yield (*tally.interval(), tally.games)
    for path in (ROOT / "measurements" / "data").rglob("*.csv"):
        with path.open(newline="", encoding="utf-8") as file:
            for line in csv.DictReader(file):
                yield from of_line(line)


def of_line(line):
    """Every run of three numbers in a line of a table, as a value with its interval."""
    cells = list(line.values())
    for start in range(len(cells) - 2):
        try:
            value, low, high = map(float, cells[start : start + 3])
        except (TypeError, ValueError):
            continue
        if low <= value <= high or value <= low <= high:
            yield value, low, high, None


KNOWN = list(triples())


def fits(shown, value):
    """Whether a number on a page is `value`, rounded to the digits that are shown."""
    digits = len(shown.partition(".")[2])
    return math.isclose(
        abs(float(shown.replace(",", ""))), abs(value), abs_tol=0.500001 * 10**-digits
    )


def is_recorded(found):
    for value, low, high, games in KNOWN:
        for factor in FACTORS:
            ends = (low * factor, high * factor)
            if not fits(found["value"], value * factor):
                continue
            straight = fits(found["low"], ends[0]) and fits(found["high"], ends[1])
            turned = fits(found["low"], ends[1]) and fits(found["high"], ends[0])
            wanted = found["games"] and int(found["games"].replace(",", ""))
            if (straight or turned) and (not wanted or games is None or wanted == games):
                return True
    return False


def name_of(path):
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_value_with_an_interval_is_recorded(page):
    text = page.read_text(encoding="utf-8")
    joined = re.sub(r"\n(?![\n|#`-])", " ", BLOCK.sub("", text))
    strange = [
        each[0]
        for each in WITH_INTERVAL.finditer(joined)
        if not is_recorded(each) and each[0] not in BY_HAND.get(name_of(page), ())
    ]
    assert not strange


def commands(text):
    """(name, scale) of every command that reproduces an artifact."""
    prefix = re.search(r"Put `plyglass reproduce(?: (?P<study>[\w-]+)/)?` in front", text)
    lines = [
        line.partition("#")[0].strip()
        for block in BLOCK.findall(text)
        for line in block.split("\n")
    ]
    for span in [*SPAN.findall(BLOCK.sub("", text)), *lines]:
        found = COMMAND.match(span)
        if not found:
            continue
        name = found["name"]
        if prefix and prefix["study"] and "/" not in name:
            name = f"{prefix['study']}/{name}"
        if name in RECORDED:
            yield name, found["scale"]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_name_the_scale_that_was_recorded(page):
    """A name alone is enough only if the page has its command with the scale elsewhere."""
    found = list(commands(page.read_text(encoding="utf-8")))
    scales = {name: RECORDED[name]["scale"] for name, _ in found}
    wrong = [each for each in found if each[1] and float(each[1]) != scales[each[0]]]
    told = {name for name, scale in found if scale}
    silent = {name for name, scale in scales.items() if scale != 1 and name not in told}
    assert (wrong, silent) == ([], set())


NUMBERS = sorted(
    {
        abs(number) * factor
        for values in RECORDED.values()
        for entry in (*values["rows"], *values.get("claims", ()))
        for number in entry.values()
        if isinstance(number, float)
        for factor in FACTORS
    }
)


def is_known(shown):
    value, digits = abs(float(shown.replace(",", ""))), len(shown.partition(".")[2])
    near = 0.500001 * 10**-digits
    place = bisect.bisect_left(NUMBERS, value - near)
    return place < len(NUMBERS) and NUMBERS[place] <= value + near


STUDIES = [ROOT / "docs" / f"{name}.md" for name in STUDY_PAGES]


@pytest.mark.parametrize("page", [ROOT / "README.md", *STUDIES], ids=name_of)
def test_every_percentage_with_a_decimal_is_recorded(page):
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    shown = re.findall(r"(?<![\d.,])(\d+\.\d+) %", text)
    assert not [each for each in shown if not is_known(each)]
