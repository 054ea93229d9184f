"""Trading cards for people: text, scene, and a game in the terminal."""

import os
import re
import sys

import pexpect
import pytest

from plyglass.core import World, pack
from plyglass.core.scene import Label, Polygon, Ring, Scene, Shape
from plyglass.games.trading_cards import TradingCards
from plyglass.games.trading_cards.cards import ATTRIBUTES, REMOVAL
from plyglass.games.trading_cards.state import ATTACKS, DRAW, END, HEALS, IMAGINE
from tests.games.naive_trading_cards import placed

MIDDLE = TradingCards()
PLAIN = {**os.environ, "TERM": "dumb"}  # a terminal without highlighted changes


def middle_of_a_turn() -> World:
    """The first player has acted with one of two cards, and holds a Removal."""
    world = placed(
        MIDDLE,
        ((9, 20), (0,)),
        ((4, REMOVAL + 1), (8,)),
        ((1,), (2, REMOVAL, REMOVAL + 1)),
        (30, 12),
    )
    world.apply(pack(HEALS, 20, 0))
    return world


def scene_of(world: World, viewer: int = 0) -> Scene:
    return world.game.scene(world.hide(viewer))


def tipped(scene: Scene, words: str) -> list[Shape]:
    return [shape for shape in scene.shapes if words in shape.tip]


def test_text_shows_both_sides_and_which_cards_can_act():
    assert middle_of_a_turn().hide(0).text.splitlines() == [
        "turn 9 of 400: player 1 lets cards act",
        "player 2: 12 health",
        "  deck   3 left:  1/0/3  Removal  Removal",
        "  hand   4/4/0",
        "  field  1/1/1",
        "  " + "─" * 70,
        "  field  6/6/6  4/4/4*",
        "  hand   3/2/2  Removal",
        "  deck   1 left:  1/1/2",
        "player 1: 36 health",
        "A card is Fight/Heal/Attack; * can act.",
    ]


def test_the_viewer_is_below():
    lines = middle_of_a_turn().hide(1).text.splitlines()
    assert (lines[1], lines[-2]) == ("player 1: 36 health", "player 2: 12 health")


def test_long_piles_are_wrapped_within_a_terminal():
    crowded = placed(TradingCards(), (range(12), range(20)), ((), ()), (range(12, 25), ()))
    assert max(len(line) for line in crowded.hide(0).text.splitlines()) <= 74
    assert "deck   empty" in crowded.hide(0).text


def test_text_says_how_a_game_ended():
    world = placed(TradingCards(), ((18,), ()), health=(5, 7))
    world.apply(pack(ATTACKS, 18, 0))
    assert world.hide(0).text.startswith("player 1 has won in turn 9\n")
    late = placed(TradingCards(turns=9), ((), ()))
    late.apply(pack(END, 0, 0))
    assert late.hide(1).text.startswith("a draw after 9 turns\n")


@pytest.mark.parametrize("viewer", [0, 1])
def test_a_scene_shows_every_card_where_it_is(viewer):
    scene = scene_of(middle_of_a_turn(), viewer)
    below = {"own": scene.height / 2, "enemy": 0.0}
    for words, role in (
        ("the field of player 1", ("own", "enemy")[viewer]),
        ("the hand of player 2", ("enemy", "own")[viewer]),
    ):
        cards = [
            shape
            for shape in tipped(scene, words)
            if isinstance(shape, Polygon) and shape.role in below
        ]
        assert cards
        for card in cards:
            assert card.role == role
            assert all(below[role] <= y <= below[role] + scene.height / 2 for _, y in card.points)


def test_cards_that_can_act_have_a_ring_and_those_that_have_acted_are_pale():
    scene = scene_of(middle_of_a_turn())
    rings = [shape for shape in scene.shapes if isinstance(shape, Ring)]
    assert [ring.tip for ring in rings] == ["on the field of player 1, can act"]
    acted = tipped(scene, "Fight 6, Heal 6, Attack 6: on the field of player 1, has acted")
    assert acted
    assert all(shape.opacity < 0.5 for shape in acted)
    assert all(
        shape.opacity == 1.0 for shape in tipped(scene, "Fight 4, Heal 4, Attack 4: on the field")
    )


