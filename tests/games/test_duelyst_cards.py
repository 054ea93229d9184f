"""Every card of Duelyst in a small scenario; `duelyst_scenes.json` has positions and results."""

import json
from pathlib import Path

import pytest

import plyglass.games.duelyst
from plyglass.games.duelyst.cards.catalog import cards
from plyglass.games.duelyst.cards.vocabulary import FACTIONS
from plyglass.games.duelyst.show.card_text import describe
from tests.games.duelyst_positions import act, keywords_on, position, told, unit_on

SCENES = json.loads(Path(__file__).with_name("duelyst_scenes.json").read_text(encoding="utf-8"))
PLAIN = [
    card
    for card in cards()[1:]
    if card.type == "minion" and not card.abilities and (card.version_of or not card.becomes)
]


@pytest.mark.parametrize("scene", SCENES, ids=[scene["scene"] for scene in SCENES])
def test_a_card_does_what_it_says(scene):
    world = position(**scene["position"])
    act(world, *scene["actions"])
    told(world, scene["then"])


@pytest.mark.parametrize("card", PLAIN, ids=[card.id for card in PLAIN])
def test_a_minion_without_abilities_comes_as_it_is_printed(card):
    world = act(position(hand=card.id), f"play {card.id} b3")
    assert unit_on(world, "b3") == f"{card.version_of or card.id} {card.attack}/{card.health}"
    assert keywords_on(world, "b3") == set(card.keywords)
    assert world.record["mana"][0] == 9 - card.mana


def test_every_card_for_decks_has_its_scene():
    shown = {scene["scene"].split()[0] for scene in SCENES} | {card.id for card in PLAIN}
    assert {card.id for card in cards()[1:] if card.type != "general" and not card.token} <= shown


def test_pages_count_and_list_every_card():
    """There are 319 cards for decks: 34 of each faction, and 115 neutral ones."""
    readme = (Path(plyglass.games.duelyst.__file__).parent / "README.md").read_text("utf-8")
    for faction in FACTIONS:
        found = {card.name for card in cards() if card.for_decks and card.faction == faction}
        assert len(found) == (115 if faction == "neutral" else 34)
        (row,) = [
            line for line in readme.splitlines() if line.startswith(f"| {faction} | {len(found)} |")
        ]
        listed = row.split("|")[3].strip()
        assert len(listed) == len(", ".join(found)) and all(name in listed for name in found)
    total = sum(card.for_decks for card in cards())
    assert f"all {total} cards" in readme and total == 319
    games = Path(__file__).parents[2] / "docs" / "games.md"
    assert f"{total} cards" in games.read_text("utf-8")


def test_every_card_is_described():
    texts = {card.id: describe(card) for card in cards()[1:] if card.abilities}
    assert all(text.endswith(".") and "{" not in text for text in texts.values())
    assert texts["true_strike"] == "Deal 2 damage to a minion."
    assert texts["war_surge"] == "Give every friendly minion +1/+1."
    assert texts["snowpiercer"] == "Give your general +3/+0."
    assert texts["purgatos_the_realmkeeper"] == (
        "When it deals damage deal 3 damage to the enemy general, or heal your general by 3 "
        "(at random)."
    )
    assert "backstab 5 and grow 5" in texts["rook"]
    assert texts["silverguard_knight"] == "Provoke. Zeal: give itself +2/+0."
