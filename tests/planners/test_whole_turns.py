"""Whole Turns finds the values of expectiminimax by results of turns instead of actions."""

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.search.turn_results.workspace import TurnEnumeration
from tests.planners.searches import begin, best, decide, positions

ENOUGH = 10**9
compiled = pytest.mark.skipif(not JIT, reason="too long for interpreted code")

DUEL = pg.games.Duel(kinds=4, copies=1, health=4, hand=1, mana=2, board=2, open_hands=True)
SKIRMISH = pg.games.Skirmish()
CARDS = pg.games.TradingCards(soldiers=7, removals=1, hand=2, health=9)


@compiled
@pytest.mark.parametrize(
    ("game", "evaluator", "depths"),
    [(DUEL, "material", (1, 2, 3)), (CARDS, "balance", (1, 2, 3)), (SKIRMISH, "", (1,))],
)
def test_values_are_those_of_expectiminimax(game, evaluator, depths):
    for depth in depths:
        naive = pg.Expectiminimax(depth=depth, unit="plies", evaluator=evaluator, deepening=False)
        for world in positions(game, 25, 25, seed=depth):
            expected = best(decide(game, naive, ENOUGH, position=world))
            assert best(
                decide(
                    game, pg.WholeTurns(depth=depth, evaluator=evaluator), ENOUGH, position=world
                )
            ) == pytest.approx(expected)


@compiled
@pytest.mark.parametrize("memory", [1, 1 << 17])
def test_values_do_not_depend_on_what_is_remembered(memory):
    for world in positions(CARDS, 25, 25):
        expected = best(
            decide(CARDS, pg.WholeTurns(depth=3, evaluator="balance"), ENOUGH, position=world)
        )
        found = decide(
            CARDS,
            pg.WholeTurns(depth=3, evaluator="balance", memory=memory),
            ENOUGH,
            position=world,
        )
        assert best(found) == pytest.approx(expected)


@compiled
def test_preferred_actions_lead_to_the_same_values_where_the_others_cannot_matter():
    for world in positions(CARDS, 40, 25):
        everything = decide(
            CARDS, pg.WholeTurns(depth=3, evaluator="balance"), ENOUGH, position=world
        )
        preferred = decide(
            CARDS,
            pg.WholeTurns(depth=3, evaluator="balance", turn=TurnEnumeration(actions="preferred")),
            ENOUGH,
            position=world,
        )
        assert best(preferred) == pytest.approx(best(everything))
        assert preferred.iterations <= everything.iterations


@compiled
def test_a_turn_in_closed_form_is_worth_a_ply():
    for world in positions(CARDS, 40, 25):
        searched = decide(
            CARDS, pg.WholeTurns(depth=3, evaluator="balance"), ENOUGH, position=world
        )
        closed = decide(CARDS, pg.WholeTurns(depth=2, evaluator="turn"), ENOUGH, position=world)
        assert best(closed) == pytest.approx(best(searched))


@compiled
def test_a_smaller_budget_looks_less_far():
    world = next(positions(CARDS, 1, 25))
    shallow = decide(CARDS, pg.WholeTurns(depth=1, evaluator="balance"), ENOUGH, position=world)
    search = begin(CARDS, pg.WholeTurns(depth=3, evaluator="balance"), position=world)
    search.run(pg.Budget(iterations=shallow.iterations))
    assert search.depth == 1
    assert search.decision().action == shallow.action
    search.run(pg.Budget(iterations=ENOUGH))
    assert search.depth == 3


@compiled
def test_with_known_chance_it_foresees_what_comes():
    """The value of a turn is that after the best answer, with the card that is really drawn."""

    def decided(depth, world):
        planner = pg.WholeTurns(depth=depth, evaluator="balance", luck="foreseen")
        return decide(CARDS, planner, ENOUGH, belief=pg.Truth(luck=True), position=world)

    drawn = 0
    for world in positions(CARDS, 40, 20):
        mover, decision = world.to_move, decided(2, world)
        for _, action in decision.line:
            world.apply(action)
        while not world.over and len(world.legal()) == 1 and world.to_move != mover:
            drawn += 1
            world.apply(world.legal()[0])
        if not world.over and world.to_move != mover:
            for _, action in decided(1, world).line:
                world.apply(action)
        worth = CARDS.verbs.evaluate(CARDS.table, world.address, mover, CARDS.evaluator("balance"))
        assert worth == pytest.approx(best(decision))
    assert drawn > 10


