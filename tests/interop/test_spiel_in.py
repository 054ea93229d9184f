"""OpenSpiel's games, policies and bots in Plyglass."""

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python.algorithms import cfr, mcts
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.policy import UniformRandomPolicy

import plyglass as pg
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP
from plyglass.core.tape import MOST_DRAWS
from plyglass.core.time_limit import limited
from plyglass.interop import spiel_in
from plyglass.interop.spiel_in import SpielGame, actions_of
from plyglass.interop.spiel_out import register
from plyglass.interop.spiel_players import SpielBot, SpielPolicy
from tests.sizes import sized


def test_a_game_of_openspiel_can_be_named_wherever_a_game_is():
    for text in ("spiel:leduc_poker", "spiel:game=leduc_poker"):
        game = pg.game_from(text)
        assert isinstance(game, SpielGame) and game.players == 2 and game.hides
    three = pg.game_from("spiel:leduc_poker(players=3)")
    assert three.players == 3
    from plyglass.arena.specs import text_of_game

    assert pg.game_from(text_of_game(three)).parameters == three.parameters


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("spiel:no_such_game", "OpenSpiel cannot load 'no_such_game'"),
        ("spiel:goofspiel", "simultaneous moves"),
        ("spiel:phantom_ttt(obstype=none)", "OpenSpiel cannot load"),
    ],
)
def test_games_that_cannot_be_played_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        pg.game_from(text)


def ours_like(theirs):
    """Our Leduc with the cards and actions of a finished game of OpenSpiel's."""
    history = actions_of(theirs.record)
    cards, rest = history[:2], history[2:]
    world = next(each for _, each in pg.deals(OURS) if each.record["card"].tolist() == cards)
    while not world.over:
        before, action = world, rest.pop(0)
        branches = [each for _, each in pg.outcomes(before, action)]
        world = branches[0]
        if len(branches) > 1:
            public = rest.pop(0)
            world = next(each for each in branches if each.record["public"] == public)
    return world


OURS = pg.games.LeducPoker()


def test_leduc_of_openspiel_has_our_scores():
    game, choices = SpielGame("leduc_poker"), np.random.default_rng(0)
    for seed in range(sized(100, 1000)):
        world = game.start(seed)
        while not world.over:
            world.apply(int(choices.choice(world.legal())))
        assert ours_like(world).scores == world.scores


@pytest.mark.nightly
@pytest.mark.parametrize(
    "name", ["kuhn_poker", "leduc_poker", "liars_dice(numdice=1)", "tic_tac_toe"]
)
def test_the_games_keep_the_contract_of_games(name):
    report = pg.check(SpielGame(name), games=5)
    assert report.ok, str(report)


def test_imagined_worlds_have_the_same_information_state_and_other_cards():
    for name in ("leduc_poker", "liars_dice(numdice=1)"):
        game = SpielGame(name)
        world = game.start(seed=3)
        world.apply(world.legal()[-1])
        view = world.hide(world.to_move)
        wanted, histories = game.information_state(view), set()
        for seed in range(40):
            other = game.imagine(view, seed)
            assert game.spiel_state(other).information_state_string(view.viewer) == wanted
            assert other.hide(view.viewer) == view
            histories.add(tuple(other.record["history"].tolist()))
        assert len(histories) > 2


def test_players_whose_information_states_have_equal_strings_keep_their_own_cards():
    """Before anybody has bet in Kuhn poker, the string is only the own card."""
    game = SpielGame("kuhn_poker")
    for seed in range(20):
        world = game.start(seed)
        for viewer in (0, 1):
            view = world.hide(viewer)
            own = actions_of(world.record)[viewer]
            assert actions_of(game.imagine(view, seed).record)[viewer] == own


@pytest.mark.parametrize("name", ["phantom_ttt", "dark_hex(num_rows=3,num_cols=3)"])
def test_imagined_worlds_look_alike_where_tries_of_others_are_hidden(name):
    """A string may stay the same while the turn passes, or while the opponent tries again."""
    game, choices = SpielGame(name), np.random.default_rng(2)
    for seed in range(3):
        world = game.start(seed)
        for _ in range(6):
            for viewer in (0, 1):
                view = world.hide(viewer)
                imagined = [game.imagine(view, each) for each in range(10)]
                assert {each.to_move for each in imagined} == {world.to_move}
                assert all(each.hide(viewer) == view for each in imagined)
            world.apply(int(choices.choice(world.legal())))
            if world.over:
                break


def test_worlds_are_imagined_after_a_long_history_of_others_actions():
    """The twelve bids of two dice, each raised by one; drawing bids at random finds no history."""
    game = SpielGame("liars_dice(numdice=1)")
    world = game.start(seed=3)
    for _ in range(12):
        view = world.hide(1)
        imagined = [game.imagine(view, seed) for seed in range(30)]
        assert all(each.hide(1) == view for each in imagined)
        assert len({actions_of(each.record)[0] for each in imagined}) > 3
        world.apply(world.legal()[0])


