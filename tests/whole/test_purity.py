"""A request about a large game has one answer: cold, warm, elsewhere, or as workers die."""

import contextlib
import random

import pytest

from plyglass.arena.specs import game_from
from plyglass.serve.client import ServerProblem
from plyglass.serve.decisions import turn_begun
from tests.serve.requests import entries, until_decision
from tests.whole.servers import serving
from tests.whole.test_serve import pure, until_worker

LARGE = ("battleship", "navy", "trading-cards", "tubstap", "pandemic", "duelyst")
REQUESTS = -(-1000 // len(LARGE))  # of each game, each of them asked four times
LIVES = 20  # requests after which a worker is killed
AGENTS = ("uct", "one-ply-mcts")
ITERATIONS = 10


def asked(name, count):
    """Requests at random decisions of random matches, several of them in the middle of a turn."""
    game, chance = game_from(name), random.Random(name)
    for number in range(count):
        seat = chance.randrange(game.players)
        _, shown = until_decision(game, seat, number, chance.randint(1, 4))
        yield {
            "game": name, "seat": seat, "seed": number, "agent": AGENTS[number % len(AGENTS)],
            "history": [{"own": each["own"], "view": each["view"]} for each in entries(shown)],
            "turn": [ITERATIONS] * (len(shown) - turn_begun(game, shown)),
            "budget": {"iterations": ITERATIONS}, "deadline_ms": 30_000,
        }  # fmt: skip


def answer(server, values):
    """The answer without times; a refusal counts as one, unless the server asks to ask again."""
    try:
        return pure(until_worker(server, lambda: server.client.decide(values)))
    except ServerProblem as problem:
        return problem.status, problem.code, str(problem)


def answers_while_workers_die(server, requests):
    found = []
    for number, values in enumerate(requests):
        if number % LIVES == LIVES // 2:
            for worker in server.workers():
                worker.kill()
        found.append(answer(server, values))
    return found


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", LARGE)
def test_a_request_about_a_large_game_has_one_answer(name, tmp_path):
    settings = f'[games]\n{name} = "{name}"\n[levels.{name}]\neasy = "uct:iterations=5"\n'
    requests = [*asked(name, REQUESTS)]
    with contextlib.ExitStack() as stack:
        here, elsewhere = (
            stack.enter_context(serving(tmp_path, settings=settings)) for _ in range(2)
        )
        here.wait(3000)
        cold = [answer(here, each) for each in requests]
        elsewhere.wait(3000)
        assert [each for each in cold if isinstance(each, tuple)] == []
        assert [answer(here, each) for each in requests] == cold
        assert [answer(elsewhere, each) for each in requests] == cold
        assert answers_while_workers_die(here, requests) == cold
