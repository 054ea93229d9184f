"""Exact limits: with every world and outcome and enough depth, planners match reference values."""

import math

import pytest

import plyglass as pg
from plyglass.arena.audit.exploitability import exploitability_of, policy_of, whole_game
from plyglass.beliefs import Exact
from plyglass.core.compile import JIT
from plyglass.core.tape import deals

ALL = pg.Budget(iterations=1_000_000_000)
KUHN, LEDUC = pg.games.KuhnPoker(), pg.games.LeducPoker()

# The values of pass and bet, by card (jack, queen, king) and the actions so far (p for pass, b for
# bet).
KUHN_PIMC = {
    "0": (-1, -2), "1": (0, -0.5), "2": (1, 1), "0pb": (-1, -2), "1pb": (-1, 0), "2pb": (-1, 2),
    "0p": (-1, -2), "1p": (0, -0.5), "2p": (1, 1), "0b": (-1, -2), "1b": (-1, 0), "2b": (-1, 2),
}  # fmt: skip

# Exploitability and what is won against uniform play, by how ties are broken.
LEDUC_PIMC = {"uniform": (0.5, 0.993403), "first": (0.433333, 0.708333), "last": (0.6, 1.223611)}
LEDUC_HINDSIGHT = {"uniform": (0.6, 0.745833), "first": (0.6, 0.516667), "last": (0.6, 0.933333)}


def pimc(ties):
    return pg.Agent(pg.PIMC(inner=pg.Expectiminimax(deepening=False, ties=ties)), Exact(), ALL)


def hindsight(ties):
    return pg.Agent(pg.Hindsight(horizon="end", futures="all", ties=ties), Exact(), ALL)


def with_ties(policy, ties):
    """A policy that is uniform over the best actions, with another rule for ties."""
    if ties == "uniform":
        return policy
    place = {"first": 0, "last": -1}[ties]
    best = {
        number: [index for index, share in enumerate(shares) if share][place]
        for number, shares in policy.items()
    }
    return {
        number: [float(index == best[number]) for index in range(len(shares))]
        for number, shares in policy.items()
    }


def measured(whole, policy):
    """Returns (exploitability, mean win against uniform play from both seats)."""
    uniform = whole.uniform()
    won = whole.expected_scores([policy, uniform])[0] + whole.expected_scores([uniform, policy])[1]
    return exploitability_of(whole, policy), won / 2


def kuhn_name(view):
    record = view.record
    return str(record["card"][view.viewer]) + "".join(
        "pb"[action] for action in record["history"][: record["length"]]
    )


def test_pimc_values_in_kuhn_poker():
    found = {}
    for known in whole_game(KUHN).sets:
        seat = pimc("first").take_seat(KUHN, known.seat, 1)
        for own_action, view in known.seen:
            seat.observe(own_action, view)
        found[kuhn_name(known.seen[-1][1])] = seat.decide().values
    assert found.keys() == KUHN_PIMC.keys()
    for name, values in KUHN_PIMC.items():
        assert found[name] == pytest.approx(values, abs=1e-12)


@pytest.mark.parametrize("ties", ["uniform", "first", "last"])
def test_pimc_loses_a_sixth_in_kuhn_poker_whatever_the_tie_rule(ties):
    reading = "values" if ties == "uniform" else "action"
    assert pg.exploitability(pimc(ties), KUHN, policy=reading) == pytest.approx(1 / 6, abs=1e-12)


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize(("make", "expected"), [(pimc, LEDUC_PIMC), (hindsight, LEDUC_HINDSIGHT)])
def test_leduc_poker(make, expected):
    whole = whole_game(LEDUC)
    policy = policy_of(make("first"), whole, policy="values")
    for ties, values in expected.items():
        assert measured(whole, with_ties(policy, ties)) == pytest.approx(values, abs=1e-6)


def value_at_start(game, planner):
    """The first player's expected score over all deals; everybody sees everything."""
    total = 0.0
    for chance, world in deals(game):
        seat = pg.Agent(planner, budget=ALL).take_seat(game, 0, 1)
        seat.observe(None, world.hide(0))
        total += chance * max(seat.decide().values)
    return total


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize(("goal", "chance"), [(5, 0.797048), (10, 0.709424), (20, 0.615559)])
def test_pig_to_its_end(goal, chance):
    # Draws by the limit on turns are rarer than the tolerance.
    planner = pg.Expectiminimax(deepening=False, memory=1 << 22)
    assert (value_at_start(pg.games.Pig(goal=goal, turns=100), planner) + 1) / 2 == pytest.approx(
        chance, abs=1e-6
    )


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize(("goal", "chance"), [(5, 0.797048), (10, 0.709424)])
def test_pig_is_known_better_the_deeper_it_is_searched(goal, chance):
    errors = []
    for depth in (2, 4, 8, 60):
        planner = pg.Expectiminimax(depth=depth, deepening=False, memory=1 << 20)
        errors.append(abs((value_at_start(pg.games.Pig(goal=goal), planner) + 1) / 2 - chance))
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-6


SOLVED = [
    ("skirmish:size=3,units=1,health=2,turns=6", 5 / 9),
    ("skirmish:size=3,units=2,health=1,turns=4", 4 / 9),
    ("skirmish:size=3,units=2,health=2,turns=3", 4 / 9),
    ("skirmish:size=3,units=3,health=1,turns=2", 50 / 81),
    ("skirmish:size=4,units=1,health=2,turns=8", 0.0),
    ("duel:kinds=2,copies=1,health=3,hand=0,mana=1,board=1,open_hands=true", 1.0),
    ("duel:kinds=3,copies=1,health=4,hand=1,mana=2,board=2,open_hands=true", 1 / 3),
    ("duel:kinds=2,copies=2,health=4,hand=1,mana=2,board=2,open_hands=true", 0.0),
    ("duel:kinds=4,copies=1,health=3,hand=0,mana=2,board=1,open_hands=true", 1 / 36),
]


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize("pruning", ["none", "alpha-beta", "star1"])
@pytest.mark.parametrize(("name", "value"), SOLVED)
def test_solved_games_have_their_value(name, value, pruning):
    planner = pg.Expectiminimax(deepening=False, memory=1 << 18, pruning=pruning)
    assert value_at_start(pg.game_from(name), planner) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("game", [KUHN, LEDUC])
def test_uniform_play_is_as_exploitable_as_openspiel_says(game):
    expected = {"kuhn-poker": 0.458333, "leduc-poker": 2.373611}[game.name]
    if game is LEDUC and not JIT:
        pytest.skip("too long for interpreted code")
    whole = whole_game(game)
    assert exploitability_of(whole, whole.uniform()) == pytest.approx(expected, abs=1e-6)
    assert math.isclose(sum(whole.expected_scores([whole.uniform()] * 2)), 0.0, abs_tol=1e-12)
