"""Under load, the desk grants less time, and refuses requests whose answer would be late."""

import asyncio
import gc
import weakref

import pytest

from plyglass.serve.crew import Job
from plyglass.serve.desk import MOST_WAITING, Allowance, Desk
from plyglass.serve.protocol import Refused


class FakeCrew:
    """Workers that end a job when the test says so."""

    def __init__(self, size=1):
        self.size = self.ready = size
        self.games, self.jobs, self.given = ["a game"], [], []

    def free(self):
        return self if len(self.jobs) < self.size else None

    def give(self, worker, job):
        job.started = asyncio.get_running_loop().time()
        self.jobs.append(job)
        self.given.append(job)

    def cancel(self, job):
        pass

    def end(self, job):
        self.jobs.remove(job)
        job.end({})


def desk(size=1):
    made = Desk()
    made.crew = FakeCrew(size)
    return made


def job(deadline=0.2, asked=0.05, rank=0, sort="a"):
    now = asyncio.get_running_loop().time()
    return Job({"kind": "decide", "game": "g"}, now + deadline, asked, sort, rank)


def on_loop(test):
    """Run a test within an event loop."""

    def run():
        asyncio.run(test())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


@on_loop
async def test_a_free_worker_gets_what_was_asked_for():
    at = desk()
    only = job()
    at.submit(only)
    assert at.crew.given == [only]
    assert only.grant == 0.05


@on_loop
async def test_an_answered_job_is_forgotten_long_before_its_deadline():
    at = desk()
    done = job(deadline=1000.0)
    at.submit(done)
    at.crew.end(done)
    at.crew.given.clear()
    kept = weakref.ref(done)
    del done
    await asyncio.sleep(0)
    gc.collect()
    assert kept() is None


@on_loop
async def test_a_worker_that_still_compiles_is_not_expected_to_be_free():
    at = desk()
    first = job(deadline=0.1)
    at.submit(first)
    first.compiles_until = first.started + 60.0
    first.end(Refused("busy", "compiles"))
    with pytest.raises(Refused) as refused:
        at.submit(job(deadline=10.0))
    assert refused.value.retry_after_ms == pytest.approx(60_000, rel=0.01)


@on_loop
async def test_those_who_wait_share_the_time_that_is_left():
    at = desk()
    first = job()
    at.submit(first)
    others = [job(asked=1.0) for _ in range(3)]
    for each in others:
        at.submit(each)
    assert at.waiting == 3
    at.crew.end(first)
    at.dispatch()
    assert others[0].grant == pytest.approx((0.2 - 0.015) / 3, rel=0.2)


@on_loop
async def test_a_job_that_cannot_begin_in_time_is_refused_at_once():
    at = desk()
    at.submit(job(deadline=10.0, asked=5.0))
    with pytest.raises(Refused) as refused:
        at.submit(job(deadline=0.1))
    assert refused.value.code == "busy"
    assert refused.value.retry_after_ms > 1000
    at.submit(job(deadline=10.0))


@on_loop
async def test_jobs_that_usually_end_early_do_not_keep_others_away():
    at = desk()
    for _ in range(3):
        each = job(deadline=5.0, asked=5.0, sort="short")
        at.submit(each)
        at.crew.end(each)
        await asyncio.sleep(0)
    at.submit(job(deadline=5.0, asked=5.0, sort="short"))
    at.submit(job(deadline=0.2))
    assert at.waiting == 1


@on_loop
async def test_the_first_jobs_of_a_server_do_not_keep_each_other_away():
    """Nobody knows yet how long they take. They may use all their time, but hardly ever do."""
    at = desk()
    at.submit(job(deadline=30.0, asked=30.0, sort="start"))
    at.submit(job(deadline=30.0, asked=30.0, sort="act"))
    assert at.waiting == 1


