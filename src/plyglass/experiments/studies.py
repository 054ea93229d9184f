"""What a study is: artifacts to redo, what each row of them measures, and what the document
reported. Read from `study.toml`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from plyglass.experiments.claims import Claim
from plyglass.experiments.shorthand import written_out

if TYPE_CHECKING:
    from plyglass.arena.tournament.settings import Settings

Quantity = Literal["rate", "mean", "cost", "seconds", "pace", "measure", "share", "exact"]
Drawing = Literal["bars", "heat map", "violin", "times", "counts", "curves"]
HERE = Path(__file__).parent
FILE = "study.toml"


@dataclass(frozen=True)
class Measure:
    """What one row of an artifact measures.

    Attributes:
        name: what the row is called.
        quantity: "rate" is points for each match, a win one and a draw a half, or of who plays
            alone his score from 0 to 1; "mean" is the mean score, "cost" minus that; "seconds" is
            how long an agent took for a match, which is CPU time where it plays alone, else that of
            its decisions by the clock on the wall; "pace" is that for a decision, on average over a
            match; "measure" is a measure's mean, and "share" that of one that is from 0 to 1;
            "exact" is what a protocol computes without playing.
        measure: which of the measures that the settings list, by the name it has in rows.
        agent: whose; left out, everybody's.
        game: in which game; left out, in all.
        seat: in which seat, the first being 1; left out, in all.
        sides: games and seats of them, as `game@seat`, where it is about several and not about all.
        document: what the document reports, if it reports it.
        error: the standard error of that, where the document has one.
        x, y, panel: where a heat map has it; of curves, the number, the series and the panel.
    """

    name: str
    quantity: Quantity = "rate"
    measure: str | None = None
    agent: str | None = None
    game: str | None = None
    seat: int | None = None
    sides: Sequence[str] = ()
    document: float | None = None
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
                f'The row {self.name!r} needs both, quantity = "measure" or "share" and the name of the measure, or neither.'
            )
        if self.sides and (self.game or self.seat):
            raise ValueError(
                f"The row {self.name!r} has `sides`, which say both the game and the seat; leave "
                "out `game` and `seat`."
            )

    @property
    def of_measure(self) -> bool:
        """Whether a measure says it."""
        return self.quantity in ("measure", "share")

    def covers(self, game: str, seat: int) -> bool:
        """Whether it is about a seat, the first being 0, of a game."""
        if self.sides:
            return f"{game}@{seat + 1}" in self.sides
        return self.game in (None, game) and self.seat in (None, seat + 1)

    @property
    def lower_is_better(self) -> bool:
        """Which way is better; a measure is taken for one of which more is better."""
        return self.quantity in ("cost", "seconds", "pace")


Part = TypeVar("Part", Measure, Claim)


@dataclass(frozen=True)
class Artifact:
    """A table or figure of a document.

    Attributes:
        study: the study's name.
        key: its name within the study.
        title: what it shows.
        kind: whether the document has it as a table or as a figure.
        folder: the study's folder.
        source: where the document's values come from, if that needs saying.
        settings: the tournament that it takes, at scale 1.
        protocol: the module beside `study.toml` whose `run(scale, runner, workers, folder)` does
            what a tournament cannot.
        rows: what is measured.
        quantity: what rows measure that do not say it themselves.
        drawn: how the figure is drawn.
        x_axis, y_axis: what the axes of a heat map, of curves or of bars are called.
        marked: the row that a figure points out.
        matches_of: the artifact of this study whose settings and matches it shares, if they are not
            its own.
        claims: what the document says about the rows.
    """

    study: str
    key: str
    title: str
    kind: Literal["table", "figure"]
    folder: Path
    source: str = ""
    settings: Mapping[str, Any] | None = None
    protocol: str | None = None
    rows: tuple[Measure, ...] = ()
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
        """The name that `plyglass reproduce` knows it by."""
        return f"{self.study}/{self.key}"

    @property
    def ready(self) -> bool:
        """Whether it can be run."""
        return self.settings is not None or self.protocol is not None

    def tournament(self, scale: float = 1.0) -> Settings:
        """Its settings with so many times the deals, but at least one."""
        from plyglass.arena.tournament.settings import Settings

        if self.settings is None:
            raise ValueError(f"{self.name} is not made by a tournament.")
        deals = max(1, round(scale * self.settings.get("deals", 50)))
        return Settings.from_canonical(json.dumps({"stop": {}, **self.settings, "deals": deals}))


@dataclass(frozen=True)
class Study:
    """The artifacts of one document, or of one part of it."""

    name: str
    title: str
    document: str
    artifacts: tuple[Artifact, ...] = field(default=())


def studies(root: Path = HERE) -> list[Study]:
    """All studies, by name."""
    return [_read(path) for path in sorted(root.glob(f"*/{FILE}"))]


def artifacts(root: Path = HERE) -> list[Artifact]:
    """All artifacts of all studies."""
    return [artifact for study in studies(root) for artifact in study.artifacts]


def artifact_named(name: str, root: Path = HERE) -> Artifact:
    """The artifact `study/key`; a sentence if there is none, or if it is not built yet."""
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
    values = tomllib.loads(path.read_text(encoding="utf-8"))
    name = path.parent.name.replace("_", "-")
    listed = written_out(values.pop("artifacts", {}), values.pop("words", {}))
    _refuse_unknown(values, ("title", "document"), str(path))
    return Study(
        name,
        values["title"],
        values["document"],
        tuple(_artifact(name, key, listed, path) for key in listed),
    )


def _artifact(
    study: str, key: str, listed: Mapping[str, Mapping[str, Any]], path: Path
) -> Artifact:
    values, where = listed[key], f"{path}, {key}"
    _refuse_unknown(
        values,
        tuple(
            each.name for each in fields(Artifact) if each.name not in ("study", "key", "folder")
        ),
        where,
    )
    usual = {"quantity": values["quantity"]} if "quantity" in values else {}
    parts: dict[str, Any] = {
        "rows": tuple(_made(Measure, {**usual, **row}, where) for row in values.get("rows", ())),
        "claims": tuple(_made(Claim, claim, where) for claim in values.get("claims", ())),
    }
    if owner := values.get("matches_of"):
        if owner not in listed or "settings" in values:
            raise ValueError(
                f"{where}: it plays the matches of {owner!r}, so that must be another artifact, "
                "and it has no settings itself."
            )
        parts["settings"] = listed[owner].get("settings")
    return Artifact(study, key, folder=path.parent, **{**values, **parts})


def _made(part: type[Part], values: Mapping[str, Any], where: str) -> Part:
    _refuse_unknown(values, tuple(each.name for each in fields(part)), where)
    return part(**values)


def _refuse_unknown(values: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    unknown = [name for name in values if name not in known]
    if unknown:
        raise ValueError(
            f"{where}: there is no entry {unknown[0]!r}; the entries are {', '.join(known)}."
        )
