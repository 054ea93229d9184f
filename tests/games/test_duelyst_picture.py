"""Duelyst as a scene: everything in the view is in its cell, and beliefs about hidden hands."""

import numpy as np
import pytest

from plyglass.core import pack
from plyglass.core.scene import Card, Disc, Imagined, Label, Path, Polygon, Ring, Scene, fitted
from plyglass.games.duelyst import state
from plyglass.games.duelyst.cards.catalog import cards
from plyglass.games.duelyst.show import clicks, picture
from plyglass.games.duelyst.show.player_panel import PANEL
from tests.games.duelyst_positions import CELL, position

ARMIES = {"own": "windblade_adept@b3 silverguard_knight@c1-2", "enemy": "wraithling@d3"}


def scene_of(world, viewer=0, imagined=None):
    return world.game.scene(world.hide(viewer), imagined)


def texts(scene):
    """All that is written: labels, and the names of cards."""
    written = [shape for shape in scene.shapes if isinstance(shape, Label | Card)]
    return [shape.text if isinstance(shape, Label) else shape.title for shape in written]


def tips_at(scene, cell, kind):
    """Tooltips of the shapes of a kind that are drawn on a cell."""
    x, y = picture._middle(CELL[cell])
    return {
        shape.tip for shape in scene.shapes if isinstance(shape, kind) and _is_near(shape, x, y)
    }


def _is_near(shape, x, y):
    here = np.mean(shape.points, axis=0) if hasattr(shape, "points") else (shape.x, shape.y)
    return abs(here[0] - x) < 0.2 and abs(here[1] - y) < 0.2


def test_units_are_drawn_where_they_are_square_and_round_with_attack_and_health():
    scene = scene_of(position(**ARMIES))
    assert any("Windblade Adept of player 1, 3/3" in tip for tip in tips_at(scene, "b3", Polygon))
    assert any("Wraithling of player 2, 1/1" in tip for tip in tips_at(scene, "d3", Disc))
    assert not tips_at(scene, "d3", Polygon)
    rings = [shape for shape in scene.shapes if isinstance(shape, Ring)]
    assert len(rings) == 1  # the knight provokes
    assert (rings[0].x + 0.4, rings[0].y + 0.45) == pytest.approx(picture._middle(CELL["c1"]))


def test_health_of_the_hurt_and_names_of_keywords_stand_out():
    scene = scene_of(position(own="silverguard_knight@c1-2 saberspine_tiger@b3"))
    x, y = picture._middle(CELL["c1"])
    marks = {
        shape.role
        for shape in scene.shapes
        if isinstance(shape, Disc)
        and abs(shape.x - x - 0.3) < 0.01
        and abs(shape.y - y - 0.08) < 0.01
    }
    assert "bad" in marks
    assert "rush" in texts(scene)


def test_hands_are_open_to_their_players_only():
    world = position(hand="tempest decimate", enemy_hand="phoenix_fire", player=0)
    assert {"Tempest", "Decimate"} <= set(texts(scene_of(world)))
    assert "Phoenix Fire" not in texts(scene_of(world))
    assert texts(scene_of(world)).count("?") == 1
    assert "Phoenix Fire" in texts(scene_of(world, viewer=1))


def test_a_hand_that_is_not_seen_shows_the_cards_that_are_likeliest_there():
    world = position(enemy_hand="tempest tempest")
    first, second = (
        position(enemy_hand=cards) for cards in ("tempest tempest", "tempest decimate")
    )
    worlds = Imagined.of(
        np.stack([first.row(), second.row()]), np.array([0.75, 0.25]), world.game.state
    )
    shown = texts(scene_of(world, imagined=worlds))
    assert (
        shown.index("Tempest") < shown.index("1.75") < shown.index("Decimate") < shown.index("0.25")
    )


def test_the_truth_has_both_hands_open():
    world = position(hand="tempest", enemy_hand="decimate")
    scene = scene_of(world, imagined=Imagined.truth(world.row(), world.game.state))
    assert {"Tempest", "Decimate"} <= set(texts(scene))
    assert "?" not in texts(scene)


def test_a_scene_depends_on_nothing_that_is_hidden():
    one, other = (
        position(enemy_hand=hand, deck="tempest decimate", **ARMIES)
        for hand in ("tempest", "decimate")
    )
    assert scene_of(one) == scene_of(other)


def test_mana_deck_and_artifacts_stand_beside_the_board():
    world = position(mana=7, deck="tempest decimate", artifacts="sunstone_bracers")
    scene = scene_of(world)
    assert {"7 of 7", "2", "Sunstone", "Bracers", "3"} <= set(texts(scene))
    deck = next(shape for shape in scene.shapes if isinstance(shape, Label) and shape.key == "deck")
    assert deck.text == "2"
    assert deck.y > PANEL + 5
    assert deck.tip.endswith("1 Decimate; 1 Tempest")


def test_names_of_all_cards_fit_whole_on_units_and_cards():
    shown = {card.name for card in cards()[1:] if card.type in ("minion", "general")}
    for name in shown:
        lines, size = fitted(name, picture.ROOM, picture.LETTER, 2)
        assert " ".join(lines) == name
        assert size >= 0.09, f"{name} would be too small to read"


def test_equal_cards_share_a_key_but_not_while_cards_are_exchanged():
    world = position(hand="tempest decimate tempest")
    record = world.record
    assert [clicks.hand_key(record, 0, slot) for slot in range(3)] == ["hand 1", "hand 2", "hand 1"]
    start = world.game.start(1).record
    assert [clicks.hand_key(start, 0, slot) for slot in range(3)] == ["hand 1", "hand 2", "hand 3"]


def test_an_exchange_is_a_set_of_cards_and_a_card_on_the_deck_is_replaced():
    game = position().game
    view = game.start(1).hide(0)
    exchange = pack(state.MULLIGAN, 0, 0b101)
    assert game.action_path(view, exchange) == (("hand 1", "hand 3"),)
    assert game.action_path(view, pack(state.MULLIGAN, 0, 0)) == ()
    assert game.action_path(view, pack(state.REPLACE, 1, 0)) == ("hand 2", "deck")
    assert game.action_path(view, pack(state.PLAY, 1, CELL["b3"])) == ("hand 2", "b3")


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (pack(state.MOVE, CELL["a3"], CELL["b3"]), Path),
        (pack(state.ATTACK, CELL["a3"], CELL["b3"]), Polygon),
        (pack(state.PLAY, 2, CELL["b3"]), Ring),
        (pack(state.FOLLOW, 0, CELL["b3"]), Ring),
    ],
)
def test_actions_are_drawn_on_their_cells(action, kind):
    shapes = position().game.action_shapes(action)
    assert isinstance(shapes[-1], kind)
    assert position().game.action_shapes(pack(state.END, 0, 0)) == ()


def test_a_scene_turns_into_json_and_back():
    scene = scene_of(position(hand="tempest", **ARMIES))
    assert Scene.from_json(scene.to_json()) == scene
