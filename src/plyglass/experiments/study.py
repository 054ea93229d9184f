"""Studies: artifacts to reproduce, their table rows and the paper's claims, read from TOML."""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from plyglass.core.refusals import refuse_unknown
from plyglass.experiments.shorthand import written_out

if TYPE_CHECKING:
    from plyglass.arena.tournament.settings import Settings

Quantity = Literal["rate", "mean", "cost", "seconds", "pace", "measure", "share", "exact"]
Drawing = Literal["bars", "heat map", "violin", "times", "counts", "curves"]
Kind = Literal["better", "equal", "no difference", "same distribution", "order", "share", "sprt"]
STUDIES = Path(__file__).parent / "studies"
FILE = "study.toml"
INHERITED = ("study", "key", "folder")  # not part of an artifact's entry
TESTED = {
    "better": "paired t by deal, one-sided",
    "equal": "two one-sided t-tests by deal",
    "no difference": "paired t by deal, two-sided",
    "same distribution": "Kolmogorov-Smirnov over matches",
    "order": "means, no test",
    "share": "share of a gap, bootstrap over deals",
    "sprt": "SPRT over deals",
}


@dataclass(frozen=True)
class Study:
    """The artifacts of one paper, or of one part of it.

    Attributes:
        name: the name of the study's folder, with hyphens.
        title: the topic of the study.
        source: the paper, thesis or program that the study reproduces.
        artifacts: the tables and figures of the study.
    """

    name: str
    title: str
    source: str
    artifacts: tuple[Artifact, ...] = field(default=())


@dataclass(frozen=True)
class Artifact:
    """A table or figure to reproduce.

    Attributes:
        study: the study's name.
        key: the artifact's name within the study.
        title: what the artifact shows.
        kind: whether the paper prints a table or a figure.
        folder: the study's folder.
        source: the source of the reported values, and remarks.
        settings: the tournament that produces the artifact, at scale 1.
        protocol: the function that measures what a tournament cannot measure. It is written as
            `module:function`, or `module` if the function is `run`. The module is beside
            `study.toml`.
        rows: the rows of the table.
        quantity: the default quantity of rows.
        drawn: the kind of figure.
        x_axis, y_axis: axis labels of a heat map, of curves or of bars.
        marked: the row that the figure highlights.
        matches_of: another artifact of the study, whose settings and matches this artifact shares.
        claims: the paper's claims about the rows.
    """

    study: str
    key: str
    title: str
    kind: Literal["table", "figure"]
    folder: Path
    source: str = ""
    settings: Mapping[str, Any] | None = None
    protocol: str | None = None
    rows: tuple[TableRow, ...] = ()
    quantity: Quantity | None = None
    drawn: Drawing = "bars"
    x_axis: str = ""
    y_axis: str = ""
    marked: str = ""
    matches_of: str = ""
    claims: tuple[Claim, ...] = ()

    def __post_init__(self) -> None:
        if self.drawn not in get_args(Drawing):
            raise ValueError(
                f"{self.name} is drawn as {self.drawn!r}; a figure is drawn as "
                f"{', '.join(get_args(Drawing))}."
            )
        names = [row.name for row in self.rows]
        if self.marked and self.marked not in names:
            raise ValueError(
                f"{self.name} marks the row {self.marked!r}; the rows are {', '.join(names)}."
            )
        for claim in self.claims:
            claim.pairs(names)

    @property
    def name(self) -> str:
        """The name of the artifact in `plyglass reproduce`."""
        return f"{self.study}/{self.key}"

    @property
    def ready(self) -> bool:
        """Whether the artifact can be run."""
        return self.settings is not None or self.protocol is not None

    @property
    def printed(self) -> bool:
        """Whether the artifact is a table or figure of the paper, and not an addition of ours."""
        return self.key.startswith(("table-", "figure-"))

    @property
    def timed(self) -> bool:
        """Whether an agent has a time limit. Results then depend on the speed of the machine."""
        agents = (self.settings or {}).get("agents", {})
        return any("seconds=" in text for text in agents.values())

    def tournament(self, scale: float = 1.0) -> Settings:
        """Return the settings with `scale` times as many deals, but at least one deal."""
        from plyglass.arena.tournament.settings import Settings

        if self.settings is None:
            raise ValueError(f"{self.name} is not made by a tournament.")
        deals = max(1, round(scale * self.settings.get("deals", 50)))
        return Settings.from_canonical(json.dumps({"stop": {}, **self.settings, "deals": deals}))


