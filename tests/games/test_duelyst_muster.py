"""Values of all units at once equal those of single units, and so do the cells in their reach."""

import numpy as np
import pytest

from plyglass.core.compile import interpreted
from plyglass.games.duelyst import state
from plyglass.games.duelyst.cards.vocabulary import FLYING, IMMOBILE, PROVOKE, RANGED, STRUCTURE
from plyglass.games.duelyst.engine import units
from plyglass.games.duelyst.engine.board import WIDTH
from plyglass.games.duelyst.evaluate import features
from plyglass.games.duelyst.view import Position
from tests.games.duelyst_positions import position, start


def mustered(world):
    """Attack, health and keywords of all units, and the cells that each could attack."""
    seen = Position(world.record, world.game.constants_record[0])
    found = [np.zeros(state.MOST_UNITS + 1, np.int64) for _ in range(4)]
    interpreted(features.muster)(seen.r, seen.s, *found[:3])
    interpreted(features.threaten)(seen.r, seen.s, found[2], found[3])
    return seen, found


def agrees(world):
    """Check the values against single units; returns how many units have something lent to them."""
    (seen, found), record = mustered(world), world.record
    numbers, lent = range(1, int(record["units"]) + 1), 0
    for unit in numbers:
        one_by_one = [
            int(interpreted(each)(seen.r, seen.s, unit))
            for each in (units.attack_of, units.health_of, units.keywords_of)
        ]
        assert [int(each[unit]) for each in found[:3]] == one_by_one
        lent += (
            int(record["attack"][unit]) != one_by_one[0]
            or int(record["keywords"][unit]) != one_by_one[2]
        )
        for enemy in numbers:
            if record["owner"][unit] != record["owner"][enemy]:
                assert int(found[3][unit]) >> int(record["cell"][enemy]) & 1 == could_strike(
                    record, found[2], unit, enemy
                )
    return lent


def could_strike(record, keywords, unit, enemy):
    def away(one, other):
        here, there = int(record["cell"][one]), int(record["cell"][other])
        return abs(here % WIDTH - there % WIDTH), abs(here // WIDTH - there // WIDTH)

    if record["stunned"][unit] or keywords[unit] & STRUCTURE:
        return False
    numbers = range(1, int(record["units"]) + 1)
    near = [
        each
        for each in numbers
        if record["owner"][each] != record["owner"][unit] and max(away(unit, each)) <= 1
    ]
    if provokers := [each for each in near if keywords[each] & PROVOKE]:
        return enemy in provokers
    steps = sum(max(0, each - 1) for each in away(unit, enemy))
    return bool(keywords[unit] & (RANGED | FLYING)) or steps <= (
        0 if keywords[unit] & IMMOBILE else 2
    )


@pytest.mark.parametrize(
    "decks",
    [
        "lyonar+songhai",
        "vetruvian+abyssian",
        "magmar+vanar",
        "lyonar#1+vetruvian#3",
        "abyssian#2+songhai#2",
    ],
)
def test_all_units_at_once_are_what_they_are_one_by_one(decks):
    lent = 0
    for seed in range(3):
        world, chance = start(decks, seed), np.random.default_rng(seed)
        for step in range(150):
            if not world.over:
                world.apply(int(chance.choice(world.legal())))
                lent += agrees(world) if step % 5 == 0 else 0
    assert lent > 10


def test_what_always_acts_is_lent_to_others_and_by_artifacts():
    lenders = position(
        "elyx_stormblade@b3 first_sword_of_akrane@c3",
        "windblade_adept@h3 frosthorn_rhyno@g3",
        artifacts="sunstone_bracers",
    )
    assert agrees(lenders) >= 3
