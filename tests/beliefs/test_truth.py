"""The belief `truth`: only for agents marked as cheating, whose results are marked, too."""

from dataclasses import dataclass

import numpy as np
import pytest

import plyglass as pg
from plyglass.arena.specs import text_of_agent
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tournament.work import play_match
from plyglass.beliefs.truth import LiveTruth
from plyglass.core.state import new_states
from plyglass.core.world import World
from plyglass.report.standings import standings


@dataclass(frozen=True)
class Spied:
    """A truth that notes what it is told, and may hide that it cheats."""

    cheats: bool
    told: list
    name = "spied"

    def begin(self, game, seat, seed):
        return LiveSpied(game, seat, seed, self.told)


class LiveSpied(LiveTruth):
    def __init__(self, game, seat, seed, told):
        super().__init__(game, seat, seed)
        self.told = told

    def reveal(self, world):
        self.told.append(world)
        super().reveal(world)


def test_an_agent_that_does_not_cheat_is_never_told_the_truth():
    honest, cheating = Spied(False, []), Spied(True, [])
    agents = [pg.Agent(pg.Random(), honest), pg.Agent(pg.Random(), cheating)]
    match = pg.play(pg.games.PhantomTicTacToe(), agents, seed=2)
    assert honest.told == []
    assert len(cheating.told) == len(match.moves) + 1
    assert cheating.told[-1] == match.end


def test_what_is_told_is_the_truth_and_a_copy_of_it():
    spied = Spied(True, [])
    truths = []
    agents = [pg.Agent(pg.Random(), spied), pg.Agent(pg.Random())]
    pg.play(
        pg.games.KuhnPoker(), agents, seed=2, watch=lambda world, move: truths.append(world.copy())
    )
    assert spied.told == truths
    assert len({id(world) for world in spied.told}) == len(truths)


def test_samples_are_the_truth_with_their_own_chance():
    game = pg.games.LeducPoker()
    live, world = pg.Truth().begin(game, 0, 1), game.start(3)
    with pytest.raises(RuntimeError, match="Only the match runner reveals it"):
        live.sample(new_states(1, game.state))
    live.reveal(world)
    given = new_states(5, game.state)
    live.sample(given)
    assert all(World(game, row) == world for row in given)
    assert len(np.unique(given.view(game.state)["luck"])) == 5


def test_a_cheated_match_says_so_in_its_record():
    cheater, honest = (
        pg.agent_from("uct:belief=truth,iterations=50"),
        pg.agent_from("uct:iterations=50"),
    )
    match = pg.play(pg.games.KuhnPoker(), [honest, cheater], seed=4)
    assert match.cheated
    record = pg.record_of(match)
    assert record.cheated
    assert "belief=truth" in record.players[1]
    pg.verify(record)
    assert not pg.record_of(pg.play(pg.games.KuhnPoker(), [honest, honest], seed=4)).cheated


def test_in_a_tournament_a_cheating_agent_is_known_by_its_name():
    """Names are in every table, report and figure, so all of them are marked."""
    agents = {"uct": "uct:iterations=5", "seer": "uct:belief=truth,iterations=5"}
    with pytest.raises(
        ValueError,
        match=r"'seer' is given more than its views; give it a name that says so, such as 'seer "
        r".cheats.'",
    ):
        Settings(("kuhn-poker",), agents, deals=2)
    settings = Settings(
        ("kuhn-poker",), {"uct": agents["uct"], "seer (cheats)": agents["seer"]}, deals=2
    )
    table = standings(settings, [play_match(settings, number) for number in range(4)])
    assert {line.agent for line in table} == {"uct", "seer (cheats)"}


@pytest.mark.parametrize(
    "text",
    [
        "uct:belief=particles,iterations=50",
        "uct:trees=2,belief=particles(worlds=40,weighted=false,others=attack-first),iterations=50",
        "uct:belief=exact(most_worlds=10),iterations=50",
    ],
)
def test_a_belief_with_its_parameters_is_read_back(text):
    assert text_of_agent(pg.agent_from(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "uct:belief=particles(world=3)",
            "The belief particles has no parameter 'world'; it has worlds, weighted, others, tries",
        ),
        ("uct:belief=particles(worlds=3", "opens a bracket that it does not close"),
        (
            "uct:belief=luck",
            "There is no belief 'luck'; there are exact, fresh, particles, tracks, truth",
        ),
    ],
)
def test_a_mistake_in_a_belief_is_answered_with_what_there_is(text, message):
    with pytest.raises(ValueError, match=message):
        pg.agent_from(text)


@pytest.mark.parametrize(
    "belief", ["particles(worlds=60)", "particles(worlds=60,weighted=false)", "exact", "truth"]
)
@pytest.mark.parametrize("game", ["leduc-poker", "phantom-tic-tac-toe"])
def test_matches_with_beliefs_are_played_again_to_the_last_bit(game, belief):
    agents = [pg.agent_from(f"uct:trees=3,belief={belief},iterations=60"), pg.agent_from("random")]
    pg.verify(pg.record_of(pg.play(pg.game_from(game), agents, seed=8)))