@dataclass(frozen=True)
class TableRow:
    """One row of an artifact: what it measures, and the value that the paper reports.

    Attributes:
        name: the name of the row.
        quantity: what is measured. "rate" is points per match, where a win is 1 and a draw 0.5. In
            a game for one player, it is the score from 0 to 1. "mean" is the mean score, and "cost"
            is minus the mean score. "seconds" is an agent's time for a match: CPU time if the agent
            plays alone, and otherwise the wall-clock time of its decisions. "pace" is this time per
            decision, averaged over a match. "measure" is the mean of a measure, and "share" the
            mean of a measure between 0 and 1. "exact" is a value that a protocol computes without
            playing.
        measure: the measure of the settings, by its name in match rows.
        agent: the agent that is measured. By default, all agents are measured.
        game: the game that is measured. By default, all games are measured.
        seat: the seat that is measured, counted from 1. By default, all seats are measured.
        sides: the seats that are measured, as `game@seat`, if `game` and `seat` cannot select them.
        reported: the value that the paper reports, or None.
        error: the standard error that the paper reports, or None.
        x, y, panel: the column, row and panel in a heat map. For curves, the horizontal value, the
            series and the panel.
    """

    name: str
    quantity: Quantity = "rate"
    measure: str | None = None
    agent: str | None = None
    game: str | None = None
    seat: int | None = None
    sides: Sequence[str] = ()
    reported: float | None = None
    error: float | None = None
    x: str = ""
    y: str = ""
    panel: str = ""

    def __post_init__(self) -> None:
        if self.quantity not in get_args(Quantity):
            raise ValueError(
                f"The row {self.name!r} measures {self.quantity!r}; a row measures "
                f"{', '.join(get_args(Quantity))}."
            )
        if self.of_measure != (self.measure is not None):
            raise ValueError(
                f"The row {self.name!r} has the quantity {self.quantity!r} and the measure "
                f'{self.measure!r}. Name a measure if the quantity is "measure" or "share", and '
                "only then."
            )
        if self.sides and (self.game or self.seat):
            raise ValueError(
                f"The row {self.name!r} has `sides`, which name both the game and the seat; leave "
                "out `game` and `seat`."
            )

    @property
    def of_measure(self) -> bool:
        """Whether the row's value comes from a measure."""
        return self.quantity in ("measure", "share")

    def covers(self, game: str, seat: int) -> bool:
        """Return whether the row covers a seat, counted from 0, of a game."""
        if self.sides:
            return f"{game}@{seat + 1}" in self.sides
        return self.game in (None, game) and self.seat in (None, seat + 1)

    @property
    def lower_is_better(self) -> bool:
        """Whether lower values of the row are better. Higher values of measures are better."""
        return self.quantity in ("cost", "seconds", "pace")


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper about table rows, with the test that decides it.

    A claim about several pairs of rows holds if every pair satisfies the claim.

    Attributes:
        says: the claim, in our own words.
        where: the page, section or table of the paper that makes the claim.
        kind: the kind of test. "better" means that `first` is better than `second`: lower for costs
            and seconds, and otherwise higher. "equal" means that the two means differ by less than
            a margin. "no difference" means that no difference is significant, and "same
            distribution" that no test of distributions is significant. These two kinds can fail but
            never hold, because finding no difference does not prove equality. Only "equal" can
            prove equality. "order" means that `first` has the better mean, without a test. "share"
            means that `first` covers at least a given share of the gap from `second` to `whole`.
            "sprt" means that a sequential test accepts, at some deal, that `first` is stronger than
            its opponent `second` by `elo1` and not by `elo0`.
        first: one or more names of rows, where `*` matches anything.
        second: the rows with which the rows of `first` are compared, one by one. A single row is
            compared with all rows of `first`.
        by: the least difference, for "better" and "order".
        margin: the margin of "equal", as a share of the second row's mean.
        whole: the row at the far end of the gap, for "share".
        at_least: the least share, between 0 and 1, for "share".
        elo0, elo1: the two Elo differences that "sprt" decides between.
        asked: whether the claim was made before the games or after them. A claim made after the
            games is only a hint, which needs a test with other games.
    """

    says: str
    kind: Kind
    first: str | Sequence[str]
    second: str | Sequence[str]
    where: str = ""
    by: float = 0.0
    margin: float = 0.05
    whole: str = ""
    at_least: float = 0.5
    elo0: float = 0.0
    elo1: float = 20.0
    asked: Literal["before the games", "after the games"] = "before the games"

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(
                f"The claim {self.says!r} is tested as {self.kind!r}; a claim is tested as "
                f"{', '.join(get_args(Kind))}."
            )
        if self.asked not in ("before the games", "after the games"):
            raise ValueError(
                f'The claim {self.says!r} was asked {self.asked!r}; write "before the games" or '
                '"after the games".'
            )
        if (self.kind == "share") != bool(self.whole):
            raise ValueError(
                f"The claim {self.says!r} has the kind {self.kind!r} and whole = {self.whole!r}. "
                'Name a row as `whole` if the kind is "share", and only then.'
            )
        if self.by and self.kind not in ("better", "order"):
            raise ValueError(
                f"The claim {self.says!r} has `by`, which only the kinds "
                f'"better" and "order" take; its kind is {self.kind!r}.'
            )

    @property
    def told(self) -> str:
        """The claim's sentence, marked if the claim was made after the games."""
        return (
            f"{self.says} (Asked after the games.)" if self.asked.startswith("after") else self.says
        )

    @property
    def tested(self) -> str:
        """The test of the claim, in words."""
        at_least = f", by {self.by:g}" if self.by else ""
        limits = {
            "better": at_least,
            "order": at_least,
            "equal": f", margin {100 * self.margin:g} %",
            "share": f", at least {100 * self.at_least:g} %",
            "sprt": f", {self.elo1:+g} against {self.elo0:+g} Elo",
        }
        return TESTED[self.kind] + limits.get(self.kind, "")

    def pairs(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Return the pairs of rows that the claim compares, given the names of all rows."""
        first, second = self._rows(self.first, names), self._rows(self.second, names)
        if self.whole:
            self._rows(self.whole, names)
        longer = max(len(first), len(second))
        if {len(first), len(second)} - {1, longer}:
            raise ValueError(
                f"The claim {self.says!r} compares {len(first)} rows with {len(second)}; give "
                "equally many, or one row for all."
            )
        first, second = (each * longer if len(each) == 1 else each for each in (first, second))
        return list(zip(first, second, strict=True))

    def _rows(self, wanted: str | Sequence[str], names: Sequence[str]) -> list[str]:
        """Return the rows that match the patterns, pattern by pattern."""
        found = []
        for pattern in [wanted] if isinstance(wanted, str) else wanted:
            fitting = [name for name in names if name == pattern or fnmatchcase(name, pattern)]
            if not fitting:
                raise ValueError(
                    f"The claim {self.says!r} is about the row {pattern!r}; the rows are "
                    f"{', '.join(names)}."
                )
            found += fitting
        return found


Part = TypeVar("Part", TableRow, Claim)


def studies(root: Path = STUDIES) -> list[Study]:
    """Return all studies, by name."""
    return [_read(path) for path in sorted(root.glob(f"*/{FILE}"))]


def artifacts(root: Path = STUDIES) -> list[Artifact]:
    """Return all artifacts of all studies."""
    return [artifact for study in studies(root) for artifact in study.artifacts]


def study_named(name: str, root: Path = STUDIES) -> Study:
    """Return the study of this name; raise `ValueError` if there is none."""
    known = {study.name: study for study in studies(root)}
    if name not in known:
        raise ValueError(f"There is no study {name!r}; the studies are {', '.join(known)}.")
    return known[name]


def artifact_named(name: str, root: Path = STUDIES) -> Artifact:
    """Return the artifact `study/key`; raise `ValueError` if it is unknown or not ready to run."""
    known = {artifact.name: artifact for artifact in artifacts(root)}
    ready = ", ".join(artifact.name for artifact in known.values() if artifact.ready) or "none"
    if name not in known:
        raise ValueError(
            f"There is no artifact {name!r}; `plyglass reproduce` lists all, and these are ready: "
            f"{ready}."
        )
    if not known[name].ready:
        raise ValueError(f"{name} is not built yet; these are ready: {ready}.")
    return known[name]


def _read(path: Path) -> Study:
    return _parsed(path, path.read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=64)
def _parsed(path: Path, text: str) -> Study:
    values = tomllib.loads(text)
    name = path.parent.name.replace("_", "-")
    listed = written_out(values.pop("artifacts", {}), values.pop("words", {}))
    refuse_unknown(f"{path}: a study", "entry", values, ("title", "source"))
    return Study(
        name,
        values["title"],
        values["source"],
        tuple(_artifact(name, key, listed, path) for key in listed),
    )


def _artifact(
    study: str, key: str, listed: Mapping[str, Mapping[str, Any]], path: Path
) -> Artifact:
    values, where = listed[key], f"{path}, {key}"
    known = [each.name for each in fields(Artifact)]
    own = [name for name in known if name not in INHERITED]
    refuse_unknown(f"{where}: an artifact", "entry", values, own)
    usual = {"quantity": values["quantity"]} if "quantity" in values else {}
    parts: dict[str, Any] = {
        "rows": tuple(_made(TableRow, {**usual, **row}, where) for row in values.get("rows", ())),
        "claims": tuple(_made(Claim, claim, where) for claim in values.get("claims", ())),
    }
    if owner := values.get("matches_of"):
        if owner not in listed or "settings" in values:
            raise ValueError(
                f"{where}: `matches_of` is {owner!r}; name another artifact of this study, and "
                "leave out `settings`."
            )
        parts["settings"] = listed[owner].get("settings")
    return Artifact(study, key, folder=path.parent, **{**values, **parts})


def _made(part: type[Part], values: Mapping[str, Any], where: str) -> Part:
    owner = f"{where}: a {'row' if part is TableRow else 'claim'}"
    refuse_unknown(owner, "entry", values, [each.name for each in fields(part)])
    return part(**values)