def test_a_viewers_own_dice_limit_the_worlds_that_are_followed(monkeypatch):
    """Six dice have 46,656 outcomes, and the viewer knows three of them."""
    monkeypatch.setattr(spiel_in, "MOST_HISTORIES", 300)
    monkeypatch.setattr(spiel_in, "MANY_HISTORIES", 100)
    game = SpielGame("liars_dice(numdice=3)")
    for seed in range(6):
        world = game.start(seed)
        for viewer in (0, 1):
            view = world.hide(viewer)
            imagined = [game.imagine(view, each) for each in range(30)]
            assert all(each.hide(viewer) == view for each in imagined)
            assert len({tuple(actions_of(each.record)) for each in imagined}) > 15


def test_imagine_returns_if_a_tape_dictates_the_same_number_for_all_draws():
    """OpenSpiel's sampler of Leduc draws again until the cards differ."""
    game = SpielGame("leduc_poker")
    tape = np.zeros(TAPE_HEAD + TAPE_STEP * MOST_DRAWS, np.int64)
    tape[1] = MOST_DRAWS
    with limited(30):
        for seed in range(10):
            world = game.start(seed)
            for viewer in (0, 1):
                row = world.hide(viewer).row()
                row.view(game.state)["tape"] = tape.ctypes.data
                game.verbs.imagine(game.table, row.ctypes.data, viewer, np.uint64(1))
                own = actions_of(world.record)[viewer]
                assert actions_of(row.view(game.state)[0])[viewer] == own


def test_imagine_of_liars_dice_follows_the_posterior_of_random_play():
    """After nothing but one's own die, all dice of the opponent are equally likely."""
    game = SpielGame("liars_dice(numdice=1)")
    view = game.start(seed=3).hide(0)
    dice = [actions_of(game.imagine(view, seed).record)[1] for seed in range(600)]
    counts = np.bincount(dice, minlength=6)
    assert counts.min() > 60 and counts.max() < 145


def test_compiled_planners_play_and_beat_random():
    game = pg.game_from("spiel:tic_tac_toe")
    agents = [pg.agent_from("uct:iterations=100"), pg.agent_from("random")]
    scores = [pg.play(game, agents, seed=seed).scores[0] for seed in range(10)]
    assert sum(scores) >= 7


def test_planners_with_hidden_information_play_with_each_belief():
    game = pg.game_from("spiel:kuhn_poker")
    for belief in ("fresh", "particles(worlds=30)", "exact"):
        agent = pg.agent_from(f"so-ismcts:iterations=60,belief={belief}")
        match = pg.play(game, [agent, agent], seed=2)
        assert match.scores in {(-1.0, 1.0), (1.0, -1.0), (2.0, -2.0), (-2.0, 2.0)}
        assert pg.play(game, [agent, agent], seed=2).actions == match.actions


def test_an_error_within_a_rule_is_raised_and_not_lost(monkeypatch):
    game = SpielGame("tic_tac_toe")
    world = game.start(seed=0)

    def broken(*arguments):
        raise ZeroDivisionError("broken rule")

    monkeypatch.setattr(game, "_at", broken)
    with pytest.raises(ZeroDivisionError, match="broken rule"):
        world.legal()
    monkeypatch.undo()
    assert len(game.start(seed=0).legal()) == 9


def test_a_policy_of_a_solver_plays_our_game_by_information_state():
    ours = pg.games.KuhnPoker()
    theirs = register(ours)
    solver = cfr.CFRPlusSolver(theirs)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    player = SpielPolicy(solver.average_policy())
    assert not player.cheats
    other = pg.agent_from("random")
    scores = [pg.play(ours, [player, other], seed=seed).scores[0] for seed in range(300)]
    policies = [solver.average_policy(), UniformRandomPolicy(theirs)]
    exact = policy_value(theirs.new_initial_state(), policies)[0]
    # seeds are secret where a player of a user takes part, so every run plays other games
    assert abs(np.mean(scores) - exact) < 4.5 * np.std(scores) / np.sqrt(len(scores))


def test_policies_in_cpp_and_tables_play_openspiels_game():
    game = pg.game_from("spiel:kuhn_poker")
    solver = pyspiel.CFRPlusSolver(game.spiel)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    table = {f"{card}{past}": {0: 1.0} for card in range(3) for past in ("", "pb")}  # always pass
    for policy in (solver.tabular_average_policy(), table):
        match = pg.play(game, [SpielPolicy(policy), pg.agent_from("random")], seed=1)
        assert match.actions
    with pytest.raises(Exception, match="seat 1 raised an error"):
        pg.play(game, [SpielPolicy({}), pg.agent_from("random")], seed=1)


def bot(game, seat, seed):
    rng = np.random.RandomState(seed)
    return mcts.MCTSBot(game, 1.4, 50, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)


@pytest.mark.parametrize("text", ["tic-tac-toe", "spiel:tic_tac_toe"])
def test_a_bot_plays_open_games_honestly(text):
    game = pg.game_from(text)
    player = SpielBot(game, bot)
    assert not player.cheats
    scores = [pg.play(game, [player, pg.agent_from("random")], seed=n).scores[0] for n in range(4)]
    assert sum(scores) >= 2


@pytest.mark.parametrize("text", ["kuhn-poker", "spiel:kuhn_poker"])
def test_a_bot_cheats_where_a_game_hides(text):
    game = pg.game_from(text)
    player = SpielBot(game, bot)
    match = pg.play(game, [player, pg.agent_from("random")], seed=0)
    assert player.cheats and match.cheated
    with pytest.raises(ValueError, match="This bot plays"):
        player.take_seat(pg.games.LeducPoker(), 0, 0)
