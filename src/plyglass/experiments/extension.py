"""Play more games for some agents of a recorded artifact, if games for all agents take too long.

The first deals of a larger run are the deals of a smaller run. So table rows with more games
include the deals of the other rows. Verdicts on claims use only the deals that all agents have
played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from plyglass.arena.tournament.driver import Progress
from plyglass.experiments.recorded import recorded
from plyglass.experiments.reproduction import More, Reproduction, reproduce
from plyglass.experiments.study import Artifact


def extend(
    artifact: Artifact,
    folder: Path,
    patterns: Sequence[str],
    *,
    scale: float = 1.0,
    runner: str = "serial",
    workers: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
) -> Reproduction:
    """Run or resume an artifact for the agents that match a pattern; other rows stay as recorded.

    `*` matches anything. The patterns must include all agents that already have more games than
    the other agents.
    """
    before = recorded(artifact)
    agents = _agents(artifact, patterns)
    if before.more and (left := [each for each in before.more.agents if each not in agents]):
        raise ValueError(
            f"{artifact.name} already has more games for {', '.join(left)}; add --only for them."
        )
    part = replace(
        artifact, rows=tuple(row for row in artifact.rows if row.agent in agents), claims=()
    )
    done = reproduce(
        part,
        folder,
        scale=scale,
        runner=runner,
        workers=workers,
        on_progress=on_progress,
        only=agents,
    )
    return joined(before, done, agents)


def joined(before: Reproduction, part: Reproduction, agents: Sequence[str]) -> Reproduction:
    """Return a recorded result in which the rows of `part` replace the earlier rows."""
    new = {result.name: result for result in part.results}
    for old in before.results:
        if old.name in new and new[old.name].n < old.n:
            raise ValueError(
                f"The row {old.name!r} has {new[old.name].n} games at --scale {part.scale:g}, but "
                f"{old.n} are recorded; give a larger scale."
            )
    return replace(
        before,
        results=tuple(new.get(old.name, old) for old in before.results),
        more=More(
            part.scale, part.games, part.settings, part.digest, tuple(agents), part.code.commit
        ),
    )


def _agents(artifact: Artifact, patterns: Sequence[str]) -> list[str]:
    known = list((artifact.settings or {}).get("agents", {}))
    for pattern in patterns:
        if not any(name == pattern or fnmatchcase(name, pattern) for name in known):
            raise ValueError(
                f"{artifact.name} has no agent {pattern!r}; its agents are "
                f"{'; '.join(known) or 'none, as it is no tournament'}."
            )
    return [
        name
        for name in known
        if any(name == pattern or fnmatchcase(name, pattern) for pattern in patterns)
    ]
