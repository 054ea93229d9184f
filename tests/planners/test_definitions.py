"""What defines each algorithm, on games so small that the answer is known."""

import math

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.planners import ThreePlyMCTS
from plyglass.planners.bs_mcts import OpponentModel
from tests.planners.cups import PEEK, WAIT, Cups
from tests.planners.dare import DARE, PASS, Dare
from tests.planners.grove import Grove, after, random_grove
from tests.planners.naive_lookahead import by_score, root_values
from tests.planners.searches import begin, decide
from tests.planners.toss import CALL, TAKE, Toss

ALL = 10**9
ITERATIONS = 4000 if JIT else 400
SO, MOVER, MO = pg.SOISMCTS(), pg.SOISMCTS(key="mover"), pg.MOISMCTS()
RIS = pg.MOISMCTS(reimagine=True)


def values_by_action(decision):
    return dict(zip(decision.actions, decision.values, strict=True))


def nodes_of_the_opponent(game, planner):
    """How many information sets of the second player a search has found."""
    search = begin(game, planner)
    search.run(pg.Budget(iterations=ITERATIONS))
    nodes = search.tree.nodes[1 : search.tree.used]
    return int(((nodes["key"] != 0) & (nodes["player"] == 1)).sum())


# --- ISMCTS (Cowling, Powley and Whitehouse 2012) ---


@pytest.mark.parametrize(
    ("planner", "action", "low", "high"),
    [(SO, DARE, -0.25, 0.25), (MOVER, PASS, -1.0, -0.6), (MO, PASS, -1.0, -0.6)],
    ids=["observer", "mover", "observers"],
)
def test_only_with_a_tree_of_their_own_others_use_their_secret(planner, action, low, high):
    """The second player names their own bit. A single observer's tree lets them guess."""
    found = decide(Dare("theirs"), planner, ITERATIONS)
    assert found.action == action
    assert low <= values_by_action(found)[DARE] <= high
    assert max(found.visits) > 0.8 * sum(found.visits)


@pytest.mark.parametrize(
    ("planner", "forgets", "nodes"),
    [(SO, False, 1), (MOVER, False, 2), (MO, False, 2), (MOVER, True, 2), (MO, True, 1)],
)
def test_the_trees_of_others_begin_without_what_they_saw_before(planner, forgets, nodes):
    """What the second player saw before the root and sees no longer is not in their tree."""
    assert nodes_of_the_opponent(Dare("theirs", forgets=forgets), planner) == nodes


def test_at_the_root_of_mo_others_do_not_know_their_secrets():
    game = Dare("theirs", forgets=True)
    assert decide(game, MO, ITERATIONS).action == DARE
    assert decide(game, MOVER, ITERATIONS).action == PASS


def test_without_imagining_anew_others_find_out_the_root_players_secret():
    """The second player has to name the first one's bit, which is the same in all worlds."""
    for planner in (SO, MOVER, MO):
        found = decide(Dare("ours"), planner, ITERATIONS)
        assert found.action == PASS
        assert values_by_action(found)[DARE] < -0.6


# --- RIS (Goodman 2019) ---


def replies(planner, secret, seed):
    """The second player's share of naming 1, when the first player's bit is the secret."""
    game = Dare("ours")
    world = next(w for w in map(game.start, range(99)) if int(w.record["ours"]) == secret)
    search = begin(game, planner, position=world, seed=seed)
    search.run(pg.Budget(iterations=ITERATIONS))
    nodes = search.tree.nodes[1 : search.tree.used]
    named = nodes[(nodes["key"] == 0) & (nodes["player"] == 1)]
    visits = [int(named["visits"][named["action"] == bit].sum()) for bit in range(2)]
    return visits[1] / sum(visits)


def test_who_imagines_the_world_anew_can_only_guess_a_secret():
    """Guessing wins as often as it loses. So to dare is worth 0, and better than to pass."""
    seeds = range(40 if JIT else 12)
    found = [decide(Dare("ours"), RIS, ITERATIONS, seed=seed) for seed in seeds]
    assert [each.action for each in found].count(DARE) > 0.7 * len(found)
    assert np.mean([values_by_action(each)[DARE] for each in found]) == pytest.approx(0.0, abs=0.3)


