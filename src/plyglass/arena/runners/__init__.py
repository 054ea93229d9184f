"""Runners, which play matches: this process, a pool of processes, or a Ray cluster.

A runner takes chunks of match numbers and returns events in any order. An event either contains the
match rows of a chunk, or reports a lost chunk, and which of its matches was in progress. A runner
asks for the next chunk only when a worker is free, so no chunks have to wait.
"""

from plyglass.arena.runners.protocol import Chunk, Lost, Played, Runner, Serial

__all__ = ["Chunk", "Lost", "Played", "Runner", "Serial", "runner_named"]


def runner_named(name: str, workers: int, match_seconds: float) -> Runner:
    """Return the runner of this name; Ray or the process pool is imported only when needed."""
    if name == "serial":
        return Serial()
    if name == "processes":
        from plyglass.arena.runners.processes import Processes

        return Processes(workers, match_seconds)
    if name == "ray":
        from plyglass.arena.runners.cluster import Cluster

        return Cluster(workers, match_seconds)
    raise ValueError(f"There is no runner {name!r}; there are serial, processes and ray.")
