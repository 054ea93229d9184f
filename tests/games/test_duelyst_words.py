"""The words of Duelyst's cards: each is used by some card, and each has its place in a sentence."""

from plyglass.games.duelyst import sentences, words
from plyglass.games.duelyst.board import MOST_CHOICES
from plyglass.games.duelyst.cards import cards

PRINTED = [ability for card in cards() for ability in card.abilities]
ABILITIES = [*PRINTED, *(ability["ability"] for ability in PRINTED if "ability" in ability)]


def used(part):
    return {ability[part] for ability in ABILITIES if part in ability}


def test_no_word_is_without_use():
    assert used("on") == set(words.TRIGGERS)
    assert used("do") == set(words.EFFECTS)
    for part, known in (
        ("if", words.CONDITIONS),
        ("near", words.NEARS),
        ("by", words.MEASURES),
        ("lasts", words.LASTS),
    ):
        assert used(part) == set(known) - {""}
    filters = {
        which
        for part in ("where", "event")
        for ability in ABILITIES
        for which in ability.get(part, {})
    }
    assert filters == set(words.FILTERS) - {""}
    lent = {keyword for ability in ABILITIES for keyword in ability.get("keywords", ())}
    assert lent | {keyword for card in cards() for keyword in card.keywords} == set(words.KEYWORDS)


def test_every_word_can_be_said():
    assert set(sentences.OCCASIONS) == set(words.TRIGGERS)
    assert set(sentences.DEEDS) == set(words.EFFECTS)
    assert set(sentences.PLACES) == set(words.NEARS)
    assert set(sentences.MEASURES) == set(words.MEASURES)
    assert set(sentences.CONDITIONS) == set(words.CONDITIONS)
    assert set(sentences.LASTS) == set(words.LASTS)


def test_a_card_asks_for_no_more_choices_than_the_length_of_a_game_allows_for():
    asked = [
        sum("chosen" in ability.get("to", "") for ability in card.abilities)
        - (card.type == "spell")
        for card in cards()
    ]
    assert max(asked) == MOST_CHOICES
