"""The features of Pandemic by obvious counting, and the preferred actions."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.games.pandemic import features as groups
from plyglass.games.pandemic.cities import CITIES, COLOURS, distances
from tests.games.naive_pandemic_board import BESIDE, COLOUR
from tests.games.pandemic_positions import in_words, position_of
from tests.planners.searches import positions

NEEDED = {"scientist": 4}
NUMBER = {city.name: number for number, city in enumerate(CITIES)}
POSITIONS = 60 if JIT else 3
game = pg.games.Pandemic("thesis")


def described(world, **changed):
    """The features of a position with some fields changed."""
    row = world.row()
    for name, value in changed.items():
        row.view(game.state)[name][0] = value
    values = np.zeros(game.most_features)
    assert (
        game.verbs.features(game.table, row.ctypes.data, 0, values.ctypes.data)
        == game.most_features
    )
    return values


def missing(p, colour):
    """The cards that the hand nearest to a cure lacks."""
    return min(
        max(0, NEEDED.get(role, 5) - sum(COLOUR.get(card) == colour for card in hand))
        for role, hand in zip(p["roles"], p["hands"], strict=True)
    )


def test_cards_that_are_missing_are_counted_by_colour():
    for world in positions(game, POSITIONS, 80):
        p, values = position_of(world), described(world)
        wanted = Counter(
            min(4, missing(p, colour)) for colour in COLOURS if colour not in p["cured"]
        )
        assert values[groups.CURES] == len(p["cured"])
        assert [values[groups.MISSING + number] for number in range(5)] == [
            wanted[number] for number in range(5)
        ]


def test_a_colour_with_too_few_cards_left_is_told():
    world, others = game.start(1), ~((1 << 12) - 1)
    without_blue = {"deck": world.record["deck"] & others, "hand": world.record["hand"] & others}
    assert (described(world)[groups.SUPPLY], described(world, **without_blue)[groups.SUPPLY]) == (
        0,
        1,
    )


def test_the_board_is_counted():
    for world in positions(game, POSITIONS, 80):
        p, values = position_of(world), described(world)
        assert values[groups.BOARD] == p["outbreaks"] / 8
        assert values[groups.BOARD + 2] == pytest.approx(sum(p["cubes"].values()) / 96)
        assert values[groups.BOARD + 4] == pytest.approx(len(p["stations"]) / 6)
        assert values[groups.DANGER + 7] == sum(count == 3 for count in p["cubes"].values())


def test_a_full_city_is_a_danger_only_while_its_card_can_come():
    world, city, other = game.start(1), 1 << 5, 1 << 6
    full = {"low": [city, 0, 0, 0], "high": [city, 0, 0, 0], "top": 0, "discard": 0}

    def danger(cards, **more):
        return described(world, **full, layer=[cards] + [0] * 19, **more)[groups.DANGER]

    assert danger(city | other) == pytest.approx(1.0)  # two cards are drawn, and there are two
    assert danger(city | other, quiet=1) == 0.0
    assert danger(other) == 0.0


def test_distances_are_those_of_walks():
    away = distances()
    for number, city in enumerate(CITIES):
        reached, steps, seen = {city.name}, 0, {city.name}
        while reached:
            assert all(away[number, NUMBER[name]] == steps for name in reached)
            reached, steps = {other for name in reached for other in BESIDE[name]} - seen, steps + 1
            seen |= reached


@pytest.mark.parametrize("preset", ["thesis", "official"])
def test_what_is_preferred_is_legal_and_leaves_out_only_flights_grants_and_cards(preset):
    played, skipped = pg.games.Pandemic(preset, roles="medic+scientist+researcher"), Counter()
    out = np.zeros(played.most_actions, np.int32)
    for world in positions(played, POSITIONS, 60):
        kept = set(
            out[
                : played.verbs.prefer(played.table, world.row().ctypes.data, out.ctypes.data)
            ].tolist()
        )
        assert kept
        assert kept <= set(world.legal())
        skipped += Counter(in_words(action)[0] for action in set(world.legal()) - kept)
    assert set(skipped) <= {"charter flight", "airlift", "government grant", "give", "take"}
    assert skipped["charter flight"] or not JIT


@pytest.mark.parametrize(
    ("given", "file"),
    [
        ({}, "weights_3_4.json"),
        ({"preset": "thesis", "players": 2}, "weights.json"),
        ({"epidemics": 5}, "weights_3_5.json"),
        ({"preset": "official", "epidemics": 6}, "weights_3_6.json"),
        ({"preset": "thesis", "players": 4}, "weights_4_4.json"),
        ({"players": 4, "epidemics": 5}, "weights_4_5.json"),
        ({"players": 4, "epidemics": 6}, "weights.json"),
    ],
)
def test_each_number_of_players_and_epidemics_takes_the_weights_learned_for_it(given, file):
    text = (Path(pg.games.pandemic.__file__).parent / file).read_text(encoding="utf-8")
    weights = pg.games.Pandemic(**given).constants_record[0]["weights"]
    assert weights.tolist() == json.loads(text)["weights"]
