"""Matches, the views that seats receive, and records that can be verified."""

import dataclasses

import pytest

import plyglass as pg
from plyglass.arena.match.match import AgentFault
from plyglass.arena.specs import text_of_agent, text_of_game
from plyglass.search.interface import Decision


class Listener:
    """A player who plays what he is told and writes down what he is shown."""

    cheats = False

    def __init__(self, *actions):
        self.actions, self.shown = list(actions), []

    def take_seat(self, game, seat, seed):
        return self

    def observe(self, own_action, view):
        self.shown.append((own_action, view))
        self.view = view

    def decide(self):
        return Decision(self.actions.pop(0), tuple(self.view.legal()))


def test_a_failed_try_shows_nothing_to_the_opponent():
    first, second = (
        Listener(0, 1, 2),
        Listener(0, 4, 8),
    )  # the second tries the first's cell 0, then plays 4, later 8
    pg.play(pg.games.PhantomTicTacToe(), [first, second], seed=1)
    own = [action for action, _ in first.shown]
    assert own == [
        None,
        0,
        None,
        1,
        None,
        2,
    ]  # start, own 0, one change for the whole turn of the second, ...
    assert [action for action, _ in second.shown][:4] == [None, None, 0, 4]


def test_the_wrong_number_of_players_is_refused():
    with pytest.raises(ValueError, match="is for 2 players, but 1 were given"):
        pg.play(pg.games.ConnectFour(), [pg.Agent(pg.Random())])


def test_an_illegal_action_stops_the_match():
    with pytest.raises(AgentFault, match="seat 1 played illegally after 0 actions") as caught:
        pg.play(pg.games.ConnectFour(), [Listener(9), Listener(1)])
    assert isinstance(caught.value.__cause__, pg.IllegalAction)


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("connect-four", ["uct:iterations=200", "random"]),
        ("connect-four", ["uct:seconds=0.02", "uct:iterations=50,trees=2"]),
        ("duel", ["uct:trees=3,iterations=60", "uct:iterations=30"]),
        ("skirmish:fog=true", ["uct:turn_seconds=0.05", "random"]),
        ("tiger:steps=5", ["uct:iterations=50"]),
    ],
)
def test_a_record_is_verified_by_playing_it_again(game, agents, tmp_path):
    match = pg.play(pg.game_from(game), [pg.agent_from(agent) for agent in agents], seed=11)
    pg.record_of(match).save(tmp_path / "match.json")
    record = pg.Record.load(tmp_path / "match.json")
    assert record == pg.record_of(match)
    pg.verify(record)
    assert pg.replay(record).actions == match.actions


def test_a_forged_record_is_found_out():
    match = pg.play(
        pg.games.ConnectFour(),
        [pg.agent_from("uct:iterations=50"), pg.agent_from("random")],
        seed=1,
    )
    record = pg.record_of(match)
    forged = [dict(move) for move in record.moves]
    forged[0]["visits"] = [*forged[0]["visits"][1:], 0]
    with pytest.raises(pg.RecordMismatch, match="Move 1, player 1: visits was"):
        pg.verify(dataclasses.replace(record, moves=tuple(forged)))
    with pytest.raises(pg.RecordMismatch, match="scores"):
        pg.verify(dataclasses.replace(record, scores=(0.0, 0.0)))


def test_a_match_is_a_function_of_its_seed():
    agents = [pg.agent_from("uct:iterations=50"), pg.agent_from("random")]
    game = pg.games.Duel()
    assert pg.play(game, agents, seed=5).actions == pg.play(game, agents, seed=5).actions
    assert len({pg.play(game, agents, seed=seed).actions for seed in range(5)}) == 5


@pytest.mark.parametrize(
    "text",
    [
        "uct:exploration=0.5,trees=2,iterations=10",
        "random:iterations=1000",
        "uct:reuse=false,seconds=0.5",
    ],
)
def test_an_agent_as_text_is_read_back(text):
    assert text_of_agent(pg.agent_from(text)) == text


def test_a_game_as_text_is_read_back():
    game = pg.game_from("skirmish:fog=true,size=3,units=2")
    assert pg.game_from(text_of_game(game)).parameters == game.parameters


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (pg.agent_from, "uctt", "There is no planner 'uctt'; there are bs-mcts, .* uct"),
        (
            pg.agent_from,
            "uct:depth=3",
            "The planner uct has no parameter 'depth'; it has exploration",
        ),
        (pg.agent_from, "uct:trees", "'trees' in 'uct:trees' is not of the form parameter=value"),
        (pg.agent_from, "uct:belief=omniscient", "There is no belief 'omniscient'"),
        (pg.game_from, "chess", "There is no game 'chess'; there are battleship"),
        (pg.game_from, "pig:gaol=5", "The game pig has no parameter 'gaol'; it has goal"),
        (pg.game_from, "missing.py", "There is no file missing.py"),
    ],
)
def test_a_mistake_in_a_text_is_answered_with_what_there_is(read, text, message):
    with pytest.raises(ValueError, match=message):
        read(text)


def of_ones_own():
    """A game and a planner that no name finds again, as in a notebook."""

    class Own(pg.games.Pig):
        name = "own-pig"

    @dataclasses.dataclass(frozen=True)
    class Quick(pg.UCT):
        name = "quick"

    return Own(), pg.Agent(Quick(), budget=pg.Budget(iterations=20))


def test_a_record_of_a_game_of_ones_own_is_verified_with_the_game():
    game, _ = of_ones_own()
    agent = pg.agent_from("uct:iterations=20")
    record = pg.record_of(pg.play(game, [agent, agent], seed=1))
    pg.verify(record, game)
    with pytest.raises(
        ValueError, match=r"not found by this name; give the game: `verify\(record, game"
    ):
        pg.verify(record)
    with pytest.raises(ValueError, match=r"The record is of own-pig:.*, but pig:.* was given"):
        pg.verify(record, pg.games.Pig())


def test_a_record_of_an_agent_of_ones_own_is_verified_with_the_agent():
    game, agent = of_ones_own()
    record = pg.record_of(pg.play(game, [agent, agent], seed=1))
    pg.verify(record, game, [agent, agent])
    other = dataclasses.replace(agent, planner=pg.UCT(exploration=2.0))
    with pytest.raises(pg.RecordMismatch):
        pg.verify(record, game, [other, other])
    with pytest.raises(ValueError, match="The record has 2 players, but 1 were given"):
        pg.verify(record, game, [agent])


def test_a_mismatch_tells_if_the_rules_have_changed():
    game, agent = pg.games.Pig(), pg.agent_from("uct:iterations=20")
    record = pg.record_of(pg.play(game, [agent, agent], seed=1))
    assert len(record.rules) == 16
    moves = ({**record.moves[0], "visits": [1, 2]}, *record.moves[1:])
    wrong = dataclasses.replace(record, moves=moves)
    with pytest.raises(pg.RecordMismatch, match=r"is now [^.]*\.$"):
        pg.verify(wrong, game)
    with pytest.raises(pg.RecordMismatch, match=r"sources of pig.* have changed since"):
        pg.verify(dataclasses.replace(wrong, rules="0" * 16), game)
