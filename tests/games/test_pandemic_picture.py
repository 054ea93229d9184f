"""Pandemic for people: risks compared with sampled games, what the map shows, and text width."""

import random

import numpy as np
import pytest

from plyglass.core import World, unpack
from plyglass.core.compile import JIT
from plyglass.core.scene import Path, Scene
from plyglass.games.pandemic import Pandemic, state
from plyglass.games.pandemic.cities import ACROSS_THE_DATE_LINE, CITIES, COLOURS, NUMBER
from plyglass.games.pandemic.picture import HEIGHT, LEFT, RIGHT, WIDTH
from plyglass.games.pandemic.risk import infection_risk
from plyglass.games.pandemic.scenarios import researchers_turn
from tests.games.pandemic_positions import any_position

SAMPLES = 600 if JIT else 4
ROLES = "medic+scientist+researcher"
DEALT = [city.name for city in CITIES[:8]]
EVENTS = range(state.AIRLIFT, state.RESILIENT + 1)


def risk_of(world):
    return infection_risk(world.record, world.game.constants_record[0])


def as_row(cities):
    return np.array([int(cities) >> city & 1 for city in range(len(CITIES))], bool)


def played_until(stop, world, pick):
    """Play random actions but events until `stop`; returns the position and the turned cards."""
    found = as_row(0)
    while not stop(world.record):
        after = without_cubes(world)
        after.apply(
            pick.choice([action for action in after.legal() if unpack(action)[0] not in EVENTS])
        )
        found |= turned_over(world.record, after.record)
        world = after
        assert not world.over
    return world, found


def without_cubes(world):
    """The same position with no cubes on the board.

    They do not affect which cards come, and without them no game is lost.
    """
    row = world.row()
    record = row.view(world.game.state)
    record["low"], record["high"] = 0, 0
    return World(world.game, row)


def turned_over(before, after):
    """The infection cards that were turned over between two decisions."""
    epidemic = before["epidemics"] < after["epidemics"]
    shuffled = before["phase"] == state.INTENSIFYING or (
        epidemic and after["phase"] != state.INTENSIFYING
    )
    found = after["discard"] & ~(0 if shuffled else before["discard"])
    lowest = np.flatnonzero(before["layer"])[0]
    return as_row(
        found | (before["layer"][lowest] & ~after["layer"][lowest]) if epidemic else found
    )


def turned_in_a_round(world, seed):
    """The infection cards turned over before the active player's next turn, by random seed."""
    world = world.copy()
    world.change_luck(seed)
    end = world.record["ply"] + world.game.parameters["players"]
    return played_until(lambda record: record["ply"] >= end, world, random.Random(seed))[1]


def agree(world):
    """Compare the risks of a position with the shares of games in which each card comes."""
    risk = risk_of(world)
    shares = np.mean([turned_in_a_round(world, seed) for seed in range(SAMPLES)], axis=0)
    assert (np.abs(shares - risk) <= 4.5 * np.sqrt(risk * (1 - risk) / SAMPLES) + 1e-9).all()


def late(game, quiet=0, **changes):
    """A quiet position, in which one to three epidemics may come within a round."""
    settings = {
        "turn": "medic",
        "pawns": {},
        "hands": {},
        "cubes": {"blue": {"London": 1}, "red": {"Tokyo": 1}},
        "epidemics": 3,
        "played": [city.name for city in CITIES[:35]]
        + list(state.EVENTS[: game.constants_record[0]["events"]]),
        "infected": ["Lagos", "Paris", "Cairo", "Seoul"],
        "layers": [["Lima", "Delhi", "Milan"], ["Miami"]],
        "spent": 3,
    }
    return game.start(1, {**game.scenario(**{**settings, **changes}), "quiet": quiet})


WORLDS = {
    "the start": lambda: Pandemic("thesis").start(5),
    "figure 13": lambda: researchers_turn(Pandemic("thesis"), 1),
    "an epidemic in two turns of three": lambda: late(Pandemic("thesis", roles=ROLES, epidemics=5)),
    "a quiet night": lambda: late(Pandemic("thesis"), quiet=1),
    "few infection cards": lambda: late(
        Pandemic("official", roles=ROLES),
        infected=[city.name for city in CITIES[:40]],
        layers=[["Taipei"]],
        epidemics=2,
    ),
    "a full deck of layers": lambda: late(
        Pandemic("official", 4, 6, ROLES + "+dispatcher"), played=DEALT, epidemics=0
    ),
}


@pytest.mark.parametrize("name", WORLDS)
def test_risks_are_the_shares_of_games_in_which_a_card_comes(name):
    world = WORLDS[name]()
    agree(world)
    assert risk_of(world).max() > 1.5 * risk_of(world).min(), (
        "a position in which it matters where cards are"
    )


