"""What the study of Duelyst's beliefs measures."""

import math

import pytest

import plyglass as pg
from plyglass.arena.specs import player_from
from plyglass.core.compile import JIT
from plyglass.experiments.studies.duelyst.measures import BELIEFS, hands
from plyglass.games.duelyst import Duelyst
from plyglass.games.duelyst.state import HAND

pytestmark = pytest.mark.skipif(not JIT, reason="too long for interpreted code")


@pytest.fixture(scope="module")
def seats():
    starter = player_from("policy:policy=starter")
    return hands(pg.play(Duelyst(decks="magmar+vanar"), [starter, starter], seed=1))


def test_every_belief_is_measured_for_both_seats(seats):
    for seat in seats:
        assert set(seat) == {
            "known hand, log-loss",
            *(
                f"{name}, {what}"
                for name in BELIEFS
                for what in ("log-loss", "Brier score", "Brier score if right")
            ),
        }


def test_who_knows_the_deck_expects_the_next_card_more_and_who_knows_the_hand_most(seats):
    for seat in seats:
        losses = [
            seat[f"{name}, log-loss"]
            for name in ("known hand", "archetypes", "plausible", "random deck")
        ]
        assert losses == sorted(losses)
        assert 0.0 < losses[0] <= math.log(HAND)
        assert seat["archetypes, Brier score"] < seat["random deck, Brier score"]


def test_a_random_deck_has_every_card_of_the_pool_alike(seats):
    """One of some 140 cards, or down to a third as likely where other copies of it have been
    seen.
    """
    for seat in seats:
        assert math.log(140) - 0.1 < seat["random deck, log-loss"] < math.log(140) + math.log(3)