def test_health_is_a_bar_and_a_number_even_beyond_the_start():
    for health, share in ((12, 12 / 50), (59, 1.0), (0, 0.0)):
        scene = scene_of(placed(TradingCards(), ((), ()), health=(health, 30)))
        shapes = tipped(scene, f"player 1: {health} of 50 health")
        widths = [
            shape.points[1][0] - shape.points[0][0]
            for shape in shapes
            if isinstance(shape, Polygon)
        ]
        assert str(health) in [shape.text for shape in shapes if isinstance(shape, Label)]
        assert (widths[1] / widths[0] if len(widths) > 1 else 0.0) == pytest.approx(share)


def test_an_arrow_shows_who_moves_until_the_game_is_over():
    world = placed(TradingCards(), ((18,), ()), health=(5, 7))
    assert len(tipped(scene_of(world), "to move")) == 1
    world.apply(pack(ATTACKS, 18, 0))
    assert tipped(scene_of(world), "to move") == []


@pytest.mark.parametrize("cards", [1, 5, 12, 13, 23])
def test_any_number_of_cards_has_room_and_none_covers_another(cards):
    world = placed(TradingCards(hand=23), (range(cards), range(cards)), (range(23 - cards), ()))
    scene = scene_of(world)
    cards_drawn = [
        shape
        for shape in scene.shapes
        if isinstance(shape, Polygon) and re.match("Fight|Removal", shape.tip)
    ]
    boxes = [_box(shape) for shape in cards_drawn if shape.role in ("own", "enemy")]
    assert len(boxes) == cards + 23
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0.0 and top >= 0.0 and right <= scene.width and bottom <= scene.height
        assert all(
            right <= box[0] or box[2] <= left or bottom <= box[1] or box[3] <= top
            for box in boxes[:number]
        )


def _box(shape: Polygon) -> tuple[float, float, float, float]:
    across, along = zip(*shape.points, strict=True)
    return min(across), min(along), max(across), max(along)


def test_a_deck_shows_what_is_left_in_it():
    scene = scene_of(middle_of_a_turn())
    texts = [
        shape.text
        for shape in tipped(scene, "the deck of player 2: 3 cards left")
        if isinstance(shape, Label)
    ]
    assert texts == ["3", "1/0/3", "Removal", "Removal"]


def test_a_stand_in_shows_its_averages():
    world = placed(TradingCards(), ((), ()), ((9,), ()), ((0,), ()))
    world.game.verbs.step(world.game.table, world.address, 0, pack(IMAGINE, 0, 0))
    assert tipped(
        scene_of(world), "Fight 4.5, Heal 2.5, Attack 2.5: on the field of player 1, can act"
    )
    assert "field  average Fight*" in world.hide(0).text


def test_a_scene_turns_into_json_and_back():
    scene = scene_of(middle_of_a_turn())
    assert Scene.from_json(scene.to_json()) == scene


def test_actions_are_called_what_they_do():
    game = TradingCards()
    assert game.action_name(pack(DRAW, 0, 0)) == "draw a card"
    assert [game.action_name(pack(IMAGINE, i, 0)) for i in range(3)] == [
        f"place the average {name} card" for name in ATTRIBUTES
    ]


def test_a_person_plays_a_turn_in_a_terminal():
    command = "-m plyglass play trading-cards random --seed 8"
    game = pexpect.spawn(
        sys.executable,
        command.split(),
        env=PLAIN,
        encoding="utf-8",
        timeout=240,
        dimensions=(50, 100),
    )
    try:
        game.expect("turn 1 of 400: player 1 may place a card before cards act")
        for said, answer in (
            ("place 6/6/6", "player 1 lets cards act"),
            ("6/6/6 attacks", "player 2: 44 health"),
            ("end turn", "turn 3 of 400: player 1 draws a card"),
            ("draw a card", "may place a card before cards act"),
        ):
            game.expect("your action")
            game.sendline(said)
            game.expect(answer)
        game.expect("your action")
        game.sendline("q")
        game.expect(pexpect.EOF)
        assert "You left the game." in game.before
    finally:
        game.close(force=True)
    assert game.exitstatus == 0
