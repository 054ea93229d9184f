"""Our games in OpenSpiel: chance nodes by the tape, information states, and whole games."""

import copy
import pickle

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

import plyglass as pg
from plyglass.interop.efg import efg, load_efg
from plyglass.interop.spiel_out import register
from tests.sizes import sized

SMALL = {
    "bear": pg.games.Bear, "connect-four": pg.games.ConnectFour, "dark-hex": pg.games.DarkHex,
    "duel": pg.games.Duel, "kuhn-poker": pg.games.KuhnPoker, "leduc-poker": pg.games.LeducPoker,
    "phantom-tic-tac-toe": pg.games.PhantomTicTacToe, "rocksample": pg.games.RockSample,
    "skirmish": pg.games.Skirmish, "tic-tac-toe": pg.games.TicTacToe, "tiger": pg.games.Tiger,
}  # fmt: skip
# Variants that are short, because each step is played again for each draw.
SHORTER = {
    "battleship": "battleship:size=4,longest=3",
    "duelyst": "duelyst:turns=3",
    "navy": "navy:size=4,cargo=1,most=1,steps=6",
    "pandemic": "pandemic:players=2",
    "pig": "pig:goal=20",
    "trading-cards": "trading-cards:turns=6",
    "tubstap": "tubstap:map=sandbox,turns=4",
}


@pytest.mark.parametrize("name", pg.games.names())
def test_openspiels_simulation_test_finds_nothing_wrong(name):
    game = SMALL[name]() if name in SMALL else pg.game_from(SHORTER[name])
    spiel = register(game, f"plyglass_test_{name.replace('-', '_')}")
    pyspiel.random_sim_test(spiel, num_sims=sized(1, 10), serialize=True, verbose=False)


def test_the_uniform_policy_of_kuhn_is_exploited_as_known():
    game = register(pg.games.KuhnPoker())
    uniform = policy.UniformRandomPolicy(game)
    assert exploitability.exploitability(game, uniform) == pytest.approx(0.458333, abs=1e-6)


@pytest.mark.nightly
def test_the_uniform_policy_of_leduc_is_exploited_as_known():
    game = register(pg.games.LeducPoker())
    tabular = policy.TabularPolicy(game)
    assert len(tabular.state_lookup) == 936
    assert exploitability.exploitability(game, tabular) == pytest.approx(2.373611, abs=1e-6)


def test_whole_games_of_kuhn_and_leduc_have_the_known_values():
    kuhn, leduc = load_efg(pg.games.KuhnPoker()), load_efg(pg.games.LeducPoker())
    for game, known in ((kuhn, 0.458333), (leduc, 2.373611)):
        uniform = pyspiel.UniformRandomPolicy(game)
        assert pyspiel.exploitability(game, uniform) == pytest.approx(known, abs=1e-6)
    solver = pyspiel.CFRPlusSolver(kuhn)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert pyspiel.exploitability(kuhn, average) < 1e-3
    values = pyspiel.expected_returns(kuhn.new_initial_state(), average, -1, False)
    assert values[0] == pytest.approx(-1 / 18, abs=1e-3)


@pytest.mark.nightly
def test_cfr_plus_solves_the_whole_game_of_leduc():
    leduc = load_efg(pg.games.LeducPoker())
    solver = pyspiel.CFRPlusSolver(leduc)
    for _ in range(2000):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert pyspiel.exploitability(leduc, average) < 1e-3
    values = pyspiel.expected_returns(leduc.new_initial_state(), average, -1, False)
    assert values[0] == pytest.approx(-0.085606, abs=1e-3)


def test_a_game_too_large_for_a_file_is_refused():
    with pytest.raises(ValueError, match="can be enumerated; choose smaller parameters"):
        efg(pg.games.ConnectFour())


def test_chance_nodes_have_the_probabilities_of_the_game():
    """The distribution after the deal equals that of `pg.deals`."""
    game = register(pg.games.LeducPoker())
    found, stack = {}, [(1.0, game.new_initial_state())]
    while stack:
        chance, state = stack.pop()
        if state.is_chance_node():
            for action, probability in state.chance_outcomes():
                stack.append((chance * probability, state.child(action)))
        else:
            key = state.world
            found[key] = found.get(key, 0.0) + chance
    expected = {}
    for chance, world in pg.deals(pg.games.LeducPoker()):
        expected[world] = expected.get(world, 0.0) + chance
    assert found.keys() == expected.keys()
    assert all(found[world] == pytest.approx(expected[world]) for world in expected)


def test_an_information_state_tells_nothing_of_the_others_cards():
    game = register(pg.games.KuhnPoker())
    names = {}
    for chance in np.ndindex(3, 2):
        state = game.new_initial_state()
        for digit in chance:
            state.apply_action(digit)
        card = int(state.world.record["card"][0])
        names.setdefault(card, set()).add(state.information_state_string(0))
    assert all(len(each) == 1 for each in names.values()) and len(names) == 3


def test_copies_and_pickles_of_states_are_independent():
    state = register(pg.games.ConnectFour()).new_initial_state()
    state.apply_action(3)
    for other in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        other.apply_action(3)
        assert len(state.legal_actions()) == 7 and state.world != other.world
        assert state.world.game is other.world.game
    assert state.history() == [3]


def test_one_name_is_for_one_variant():
    register(pg.games.Pig(goal=10), "plyglass_small_pig")
    assert register(pg.games.Pig(goal=10), "plyglass_small_pig").num_players() == 2
    with pytest.raises(ValueError, match="short_name"):
        register(pg.games.Pig(goal=12), "plyglass_small_pig")


def test_scores_that_sum_to_zero_are_noticed():
    general, zero = pyspiel.GameType.Utility.GENERAL_SUM, pyspiel.GameType.Utility.ZERO_SUM
    assert register(pg.games.KuhnPoker()).get_type().utility == zero
    assert register(pg.games.Tiger(steps=3), "plyglass_tiger_3").get_type().utility == general