def test_replies_do_not_depend_on_a_secret_that_others_cannot_see():
    """By counts: with RIS, each bit is named equally often, whatever the first player's bit is."""
    seeds = range(20 if JIT else 10)
    shares = {
        planner: [np.mean([replies(planner, bit, seed) for seed in seeds]) for bit in range(2)]
        for planner in (MO, RIS)
    }
    assert shares[RIS] == pytest.approx([0.5, 0.5], abs=0.05 if JIT else 0.15)
    assert shares[MO][0] < 0.2 and shares[MO][1] > 0.8


def test_with_ris_others_still_use_their_own_secret():
    found = decide(Dare("theirs"), RIS, ITERATIONS)
    assert found.action == PASS
    assert values_by_action(found)[DARE] < -0.6


@pytest.mark.parametrize(("planner", "value"), [(MO, 1.0), (RIS, 1.5)], ids=["mo", "ris"])
def test_a_bet_with_the_king_is_called_by_a_queen_that_does_not_see_it(planner, value):
    """Kuhn poker. A jack folds, which is worth 1. A queen calls by RIS, which is worth 2.

    A queen expects 0 from a call, because it beats a jack and loses to a king, and -1 from folding.
    """
    game, king, bet = pg.games.KuhnPoker(), 2, 1
    world = next(w for w in map(game.start, range(99)) if int(w.record["card"][0]) == king)
    found = decide(game, planner, (20 if JIT else 5) * ITERATIONS, position=world)
    assert values_by_action(found)[bet] == pytest.approx(value, abs=0.1 if JIT else 0.25)


@pytest.mark.parametrize(
    "planner", [SO, MOVER, MO, pg.BSMCTS(searches=1), pg.POMCP()], ids=lambda each: each.name
)
def test_a_search_of_information_sets_pays_to_know(planner):
    """In one information set the same action is played in all worlds; PIMC plays another in each.

    So only PIMC expects to guess right without a look.
    """
    found = decide(Cups(), planner, ITERATIONS)
    assert found.action == PEEK
    assert values_by_action(found)[WAIT] == pytest.approx(0.0, abs=4.0)
    known = decide(Cups(), pg.PIMC(worlds=20, inner=pg.Expectiminimax()), ALL)
    assert (known.action, known.values) == (WAIT, pytest.approx((10.0, 9.0)))


# --- BS-MCTS (Wang et al. 2015, 2018) ---


@pytest.mark.parametrize("predict", [0.0, 1.0, 3.0, -1.0])
def test_opponents_are_predicted_by_a_softmax_and_not_by_bounds(predict):
    """Naming 1 wins. By equation 6 they do so with a probability of 1 / (1 + e^-predict)."""
    model = OpponentModel(guess=0.0, predict=predict)
    found = decide(Dare("one"), pg.BSMCTS(exploration=3.0, opponent_model=model), ITERATIONS)
    expected = 1 - 2 / (1 + math.exp(-predict))
    assert values_by_action(found)[DARE] == pytest.approx(expected, abs=0.08 if JIT else 0.2)


def test_opponents_by_bounds_find_what_wins():
    model = OpponentModel(act="bound", guess=0.0)
    found = decide(Dare("one"), pg.BSMCTS(exploration=0.7, opponent_model=model), ITERATIONS)
    assert values_by_action(found)[DARE] < -0.8
    assert found.action == PASS


@pytest.mark.parametrize("guess", [0.0, 1.0, -2.0])
def test_worlds_that_are_good_for_opponents_are_guessed_to_be_likely(guess):
    """The second player's bit decides who wins. By equations 4 and 5 a world weighs e^(guess U)."""
    model = OpponentModel(guess=guess)
    found = decide(
        Dare(bets=True), pg.BSMCTS(searches=1, opponent_model=model), ITERATIONS, belief=pg.Fresh()
    )
    expected = (1 - math.exp(guess)) / (1 + math.exp(guess))
    assert found.values == pytest.approx([expected] * 2, abs=0.08 if JIT else 0.15)


# --- Hindsight (Chong, Givan and Chang 2000), PIMC, EPIMC (Arjonilla et al. 2024) ---


def test_hindsight_foresees_chance_and_pimc_averages_it():
    hindsight = decide(Toss(), pg.Hindsight(horizon="end"), ALL)
    assert (hindsight.action, hindsight.values) == (CALL, (0.5, 1.0))
    pimc = decide(Toss(), pg.PIMC(inner=pg.Expectiminimax()), ALL)
    assert (pimc.action, pimc.values) == (TAKE, (0.5, 0.0))


