"""Pandemic: the map, the thesis's heuristics, the turn of its figure 13, and given positions."""

import random

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.games.pandemic import Pandemic, evaluate, state
from plyglass.games.pandemic.cities import (
    ACROSS_THE_DATE_LINE,
    CITIES,
    COLOURS,
    HEIGHT,
    LINKS,
    WIDTH,
)
from plyglass.games.pandemic.scenarios import researchers_turn
from tests.games.naive_pandemic_board import BESIDE, COLOUR, NAMES
from tests.games.pandemic_positions import any_position, in_words, position_of
from tests.planners.searches import begin

PARTS = {  # what a compound is made of, by how its name ends
    "": "informed-loss",
    "-as-coded": "informed-loss-as-coded",
    "-uninformed": "loss-proximity",
    "-uninformed-as-coded": "loss-proximity-as-coded",
}
POSITIONS = 150 if JIT else 4
PLAN = [
    ("government grant", None, "Johannesburg"),
    ("shuttle flight", 2, "Atlanta"),
    ("give", 1, "Paris"),
    ("drive", 2, "Chicago"),
    ("give", 0, "Osaka"),
]
MEDIC_CURES = [
    ("take", 2, "Taipei"),
    ("take", 2, "Bangkok"),
    ("drive", 0, "Atlanta"),
    ("cure", "red", None),
]


@pytest.fixture(scope="module")
def thesis():
    return Pandemic("thesis")


def choose(world, wanted):
    """Play the action that matches `wanted` in words; None stands for anything."""
    found = [
        action
        for action in world.legal()
        if all(want in (None, got) for want, got in zip(wanted, in_words(action), strict=True))
    ]
    assert len(found) == 1, f"{wanted} is not there, or there are several of it"
    world.apply(found[0])


# -- the map


def test_the_map_is_the_one_of_the_game():
    assert len(CITIES) == 48
    assert len(set(LINKS)) == 93
    assert [name for name in NAMES if len(BESIDE[name]) == 1] == ["Santiago"]
    assert all(other in BESIDE[one] for one, other in ACROSS_THE_DATE_LINE)


def test_every_city_can_be_reached_and_drawn():
    reached, waiting = {"Atlanta"}, ["Atlanta"]
    while waiting:
        beyond = BESIDE[waiting.pop()] - reached
        reached |= beyond
        waiting += beyond
    assert len(reached) == 48
    assert all(0 <= city.x <= WIDTH and 0 <= city.y <= HEIGHT for city in CITIES)
    assert (
        min((a.x - b.x) ** 2 + (a.y - b.y) ** 2 for a in CITIES for b in CITIES if a is not b)
        > 30**2
    )


# -- heuristics


def value(world, name):
    game = world.game
    return game.verbs.evaluate(game.table, world.address, 0, game.evaluator(name))


def naive_preconditions(p):
    total = 0.0
    for colour in COLOURS:
        needs = [4 if role == "scientist" else 5 for role in p["roles"]]
        shares = [
            min(1, sum(COLOUR.get(card) == colour for card in hand) / need)
            for hand, need in zip(p["hands"], needs, strict=True)
        ]
        here = p["pawns"][shares.index(max(shares))]
        near = 0.05 if here in p["stations"] else 0.025 if BESIDE[here] & p["stations"] else 0
        total += (
            0.25 if colour in p["cured"] else 0.15 * max(shares) + (near if max(shares) == 1 else 0)
        )
    return total


def naive_dangers(p, epidemics):
    """The danger that algorithm 12 adds up, as printed and as coded."""
    drawable = set().union(*p["stack"], p["discard"] if p["epidemics"] < epidemics else ())
    printed, coded = 0.0, 0
    for (city, colour), count in p["cubes"].items():
        if count < 3:
            printed += 0.25 * count
        elif city in drawable:
            printed += 1 + 0.5 * sum(p["cubes"].get((other, colour)) == 3 for other in BESIDE[city])
            coded += 1
        else:
            printed += 0.5
    return printed, coded


@pytest.mark.parametrize("preset", ["thesis", "official"])
def test_heuristics_are_those_of_the_thesis(preset):
    game = Pandemic(preset, roles="medic+scientist+researcher", epidemics=5)
    for seed in range(POSITIONS):
        world = game.start(seed, any_position(game, random.Random(seed)))
        p = position_of(world)
        printed, coded = naive_dangers(p, 5)
        cubes = {
            colour: sum(count for (_, each), count in p["cubes"].items() if each == colour)
            for colour in COLOURS
        }
        expected = {
            "subgoals": len(p["cured"]) / 4,
            "preconditions": naive_preconditions(p),
            "loss-proximity": max(0, 1 - max(p["outbreaks"] / 8, max(cubes.values()) / 24)),
            "loss-proximity-as-coded": 1 - p["outbreaks"] / 8,
            "informed-loss": max(0, 1 - printed / 12),
            "informed-loss-as-coded": max(0, 1 - coded / 12),
        }
        assert {name: value(world, name) for name in expected} == pytest.approx(expected)


def test_a_compound_is_the_weighted_sum_of_its_parts(thesis):
    world = thesis.start(3)
    for share, weight in (("1/2", 1 / 2), ("2/3", 2 / 3), ("3/4", 3 / 4)):
        for which, part in PARTS.items():
            expected = weight * value(world, "preconditions") + (1 - weight) * value(world, part)
            assert value(world, f"compound-{share}{which}") == pytest.approx(expected)
    assert set(evaluate.EVALUATORS) == {f"compound-{share}{which}" for share in ("1/2", "2/3",
        "3/4") for which in PARTS} | {
        "subgoals", "preconditions", "learned", *PARTS.values(),
    }  # fmt: skip


