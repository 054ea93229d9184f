"""Plan Tournament: the best turn by simulating plans in the same worlds."""

import dataclasses

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.planners.plan_tournament.simulation import Simulation
from plyglass.search.turn_results.workspace import TurnEnumeration
from tests.games.tubstap_maps import game_on
from tests.planners.searches import begin, best, decide, positions

ENOUGH = 10**6
compiled = pytest.mark.skipif(not JIT, reason="too long for interpreted code")
CARDS = pg.games.TradingCards(soldiers=7, removals=1, hand=2, health=9)


@compiled
def test_with_no_turns_to_come_it_is_the_best_turn_by_the_evaluator():
    for world in positions(CARDS, 20, 25):
        expected = decide(
            CARDS, pg.WholeTurns(depth=1, evaluator="balance"), ENOUGH, position=world
        )
        found = decide(
            CARDS, pg.PlanTournament(turns=0, evaluator="balance"), ENOUGH, position=world
        )
        assert found.iterations > 0
        assert best(found) == pytest.approx(best(expected))


@compiled
def test_it_finds_a_win_that_the_evaluator_does_not_see():
    """By the score, all turns that do not win at once are equal; a turn later some have won."""
    game = pg.games.TradingCards(soldiers=7, removals=0, hand=2, health=5)
    wins = 0
    for world in positions(game, 30, 8):
        sure = best(decide(game, pg.WholeTurns(depth=3, evaluator="score"), ENOUGH, position=world))
        found = decide(
            game,
            pg.PlanTournament(plans=64, turns=2, worlds=32, evaluator="score"),
            ENOUGH,
            position=world,
        )
        if sure == 1.0 and found.iterations:
            wins += 1
            assert best(found) == pytest.approx(1.0)
    assert wins > 2


def test_it_stops_where_its_budget_ends_and_goes_on():
    game = pg.games.TradingCards()
    search = begin(
        game,
        pg.PlanTournament(plans=4, turns=1, worlds=8, evaluator="balance"),
        position=game.start(1),
    )
    search.run(pg.Budget(iterations=8))
    assert search.decision().iterations == 8
    search.run(pg.Budget(iterations=ENOUGH))
    assert search.decision().iterations == 4 * 8 + 2 * 16  # four plans in 8 worlds, then two in 16


EIGHT_PLANS = pg.PlanTournament(
    plans=8,
    turns=1,
    worlds=4,
    evaluator="compound-2/3",
    turn=TurnEnumeration(actions="preferred"),
)


@compiled
def test_a_tournament_without_time_to_end_goes_on_at_the_next_decision_of_the_turn():
    game = pg.games.Pandemic(preset="thesis", roles="medic+scientist+researcher")
    world = game.start(1)
    search, ended = (begin(game, EIGHT_PLANS, position=world) for _ in range(2))
    search.run(pg.Budget(iterations=8 * 4))  # all plans in four worlds: none has dropped out
    ended.run(pg.Budget(iterations=ENOUGH))
    for each, more in ((search, True), (ended, False)):
        after, first = world.copy(), each.decision()
        after.apply(first.action)
        each.observe(first.action, after.hide(0))
        each.run(pg.Budget(iterations=ENOUGH))
        following = each.decision()
        assert (following.iterations > 0) == more
        assert following.action in after.legal()
        assert more or following.line == first.line[1:]


@compiled
def test_a_plan_that_ends_where_the_turn_goes_on_drops_out():
    """It has no action left, and other plans begin with the same action."""
    game = pg.games.Pandemic(preset="thesis", roles="medic+scientist+researcher")
    world = game.start(1)
    search = begin(game, EIGHT_PLANS, position=world)
    search.run(pg.Budget(iterations=8 * 4))
    first, after = search.decision().action, world.copy()
    best, other = search._ranking()[:2]
    search._candidates[other] = search._candidates[best][:1]
    after.apply(first)
    search.observe(first, after.hide(0))
    search.run(pg.Budget(iterations=ENOUGH))
    assert search.decision().action in after.legal()
    assert other not in search._left


