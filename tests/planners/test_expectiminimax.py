"""Expectiminimax, Hindsight and PIMC against a naive look-ahead; budgets, pruning and ties."""

import itertools

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.core.seeds import derive
from plyglass.core.tape import outcomes
from plyglass.search.expectimax.frames import FORESEEN, Terms
from plyglass.search.expectimax.search import ExhaustiveSearch, Sampling
from plyglass.search.interface import LiveBelief
from tests.planners.naive_lookahead import by_evaluator, by_score, foreseen, root_values
from tests.planners.tolls import Tolls

ALL = pg.Budget(iterations=1_000_000_000)


class Known(LiveBelief):
    """A belief in one given world."""

    def __init__(self, world):
        super().__init__(world.game, world.to_move)
        self._row = world.row()

    def observe(self, own_action, view):
        pass

    def sample(self, worlds):
        worlds[:] = self._row


def begin(planner, world, seed=3, belief=None):
    live = planner.begin(world.game, world.to_move, belief or Known(world), seed)
    live.observe(None, world.hide(world.to_move))
    return live


def decide(planner, world, budget=ALL, **how):
    live = begin(planner, world, **how)
    live.run(budget)
    return live.decision()


def somewhere(name, steps, seed=1):
    """A position some actions into a game."""
    world = pg.game_from(name).start(seed)
    for step in range(steps):
        if not world.over:
            world.apply(world.legal()[derive(seed, step) % len(world.legal())])
    return world


SMALL_SKIRMISH = "skirmish:size=3,units=1,health=2,turns=6"
CASES = [
    ("tic-tac-toe", 4, 3), ("pig:goal=8", 1, 3), ("kuhn-poker", 0, 3), ("leduc-poker", 1, 3),
    ("tiger:steps=4", 0, 2),
    (SMALL_SKIRMISH, 2, 3), ("duel:kinds=3,copies=1,hand=1,health=4,open_hands=true", 2, 3),
]  # fmt: skip


@pytest.mark.parametrize(("name", "steps", "depth"), CASES)
@pytest.mark.parametrize("unit", ["actions", "plies"])
@pytest.mark.parametrize("memory", [0, 4096])
def test_values_are_those_of_the_definition(name, steps, depth, unit, memory):
    world, depth = (
        somewhere(name, steps),
        depth if unit == "actions" else 1 if "tiger" in name else 2,
    )
    if unit == "plies" and "tiger" in name:
        pytest.skip("one player's turn is the whole game")
    expected = root_values(world, depth, by_score, unit=unit)
    for deepening in (False, True):
        decision = decide(
            pg.Expectiminimax(depth=depth, unit=unit, memory=memory, deepening=deepening), world
        )
        assert decision.values == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "name", [SMALL_SKIRMISH, "duel:kinds=3,copies=1,hand=1,health=4,open_hands=true"]
)
@pytest.mark.parametrize("pruning", ["none", "alpha-beta", "star1"])
@pytest.mark.parametrize("memory", [0, 64, 4096])
def test_pruning_changes_no_value_at_the_root(name, pruning, memory):
    for steps in range(0, 9, 2 if JIT else 8):
        world = somewhere(name, steps, seed=steps + 1)
        if not world.over:
            expected = root_values(world, 3, by_evaluator("material"))
            decision = decide(
                pg.Expectiminimax(depth=3, evaluator="material", pruning=pruning, memory=memory),
                world,
            )
            assert decision.values == pytest.approx(expected, abs=1e-12)


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_pruning_judges_fewer_positions():
    world = somewhere(SMALL_SKIRMISH, 0)
    judged = [
        decide(pg.Expectiminimax(pruning=pruning, memory=0, deepening=False), world).evaluated
        for pruning in ("none", "alpha-beta", "star1")
    ]
    assert judged[0] > 2 * judged[1]
    assert judged[1] > judged[2]


def test_leaves_are_counted_as_they_are():
    """Tic-tac-toe to depth 3: 9 x 8 x 7 leaves."""
    decision = decide(
        pg.Expectiminimax(depth=3, memory=0, deepening=False), pg.games.TicTacToe().start(1)
    )
    assert decision.evaluated == 9 * 8 * 7
    assert decision.iterations == 9 + 9 * 8 + 9 * 8 * 7


def one_action_a_turn(world, action):
    """An action, then the end of the turn (the last legal action) if the turn goes on."""
    for chance, after in outcomes(world, action):
        if after.to_move != world.to_move:
            yield chance, after
        else:
            yield from (
                (chance * share, passed) for share, passed in outcomes(after, after.legal()[-1])
            )


@pytest.mark.parametrize(
    "name", [SMALL_SKIRMISH, "duel:kinds=3,copies=1,hand=1,health=4,open_hands=true"]
)
def test_alternating_takes_a_turn_to_be_one_action(name):
    world = somewhere(name, 3)
    expected = root_values(world, 2, by_evaluator("material"), one_action_a_turn)
    planner = pg.Expectiminimax(depth=2, evaluator="material", alternating=True)
    assert decide(planner, world).values == pytest.approx(expected, abs=1e-12)
    assert decide(pg.PIMC(worlds=2, inner=planner), world).values == pytest.approx(
        expected, abs=1e-12
    )


