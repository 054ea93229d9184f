"""Generated decks of Duelyst, and the shape of decks."""

import json
from collections import Counter

import pytest

from plyglass.games.duelyst.cards.catalog import cards, pool_of
from plyglass.games.duelyst.cards.decks import load, starters
from plyglass.games.duelyst.cards.generated_decks import (
    ALL_CARDS,
    COPIES,
    DEAREST,
    SIZE,
    TYPES,
    USUAL,
    card_odds,
    generate,
    write,
)

FACTIONS = list(starters())


def share(faction, odds, fits):
    return sum(
        each for each, number in zip(odds, pool_of(faction), strict=True) if fits(cards()[number])
    )


@pytest.mark.parametrize("faction", FACTIONS)
def test_odds_of_cards_have_all_shares_of_the_usual_shape_at_once(faction):
    odds = card_odds(faction)
    assert sum(odds) == pytest.approx(1.0)
    assert min(odds) > 0.0
    assert share(faction, odds, lambda card: card.faction == faction) == pytest.approx(
        USUAL.faction, abs=1e-6
    )
    for kind, expected in zip(TYPES, USUAL.types, strict=True):
        assert share(faction, odds, lambda card, kind=kind: card.type == kind) == pytest.approx(
            expected, abs=1e-3
        )
    for mana in range(1, DEAREST):
        assert share(faction, odds, lambda card, mana=mana: card.mana == mana) == pytest.approx(
            USUAL.curve[mana], rel=0.06
        )


def test_the_usual_shape_is_that_of_the_decks_that_players_begin_with():
    counts = [
        (cards()[number], faction, count)
        for faction in FACTIONS
        for number, count in Counter(load(faction).cards).items()
    ]
    total = sum(count for _, _, count in counts)
    assert sum(
        count for card, faction, count in counts if card.faction == faction
    ) / total == pytest.approx(USUAL.faction, abs=0.03)
    for kind, expected in zip(TYPES, USUAL.types, strict=True):
        assert sum(
            count for card, _, count in counts if card.type == kind
        ) / total == pytest.approx(expected, abs=0.03)
    for mana, expected in enumerate(USUAL.curve):
        assert sum(
            count for card, _, count in counts if card.mana == mana
        ) / total == pytest.approx(expected, abs=0.03)
    for copies, expected in enumerate(USUAL.copies, 1):
        assert sum(count == copies for _, _, count in counts) / len(counts) == pytest.approx(
            expected, abs=0.03
        )


@pytest.mark.parametrize("faction", FACTIONS)
def test_decks_by_number_are_legal_all_different_and_no_known_ones(faction):
    decks = {load(f"{faction}#{number}").cards for number in range(20)}
    assert len(decks) == 20
    assert load(faction).cards not in decks
    assert all(len(deck) == SIZE and max(Counter(deck).values()) <= COPIES for deck in decks)


def test_a_number_is_the_same_deck_everywhere():
    """Recorded results name decks by number, so a change here would change their meaning."""
    deck = generate("lyonar", 1)
    assert sum(deck["cards"].values()) == SIZE
    assert deck == generate("lyonar", 1)
    assert list(deck["cards"].items())[:3] == [
        ("windblade_adept", 3),
        ("silverguard_knight", 3),
        ("second_sun", 1),
    ]


def test_only_decks_from_number_1000_on_have_cards_of_the_second_edition():
    def editions(numbers):
        return {
            cards()[card].edition
            for faction in FACTIONS
            for number in numbers
            for card in load(f"{faction}#{number}").cards
        }

    assert editions(range(ALL_CARDS - 2, ALL_CARDS)) == {1}
    assert editions(range(ALL_CARDS, ALL_CARDS + 3)) == {1, 2}


def test_decks_differ_in_shape():
    spells = [
        sum(cards()[card].type == "spell" for card in load(f"magmar#{number}").cards)
        for number in range(20)
    ]
    assert max(spells) - min(spells) >= 8


def test_a_deck_that_was_written_is_read_as_the_same_deck(tmp_path):
    path = write("vanar", 3, tmp_path)
    assert json.loads(path.read_text())["cards"]
    assert load(str(path)) == load("vanar#3")


@pytest.mark.parametrize("name", ["lyonar#", "elves#1", "lyonar#x", "lyonar#-1"])
def test_a_name_that_is_no_deck_is_refused_in_a_sentence(name):
    with pytest.raises(ValueError, match="There is no deck"):
        load(name)
