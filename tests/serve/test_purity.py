"""A request has one answer: from a cold worker, a warm worker, and after other requests."""

import random

import pytest

from plyglass.arena.specs import agent_from, game_from
from plyglass.beliefs import Exact, Particles
from plyglass.serve import decisions
from plyglass.serve.belief_cache import BeliefCache, Lookup
from plyglass.serve.decisions import turn_begun
from tests.serve.requests import decided, entries, request, served, until_decision
from tests.serve.test_decisions import unexamined
from tests.sizes import sized

AGENTS = (
    "so-ismcts:belief=particles(worlds=50)",
    "uct:belief=exact(sampled=true)",
    "pomcp:belief=particles(worlds=50)",  # draws from its belief while it is shown the views
)
GAMES = sized(
    ("leduc-poker", "duel"),
    ("leduc-poker", "phantom-tic-tac-toe", "dark-hex", "duel", "battleship", "skirmish:fog=true"),
)


def asked(count):
    """Requests at random decisions of random matches, several of the same turn."""
    choice = random.Random(3)
    for number in range(count):
        name = GAMES[number % len(GAMES)]
        game = served(name).game
        seat = choice.randrange(game.players)
        _, shown = until_decision(game, seat, number, choice.randint(1, 4))
        turn = [20] * (len(shown) - turn_begun(game, shown))
        # where much is hidden, not every possible world can be counted
        agent = AGENTS[number % len(AGENTS) if name == "leduc-poker" else 0]
        budget = {"iterations": 20, "seconds": None}
        yield name, request(entries(shown), seat, agent, turn, seed=number, budget=budget)


@pytest.fixture
def beliefs(monkeypatch):
    """An empty cache; its requests come from real matches, so no gate needs to see them."""
    monkeypatch.setattr(decisions, "admitted", unexamined)
    monkeypatch.setattr(decisions, "beliefs", BeliefCache())
    return decisions.beliefs


def test_a_request_has_one_answer_cold_warm_and_in_any_order(beliefs):
    requests = [*asked(sized(12, 1000))]
    cold = []
    for name, values in requests:
        beliefs.clear()
        cold.append(decided(served(name), values))
    beliefs.clear()
    order = [*range(len(requests))] * 2
    random.Random(1).shuffle(order)
    for number in order:
        name, values = requests[number]
        assert decided(served(name), values) == cold[number]
    assert len(beliefs) > 0


def test_the_decisions_of_a_turn_share_one_belief(beliefs):
    game = served("duel")
    world, shown = until_decision(game.game, 0, 1, decisions=4)
    agent = "one-ply-mcts:belief=particles(worlds=50)"
    found = []
    turn = [20] * (len(shown) - turn_begun(game.game, shown))
    for _ in range(3):
        values = request(entries(shown), 0, agent, turn)
        answer = decisions.decide(game, values, 60.0, lambda *_: None, lambda: False)
        found.append(answer["found_belief"])
        world.apply(answer["action"]["id"])
        if world.to_move != 0:
            break
        shown.append((answer["action"]["id"], world.hide(0)))
        turn = answer["turn"]
    assert len(found) > 1
    assert found == [False, *[True] * (len(found) - 1)]
    assert len(beliefs) == 1


def test_a_belief_that_was_stopped_is_not_kept(beliefs):
    game = served("leduc-poker")
    _, shown = until_decision(game.game, 0, 4, decisions=2)
    slow = AGENTS[0].replace("50", "300000")
    values = request(entries(shown), 0, slow)
    decisions.decide(game, values, -1.0, lambda *_: None, lambda: False)
    assert len(beliefs) == 0


def test_a_time_limit_covers_its_own_belief(beliefs):
    game = served("leduc-poker")
    _, shown = until_decision(game.game, 0, 4, decisions=2)
    for seconds in (True, False, True):
        budget = {"iterations": None, "seconds": 0.02} if seconds else {"iterations": 9}
        values = request(entries(shown), 0, AGENTS[0], budget={"seconds": None, **budget})
        found = decisions.decide(game, values, 60.0, lambda *_: None, lambda: False)
        kept = len(beliefs)
    assert (kept, found["found_belief"]) == (1, True)


def test_a_cache_forgets_what_was_not_used_for_longest():
    game = game_from("leduc-poker")
    _, shown = until_decision(game, 0, 4, decisions=2)
    agent = agent_from(AGENTS[0])

    def looked_up(cache, seed):
        lookup = Lookup(cache, ("leduc", agent, 0, seed), shown)
        live = agent.belief.begin(game, 0, seed)
        for each in shown:
            live.observe(*each)
        lookup.prepare(live, lambda: False, True)
        return lookup.found

    cache = BeliefCache(most=2)
    assert [looked_up(cache, seed) for seed in (1, 2, 1, 3, 1, 2)] == [
        False, False, True, False, True, False,
    ]  # fmt: skip
    assert len(cache) == 2
    tiny = BeliefCache(most_bytes=1)
    assert not looked_up(tiny, 1)
    assert len(tiny) == 0


@pytest.mark.parametrize("belief", [Particles(worlds=30), Exact(sampled=True)])
def test_a_belief_that_adopts_draws_what_it_would_have_drawn(belief):
    game = game_from("leduc-poker")
    _, shown = until_decision(game, 0, 4, decisions=2)
    one, other = (belief.begin(game, 0, 5) for _ in range(2))
    for each in shown:
        one.observe(*each)
        other.observe(*each)
    twin = one.fork()
    twin.health()
    one.adopt(twin)
    for _ in range(2):
        assert [each.tobytes() for each in one.support(9)] == [
            each.tobytes() for each in other.support(9)
        ]
    assert one.health() == other.health()
    with pytest.raises(AssertionError):
        other.adopt(twin)  # it has worlds of its own
