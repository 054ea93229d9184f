"""The recorded results of Plyglass's own agents, which come with the package."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from plyglass.benchmark.result import Result, read
from plyglass.benchmark.suite import Suite

FOLDER = Path(str(resources.files("plyglass.benchmark"))) / "recorded"


def recorded(suite: Suite) -> list[Result]:
    """Return the recorded results of a suite, in the order of its agents."""
    files = sorted((FOLDER / suite.name).glob("*.json"))
    found = {result.name: result for result in map(read, files)}
    return [found[name] for name in suite.agents if name in found]
