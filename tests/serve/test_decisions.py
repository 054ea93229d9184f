"""A decision is a function of its request, and a request holds only what its seat sees."""

import copy
import itertools
import time

import pytest

import plyglass as pg
from plyglass.arena.match.match import run
from plyglass.arena.specs import agent_from
from plyglass.core.admission import _row_of
from plyglass.core.seeds import derive
from plyglass.core.world import received
from plyglass.planners import PLANNERS
from plyglass.serve import decisions
from plyglass.serve.client import decision_of, fields
from plyglass.serve.decisions import choice, turn_begun
from plyglass.serve.protocol import Choice, Refused
from tests.serve.requests import decided, entries, request, served, until_decision

SECRET = {  # the field that a game hides
    "kuhn-poker": "card",
    "leduc-poker": "card",
    "phantom-tic-tac-toe": "marks",
    "dark-hex": "stones",
    "duel": "hand",
}


class AskedSeat:
    """A seat that sends its whole history for every decision, as a client would."""

    def __init__(self, game, seat, agent, seed):
        self.game, self.seat, self.agent, self.seed = game, seat, agent, seed
        self.shown, self.turn = [], []

    def observe(self, own_action, view):
        self.shown.append((own_action, view))
        if view.to_move != self.seat:
            self.turn = []

    def decide(self):
        values = request(entries(self.shown), self.seat, self.agent, self.turn, seed=self.seed)
        found = decided(self.game, values)
        self.turn = found["turn"]
        return decision_of({**found, "seconds": 0.0})


def unexamined(game, seat, fields, trusted=False, stays_checked=False):
    """A view by its fields, without the gate, whose rules run slowly in this process."""
    return received(game, seat, _row_of(game, fields).tobytes())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tic-tac-toe", "uct"),
        ("duel", "one-ply-mcts"),
        ("leduc-poker", "so-ismcts:belief=particles(worlds=50)"),
    ],
)
def test_a_match_of_stateless_decisions_is_that_of_an_agent(name, text, monkeypatch):
    monkeypatch.setattr(decisions, "admitted", unexamined)
    game = served(name)
    spec = f"{text}{',' if ':' in text else ':'}iterations=30,remembers=turn"
    agents = [agent_from(spec)] * 2
    seeds = [derive(3, seat + 1) for seat in range(2)]
    own = [agents[seat].take_seat(game.game, seat, seeds[seat]) for seat in range(2)]
    asked = [AskedSeat(game, seat, spec, seeds[seat]) for seat in range(2)]
    one, other = (run(game.game, agents, seats, seed=3) for seats in (own, asked))
    assert one.actions == other.actions
    assert [each.values for each in one.decisions] == [each.values for each in other.decisions]


@pytest.mark.parametrize("name", SECRET)
def test_what_a_seat_does_not_see_is_refused_by_name(name):
    """Planted leaks: what is hidden stands in the view as it is in the true world."""
    game, field, planted, named = served(name), SECRET[name], 0, 0
    for seed in range(8):
        world, shown = until_decision(game.game, 0, seed, decisions=2)
        view, true = fields(shown[-1][1]), world.record[field].tolist()
        if view[field] == true:
            continue
        leaking = [{"own": None, "view": {**view, field: true}, "changed": None}]
        with pytest.raises(Refused) as refused:
            decided(game, request(leaking, 0, "level:easy"))
        planted += 1
        named += refused.value.field.startswith("history[0].view.")
        assert refused.value.code == "shows-hidden"
    assert planted == named >= 4


def test_a_history_of_changes_is_the_history_of_views(monkeypatch):
    monkeypatch.setattr(decisions, "admitted", unexamined)
    game = served("duel")
    _, shown = until_decision(game.game, 0, 2, decisions=3)
    history = entries(shown)
    shorter = [history[0]]
    for before, after in itertools.pairwise(history):
        changed = {k: v for k, v in after["view"].items() if before["view"][k] != v}
        shorter.append({"own": after["own"], "view": None, "changed": changed})
    turn = [30] * (len(shown) - turn_begun(game.game, shown))
    one, other = (
        decided(game, request(each, 0, "level:easy", turn)) for each in (history, shorter)
    )
    assert one == other


def spoilt(history, how):
    history = copy.deepcopy(history)
    if how == "no first view":
        history[0]["view"], history[0]["changed"] = None, {}
    elif how == "a first action":
        history[0]["own"] = 0
    elif how == "an unchanged view":
        history.append({**history[-1], "own": None})
    elif how == "an illegal action":
        history.append({**history[-1], "own": 999})
    elif how == "a missing field":
        del history[-1]["view"]["marks"]
    elif how == "another field":
        history[-1]["view"]["seed"] = 1
    elif how == "another shape":
        history[-1]["view"]["marks"] = 3
    return history


