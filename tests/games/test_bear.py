"""Bear against the values of McKenney 2023a."""

import pytest

from plyglass.core.tape import deals, outcomes
from plyglass.games.bear import Bear, rules
from tests.games.enumeration import assert_imagines_the_posterior, imagined
from tests.games.solver import solved

GAME = Bear()
SPECIES = {rules.BLACK: "black", rules.GRIZZLY: "grizzly"}


def action_value(worlds, action):
    """The value of an action to the hiker in weighted worlds, against the worst answer."""
    return sum(share * solved(outcomes(world, action))[0] for share, world in worlds)


def in_the_world_of(species):
    return [(1.0, world) for _, world in deals(GAME) if world.record["species"] == species]


def test_two_bears_in_five_are_black():
    assert {SPECIES[int(world.record["species"])]: share for share, world in deals(GAME)} == {
        "black": 0.4,
        "grizzly": 0.6,
    }


def test_to_intimidate_is_worth_more_than_to_climb():
    assert action_value(deals(GAME), rules.INTIMIDATE) == pytest.approx(-0.32, abs=1e-12)
    assert action_value(deals(GAME), rules.CLIMB) == pytest.approx(-0.40, abs=1e-12)


def test_the_values_follow_from_the_view_alone():
    worlds = [(share, world) for world, share in imagined(GAME.start(0).hide(rules.HIKER)).items()]
    values = {action: action_value(worlds, action) for action in GAME.start(0).legal()}
    assert values == pytest.approx({rules.INTIMIDATE: -0.32, rules.CLIMB: -0.40}, abs=1e-12)


@pytest.mark.parametrize(
    ("species", "intimidate", "climb"), [(rules.BLACK, -0.2, -1.0), (rules.GRIZZLY, -0.4, 0.0)]
)
def test_a_hiker_who_knows_the_species_intimidates_a_black_bear_and_climbs_from_a_grizzly(
    species, intimidate, climb
):
    worlds = in_the_world_of(species)
    assert action_value(worlds, rules.INTIMIDATE) == pytest.approx(intimidate, abs=1e-12)
    assert action_value(worlds, rules.CLIMB) == pytest.approx(climb, abs=1e-12)


def test_hindsight_promises_more_than_any_action_can_keep():
    assert solved(deals(GAME))[0] == pytest.approx(0.4 * -0.2 + 0.6 * 0.0, abs=1e-12)


def test_imagine_is_the_exact_posterior():
    assert_imagines_the_posterior(GAME)


@pytest.mark.parametrize("species", SPECIES)
def test_only_a_black_bear_can_attack_a_hiker_who_has_climbed(species):
    ((_, world),) = in_the_world_of(species)
    for _, after in outcomes(world, rules.CLIMB):
        reached = not after.record["succeeded"] or species == rules.BLACK
        assert after.legal() == ([rules.ATTACK, rules.LEAVE] if reached else [rules.LEAVE])


@pytest.mark.parametrize("species", SPECIES)
def test_an_intimidated_bear_can_only_leave(species):
    ((_, world),) = in_the_world_of(species)
    for _, after in outcomes(world, rules.INTIMIDATE):
        assert after.legal() == (
            [rules.LEAVE] if after.record["succeeded"] else [rules.ATTACK, rules.LEAVE]
        )


def test_the_bear_knows_its_species_and_the_hiker_sees_it_in_the_end():
    world = GAME.start(0)
    assert world.hide(rules.HIKER).record["species"] == rules.UNKNOWN
    assert world.hide(rules.BEAR).record["species"] == world.record["species"]
    world.apply(rules.CLIMB)
    assert world.hide(rules.HIKER).record["species"] == rules.UNKNOWN
    world.apply(rules.LEAVE)
    assert world.hide(rules.HIKER).record["species"] == world.record["species"]
    assert world.scores == [1.0, -1.0]
