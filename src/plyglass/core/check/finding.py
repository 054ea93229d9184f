"""Findings and reports of the check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyglass.core.game import Game


@dataclass(frozen=True)
class Finding:
    """A fault: the rule, what is wrong, what to do, a history that leads to it, and the place.

    The place is the file and line of the rule, or of an error in the rule.
    """

    rule: str
    problem: str
    advice: str
    seed: int | None = None
    history: tuple[int, ...] = ()
    place: str = ""

    def __str__(self) -> str:
        where = (
            ""
            if self.seed is None
            else f"\n  where: start(seed={self.seed}), then actions {list(self.history)}"
        )
        place = f" ({self.place})" if self.place else ""
        return f"{self.rule}{place}: {self.problem}{where}\n  what to do: {self.advice}"


@dataclass(frozen=True)
class Note:
    """A remark on how an examination was done, for a report without findings."""

    text: str


@dataclass(frozen=True)
class Report:
    """The result of `check`."""

    game: Game
    passed: Sequence[str]
    failed: str | None
    findings: Sequence[Finding]

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return self.failed is None

    def __str__(self) -> str:
        lines = [f"{self.game!r}"]
        lines += [f"  ok      {name}" for name in self.passed]
        if self.failed:
            lines += [f"  FAILED  {self.failed}", *(str(finding) for finding in self.findings)]
        return "\n".join(lines)