@compiled
def test_a_deepening_tournament_judges_all_plans_a_turn_ahead_and_the_best_of_them_further():
    near, deep = (
        pg.PlanTournament(turns=turns, deepening=turns > 1, worlds=8, evaluator="balance")
        for turns in (1, 2)
    )
    differ = 0
    for world in positions(CARDS, 20, 12):
        one, other = (
            decide(CARDS, dataclasses.replace(planner, plans=2), ENOUGH, position=world)
            for planner in (near, deep)
        )
        assert (one.action, one.values) == (other.action, other.values)  # a single round
        one, other = (
            decide(CARDS, dataclasses.replace(planner, plans=4), ENOUGH, position=world)
            for planner in (near, deep)
        )
        assert one.iterations == other.iterations
        differ += one.values != other.values
    assert differ > 5


def test_same_seed_same_decision():
    world = CARDS.start(1)
    planner = pg.PlanTournament(plans=4, turns=1, worlds=8, evaluator="balance")
    assert decide(CARDS, planner, ENOUGH, position=world) == decide(
        CARDS, planner, ENOUGH, position=world
    )


@compiled
def test_it_plays_games_with_chance_within_a_turn_and_with_hidden_hands():
    for game, evaluator in ((pg.games.Skirmish(), ""), (pg.games.Duel(), "material")):
        agent = pg.Agent(
            pg.PlanTournament(plans=4, turns=1, worlds=8, evaluator=evaluator),
            budget=pg.Budget(iterations=ENOUGH),
        )
        match = pg.play(game, [agent, pg.Agent(pg.Random())], seed=1)
        assert match.end.over


@compiled
def test_answers_are_tried_alone_and_find_nearly_what_all_turns_would():
    """The plans and the first worlds are the same. With answers, rounds have more worlds."""
    game = pg.games.Pandemic(preset="thesis", roles="medic+scientist+researcher")
    wide = pg.PlanTournament(
        plans=4,
        turns=1,
        worlds=4,
        evaluator="compound-2/3",
        turn=TurnEnumeration(actions="preferred"),
    )
    quick = dataclasses.replace(wide, simulation=Simulation(answers=16))
    compared = 0
    for world in positions(game, 4, 40):
        full, short = (decide(game, planner, ENOUGH, position=world) for planner in (wide, quick))
        if full.iterations > 4 * 4:  # more than one round
            compared += 1
            assert short.iterations > full.iterations
            assert best(short) == pytest.approx(best(full), abs=0.05)
    assert compared == 3


@compiled
def test_a_turn_with_more_positions_than_room_is_made_in_parts():
    game = pg.games.Pandemic(preset="thesis")
    agent = pg.Agent(
        pg.PlanTournament(
            plans=2,
            turns=1,
            worlds=1,
            evaluator="compound-2/3",
            turn=TurnEnumeration(actions="preferred", room=40),
        ),
        budget=pg.Budget(iterations=ENOUGH),
    )
    assert pg.play(game, [agent], seed=2).end.over


TWO_TURNS = pg.Playout(policy="attack-80", turns=2, evaluator="strength")


def by_playouts(*, beam=0, playout=TWO_TURNS, **terms):
    """A tournament whose plans are judged by playouts."""
    usual = {"plans": 8, "turns": 0, "worlds": 8, "evaluator": "health"}
    return pg.PlanTournament(
        **usual | terms,
        turn=TurnEnumeration(beam=beam),
        simulation=Simulation(judged="playouts", playout=playout),
    )


def test_playouts_find_a_plan_that_wins_at_once(tmp_path):
    """Both infantries can be shot in this turn, which is the last but one."""
    game = game_on(tmp_path, ["........"] * 8, "A10@a1 A10@c1", "I1@a4 I1@c4", fog=False, turns=2)
    found = decide(game, by_playouts(beam=8), ENOUGH)
    assert best(found) == 1.0
    world = game.start(1)
    for _, action in found.line:
        world.apply(action)
    assert world.scores == [1, -1]


def test_playouts_give_every_plan_the_same_chance_in_the_same_world():
    """A plan has the same value again in the same worlds; the seed decides the tournament."""
    game = pg.games.Tubstap(map="duelists")
    first, again = (decide(game, by_playouts(beam=2), ENOUGH) for _ in range(2))
    assert (first.action, first.values, first.line) == (again.action, again.values, again.line)
    assert first.iterations == 8 * 8 + 4 * 16 + 2 * 32
    search = begin(game, by_playouts(beam=2))
    search.run(pg.Budget(iterations=8))
    search._belief.sample(search._worlds[:-1])
    one, other = (search._simulate(0, search._worlds) for _ in range(2))
    assert one == other


