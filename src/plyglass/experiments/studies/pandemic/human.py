"""The human benchmark of the thesis: a person's games, compared with ten games by the author.

`plyglass play pandemic:preset=as_coded --save FOLDER/1.json` plays and saves one game. `python -m
plyglass.experiments.studies.pandemic.human FOLDER` compares all saved games.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from plyglass.arena.match.match import Match
from plyglass.arena.match.record import Record, replay
from plyglass.experiments.readme import table_of
from plyglass.experiments.reproduction import Reproduction, with_reported
from plyglass.experiments.studies.pandemic.default_policy import result_of
from plyglass.experiments.studies.pandemic.measures import cures
from plyglass.experiments.study import Artifact, artifact_named
from plyglass.report.people import people_in

COMPARED = ("won", "cures", "decisions")


def benchmark() -> Artifact:
    """Return the artifact `human`, with only the rows that are compared with the thesis."""
    whole = artifact_named("pandemic/human")
    return replace(whole, rows=tuple(row for row in whole.rows if row.name in COMPARED))


def games_in(folder: Path) -> tuple[list[Match], list[str]]:
    """Return people's games in a folder of records, and the reasons why other records do not count.

    Every record is verified, and its game must be the game of the benchmark.
    """
    people = people_in(folder, benchmark().tournament())
    games = [replay(Record.load(folder / name)) for name, _ in people.games]
    return games, [f"{name} does not count: {reason}" for name, reason in people.left_out]


def compared(games: Sequence[Match]) -> Reproduction:
    """Compare the wins, cures and decisions in games with those of the thesis's author."""
    if len(games) < 2:
        raise ValueError(
            f"{len(games)} games of a person count; play at least 2, to have an interval."
        )
    measured = [
        result_of("won", np.array([match.scores[0] == 1.0 for match in games])),
        result_of("cures", np.array([cures(match) for match in games])),
        result_of("decisions", np.array([float(len(match.moves)) for match in games])),
    ]
    return Reproduction(benchmark(), with_reported(benchmark(), measured), 1.0, len(games))


def main(folder: Path) -> None:
    """Print the comparison of a folder of records."""
    games, left_out = games_in(folder)
    print("\n".join([table_of(compared(games)), *left_out]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