@on_loop
async def test_a_job_that_waited_too_long_is_refused():
    at = desk()
    first = job(deadline=5.0, asked=0.001)
    at.submit(first)
    late = job(deadline=0.05)
    at.submit(late)
    with pytest.raises(Refused, match="too late"):
        await asyncio.wait_for(late.answer, 2)
    at.crew.end(first)
    at.dispatch()
    assert at.crew.given == [first]


@on_loop
async def test_the_queue_counts_what_decisions_cost_beyond_their_search():
    """Each job takes 40 ms longer than its search, so only a few can wait for 200 ms."""
    at = desk()
    for _ in range(20):
        each = job(asked=0.01)
        at.submit(each)
        each.started -= 0.05
        at.crew.end(each)
        await asyncio.sleep(0)
    first = job(deadline=5.0, asked=0.01)
    at.submit(first)
    with pytest.raises(Refused):
        for _ in range(20):
            at.submit(job(deadline=1.0, asked=1.0))
    accepted = at.waiting
    assert 8 < accepted < 20  # 20 searches of 5 ms could be done in 1 s, but not with 40 ms more
    second = at._heap[0][2]
    at.crew.end(first)
    at.dispatch()
    assert second.grant == pytest.approx((1.0 - 0.055) / accepted - 0.04, abs=0.02)


@on_loop
async def test_a_job_that_would_hardly_end_in_time_is_refused_but_not_for_a_short_deadline():
    at = desk()
    first = job(deadline=5.0, asked=0.001)
    at.submit(first)
    waiting = job(deadline=0.05)
    at.submit(waiting)
    await asyncio.sleep(0.038)  # it could search for 6 ms, but not send the answer in time
    at.crew.end(first)
    at.dispatch()
    assert waiting.answer.exception().code == "busy"
    short = job(deadline=0.014)
    at.submit(short)
    assert at.crew.given == [first, short]


@on_loop
async def test_what_is_admitted_leaves_room_for_jobs_that_take_longer_than_expected():
    at = desk()
    at.submit(job(deadline=5.0, asked=0.001))
    with pytest.raises(Refused):
        for _ in range(100):
            at.submit(job(asked=0.005))
    # each search takes 5 ms: all that were admitted need at most two thirds of their 200 ms
    assert 15 < at.waiting <= 0.2 / 0.005 / 1.5
    with pytest.raises(Refused):
        at.refuse_late(0.2)
    at.refuse_late(0.4)


@on_loop
async def test_people_come_before_analysis():
    at = desk()
    first = job(deadline=5.0, asked=0.001)
    analysis, person = job(rank=1, deadline=5.0), job(deadline=5.0)
    for each in (first, analysis, person):
        at.submit(each)
    at.crew.end(first)
    at.dispatch()
    assert at.crew.given == [first, person]


@on_loop
async def test_a_job_that_nobody_waits_for_is_not_done():
    at = desk()
    first, gone = job(deadline=5.0, asked=0.001), job(deadline=5.0)
    at.submit(first)
    at.submit(gone)
    at.cancel(gone)
    at.crew.end(first)
    at.dispatch()
    assert at.crew.given == [first]


@on_loop
async def test_the_queue_has_an_end():
    at = desk()
    at.submit(job(deadline=30.0, asked=0.001))
    for _ in range(MOST_WAITING):
        at.submit(job(deadline=30.0))
    with pytest.raises(Refused):
        at.submit(job(deadline=30.0))


@on_loop
async def test_nothing_is_accepted_before_a_worker_is_ready():
    at = desk()
    at.crew.games = []
    with pytest.raises(Refused, match="starting"):
        at.submit(job())


@on_loop
async def test_a_key_has_an_allowance_of_worker_time():
    allowance, free = Allowance(6.0), Allowance(0.0)
    free.spend(100.0)
    free.refuse_spent()
    allowance.spend(5.0)
    allowance.refuse_spent()
    allowance.spend(2.0)
    with pytest.raises(Refused) as refused:
        allowance.refuse_spent()
    assert refused.value.code == "quota"
    assert 1000 < refused.value.retry_after_ms <= 10_001
    assert refused.value.status == 429