def means_of_three_futures(world, depth):
    """The mean value of every action over the known futures that a search with seed 9 draws."""
    values = []
    for number in range(3):
        future = world.copy()
        future.change_luck(derive(9, 1, 0, number))
        values.append(root_values(future, depth, by_score, foreseen))
    return [sum(column) / 3 for column in zip(*values, strict=True)]


@pytest.mark.parametrize("name", ["pig:goal=8", "leduc-poker"])
def test_sampled_chance_is_one_future_for_every_world(name):
    world = somewhere(name, 1)
    sampled = pg.PIMC(worlds=3, inner=pg.Expectiminimax(depth=3, luck="sampled"))
    assert decide(sampled, world, seed=9).values == pytest.approx(
        means_of_three_futures(world, 3), abs=1e-12
    )


@pytest.mark.parametrize("name", ["pig:goal=8", SMALL_SKIRMISH, "leduc-poker", "tiger:steps=4"])
@pytest.mark.parametrize("pruning", ["none", "alpha-beta"])
def test_a_foreseen_future_is_planned_for(name, pruning):
    world = somewhere(name, 1)
    if world.game.discount != 1.0 and pruning != "none":
        pytest.skip("pruning needs scores that bound values")
    terms = Terms(4, pruning=pruning, luck=FORESEEN, memory=512)
    live = ExhaustiveSearch(
        terms, Sampling(3), world.game, world.to_move, Known(world), 9, deepening=True, ties="first"
    )
    live.observe(None, world.hide(world.to_move))
    live.run(ALL)
    assert live.decision().values == pytest.approx(means_of_three_futures(world, 4), abs=1e-12)


def test_hindsight_looks_a_horizon_past_its_first_action():
    world = somewhere("tic-tac-toe", 2)
    planner = pg.Hindsight(worlds=1, horizon=2)
    assert decide(planner, world).values == pytest.approx(
        root_values(world, 3, by_score), abs=1e-12
    )


def test_branch_and_bound_on_costs_changes_no_value_and_judges_less():
    world = Tolls(steps=6 if JIT else 4).start(3)
    exact, bounded = (
        decide(pg.Hindsight(worlds=4, horizon="end", costs=costs, memory=0), world)
        for costs in (False, True)
    )
    assert bounded.values == pytest.approx(exact.values, abs=1e-12)
    assert bounded.evaluated < exact.evaluated / 2


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_each_of_many_players_maximises_their_own_score(players):
    world = Tolls(players=players).start(5)
    assert decide(pg.Expectiminimax(depth=3), world).values == pytest.approx(
        root_values(world, 3, by_score), abs=1e-12
    )


@pytest.mark.parametrize(
    "planner",
    [
        pg.Expectiminimax(),
        pg.Expectiminimax(pruning="star1"),
        pg.Hindsight(),
        pg.PIMC(3, pg.Expectiminimax()),
    ],
)
def test_slices_change_nothing_and_what_was_used_gives_the_same_again(planner):
    world = somewhere("duel", 2)
    belief = pg.Fresh()

    def seated():
        return begin(planner, world, belief=belief.begin(world.game, world.to_move, 4))

    whole, parts, again = seated(), seated(), seated()
    whole.run(pg.Budget(iterations=700))
    for count in (1, 99, 250, 350):
        parts.run(pg.Budget(iterations=count))
    assert parts.decision() == whole.decision()
    assert whole.decision().iterations == 700
    again.run(pg.Budget(iterations=whole.decision().iterations))
    assert again.decision() == whole.decision()


def test_a_search_that_is_done_stops_and_says_what_it_used():
    world = somewhere("tic-tac-toe", 3)
    done = decide(pg.Expectiminimax(), world, pg.Budget(seconds=60.0))
    assert done.seconds < 30.0
    assert decide(pg.Expectiminimax(), world, pg.Budget(iterations=done.iterations)) == done
    assert decide(
        pg.Expectiminimax(), world, pg.Budget(iterations=done.iterations - 1)
    ).values == pytest.approx(done.values)


def test_with_little_time_it_knows_what_it_has_seen():
    world = pg.games.ConnectFour().start(1)
    assert decide(pg.Expectiminimax(), world, pg.Budget(iterations=3)).values == (
        0.0,
        0.0,
        0.0,
        None,
        None,
        None,
        None,
    )
    assert begin(pg.Expectiminimax(), world).decision().action == 0


