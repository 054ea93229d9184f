"""A table of a report, and how it is written: CSV for programs with every digit, Markdown for
people.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field

Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """Columns and rows.

    Attributes:
        name: what its file is called.
        title: what stands above it.
        columns: the names of the columns, as in CSV.
        rows: the values; None where there is nothing to tell.
        note: what a reader must know to read it right.
        percent: columns that are rates and shown in per cent.
        digits: how many decimals the other numbers are shown with, by column; one where nothing is
            said.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    percent: frozenset[str] = frozenset()
    digits: Mapping[str, int] = field(default_factory=dict)

    def shown(self) -> list[list[str]]:
        """The values as people read them."""
        return [
            [self._cell(column, value) for column, value in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]

    def is_number(self, column: int) -> bool:
        """Whether a column holds numbers, which are set to the right."""
        values = [row[column] for row in self.rows if row[column] is not None]
        return bool(values) and not any(isinstance(value, str) for value in values)

    def csv(self) -> str:
        """Comma-separated values with a head line; numbers with every digit, nothing for None."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return text.getvalue()

    def markdown(self) -> str:
        """A heading, the table and its note."""
        rule = ["---:" if self.is_number(column) else ":---" for column in range(len(self.columns))]
        lines = [
            _line([column.replace("_", " ") for column in self.columns]),
            _line(rule),
            *(_line(row) for row in self.shown()),
        ]
        note = f"\n{self.note}\n" if self.note else ""
        return f"### {_escaped(self.title)}\n\n" + "\n".join(lines) + f"\n{note}"

    def _cell(self, column: str, value: Cell) -> str:
        if value is None:
            return ""
        if column in self.percent:
            return f"{value:.1%}"
        return (
            f"{value:,.{self.digits.get(column, 1)}f}" if isinstance(value, float) else str(value)
        )


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(map(_escaped, cells)) + " |"


def _escaped(text: str) -> str:
    """Names are anybody's: what Markdown would take for a column, a line or a tag is escaped."""
    for sign, instead in (
        ("\\", "\\\\"),
        ("|", "\\|"),
        ("<", "&lt;"),
        ("*", "\\*"),
        ("`", "\\`"),
        ("\n", " "),
    ):
        text = text.replace(sign, instead)
    return text
