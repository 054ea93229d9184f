"""A pytest plugin: which functions a test calls, how long it takes, and which test fails first."""

from __future__ import annotations

import cProfile
import json
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any


class TooLong(Exception):
    """A test has used its CPU time."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLong


class Coverage:
    """Notes the calls and the time of every test, and ends those that take too long."""

    def __init__(self, top: Path, out: Path, most_seconds: float) -> None:
        self._top, self._out, self._most = str(top / "src"), out, most_seconds
        self._profile = cProfile.Profile(builtins=False)
        self._known = set()
        if out.is_file():
            self._known = {json.loads(line)["name"] for line in out.read_text().splitlines()}
        signal.signal(signal.SIGVTALRM, _stop)

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Leave out what was noted before."""
        items[:] = [each for each in items if each.nodeid not in self._known]

    def pytest_runtest_setup(self, item: Any) -> None:
        self._profile, self._began = cProfile.Profile(builtins=False), time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, self._most)
        self._profile.enable()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call":
            self._stop()
            codes = [each.code for each in self._profile.getstats()]
            calls = sorted(
                [code.co_filename.removeprefix(self._top.removesuffix("src")), code.co_firstlineno]
                for code in codes
                if not isinstance(code, str) and code.co_filename.startswith(self._top)
            )
            note = {
                "name": report.nodeid,
                "seconds": round(time.process_time() - self._began, 3),
                "passed": report.outcome == "passed",
                "calls": calls,
            }
            with self._out.open("a") as notes:
                notes.write(json.dumps(note) + "\n")

    def pytest_runtest_teardown(self, item: Any) -> None:
        self._stop()

    def _stop(self) -> None:
        self._profile.disable()
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


class FirstFailure:
    """Writes down the first test that fails, or the file that cannot be imported.

    A test fails too if it takes longer than its limit in `seconds`, if it has one.
    """

    def __init__(self, out: Path, seconds: Mapping[str, float]) -> None:
        self._out, self._seconds = out, seconds
        signal.signal(signal.SIGVTALRM, _stop)

    def pytest_runtest_setup(self, item: Any) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, self._seconds.get(item.nodeid, 0.0))

    def pytest_runtest_teardown(self, item: Any) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._note(f"{report.nodeid} cannot be imported")

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self._note(report.nodeid)

    def _note(self, name: str) -> None:
        if not self._out.exists():
            self._out.write_text(name)
