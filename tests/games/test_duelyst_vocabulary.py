"""The vocabulary of Duelyst's cards: some card uses each word, and each has its sentence."""

from plyglass.games.duelyst.cards import vocabulary
from plyglass.games.duelyst.cards.catalog import cards
from plyglass.games.duelyst.show import card_text
from plyglass.games.duelyst.state import MOST_CHOICES

PRINTED = [ability for card in cards() for ability in card.abilities]
ABILITIES = [*PRINTED, *(ability["ability"] for ability in PRINTED if "ability" in ability)]


def used(part):
    return {ability[part] for ability in ABILITIES if part in ability}


def test_no_word_is_without_use():
    assert used("on") == set(vocabulary.TRIGGERS)
    assert used("do") == set(vocabulary.EFFECTS)
    for part, known in (
        ("if", vocabulary.CONDITIONS),
        ("near", vocabulary.NEARS),
        ("by", vocabulary.MEASURES),
        ("lasts", vocabulary.LASTS),
    ):
        assert used(part) == set(known) - {""}
    filters = {
        which
        for part in ("where", "event")
        for ability in ABILITIES
        for which in ability.get(part, {})
    }
    assert filters == set(vocabulary.FILTERS) - {""}
    lent = {keyword for ability in ABILITIES for keyword in ability.get("keywords", ())}
    assert lent | {keyword for card in cards() for keyword in card.keywords} == set(
        vocabulary.KEYWORDS
    )


def test_every_word_can_be_said():
    assert set(card_text.OCCASIONS) == set(vocabulary.TRIGGERS)
    assert set(card_text.DEEDS) == set(vocabulary.EFFECTS)
    assert set(card_text.PLACES) == set(vocabulary.NEARS)
    assert set(card_text.MEASURES) == set(vocabulary.MEASURES)
    assert set(card_text.CONDITIONS) == set(vocabulary.CONDITIONS)
    assert set(card_text.LASTS) == set(vocabulary.LASTS)


def test_a_card_asks_for_no_more_choices_than_the_length_of_a_game_allows_for():
    asked = [
        sum("chosen" in ability.get("to", "") for ability in card.abilities)
        - (card.type == "spell")
        for card in cards()
    ]
    assert max(asked) == MOST_CHOICES
