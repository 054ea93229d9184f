"""What the crew does with a worker that compiles, and with one that never ends."""

import asyncio
import multiprocessing

import pytest

from plyglass.serve import crew as crews
from plyglass.serve import work
from plyglass.serve.crew import Crew, Job, Worker
from plyglass.serve.protocol import Refused


class FakeProcess:
    killed = False

    def kill(self):
        self.killed = True


@pytest.fixture(autouse=True)
def short_times(monkeypatch):
    for name, seconds in (("GRACE", 0.05), ("COMPILING", 0.5), ("BETWEEN", 0.2)):
        monkeypatch.setattr(crews, name, seconds)


class Played:
    """A crew with one worker, whose messages a test writes."""

    def __init__(self):
        self.crew, self.released = Crew("", 1, lambda: None), []
        self.crew.on_release = lambda job, killed: self.released.append(killed)
        ours, self.theirs = multiprocessing.Pipe()
        self.worker = Worker(FakeProcess(), ours, None, is_ready=True)
        self.crew._workers.append(self.worker)
        now = asyncio.get_running_loop().time()
        self.job = Job({"kind": "decide"}, now + 0.1, 0.05, "a")
        self.crew.give(self.worker, self.job)
        asyncio.get_running_loop().add_reader(ours.fileno(), self.crew._read, self.worker)

    def tell(self, kind):
        self.theirs.send_bytes(work.message(1, kind, {}))

    @property
    def killed(self):
        return self.worker.process.killed

    def refusal(self):
        assert self.job.answer.done()
        found = self.job.answer.exception()
        assert isinstance(found, Refused)
        return found


def test_a_worker_that_never_ends_is_killed():
    async def play():
        played = Played()
        await asyncio.sleep(0.25)
        assert played.killed

    asyncio.run(play())


def test_a_worker_that_compiles_is_not_killed_but_its_request_is_refused_in_time():
    async def play():
        played = Played()
        played.tell(work.COMPILES)
        await asyncio.sleep(0.25)
        assert not played.killed
        assert played.refusal().code == "busy"
        assert played.refusal().retry_after_ms > 0
        played.tell(work.COMPILED)
        await asyncio.sleep(0.05)
        played.tell(work.FINAL)
        await asyncio.sleep(0.4)
        assert not played.killed
        assert played.crew.free() is played.worker
        assert played.released == [False]

    asyncio.run(play())


@pytest.mark.parametrize("kinds", [[work.COMPILES], [work.COMPILES, work.COMPILED]])
def test_compiling_does_not_let_a_rule_run_for_ever(kinds):
    async def play():
        played = Played()
        for kind in kinds:
            played.tell(kind)
        await asyncio.sleep(0.3 if len(kinds) == 2 else 0.7)
        assert played.killed

    asyncio.run(play())


def test_kernels_that_follow_one_another_have_one_limit():
    async def play():
        played = Played()
        for _ in range(10):
            played.tell(work.COMPILES)
            await asyncio.sleep(0.05)
            played.tell(work.COMPILED)
            await asyncio.sleep(0.05)
        assert played.killed
        played.theirs.close()  # as a killed process closes its end
        await asyncio.sleep(0.05)
        assert played.released == [True]

    asyncio.run(play())


def test_what_is_compiled_in_time_is_answered():
    async def play():
        played = Played()
        for kind in (work.COMPILES, work.COMPILED, work.FINAL):
            played.tell(kind)
        assert await played.job.answer == {}
        await asyncio.sleep(0.4)
        assert not played.killed

    asyncio.run(play())
