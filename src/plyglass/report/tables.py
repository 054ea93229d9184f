"""A table of a report, written as CSV with all digits for programs and as Markdown for people."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from plyglass.core.display import bar, html_table

Cell = str | int | float | None
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
"""First characters that make a spreadsheet read a text as a formula or a command."""


@dataclass(frozen=True)
class Table:
    """A table with named columns.

    Attributes:
        name: the name of the table's file.
        title: the heading of the table.
        columns: the names of the columns, as in CSV.
        rows: the values. None is an empty cell.
        note: what a reader must know to read the table correctly.
        percent: the columns that hold rates, which are shown in per cent.
        digits: by column, the number of decimals of other numbers. The default is one decimal.
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
        """Whether a column holds numbers, which are aligned to the right."""
        values = [row[column] for row in self.rows if row[column] is not None]
        return bool(values) and not any(isinstance(value, str) for value in values)

    def csv(self) -> str:
        """Comma-separated values with a header. Numbers have all digits, and None is empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([_inert(cell) for cell in row] for row in self.rows)
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

    def _repr_html_(self) -> str:
        """The table in a notebook, with a bar for each rate."""
        rates = [column in self.percent for column in self.columns]
        header = [column.replace("_", " ") for column in self.columns]
        if not any(rates):
            body = html_table(header, self.shown())
        else:
            place = rates.index(True)
            body = html_table(
                [*header[:place], "", *header[place:]],
                (
                    [*shown[:place], _bar(row[place]), *shown[place:]]
                    for row, shown in zip(self.rows, self.shown(), strict=True)
                ),
            )
        return f"<h4>{escape(self.title)}</h4>{body}<p>{escape(self.note)}</p>"

    def _cell(self, column: str, value: Cell) -> str:
        if value is None:
            return ""
        if column in self.percent:
            return f"{value:.1%}"
        return (
            f"{value:,.{self.digits.get(column, 1)}f}" if isinstance(value, float) else str(value)
        )


def _bar(rate: Cell) -> str:
    return "" if rate is None or isinstance(rate, str) else bar(rate)


def _inert(cell: Cell) -> Cell:
    """The cell. A text that a spreadsheet would compute gets an apostrophe in front."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(map(_escaped, cells)) + " |"


def _escaped(text: str) -> str:
    """Text in which all characters with a meaning in Markdown are escaped."""
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