def test_the_chance_of_playouts_comes_from_the_seed():
    """Nothing is hidden and nothing is random in this game, so only playouts can differ."""
    game = pg.games.Tubstap(map="duelists", fog=False)
    one, other = (decide(game, by_playouts(beam=2), ENOUGH, seed=seed) for seed in (3, 4))
    assert one.values != other.values


def test_the_turn_of_a_plan_is_the_first_of_its_playout():
    """A playout of one turn is cut off where the plan ends: the evaluator gives its value."""
    game = pg.games.Tubstap(map="duelists", fog=False)
    found = decide(
        game, by_playouts(beam=2, playout=pg.Playout(turns=1, evaluator="strength")), ENOUGH
    )
    world = game.start(1)
    for _, action in found.line:
        world.apply(action)
    assert world.to_move == 1
    assert best(found) == pytest.approx(
        game.verbs.evaluate(game.table, world.address, 0, game.evaluator("strength"))
    )


def test_plans_come_from_as_many_worlds_as_are_asked_for():
    """Worlds differ in what the fog hides, and so in their best plans.

    Each world gives its share of plans, and no plan comes twice.
    """
    game, more = pg.games.Tubstap(map="duelists"), 0
    for world in positions(game, 5, 12):
        search = begin(game, by_playouts(plans=8, beam=4, sources=4), position=world)
        search.run(pg.Budget(iterations=1))
        worlds, _ = search._belief.support(4)
        apart = [
            [action for action, _ in plan]
            for each in worlds
            for plan in search._best_plans(each[None])[:2]
        ]
        together = [[action for action, _ in plan] for plan in search._best_plans(worlds)]
        assert together == [plan for number, plan in enumerate(apart) if plan not in apart[:number]]
        more += len(together) > 2
    assert more > 0


def test_where_nothing_is_hidden_more_sources_are_no_more_plans():
    game = pg.games.Tubstap(map="duelists", fog=False)
    one, four = (
        decide(game, by_playouts(beam=2, plans=plans, sources=sources), ENOUGH)
        for plans, sources in ((2, 1), (8, 4))
    )
    assert (one.action, one.values, one.iterations) == (four.action, four.values, four.iterations)


@compiled
def test_playouts_that_cannot_go_on_with_a_plan_in_the_fog_still_judge_it():
    agents = [
        pg.Agent(by_playouts(beam=2, plans=4, worlds=2), pg.Tracks(), pg.Budget(iterations=ENOUGH)),
        pg.Agent(pg.Random()),
    ]
    assert pg.play(pg.games.Tubstap(map="sandbox"), agents, seed=1).end.over


def test_odd_parameters_are_refused():
    with pytest.raises(ValueError, match="plans is at least 2"):
        pg.PlanTournament(plans=1)
    with pytest.raises(ValueError, match="sources is at least 1"):
        pg.PlanTournament(sources=0)
    with pytest.raises(ValueError, match="leave out `answers`"):
        Simulation(judged="playouts", answers=4)
    with pytest.raises(ValueError, match="say judged=playouts"):
        Simulation(judged="evaluator", playout=TWO_TURNS)
    with pytest.raises(ValueError, match="discounts rewards"):
        game = pg.games.Tubstap(map="sandbox")
        game.discount = 0.9
        begin(game, by_playouts())


@compiled
def test_an_idle_seat_leaves_others_their_turns_in_a_row():
    """Two enemy turns in a row leave less than one enemy turn and one's own."""
    game, how = (
        pg.games.Duelyst(),
        {
            "plans": 2,
            "turns": 2,
            "worlds": 4,
            "evaluator": "odds",
            "turn": TurnEnumeration(beam=2, room=4096),
        },
    )
    lower = higher = 0
    for world in positions(game, 12, 60):
        idle, active = (
            decide(
                game,
                pg.PlanTournament(**how, simulation=Simulation(idle=idle)),
                ENOUGH,
                position=world,
            )
            for idle in (True, False)
        )
        if idle.iterations and active.iterations:  # more than one turn is possible
            lower, higher = (
                lower + (best(idle) < best(active)),
                higher + (best(idle) > best(active)),
            )
    assert lower >= 8
    assert higher <= 1
