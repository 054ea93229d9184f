"""Every card of Duelyst in a small scenario; `duelyst_scenes.json` has positions and results."""

import json
from pathlib import Path

import pytest

from plyglass.games.duelyst.cards.catalog import cards
from plyglass.games.duelyst.show.card_text import describe
from tests.games.duelyst_positions import act, keywords_on, position, told, unit_on

SCENES = json.loads(Path(__file__).with_name("duelyst_scenes.json").read_text(encoding="utf-8"))
PLAIN = [card for card in cards()[1:] if not card.abilities and card.type == "minion"]


@pytest.mark.parametrize("scene", SCENES, ids=[scene["scene"] for scene in SCENES])
def test_a_card_does_what_it_says(scene):
    world = position(**scene["position"])
    act(world, *scene["actions"])
    told(world, scene["then"])


@pytest.mark.parametrize("card", PLAIN, ids=[card.id for card in PLAIN])
def test_a_minion_without_abilities_comes_as_it_is_printed(card):
    world = act(position(hand=card.id), f"play {card.id} b3")
    assert unit_on(world, "b3") == f"{card.id} {card.attack}/{card.health}"
    assert keywords_on(world, "b3") == set(card.keywords)
    assert world.record["mana"][0] == 9 - card.mana


def test_every_card_for_decks_has_its_scene():
    shown = {scene["scene"].split()[0] for scene in SCENES} | {card.id for card in PLAIN}
    assert {card.id for card in cards()[1:] if card.type != "general" and not card.token} <= shown


def test_every_card_is_described():
    texts = {card.id: describe(card) for card in cards()[1:] if card.abilities}
    assert all(text.endswith(".") and "{" not in text for text in texts.values())
    assert texts["true_strike"] == "Deal 2 damage to a minion."
    assert texts["war_surge"] == "Give every friendly minion +1/+1."
    assert texts["snowpiercer"] == "Give your general +3/+0."
    assert texts["silverguard_knight"] == "Provoke. Zeal: give itself +2/+0."