@pytest.mark.parametrize(
    ("phase", "turned"),
    [(state.DRAWING, 0), (state.INTENSIFYING, 1), (state.INFECTING, 0), (state.INFECTING, 1)],
)
def test_the_rest_of_a_turn_that_waits_for_an_event_counts(phase, turned):
    """The medic could play an event at any time, and the next player card is an epidemic."""
    game, held = Pandemic("official", roles=ROLES, epidemics=6), ["Airlift", "Resilient Population"]
    gone = [city.name for city in CITIES[:41]] + [
        event for event in state.EVENTS if event not in held
    ]
    world = late(game, hands={"medic": held}, played=gone, epidemics=4)
    world, _ = played_until(
        lambda record: (record["phase"], record["turned"]) == (phase, turned),
        world,
        random.Random(1),
    )
    assert world.record["seat"] == 0, "it is still the turn of the medic"
    agree(world)


def test_nothing_is_at_risk_where_a_colour_is_eradicated_or_the_game_is_over():
    game = Pandemic("official", roles=ROLES)
    world = late(game, cured=["yellow"])
    assert not risk_of(world)[12:24].any()
    assert risk_of(world)[:12].all()
    record = world.record.copy()
    record["result"] = state.LOST_BY_CUBES
    assert not infection_risk(record, game.constants_record[0]).any()


# -- the map


def scene_of(world):
    return world.game.scene(world.hide(0))


def tips(scene, end):
    return [shape.tip for shape in scene.shapes if shape.tip.endswith(end)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_map_shows_the_position(players):
    game = Pandemic("official", players, 6, "+".join(state.ROLES[:players]).replace(" ", "-"))
    pick = random.Random(players)
    for _ in range(10 if JIT else 2):
        world = game.start(1, any_position(game, pick))
        scene, record = scene_of(world), world.record
        assert Scene.from_json(scene.to_json()) == scene
        for city in CITIES:
            for colour, name in enumerate(COLOURS):
                cubes = (record["low"][colour] >> NUMBER[city.name] & 1) + 2 * (
                    record["high"][colour] >> NUMBER[city.name] & 1
                )
                drawn = tips(scene, f" {name} in {city.name}")
                assert drawn == [f"{cubes} {name} in {city.name}"] * cubes
            stations = tips(scene, f"a research station in {city.name}")
            assert bool(stations) == bool(record["stations"] >> NUMBER[city.name] & 1)
        hands = sum(bin(hand).count("1") for hand in record["hand"]) + bin(record["kept"]).count(
            "1"
        )
        cards = {
            (shape.points, shape.tip)
            for shape in scene.shapes
            if shape.tip.startswith(("the card of", "the event"))
            if shape.role == "fog"
        }
        assert len(cards) == hands
        assert {shape.text for shape in scene.shapes if hasattr(shape, "text")} >= {
            f"{state.ROLES[record['role'][seat]]} in {CITIES[record['pawn'][seat]].name}"
            for seat in range(players)
        }


def test_everything_is_on_the_sheet():
    game = Pandemic(
        "official", 4, 6, "medic+quarantine-specialist+operations-expert+contingency-planner"
    )
    pick = random.Random(1)
    for _ in range(3):
        for shape in scene_of(game.start(1, any_position(game, pick))).shapes:
            points = shape.points if hasattr(shape, "points") else ((shape.x, shape.y),)
            assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points), shape


def test_links_over_the_pacific_leave_on_both_edges():
    scene = scene_of(Pandemic("thesis").start(1))
    for one, other in ACROSS_THE_DATE_LINE:
        west, east = (
            shape.points
            for shape in scene.shapes
            if isinstance(shape, Path) and shape.tip == f"{one} - {other}"
        )
        assert west[1][0] == 0
        assert east[0] == (WIDTH, west[1][1]), "it goes on at the same height"
        assert west[0][0] < 0.2 * WIDTH < 0.8 * WIDTH < east[1][0]
    assert (RIGHT - LEFT) / WIDTH == 30


def test_an_outbreak_that_threatens_is_written_down():
    game = Pandemic("thesis")
    safe, full = (late(game, epidemics=3, cubes={"yellow": {"Miami": cubes}}) for cubes in (2, 3))
    assert not tips(scene_of(safe), "outbreak in Miami: 100%")
    assert tips(scene_of(full), "outbreak in Miami: 100%")


def test_the_text_fits_into_a_terminal_and_says_the_risk():
    game = Pandemic(
        "official", 4, 6, "medic+quarantine-specialist+operations-expert+contingency-planner"
    )
    pick = random.Random(2)
    for _ in range(20):
        text = game.start(1, any_position(game, pick)).hide(0).text
        assert max(map(len, text.splitlines())) <= 96
    assert "- 100%: Miami\n" in late(Pandemic("thesis")).hide(0).text
