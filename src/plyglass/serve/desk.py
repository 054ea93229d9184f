"""The desk: a queue of jobs for workers, which refuses a job at once if it would be late.

When a job begins, it gets the search time that it asked for, or less if other jobs wait. So under
load, searches get shorter before answers get late. Each token has an allowance of worker time.
"""

from __future__ import annotations

import asyncio
import bisect
import heapq
import itertools
from collections import OrderedDict, deque
from collections.abc import Callable

from plyglass.serve.crew import Crew, Job
from plyglass.serve.protocol import Refused

LEAST = 0.005  # a shorter search, in seconds, is not worth starting
MARGIN = 0.015  # seconds before the deadline at which an answer should be ready
HASTE = 0.01  # seconds before the deadline at which the answer to a job that waited is expected
MOST_WAITING = 1000
SAFETY = 1.25  # a grant leaves this many times the expected time for each waiting job
SLACK = 1.6  # a job is admitted only if there would be time for this many times the jobs before it
LEARNED = 0.2  # the weight of the latest job in the expected time of its sort
MOST_SORTS = 1000
FIRST = 1.0  # seconds that the first job of a sort is expected to take, if it has no time budget
OVERRUNS = 200  # the number of recent jobs from which the desk learns how late workers end


class Desk:
    """The queue in front of the crew.

    Attributes:
        on_done: called with each job that a worker was given, and the seconds that the job took.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Job]] = []
        self._order = itertools.count()
        self._overruns: deque[float] = deque([0.0], maxlen=OVERRUNS)
        self._latest = 0.0  # the 99th percentile of the overruns
        self._overhead = 0.0  # the median of those jobs that searched for all their time
        self._usual: OrderedDict[str, float] = OrderedDict()  # seconds of a job, by its sort
        self.crew: Crew
        self.on_done: Callable[[Job, float], None] = lambda job, seconds: None

    @property
    def waiting(self) -> int:
        """The number of jobs that wait."""
        return len(self._heap)

    def submit(self, job: Job) -> None:
        """Put a job into the queue; refuse it if it cannot be done in time."""
        if not self.crew.games:
            raise Refused("busy", "The server is starting.", retry_after_ms=1000)
        job.submitted = asyncio.get_running_loop().time()
        self.refuse_late(job.deadline - job.submitted)
        expiry = asyncio.get_running_loop().call_at(job.deadline, self._expire, job)
        job.answer.add_done_callback(lambda _: self._ended(job, expiry))
        heapq.heappush(self._heap, (job.rank, next(self._order), job))
        self.dispatch()

    def refuse_late(self, seconds: float) -> None:
        """Refuse a job that comes now and could not be done within these seconds."""
        needed = self._wait()
        if self.waiting >= MOST_WAITING or needed > self._usable(seconds) - LEAST:
            raise Refused(
                "busy",
                "The server has too much to do to answer in time; ask again later.",
                retry_after_ms=max(1, round(1000 * needed)),
            )

    def dispatch(self) -> None:
        """Give waiting jobs to free workers."""
        while self._heap and (worker := self.crew.free()):
            job = heapq.heappop(self._heap)[2]
            if job.answer.done():
                continue
            left = self._left(job)
            if left < LEAST or self._comes_late(job):
                self._expire(job)
                continue
            share = left * self.crew.size / (SAFETY * self.waiting + self.crew.size)
            share -= self._overhead
            job.grant = min(job.asked, left, max(LEAST, share))
            self.crew.give(worker, job)

    def _comes_late(self, job: Job) -> bool:
        """Whether a job has waited so long that even the shortest search may end too late."""
        now = asyncio.get_running_loop().time()
        reserve = min(HASTE + self._overhead, (job.deadline - job.submitted) / 2)
        return job.deadline - now < LEAST + reserve

    def _expire(self, job: Job) -> None:
        """Refuse a job that no worker took in time."""
        if not job.started:
            job.end(Refused("busy", "The answer would come too late.", retry_after_ms=100))

    def cancel(self, job: Job) -> None:
        """Forget a job that nobody waits for."""
        self.crew.cancel(job)
        if not job.started:
            job.end(Refused("busy", "Nobody waits for the answer."))

    def _wait(self) -> float:
        """The expected seconds until a worker is free for a new job."""
        now = asyncio.get_running_loop().time()
        if self.crew.free() and not self._heap:
            return 0.0
        busy = sum(max(0.0, self._expected_end(job) - now) for job in self.crew.jobs)
        waiting = SLACK * self.waiting * (LEAST + self._overhead)
        return (busy + waiting) / max(1, self.crew.ready)

    def _expected_end(self, job: Job) -> float:
        """When a job in progress is expected to end."""
        if job.compiles_until:  # once its request is refused, its worker may still compile
            return job.compiles_until if job.answer.done() else job.deadline
        return job.started + self._expected(job)

    def _expected(self, job: Job) -> float:
        """The expected seconds of a job, from earlier jobs of its sort or from its own request.

        The first job of a sort that has no time budget is expected to be short. Otherwise, the desk
        would expect it to last until its deadline, and would refuse other jobs.
        """
        first = FIRST if job.started + job.asked >= job.deadline else job.grant
        return min(job.grant, self._usual.get(job.sort, first))

    def _left(self, job: Job) -> float:
        """The seconds that a job may search if it begins now."""
        return self._usable(job.deadline - asyncio.get_running_loop().time())

    def _usable(self, seconds: float) -> float:
        """The seconds that a job may search if its deadline is this far away."""
        # no more than half of a deadline is kept back, or short ones would always be refused
        return seconds - min(MARGIN + self._latest, seconds / 2)

    def _ended(self, job: Job, expiry: asyncio.TimerHandle) -> None:
        expiry.cancel()  # it would keep the job, with all that was sent, until the deadline
        if job.started:
            took = asyncio.get_running_loop().time() - job.started
            if not (job.compiles_until or job.answer.cancelled() or job.answer.exception()):
                self._learn_overrun(max(0.0, took - job.grant))
            usual = self._usual.pop(job.sort, took)
            self._usual[job.sort] = usual + LEARNED * (took - usual)
            if len(self._usual) > MOST_SORTS:
                self._usual.popitem(last=False)
            self.on_done(job, took)

    def _learn_overrun(self, seconds: float) -> None:
        self._overruns.append(seconds)
        ordered = sorted(self._overruns)
        self._latest = ordered[int(0.99 * len(ordered))]
        positive = ordered[bisect.bisect_right(ordered, 0.0) :]
        self._overhead = positive[len(positive) // 2] if positive else 0.0


class Allowance:
    """The worker time that one token may still use; it refills up to one minute's allowance."""

    def __init__(self, per_minute: float) -> None:
        self._rate, self._filled = per_minute / 60.0, per_minute
        self._at = asyncio.get_running_loop().time()

    def refuse_spent(self) -> None:
        """Refuse if nothing is left."""
        if not self._rate:
            return
        now = asyncio.get_running_loop().time()
        self._filled = min(60.0 * self._rate, self._filled + self._rate * (now - self._at))
        self._at = now
        if self._filled <= 0.0:
            wait = round(1000 * -self._filled / self._rate) + 1
            raise Refused("quota", "The key has used its worker time.", retry_after_ms=wait)

    def spend(self, seconds: float) -> None:
        self._filled -= seconds