def test_epimc_calls_before_the_toss_in_all_worlds_alike():
    """Of 30 coins the better call is right for a few more than half; by hindsight for all."""
    found = decide(Toss(), pg.EPIMC(worlds=30, postponed=2, horizon="end"), ALL)
    known = decide(Toss(), pg.EPIMC(worlds=30, postponed=1, horizon="end"), ALL)
    assert (found.action, known.action) == (TAKE, CALL)
    assert 0.0 <= values_by_action(found)[CALL] < 0.5
    assert values_by_action(known)[CALL] == 1.0


# --- One ply and three plies (McKenney 2023a, 2023b) ---


def minimax(game, depth):
    return root_values(game.start(1), depth, by_score)


@pytest.mark.parametrize("seed", range(3))
def test_three_plies_are_ones_own_the_reply_and_ones_own_next(seed):
    """With every end looked beyond, values are those of minimax to the end of the next turn.

    One ply is judged where it ends.
    """
    game = random_grove(seed, movers=(0, 1, 0, 1), width=3)
    one = decide(game, pg.OnePlyMCTS(), 60)
    assert one.values == pytest.approx(minimax(game, 1))
    three = decide(game, ThreePlyMCTS(best=3, simulations=30), 13 * 30 + 60)
    assert three.values == pytest.approx(minimax(game, 3))
    assert minimax(game, 1) != pytest.approx(minimax(game, 3), abs=0.1)


@pytest.mark.parametrize("seed", range(3))
def test_three_plies_look_only_beyond_the_best_ends(seed):
    """The best end alone is looked beyond, with the reply whose own end is best for the opponent.

    The other ends keep the value that they have when the turn ends.
    """
    game = random_grove(seed, movers=(0, 1, 0, 1), width=3)
    expected = minimax(game, 1)
    first = expected.index(max(expected))
    world = game.start(1)
    world.apply(first)
    replies = root_values(world, 1, by_score)
    world.apply(replies.index(max(replies)))
    expected[first] = max(root_values(world, 1, by_score))
    assert decide(game, ThreePlyMCTS(best=1, simulations=30), 91).values == pytest.approx(expected)


def greedy_turns(world, turns):
    """The first player's score after this many turns, each the best by the score at its end."""
    for _ in range(turns):
        values = root_values(world, 1, by_score)
        world.apply(values.index(max(values)))
    return world.score(0)


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_a_plan_is_judged_some_turns_after_it(turns):
    """Plan Tournament: others and the seat itself make the turn that is best when it ends."""
    for seed in range(2):
        game = random_grove(seed, movers=(0, 1, 0, 1), width=3)
        expected = []
        for action in range(3):
            world = game.start(1)
            world.apply(action)
            expected.append(greedy_turns(world, turns))
        found = decide(game, pg.PlanTournament(plans=4, turns=turns, worlds=2), ALL)
        assert found.values == pytest.approx(expected)
        assert found.action == expected.index(max(expected))
        assert found.iterations == 3 * 2 + 2 * 4  # three plans in two worlds, two in four more


# --- Pruning: alpha-beta (Knuth and Moore 1975), Star1 and Star2 (Ballard 1983) ---

SHAPES = [
    {"movers": (0, 1, 0, 1), "width": 3},
    {"movers": (0, 0, 1, 1), "width": 3},
    {"movers": (0, 1, 1), "width": 3, "lucky": (1,), "outcomes": 3},
    {"movers": (0, 1, 0), "width": 2, "lucky": (0, 1, 2), "outcomes": 2},
]


@pytest.mark.parametrize("shape", SHAPES, ids=["turns", "long turns", "chance", "much chance"])
@pytest.mark.parametrize("pruning", ["none", "alpha-beta", "star1"])
@pytest.mark.parametrize("memory", [0, 64])
def test_pruning_changes_no_value_of_any_root_action(shape, pruning, memory):
    """Every position has another worth, so a cut that is made too early shows."""
    for seed in range(20 if JIT else 2):
        world = random_grove(seed, **shape).start(1)
        for depth in (2, len(shape["movers"])):
            planner = pg.Expectiminimax(depth=depth, pruning=pruning, memory=memory)
            found = decide(world.game, planner, ALL, position=world)
            assert found.values == pytest.approx(root_values(world, depth, by_score), abs=1e-12)


