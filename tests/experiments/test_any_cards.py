"""The random deck of McKenney 2023b: cards of the faction, without a limit of copies."""

from collections import Counter

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.state import new_states
from plyglass.experiments.studies.duelyst_multi_ply.decks import AnyCards
from plyglass.games.duelyst.cards.catalog import cards, pool_of


def imagined(neutral, count=200):
    game = pg.games.Duelyst()
    world = game.start(3)
    belief = AnyCards(neutral).begin(game, 0, 5)
    belief.observe(None, world.hide(0))
    rows = new_states(count, game.state)
    belief.sample(rows)
    return world.record, rows.view(game.state).reshape(-1)


@pytest.mark.parametrize("neutral", [False, True])
def test_cards_are_any_of_the_faction_in_any_number(neutral):
    truth, worlds = imagined(neutral)
    factions = {"lyonar", "neutral"} if neutral else {"lyonar"}
    most, seen = 0, set()
    for world in worlds:
        assert world["left"][1] == truth["left"][1]
        assert (np.flatnonzero(world["hand"][1]) == np.flatnonzero(truth["hand"][1])).all()
        deck = world["deck"][1][: world["left"][1]]
        assert (np.diff(deck.astype(int)) <= 0).all()  # sorted, so its order reveals nothing
        dealt = [*deck, *world["hand"][1][np.flatnonzero(world["hand"][1])]]
        assert {cards()[card].faction for card in dealt} <= factions
        most, seen = max(most, *Counter(dealt).values()), seen | set(dealt)
        assert (world["hand"][0] == truth["hand"][0]).all()
    assert most > 3
    assert seen == {card for card in pool_of("lyonar") if cards()[card].faction in factions}


def test_another_game_is_refused():
    with pytest.raises(TypeError, match="any-cards deals cards of Duelyst, not of tiger"):
        AnyCards().begin(pg.games.Tiger(), 0, 1)
