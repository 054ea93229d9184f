"""The evaluators of Duelyst equal a second implementation of McKenney 2023a."""

import math

import numpy as np
import pytest

from plyglass.core.compile import JIT
from plyglass.games.duelyst import state
from plyglass.games.duelyst.cards.catalog import cards
from plyglass.games.duelyst.view import Position
from tests.games.duelyst_positions import act, changed, position, start


def value(world, name, player=0):
    return world.game.verbs.evaluate(
        world.game.table, world.address, player, world.game.evaluator(name)
    )


def naive(world, player, places):
    """The paper's evaluator, written for clarity."""
    record = world.record
    seen = Position(record, world.game.constants_record[0])
    units = range(1, int(record["units"]) + 1)
    springs = [divmod(int(cell), 9) for cell in np.flatnonzero(record["tile"] == state.SPRING)]
    total = 0.0
    for unit in units:
        card, attack, health = (
            cards()[int(record["card"][unit])],
            seen.attack(unit),
            seen.health(unit),
        )
        if card.type == "general":
            worth = attack + 3 * health
        elif any(ability["on"] == "gambit" for ability in card.abilities):
            worth = attack + health
        else:
            worth = attack + health + math.floor(card.mana**1.4 + 4) - (card.attack + card.health)
        if places:
            y, x = divmod(int(record["cell"][unit]), 9)
            worth -= min((abs(y - a) + abs(x - b) for a, b in springs), default=0)
            for other in units:
                b, a = divmod(int(record["cell"][other]), 9)
                if (
                    record["owner"][other] != record["owner"][unit]
                    and max(abs(x - a), abs(y - b)) <= 2
                ):
                    killed = attack >= seen.health(other)
                    general = cards()[int(record["card"][other])].type == "general"
                    worth += (100 if killed else attack) if general else killed
        total += worth if record["owner"][unit] == player else -worth
    return total


@pytest.mark.parametrize("decks", ["lyonar+abyssian", "songhai+vanar", "magmar+vetruvian"])
def test_evaluators_are_those_of_the_paper(decks):
    choice = np.random.default_rng(3)
    for seed in range(2 if JIT else 1):
        world = start(decks, seed, turns=16 if JIT else 6)
        while not world.over:
            assert value(world, "static") == -value(world, "static", 1) == naive(world, 0, True)
            assert value(world, "stats") == -value(world, "stats", 1) == naive(world, 0, False)
            actions = world.legal()
            world.apply(
                actions[
                    choice.integers(len(actions) - (len(actions) > 1 and choice.random() < 0.8))
                ]
            )


def test_a_minion_is_worth_its_stats_and_what_its_card_has_less_of_them_than_others():
    assert value(position("hailstone_golem@c3"), "stats") == 4 + 6 + math.floor(4**1.4 + 4) - 10
    assert value(position("saberspine_tiger@c3-1"), "stats") == 3 + 1 + math.floor(4**1.4 + 4) - 5
    assert value(position("gloomchaser@c3"), "stats") == 2 + 2  # an opening gambit is over


def test_who_is_close_and_could_kill_is_worth_more():
    apart = value(position("hailstone_golem@c3", "phalanxar@f3"), "static")
    assert (
        value(position("hailstone_golem@d3", "phalanxar@f3"), "static") == apart
    )  # each could kill the other
    assert value(position("stormmetal_golem@d3", "hailstone_golem@f3"), "static") == 1 + value(
        position("stormmetal_golem@c3", "hailstone_golem@f3"), "static"
    )
    assert value(position("hailstone_golem@g3"), "static") == 4 + value(
        position("hailstone_golem@e3"), "static"
    )
    assert value(position("hailstone_golem@g3", "general@i3-21"), "static") == 100 + value(
        position("hailstone_golem@e3", "general@i3-21"), "static"
    )


def test_springs_attract():
    near, far = (
        changed(
            position("hailstone_golem@c1"),
            tile=[state.SPRING * (cell == there) for cell in range(45)],
        )
        for there in (4, 5)
    )
    assert (
        value(far, "static") - value(near, "static") == -1 - 1 - 1
    )  # two friends are one step farther, the enemy is nearer


def test_a_victory_is_worth_the_health_of_the_winner():
    world = act(position("general@h3-5", "general@i3-23"), "attack h3 i3")
    assert value(world, "static") == value(world, "stats") == 10_000 * 18
    assert value(world, "static", 1) == -10_000 * 18
    drawn = act(position("general@h3-24", "general@i3-24"), "attack h3 i3")
    assert value(drawn, "static") == value(drawn, "static", 1) == 0.0