def test_it_wins_when_it_can_and_blocks_when_it_must():
    game = pg.games.ConnectFour()
    for actions in ((3, 0, 3, 0, 3, 1), (3, 0, 3, 0, 3)):
        world = game.start(1)
        for action in actions:
            world.apply(action)
        for pruning in ("none", "alpha-beta"):
            assert (
                decide(pg.Expectiminimax(depth=3 if not JIT else 5, pruning=pruning), world).action
                == 3
            )


def test_of_two_ways_to_win_it_takes_the_shorter():
    world = pg.games.ConnectFour().start(1)
    for action in (3, 0, 3, 0, 3, 1):
        world.apply(action)
    decision = decide(pg.Expectiminimax(depth=3 if not JIT else 7, pruning="alpha-beta"), world)
    assert decision.action == 3
    if JIT:
        assert sum(value == 1.0 for value in decision.values) > 1, (
            "there is only one way to win, so the test shows nothing"
        )


def test_ties_go_to_the_first_the_last_or_any():
    world = pg.games.TicTacToe().start(1)
    planner = {ties: pg.Expectiminimax(depth=2, ties=ties) for ties in ("first", "last", "uniform")}
    assert decide(planner["first"], world).action == 0
    assert decide(planner["last"], world).action == 8
    assert len({decide(planner["uniform"], world, seed=seed).action for seed in range(60)}) == 9


def test_unpaired_worlds_give_the_same_where_nothing_is_hidden():
    world = somewhere(SMALL_SKIRMISH, 2)
    inner = pg.Expectiminimax(depth=2, evaluator="material")
    assert decide(pg.PIMC(3, inner, paired=False), world).values == pytest.approx(
        decide(inner, world).values
    )


def test_unpaired_worlds_are_others_for_every_action():
    world = somewhere("leduc-poker", 0)
    belief = pg.Fresh().begin(world.game, 0, 5)
    planner = pg.PIMC(4, pg.Expectiminimax(deepening=False), paired=False)
    asked, original = [], belief.support

    def support(count):
        asked.append(original(count)[0])
        return asked[-1], [1.0 / count] * count

    belief.support = support
    decide(planner, world, belief=belief)
    assert len(asked) == len(world.legal())
    assert asked[0].tobytes() != asked[1].tobytes()


def test_pimc_with_one_world_is_uct_where_nothing_is_hidden():
    for name in ("connect-four", "pig", "skirmish", "tic-tac-toe"):
        world = somewhere(name, 1)
        budget = pg.Budget(iterations=500 if JIT else 40)
        alone, same = (
            decide(pg.UCT(), world, budget),
            decide(pg.PIMC(worlds=1, inner=pg.UCT()), world, budget),
        )
        assert same == alone
        assert sum(alone.visits) == budget.iterations


def test_worlds_differ_in_spread():
    world = somewhere("kuhn-poker", 0)
    decision = decide(
        pg.PIMC(30, pg.Expectiminimax()), world, belief=pg.Fresh().begin(world.game, 0, 1)
    )
    assert len(decision.spread) == 2
    assert max(decision.spread) > 0.1
    assert decide(pg.Expectiminimax(), world).spread == ()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: pg.Expectiminimax(pruning="some"), "one of none, alpha-beta, star1"),
        (lambda: pg.Expectiminimax(ties="best"), "one of first, last, uniform"),
        (lambda: pg.PIMC(worlds=0), "looks at nothing"),
        (lambda: pg.PIMC(inner=pg.Random()), "give inner=uct or inner=expectiminimax"),
        (lambda: pg.PIMC(paired=False), "needs inner=expectiminimax"),
        (
            lambda: decide(pg.Expectiminimax(depth=0), pg.games.TicTacToe().start(1)),
            "looks at nothing",
        ),
        (
            lambda: decide(pg.Expectiminimax(pruning="star1"), pg.games.Tiger().start(1)),
            "discounts rewards",
        ),
        (
            lambda: decide(pg.Expectiminimax(evaluator="sharp"), pg.games.TicTacToe().start(1)),
            "has no evaluator 'sharp'",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_all_futures_need_chance_that_does_not_depend_on_play():
    world = somewhere("duel:open_hands=true", 3)
    with pytest.raises(RuntimeError, match="use futures=sampled"):
        decide(
            pg.Hindsight(worlds=1, horizon=4, futures="all"), world, pg.Budget(iterations=20_000)
        )


def test_all_futures_are_those_of_the_definition():
    """In Tolls every action draws one of two numbers, which makes 2 to the depth futures."""
    world, depth = Tolls(steps=3).start(4), 3
    expected = [0.0] * 3
    for future in itertools.product(range(2), repeat=depth):

        def told(at, action, future=future):
            return [
                (1.0, [after for _, after in outcomes(at, action)][future[int(at.record["steps"])]])
            ]

        expected = [
            total + value / 2**depth
            for total, value in zip(
                expected, root_values(world, depth, by_score, told), strict=True
            )
        ]
    decision = decide(pg.Hindsight(worlds=1, horizon="end", futures="all"), world)
    assert decision.values == pytest.approx(expected, abs=1e-12)