def test_informed_loss_begins_where_figure_11_does(thesis):
    for seed in range(20):
        assert value(thesis.start(seed), "informed-loss-as-coded") == pytest.approx(0.75)
        assert value(thesis.start(seed), "informed-loss") <= 0.5625


# -- the turn of figure 13


def test_the_researchers_turn_is_that_of_figure_13(thesis):
    world = researchers_turn(thesis, 0)
    p = position_of(world)
    medic, scientist, researcher = p["hands"]
    assert p["roles"] == ["medic", "scientist", "researcher"]
    assert (p["seat"], p["spent"], p["phase"]) == (2, 0, "act")
    assert p["pawns"][1] in p["stations"]
    assert p["pawns"][0] in BESIDE[p["pawns"][1]]
    assert p["pawns"][2] not in p["stations"]
    assert "Government Grant" in scientist
    assert [
        sum(COLOUR.get(card) == "blue" for card in hand) for hand in (scientist, researcher)
    ] == [3, 1]
    assert [sum(COLOUR.get(card) == "red" for card in hand) for hand in (medic, researcher)] == [
        2,
        3,
    ]
    assert not researcher & (
        BESIDE[p["pawns"][1]] | BESIDE[p["pawns"][0]] | {p["pawns"][0], p["pawns"][1]}
    )


def test_the_plan_of_the_thesis_makes_sure_of_two_cures(thesis):
    for seed in range(200 if JIT else 3):
        world = researchers_turn(thesis, seed)
        for wanted in (*PLAN, *MEDIC_CURES):
            choose(world, wanted)
        choose(world, ("cure", "blue", None))
        assert not world.over
        assert position_of(world)["cured"] == {"red", "blue"}


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_the_strong_agent_finds_a_plan_that_makes_sure_of_two_cures(thesis):
    """Whatever cards come, the medic and the scientist then find a cure each.

    Nothing that they need is left to chance.
    """
    planner = pg.agent_from(thesis.opponent, thesis).planner
    for seed in range(20):
        world = researchers_turn(thesis, seed)
        search = begin(thesis, planner, seed=seed, position=world)
        while position_of(world)["seat"] == 2:
            search.run(pg.Budget(iterations=10**6))
            action = search.decision().action
            world.apply(action)
            search.observe(action, world.hide(0))
        red = sorted(
            card for card in position_of(world)["hands"][2] & {"Osaka", "Taipei", "Bangkok"}
        )
        for wanted in (
            *(("take", 2, card) for card in red),
            ("drive", 0, "Atlanta"),
            ("cure", "red", None),
            ("cure", "blue", None),
        ):
            choose(world, wanted)
        assert position_of(world)["cured"] == {"red", "blue"}


# -- positions in words


def test_a_scenario_says_what_is_wrong_with_it(thesis):
    given = {"turn": "medic", "pawns": {}, "hands": {}, "cubes": {}}
    wrong = [
        (
            {"turn": "dispatcher"},
            "There is no player 'dispatcher'; there are medic, scientist, researcher",
        ),
        ({"pawns": {"medic": "Berlin"}}, "There is no city 'Berlin'"),
        ({"hands": {"medic": ["Paris"], "scientist": ["Paris"]}}, "Paris is named twice"),
        ({"cubes": {"blue": {"Paris": 4}}}, "Paris can have 0 to 3 cubes of a colour, not 4"),
        ({"epidemics": 3}, "epidemics were drawn, not 3; change `played`"),
    ]
    for changed, message in wrong:
        with pytest.raises(ValueError, match=message):
            thesis.scenario(**{**given, **changed})
    with pytest.raises(ValueError, match="Chance deals the roles"):
        Pandemic("official").scenario(**given)


def test_an_earlier_name_of_a_preset_is_read_with_a_warning():
    with pytest.warns(FutureWarning, match="'document' of Pandemic is now preset='thesis'"):
        game = pg.game_from("pandemic:preset=document,players=2")
    assert game.parameters == Pandemic("thesis", players=2).parameters
    assert "preset='thesis'" in repr(game)
    assert game.variant({"players": 3}).parameters["preset"] == "thesis"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"preset": "easy"}, "preset is one of official, thesis, as_coded, not 'easy'"),
        ({"players": 5}, "2 to 4 players, not 5"),
        ({"epidemics": 3}, "4 to 6 epidemics, not 3"),
        ({"roles": "medic+scientist"}, "3 players need 3 different roles"),
        ({"roles": "medic+scientist+nurse"}, "There is no role 'nurse' here"),
        (
            {"preset": "thesis", "roles": "medic+scientist+dispatcher"},
            "There is no role 'dispatcher' here",
        ),
    ],
)
def test_odd_games_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        Pandemic(**wrong)


def test_every_action_has_a_name_of_its_own(thesis):
    for game in (thesis, Pandemic("official", players=4, epidemics=6)):
        pick = random.Random(4)
        for seed in range(3):
            world = game.start(seed)
            while not world.over:
                names = [game.action_name(action) for action in world.legal()]
                assert len(set(names)) == len(names)
                world.apply(pick.choice(world.legal()))


def test_text_shows_who_is_where_with_what(thesis):
    shown = researchers_turn(thesis, 0).hide(0).text
    assert "researcher: 4 of 4 actions left" in shown
    assert "player 2 (scientist) in Atlanta: blue Madrid, Milan, Essen; Government Grant" in shown
    assert "blue, 4 cubes: ▲▲ London; ▲ New York, Essen" in shown
    assert "player cards: 34 left, an epidemic among the next 12" in shown
    assert state.ROLES[state.MEDIC] in shown