@pytest.mark.parametrize(
    ("how", "code", "field"),
    [
        ("no first view", "history", "history[0]"),
        ("a first action", "history", "history[0]"),
        ("an unchanged view", "history", "history[{end}]"),
        ("an illegal action", "history", "history[{end}].own"),
        ("a missing field", "fields", "history[{last}].view.marks"),
        ("another field", "fields", "history[{last}].view.seed"),
        ("another shape", "fields", "history[{last}].view.marks"),
    ],
)
def test_a_history_that_no_seat_can_have_is_refused(how, code, field):
    game = served("tic-tac-toe")
    _, shown = until_decision(game.game, 0, 1, decisions=2)
    history = entries(shown)
    with pytest.raises(Refused) as refused:
        decided(game, request(spoilt(history, how), 0, "level:easy"))
    assert refused.value.code == code
    assert refused.value.field == field.format(end=len(history), last=len(history) - 1)


def test_a_seat_that_is_not_to_move_is_refused():
    game = served("tic-tac-toe")
    world = game.game.start(1)
    with pytest.raises(Refused, match="not the turn of seat 1"):
        decided(game, request(entries([(None, world.hide(1))]), 1, "level:easy"))


def test_the_iterations_of_a_turn_must_be_those_of_its_decisions():
    game = served("tic-tac-toe")
    _, shown = until_decision(game.game, 0, 1)
    with pytest.raises(Refused, match="decided 0 times in this turn, but turn has 1"):
        decided(game, request(entries(shown), 0, "level:easy", [5]))


def test_agents_are_levels_or_for_experts_specs_without_code():
    game = served("tic-tac-toe")
    _, shown = until_decision(game.game, 0, 1)
    history = entries(shown)
    for agent, code, expert in (
        ("level:nobody", "unknown-level", True),
        ("uct:iterations=5", "forbidden", False),
        ("my_planner.py@Cautious", "agent", True),
        ("uct:belief=truth", "agent", True),
        ("uct:exploration=1e99", "agent", True),
        ("policy:policy=nobody", "agent", True),  # the game has no such policy
    ):
        with pytest.raises(Refused) as refused:
            decided(game, request(history, 0, agent, expert=expert))
        assert (refused.value.code, refused.value.field) == (code, "agent")


def test_a_belief_that_needs_more_than_its_limit_is_refused():
    game = served("leduc-poker")
    _, shown = until_decision(game.game, 0, 1)
    with pytest.raises(Refused, match="possible worlds") as refused:
        decided(game, request(entries(shown), 0, "uct:belief=exact(most_worlds=1)"))
    assert refused.value.code == "agent"


def test_too_little_time_is_told_and_still_answered():
    game = served("tic-tac-toe")
    _, shown = until_decision(game.game, 0, 1)
    values = request(entries(shown), 0, "level:easy")
    decided(game, values)  # loads what it needs
    values["budget"] = {"iterations": 10**6, "seconds": None}
    found = decided(game, values, seconds=0.05)
    assert found["degraded"]
    assert 0 < found["iterations"] < 10**6
    values["budget"] = {"iterations": None, "seconds": 5}
    found = decided(game, values, seconds=0.05)
    assert found["degraded"]
    assert found["granted"]["seconds"] <= 0.05


def test_what_comes_before_a_search_shortens_it_only_if_the_answer_would_be_late(monkeypatch):
    """Admitting the view takes 0.1 s here, and the search is granted 0.02 s."""

    def slow(*asked, **more):
        time.sleep(0.1)
        return unexamined(*asked)

    game = served("tic-tac-toe")
    _, shown = until_decision(game.game, 0, 1)
    values = request(entries(shown), 0, "level:easy", budget={"iterations": None, "seconds": 0.02})
    decided(game, values)  # loads what it needs
    decisions._admitted.cache_clear()
    monkeypatch.setattr(decisions, "admitted", slow)
    found = decided(game, values, seconds=0.02)
    assert found["granted"] == {"seconds": 0.02}
    assert found["iterations"] > 0
    assert not found["degraded"]
    decisions._admitted.cache_clear()
    values["budget"]["seconds"] = 5
    found = decided(game, {**values, "left": 0.15}, seconds=5)
    assert found["degraded"]
    assert found["granted"]["seconds"] <= 0.05


@pytest.mark.parametrize("planner", sorted({*PLANNERS} - {"policy"}))
def test_watching_a_search_changes_no_decision(planner):
    game = served("leduc-poker")
    _, shown = until_decision(game.game, 0, 4, decisions=2)
    values = request(entries(shown), 0, planner, budget={"iterations": 200, "seconds": None})
    try:
        alone = decided(game, values)
    except (Refused, ValueError) as error:
        pytest.skip(str(error))
    told = []
    watched = decided(game, {**values, "report_every_ms": 1e-6}, lambda *event: told.append(event))
    assert watched == alone
    assert all(event == "thought" and not data["final"] for event, data in told)


def test_a_choice_has_the_keys_to_click_and_a_set_of_keys_is_a_list():
    class Sets(pg.games.TicTacToe):
        def action_path(self, position, action):
            return "cell 1", ("cell 2", "cell 3")

    game = Sets().interpreted()
    told = choice(game, 0, game.start(1).hide(0))
    assert told == {"id": 0, "name": "1", "path": ["cell 1", ["cell 2", "cell 3"]]}
    assert Choice(**told).model_dump() == told
    assert choice(game, 0)["path"] == []
