"""What a server counts, for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from plyglass.serve.crew import Job
from plyglass.serve.desk import Desk
from plyglass.serve.protocol import OPTIONS

SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


class Metrics:
    """The counters of one server."""

    def __init__(self, desk: Desk) -> None:
        self._desk, self.registry = desk, CollectorRegistry()
        self._done = Counter(
            "plyglass_jobs", "Jobs that workers ended.", ["kind", "game", "outcome"],
            registry=self.registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "plyglass_job_seconds", "Seconds that workers took.", ["kind"],
            buckets=SECONDS, registry=self.registry,
        )  # fmt: skip
        self._late = Counter(
            "plyglass_late", "Answers that came after their deadline.", ["kind"],
            registry=self.registry,
        )  # fmt: skip
        self._refused = Counter(
            "plyglass_refused", "Requests that were refused.", ["code"], registry=self.registry
        )
        self._beliefs = Counter(
            "plyglass_belief_cache", "Beliefs looked up in a worker's cache.", ["hit"],
            registry=self.registry,
        )  # fmt: skip
        for name, text, value in (
            ("queue", "Jobs that wait for a worker.", lambda: desk.waiting),
            ("workers", "Workers that are ready.", lambda: desk.crew.ready),
            ("workers_busy", "Workers that have a job.", lambda: len(desk.crew.jobs)),
            ("kills", "Workers that were ended because of a job.", lambda: desk.crew.kills),
        ):
            gauge = Gauge(f"plyglass_{name}", text, registry=self.registry)
            gauge.set_function(value)

    def done(self, job: Job, seconds: float) -> None:
        """Count a job that has ended, and the seconds that its worker took."""
        if job.started + seconds > job.deadline:
            self._late.labels(job.values["kind"]).inc()
        failed = job.answer.cancelled() or job.answer.exception() is not None
        kind = job.values["kind"]
        named = str((job.values.get("hosted") or job.values).get("game")).partition(OPTIONS)[0]
        # "unknown", because Prometheus would keep every name that clients invent
        game = named if any(each["id"] == named for each in self._desk.crew.games) else "unknown"
        self._done.labels(kind, game, "refused" if failed else "answered").inc()
        self._seconds.labels(kind).observe(seconds)

    def looked_up(self, found: bool | None) -> None:
        """Count a cache hit or miss of a belief. `found` is None if the cache was not searched."""
        if found is not None:
            self._beliefs.labels("yes" if found else "no").inc()

    def refused(self, code: str) -> None:
        """Count a request that was refused."""
        self._refused.labels(code).inc()

    def listen(self, host: str, port: int) -> None:
        """Serve the counters on a port of their own."""
        start_http_server(port, host, self.registry)
