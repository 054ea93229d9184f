"""A pytest plugin that writes down which test fails first."""

from __future__ import annotations

from pathlib import Path
from typing import Any


class FirstFailure:
    """Writes down the first test that fails, or the file that cannot be imported."""

    def __init__(self, out: Path) -> None:
        self._out = out

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._note(f"{report.nodeid} cannot be imported")

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self._note(report.nodeid)

    def _note(self, name: str) -> None:
        if not self._out.exists():
            self._out.write_text(name)
