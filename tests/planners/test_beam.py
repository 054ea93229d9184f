"""A beam that ranks completed turns equals a naive beam, and chance actions improve turns."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.core import kind_of
from plyglass.core.compile import JIT
from plyglass.core.table import POSTPONED, SURE
from plyglass.games.duelyst.state import REPLACE
from plyglass.planners.plan_tournament.simulation import Simulation
from plyglass.search.turn_results.workspace import TurnEnumeration
from plyglass.search.values import evaluator_of
from tests.planners.searches import best, decide, positions

ENOUGH = 10**9
compiled = pytest.mark.skipif(not JIT, reason="too long for interpreted code")
CARDS = pg.games.TradingCards(soldiers=7, removals=1, hand=2, health=9)
DUELYST = pg.games.Duelyst()


class Turns:
    """Turns of one player, one position and one action at a time."""

    def __init__(self, game, evaluator, player):
        self.game, self.player, self.evaluator = game, player, evaluator_of(game, evaluator)

    def worth(self, world):
        if world.over:
            return world.score(self.player)
        return self.game.verbs.evaluate(self.game.table, world.address, self.player, self.evaluator)

    def after(self, world, action):
        """The position after an action, and whether the turn goes on there without chance."""
        there, sure = world.copy(), True
        if self.game.foresees:
            sure = self.game.verbs.after(self.game.table, there.address, self.player, action) in (
                SURE,
                POSTPONED,
            )
        else:
            there.apply(action)
        return there, sure and there.to_move == self.player

    def completed(self, world):
        """The value of the turn completed by the best action each time."""
        while True:
            found = [self.after(world, action) for action in world.legal()]
            there, goes_on = max(found, key=lambda each: self.worth(each[0]))
            if not goes_on:
                return self.worth(there)
            world = there

    def best(self, world, beam):
        """The best end that a beam of positions finds, ranked by completed turns."""
        inside, ends = {world.fingerprint: world}, []
        while inside:
            found = [
                self.after(here, action) for here in inside.values() for action in here.legal()
            ]
            ends += [self.worth(there) for there, goes_on in found if not goes_on]
            new = {there.fingerprint: there for there, goes_on in found if goes_on}
            inside = dict(sorted(new.items(), key=lambda each: -self.completed(each[1]))[:beam])
        return max(ends)


@compiled
def test_the_best_turn_of_a_beam_is_that_of_a_naive_one():
    game = pg.games.Tubstap(map="sandbox", fog=False)
    for world in positions(game, 6, 30):
        turns = Turns(game, "threat", world.to_move)
        for beam in (1, 2):
            planner = pg.WholeTurns(
                depth=1, evaluator="threat", turn=TurnEnumeration(beam=beam, ranked="completed")
            )
            assert best(decide(game, planner, ENOUGH, position=world)) == pytest.approx(
                turns.best(world, beam)
            )


@compiled
def test_ranking_completed_turns_finds_better_ones():
    """They are better than with positions judged as they are.

    They are no worse than with one action at a time, except for chance that is drawn again.
    """
    better = worse = least = 0
    for world in positions(DUELYST, 30, 60):
        judged, ranked = (
            best(
                decide(
                    DUELYST,
                    pg.WholeTurns(
                        depth=1, evaluator="learned", turn=TurnEnumeration(beam=2, ranked=how)
                    ),
                    ENOUGH,
                    position=world,
                    belief=pg.Truth(),
                )
            )
            for how in ("judged", "completed")
        )
        least += ranked >= Turns(DUELYST, "learned", world.to_move).completed(world) - 1e-12
        better, worse = better + (ranked > judged + 1e-12), worse + (ranked < judged - 1e-12)
    assert better > 3 * worse + 5
    assert least >= 27


@compiled
def test_a_turn_gains_by_the_gambles_that_it_begins_with():
    """The mean over positions, with other chance samples than those that chose the gamble."""
    planner, gains = (
        pg.WholeTurns(
            depth=1, evaluator="learned", turn=TurnEnumeration(beam=2, ranked="completed", draws=16)
        ),
        [],
    )
    for world in positions(DUELYST, 40, 60):
        action = decide(DUELYST, planner, ENOUGH, position=world).action
        if kind_of(action) == REPLACE:
            gains.append(
                _drawn(world, action, 16)
                - Turns(DUELYST, "learned", world.to_move).completed(world)
            )
    assert len(gains) > 5
    assert np.mean(gains) > 0


def _drawn(world, action, draws):
    """The mean value of the turn after an action, over chance."""
    turns, total = Turns(DUELYST, "learned", world.to_move), 0.0
    for number in range(draws):
        there = world.copy()
        there.change_luck(1000 + number)
        there.apply(action)
        total += turns.completed(there)
    return total / draws


def test_gambles_need_the_rule_after():
    for planner in (
        pg.WholeTurns(turn=TurnEnumeration(draws=4)),
        pg.PlanTournament(turn=TurnEnumeration(draws=4)),
    ):
        with pytest.raises(ValueError, match="leave out `draws`"):
            decide(pg.games.Duel(), planner, ENOUGH)


@compiled
def test_replies_may_be_looked_for_by_a_beam_of_their_own():
    """With a beam as wide as that of the plan, replies are the same."""
    world = next(positions(CARDS, 1, 25))
    how = {"turns": 2, "worlds": 4, "plans": 4, "evaluator": "balance"}
    same, own = (
        decide(
            CARDS,
            pg.PlanTournament(
                **how, turn=TurnEnumeration(beam=3), simulation=Simulation(replies=replies)
            ),
            ENOUGH,
            position=world,
        )
        for replies in (0, 3)
    )
    assert (same.action, same.values) == (own.action, own.values)
