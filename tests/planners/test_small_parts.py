"""Small parts of planners, each against its definition, on games that take no time."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.compile import interpreted
from plyglass.games.tiger.rules import LISTEN
from plyglass.planners import PLANNERS
from plyglass.planners.determinized_uct.histories import expectimax
from plyglass.planners.whole_turns.minimax import _sort_results
from plyglass.search.information_sets.nodes import find_child
from plyglass.search.mcts.tree import ROOT, Node
from plyglass.search.turn_results.workspace import Level, Look, Place, TurnEnumeration
from plyglass.search.turn_tree.workspace import TurnTree
from tests.planners.dare import Dare
from tests.planners.foreseen_grove import ForeseenGrove
from tests.planners.grove import Grove, after, random_grove
from tests.planners.naive_lookahead import by_score, root_values
from tests.planners.searches import begin, decide

ALL = 10**9


@pytest.mark.parametrize("planner", PLANNERS.values(), ids=list(PLANNERS))
def test_planners_with_equal_parameters_are_one_value(planner):
    assert len({planner(), planner()}) == 1


def test_uct_explores_as_much_as_it_is_known_for():
    assert pg.UCT() == pg.UCT(exploration=0.7)


def test_the_tree_is_kept_when_the_match_enters_it():
    game = pg.games.TicTacToe()
    search, world = begin(game, pg.UCT()), game.start(1)
    search.run(pg.Budget(iterations=60))
    for player, action in search.decision().line[:2]:
        world.apply(action)
        search.observe(action if player == 0 else None, world.hide(0))
    kept = search.decision()
    assert kept.iterations == 0 < sum(kept.visits) < 60
    assert kept.actions == tuple(world.legal())


def test_epimc_is_over_once_every_world_is_known():
    """Who is dared knows the world by their own bit, so nothing more can be postponed."""
    game = Dare("theirs")
    two, more = (
        decide(game, pg.EPIMC(worlds=2, postponed=postponed, horizon="end"), ALL, belief=pg.Exact())
        for postponed in (2, 5)
    )
    assert (two.values, two.iterations) == (more.values, more.iterations)


@pytest.mark.parametrize(("opening", "plies"), [(0, [1, 1, 1]), (1, [2, 1, 1]), (2, [2, 2, 1])])
def test_the_first_turns_are_the_opening(opening, plies):
    search = begin(random_grove(1), pg.OnePlyMCTS(opening=opening))
    assert [search.plies(turn) for turn in (1, 2, 3)] == plies


def test_in_the_opening_a_turn_is_searched_with_ones_next_turn():
    """The other player has one action, so the best of both turns can be had for certain."""
    for seed in range(3):
        game = random_grove(seed, movers=(0, 1, 0, 1), width=(3, 1, 3, 1))
        found = decide(game, pg.OnePlyMCTS(opening=1), 150)
        exact = root_values(game.start(1), 3, by_score)
        assert found.values == pytest.approx(exact)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_results_are_sorted_the_most_promising_first(sign, count):
    """Equal ones stay in the order in which they were found; a narrow search keeps the first."""
    values = np.random.default_rng(count).integers(0, 4, count).astype(float)
    look, here = np.zeros(1, Look).view(np.recarray), np.zeros(1, Level).view(np.recarray)
    places = np.zeros(count + 1, Place).view(np.recarray)
    look[0].room, look[0].width, here[0].count, here[0].sign = count, 3, count, sign
    places.order[:count], places.value[:count] = np.arange(count), values
    _sort_results(look[0], here[0], places)
    expected = sorted(range(count), key=lambda place: (-sign * values[place], place))
    assert places.order[:count].tolist() == expected
    assert here[0].count == min(count, 3)


def test_a_narrow_search_of_turns_keeps_the_best_by_the_evaluator():
    """Only the two most promising turns are looked beyond."""
    for seed in range(3):
        game = random_grove(seed, movers=(0, 1, 0), width=4)
        here, beyond = (root_values(game.start(1), depth, by_score) for depth in (1, 2))
        promising = sorted(range(4), key=lambda action: -here[action])[:2]
        found = decide(game, pg.WholeTurns(depth=2, width=2), ALL)
        assert max(found.values[action] for action in promising) == pytest.approx(
            max(beyond[action] for action in promising)
        )
        assert found.action in promising


def test_a_turn_with_too_many_chance_actions_is_refused():
    """Four are always possible; seven are more than the levels of a search allow."""
    for actions, is_refused in ((4, False), (7, True)):
        movers, width = (*[0] * actions, 1), (2, *[1] * actions)
        game = random_grove(1, movers=movers, width=width, lucky=range(actions), outcomes=2)
        if is_refused:
            with pytest.raises(RuntimeError, match="chance"):
                decide(game, pg.WholeTurns(depth=1), ALL)
        else:
            found = decide(game, pg.WholeTurns(depth=1), ALL)
            exact = root_values(game.start(1), actions, by_score)
            assert max(found.values) == pytest.approx(max(exact))


def test_an_answer_to_one_outcome_is_tried_in_the_others():
    """It refutes an action as soon as one outcome is searched (Star2)."""
    how, worth = {"width": 3, "outcomes": 4}, np.zeros(4096)
    for action, answer, drawn in np.ndindex(2, 3, 4):
        there = after(after(0, action, **how), 0, drawn=drawn, **how)
        worth[after(there, answer, **how)] = 0.5 if action == 0 else (0.9, -0.9, 0.9)[answer]
    game = Grove(worth, movers=(0, 1, 1, 0), width=(2, 1, 3, 1), lucky=(1,), outcomes=4)
    assert decide(game, pg.WholeTurns(depth=2), ALL).values == pytest.approx((0.5, -0.9))


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig:goal=6"])
def test_a_full_tree_of_histories_stays_within_its_room(name):
    for most in range(12, 22):
        search = begin(pg.game_from(name), pg.DeterminizedUCT(most_nodes=most, histories=4))
        search.run(pg.Budget(iterations=12))
        assert search.tree.used <= len(search.tree.nodes) == most
        assert sum(search.decision().visits) == 12


def test_an_outcome_without_room_is_judged_with_its_action():
    game = random_grove(1, movers=(0, 1), width=2, lucky=(0, 1), outcomes=6)
    for most in range(8, 14):
        search = begin(game, pg.DeterminizedUCT(most_nodes=most, histories=40))
        search.run(pg.Budget(iterations=40))
        assert search.tree.nodes[ROOT].visits == sum(search.decision().visits) == 40


@pytest.mark.parametrize(("visits", "worth"), [((2, 1), 0.9), ((3, 0), 0.5)])
def test_a_node_is_worth_its_best_plan_once_all_its_actions_were_tried(visits, worth):
    """Until then it is worth its mean. Both are worth to the player who moves there."""
    nodes = np.zeros(3, Node).view(np.recarray)
    nodes[0].visits, nodes[0].total, nodes[0].first, nodes[0].count = 3, 1.5, 1, 2
    for child, (count, value) in enumerate(zip(visits, (0.3, 0.9), strict=True), start=1):
        nodes[child].visits, nodes[child].total = count, count * value
    found = np.zeros(3)
    interpreted(expectimax)(nodes, 3, found, False, 1.0)
    assert found[0] == pytest.approx(worth)


def test_a_child_is_found_by_its_action():
    nodes = np.zeros(4, Node).view(np.recarray)
    nodes[0].first, nodes[0].count = 1, 3
    nodes.action[1:] = 7, 5, 2
    assert [interpreted(find_child)(nodes, 0, action) for action in (7, 5, 2, 4)] == [1, 2, 3, -1]


def test_particles_that_heard_the_same_are_those_of_the_next_decision():
    game = pg.games.Tiger(steps=4)
    search, world = begin(game, pg.POMCP(particles=40)), game.start(1)
    assert search.health().worlds == 40
    search.run(pg.Budget(iterations=60))
    world.apply(LISTEN)
    search.observe(LISTEN, world.hide(0))
    assert search.health().refilled == 0
    assert 0 < search.health().worlds < 60


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_iterations_are_the_positions_that_were_reached(depth):
    game = random_grove(1, width=2)
    planner = pg.Expectiminimax(depth=depth, deepening=False, pruning="none", memory=0)
    assert decide(game, planner, ALL).iterations == sum(2**ply for ply in range(1, depth + 1))


@pytest.mark.parametrize(
    "planner",
    [
        pg.DeterminizedUCT(histories=4),
        pg.POMCP(),
        pg.BSMCTS(),
        pg.MOISMCTS(),
        pg.UCT(),
        pg.PIMC(worlds=3),
    ],
    ids=lambda each: each.name,
)
def test_a_budget_in_parts_grows_the_same_tree(planner):
    game = (
        pg.game_from("kuhn-poker") if planner.name != "determinized-uct" else pg.games.TicTacToe()
    )
    whole, parts = decide(game, planner, 60), begin(game, planner)
    for count in (1, 2, 57):
        parts.run(pg.Budget(iterations=count))
    assert parts.decision() == whole
    single = begin(game, planner)
    for _ in range(60):
        single.run(pg.Budget(iterations=1))
    assert single.decision() == whole


@pytest.mark.parametrize("seed", range(2))
def test_a_tournament_goes_on_with_the_plans_that_begin_as_the_turn_did(seed):
    game = random_grove(seed, movers=(0, 0, 1), width=3)
    search, world = begin(game, pg.PlanTournament(plans=9, turns=1, worlds=2)), game.start(1)
    search.run(pg.Budget(iterations=9 * 2))  # every plan in two worlds: none has dropped out
    first, plans = search.decision().action, [list(plan) for plan in search._candidates]
    world.apply(first)
    search.observe(first, world.hide(0))
    left = [search._candidates[number] for number in search._left]
    assert left == [plan[1:] for plan in plans if plan[0][0] == first]
    assert len(left) == 3
    search.run(pg.Budget(iterations=ALL))
    answers = root_values(world, 2, by_score)
    assert search.decision().action == answers.index(max(answers))
    assert search.decision().iterations > 0


@pytest.mark.parametrize("seed", range(3))
def test_the_last_turn_of_a_tournament_is_the_best_answer(seed):
    """Where chance is foreseen, this turn is judged before the chance that ends it."""
    game = ForeseenGrove(seed, movers=(0, 1, 0), width=3)
    found = decide(game, pg.PlanTournament(plans=3, turns=1, worlds=1), ALL)
    exact = root_values(game.start(1), 2, by_score)
    assert max(each for each in found.values if each is not None) == pytest.approx(max(exact))


def test_others_gamble_within_their_turn_if_it_gains():
    """What they gain, the first player loses."""
    game = ForeseenGrove(2, movers=(0, 1, 1, 1, 0), width=2, lucky=(1, 2), outcomes=2)
    plain, gambling = (
        decide(game, pg.PlanTournament(plans=2, turns=2, worlds=1, turn=turn), ALL)
        for turn in (TurnEnumeration(), TurnEnumeration(draws=4))
    )
    assert gambling.values[1] < plain.values[1]
    assert gambling.action != plain.action


def test_actions_with_a_postponed_part_come_first_in_their_order():
    search = begin(random_grove(1, movers=(0, 0, 0, 1), width=3), pg.WholeTurns(depth=1))
    places = search._places
    for place, action in enumerate((2, 0, 1), start=1):
        places[place]["parent"], places[place]["action"] = place - 1, action
        places[place]["postponed"] = 1
    assert [action for action, _ in search._path(3)] == [2, 0, 1]


def test_a_plan_of_two_actions_is_carried_out_without_another_search():
    game = random_grove(2, movers=(0, 0, 1), width=3)
    search, world = begin(game, pg.WholeTurns(depth=1)), game.start(1)
    search.run(pg.Budget(iterations=ALL))
    first = search.decision()
    world.apply(first.action)
    search.observe(first.action, world.hide(0))
    search.run(pg.Budget(iterations=ALL))
    second = search.decision()
    assert (second.iterations, second.line) == (0, first.line[1:])
    assert len(first.line) == 2


@pytest.mark.parametrize("seed", range(4))
def test_a_beam_of_one_is_greedy(seed):
    """It keeps the best position after each action. A beam of all positions finds the best turn."""
    game = random_grove(seed, movers=(0, 0, 1), width=3)
    here, turns = (root_values(game.start(1), depth, by_score) for depth in (1, 2))
    greedy, full = (
        decide(game, pg.WholeTurns(depth=1, turn=TurnEnumeration(beam=beam)), ALL)
        for beam in (1, 3)
    )
    best = here.index(max(here))
    assert (greedy.action, greedy.values[best]) == (best, pytest.approx(turns[best]))
    assert [value for value in greedy.values if value is not None] == [greedy.values[best]]
    assert full.values == pytest.approx(turns)


def test_orders_of_actions_that_lead_to_one_position_share_a_node():
    """The order of three actions does not matter here; without merging every order has nodes."""
    game, sizes = random_grove(1, movers=(0, 0, 0, 1), width=2, merges=True), []
    for transpositions in (True, False):
        search = begin(game, pg.OnePlyMCTS(tree=TurnTree(transpositions=transpositions)))
        search.run(pg.Budget(iterations=60))
        sizes.append(search.turn._tree.used)
        exact = root_values(game.start(1), 3, by_score)
        assert search.decision().values == pytest.approx(exact)
    assert sizes[0] < sizes[1]


def test_a_look_that_was_given_up_leaves_nothing_behind():
    game = random_grove(3, movers=(0, 1, 0), width=2, lucky=(0, 1, 2), outcomes=2)
    world = game.start(1)
    exact = root_values(world, 3, by_score)
    for iterations in (2, 3, 6, 9, 13, 20):
        search = begin(game, pg.Expectiminimax(deepening=False), position=world)
        search.run(pg.Budget(iterations=iterations))
        search.observe(None, world.hide(0))
        search.run(pg.Budget(iterations=ALL))
        assert search.decision().values == pytest.approx(exact)


def test_ranking_completed_turns_finds_what_an_action_prepares():
    """A beam of one ranks each first action by the best second one, so it finds the best turn."""
    differs = 0
    for seed in range(6):
        game = random_grove(seed, movers=(0, 0, 1), width=3)
        here, turns = (root_values(game.start(1), depth, by_score) for depth in (1, 2))
        turn = TurnEnumeration(beam=1, ranked="completed")
        found = decide(game, pg.WholeTurns(depth=1, turn=turn), ALL)
        assert max(each for each in found.values if each is not None) == pytest.approx(max(turns))
        assert found.action == turns.index(max(turns))
        differs += here.index(max(here)) != found.action
    assert differs > 0


def test_a_turn_that_wins_needs_no_further_search():
    worth = np.zeros(1 + 3 + 9 + 27)
    worth[after(after(0, 2, width=3, outcomes=1), 1, width=3, outcomes=1)] = 1.0
    game = Grove(worth, movers=(0, 0, 1), width=3)
    usual, aimed = (
        decide(game, pg.WholeTurns(depth=2, turn=TurnEnumeration(aim=aim)), ALL)
        for aim in ("", "score")
    )
    assert aimed.line == ((0, 2), (0, 1))
    assert aimed.values[2] == 1.0
    assert aimed.iterations < usual.iterations


def test_a_turn_without_room_is_the_best_of_what_was_found():
    game = random_grove(1, movers=(0, 0, 0, 1), width=3)
    for room in (2, 4, 8):
        found = decide(game, pg.WholeTurns(depth=1, turn=TurnEnumeration(room=room)), ALL)
        assert (found.action, found.iterations) == (0, room - 1)


def test_a_turn_whose_plans_were_all_tried_is_not_tried_again():
    """Each of three first actions is tried once alone, and once with each second action."""
    game = random_grove(2, movers=(0, 0, 1), width=3)
    found = decide(game, pg.OnePlyMCTS(), 100)
    assert (found.visits, found.evaluated) == ((4, 4, 4), 12)


def test_a_search_asks_whether_there_is_time_for_all_nodes_of_its_next_iterations(monkeypatch):
    """Each iteration can add a node for every action, one for chance and one for the leaf."""
    game, asked = pg.games.TicTacToe(), []
    search = begin(game, pg.DeterminizedUCT())
    monkeypatch.setattr(search.tree, "growth_seconds", lambda nodes: asked.append(nodes) or 0.0)
    search.run(pg.Budget(iterations=12), cancelled=lambda: False)
    assert asked
    assert all(nodes % (game.most_actions + 2) == 0 for nodes in asked)