@pytest.mark.parametrize(
    "planner",
    [pg.Expectiminimax(pruning="alpha-beta", deepening=False), pg.WholeTurns(depth=6)],
    ids=lambda each: each.name,
)
def test_what_is_remembered_is_a_value_and_not_a_bound(planner):
    """Many ways lead to a position, with another window each; a bound would be wrong in one."""
    for seed in range(8 if JIT else 4):
        world = random_grove(seed, movers=(0, 1) * 3, width=2, merges=True).start(1)
        exact = root_values(world, 6, by_score)
        found = decide(world.game, planner, ALL, position=world)
        assert max(found.values) == pytest.approx(max(exact), abs=1e-12)
        if planner.name == "expectiminimax":
            assert found.values == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("shape", SHAPES, ids=["turns", "long turns", "chance", "much chance"])
def test_whole_turns_find_the_best_value_whatever_they_prune(shape):
    for seed in range(20 if JIT else 2):
        world = random_grove(seed, **shape).start(1)
        exact = root_values(world, len(shape["movers"]), by_score)
        for memory in (1, 1 << 10):
            found = decide(world.game, pg.WholeTurns(depth=4, memory=memory), ALL, position=world)
            assert max(found.values) == pytest.approx(max(exact), abs=1e-12)


def leaves(game, pruning):
    planner = pg.Expectiminimax(pruning=pruning, memory=0, deepening=False)
    return decide(game, planner, ALL).evaluated


def test_alpha_beta_judges_as_few_leaves_as_it_can_with_the_best_order():
    """Knuth and Moore: of w^d leaves, w^ceil(d/2) + w^floor(d/2) - 1 in perfect order.

    The root's actions are judged exactly, each with a full window.
    """
    width, depth = 3, 3
    worth = np.zeros(4096)
    game = Grove(worth, movers=(0, 1, 0), width=width)
    assert leaves(game, "none") == width**depth
    # Below a root action: a minimiser, then maximisers. All worths are equal, so every order is
    # perfect: the first answer needs all its leaves, each other one needs one.
    assert leaves(game, "alpha-beta") == width * (width + (width - 1))


def test_star1_skips_outcomes_that_cannot_matter():
    """The second player can draw: by their first action always 0, by the second always 1.

    After two of four draws of the second action, the others can at best make it as good as the
    first. Alpha-beta looks at all of them.
    """
    worth, shape = np.zeros(4096), {"width": 2, "outcomes": 4}
    for action in range(2):
        for drawn in range(4):
            worth[after(after(0, action, **shape), 1, drawn=drawn, **shape)] = 1.0
    game = Grove(worth, (0, 1), 2, lucky=(1,), outcomes=4)
    assert leaves(game, "none") == leaves(game, "alpha-beta") == 2 * (4 + 4)
    assert leaves(game, "star1") == 2 * (4 + 2)


def test_star1_narrows_the_window_below_an_outcome():
    """So it never looks at more leaves than alpha-beta, and often at fewer."""
    fewer = 0
    for seed in range(4):
        game = random_grove(seed, movers=(0, 1, 0), width=2, lucky=(1,), outcomes=4)
        plain, star = leaves(game, "alpha-beta"), leaves(game, "star1")
        assert star <= plain
        fewer += star < plain
    assert fewer >= 2


def star2_grove(actions, answers=4, outcomes=4, good=2):
    """The first player acts; then the second draws and answers. One answer is best to all draws.

    It is worth 0.4 after the first action and -0.9 after the others; other answers are worth 0.5.
    """
    worth, shape = np.full(4096, 0.5), {"width": answers, "outcomes": outcomes}
    for action in range(actions):
        for drawn in range(outcomes):
            outcome = after(after(0, action, **shape), 0, drawn=drawn, **shape)
            worth[after(outcome, good, **shape)] = -0.9 if action else 0.4
    return Grove(worth, (0, 1, 1), (actions, 1, answers), lucky=(1,), outcomes=outcomes)


def test_star2_refutes_an_action_by_one_answer_to_all_outcomes():
    """Star2 tries the answer that was best before in every outcome, before it searches any.

    So a refuted action takes one leaf for each of the four outcomes, and one to order it in each
    of the two looks. By Star1 alone it takes two outcomes with all their answers, eight leaves.
    """
    two, three = (decide(star2_grove(actions), pg.WholeTurns(depth=2), ALL) for actions in (2, 3))
    assert (two.action, max(two.values)) == (0, pytest.approx(0.4))
    assert three.evaluated - two.evaluated == 4 + 2