def test_a_plan_is_carried_out_without_another_search():
    world = CARDS.start(1)
    search = begin(CARDS, pg.WholeTurns(depth=1, evaluator="balance"), position=world)
    search.run(pg.Budget(iterations=ENOUGH))
    mover, decision = world.to_move, search.decision()
    planned = [action for _, action in decision.line]
    played = []
    while world.to_move == mover:
        played.append(decision.action)
        world.apply(decision.action)
        search.observe(decision.action, world.hide(mover))
        search.run(pg.Budget(iterations=ENOUGH))
        decision = search.decision() if world.to_move == mover else decision
        assert len(played) == len(planned) or decision.iterations == 0
    assert played == planned


def test_another_position_than_planned_is_searched_again():
    world = CARDS.start(1)
    search = begin(CARDS, pg.WholeTurns(depth=1, evaluator="balance"), position=world)
    search.run(pg.Budget(iterations=ENOUGH))
    other = next(action for action in world.legal() if action != search.decision().action)
    mover = world.to_move
    world.apply(other)
    search.observe(other, world.hide(mover))
    search.run(pg.Budget(iterations=ENOUGH))
    assert search.decision().iterations > 0


@compiled
def test_without_room_for_all_positions_of_a_turn_those_count_that_preferred_actions_lead_to():
    world = next(world for world in positions(CARDS, 200, 40) if len(world.legal()) > 8)
    preferred = decide(
        CARDS,
        pg.WholeTurns(depth=1, evaluator="balance", turn=TurnEnumeration(actions="preferred")),
        ENOUGH,
        position=world,
    )
    everything = decide(CARDS, pg.WholeTurns(depth=1, evaluator="balance"), ENOUGH, position=world)
    room = preferred.iterations + 1  # every position is reached at least once
    squeezed = decide(
        CARDS,
        pg.WholeTurns(depth=1, evaluator="balance", turn=TurnEnumeration(room=room)),
        ENOUGH,
        position=world,
    )
    assert (squeezed.action, squeezed.iterations) == (preferred.action, preferred.iterations)
    assert everything.iterations > squeezed.iterations


@compiled
def test_without_room_for_those_either_what_was_found_counts():
    world = CARDS.start(1)
    for room in (2, 8):
        assert (
            decide(
                CARDS,
                pg.WholeTurns(depth=1, evaluator="balance", turn=TurnEnumeration(room=room)),
                ENOUGH,
                position=world,
            ).action
            in world.legal()
        )


@compiled
def test_a_narrow_search_looks_at_the_most_promising_results():
    world = pg.games.TradingCards().start(1)
    wide = decide(world.game, pg.WholeTurns(depth=2, evaluator="balance"), ENOUGH, position=world)
    narrow = decide(
        world.game, pg.WholeTurns(depth=2, evaluator="balance", width=2), ENOUGH, position=world
    )
    assert narrow.evaluated < wide.evaluated


@compiled
def test_a_beam_keeps_the_best_positions_after_each_action():
    """A wide beam changes nothing. A narrow one reaches fewer positions, and no better end."""
    narrower = 0
    for world in positions(CARDS, 20, 25):
        full, wide, narrow = (
            decide(
                CARDS,
                pg.WholeTurns(depth=1, evaluator="balance", turn=TurnEnumeration(beam=beam)),
                ENOUGH,
                position=world,
            )
            for beam in (0, 10**6, 1)
        )
        assert (wide.action, wide.values, wide.iterations) == (
            full.action,
            full.values,
            full.iterations,
        )
        assert narrow.iterations <= full.iterations
        assert best(narrow) <= best(full)
        narrower += narrow.iterations < full.iterations
    assert narrower > 5


@compiled
def test_a_beam_makes_turns_that_have_more_positions_than_can_be_kept():
    game = pg.games.Tubstap(fog=False)
    decision = decide(
        game, pg.WholeTurns(depth=1, evaluator="threat", turn=TurnEnumeration(beam=4)), ENOUGH
    )
    assert len(decision.line) == 8  # all units act
    assert decision.iterations < 8 * 4 * game.most_actions


@pytest.mark.parametrize("planner", [pg.WholeTurns(), pg.PlanTournament()])
def test_a_game_that_is_one_long_turn_is_refused(planner):
    with pytest.raises(ValueError, match="never begins a ply, so the whole game is one turn"):
        begin(pg.games.Battleship(), planner)
    assert pg.games.Navy().has_turns


def test_odd_parameters_are_refused():
    with pytest.raises(ValueError, match="depth is at least 1"):
        pg.WholeTurns(depth=0)
