"""Reviews of matches: planted blunders, perfect play, and luck."""

import itertools
from dataclasses import replace

import pytest

import plyglass as pg
from plyglass.arena.match.record import position, seen_by
from plyglass.arena.review.match_review import MARKS
from tests.arena.review.uniform import RANDOM, Open, Uniform
from tests.sizes import sized

UCT = pg.agent_from("uct:iterations=400")


def scripted(game, actions, seed=0):
    """The record of a match with these actions, or action names."""
    world = game.start(0)
    names = []
    for action in actions:
        legal = {game.action_name(each): each for each in world.legal()}
        names.append(legal.get(action, action))
        world.apply(names[-1])
    moves = tuple(
        {"player": number % 2, "action": action, "iterations": 0, "values": [], "visits": []}
        for number, action in enumerate(names)
    )
    return pg.Record(game.name, ("person", "person"), seed, moves, (), False)


def test_a_blunder_in_connect_four_is_marked_with_the_move_that_saves():
    game = pg.games.ConnectFour()
    # the first player threatens to complete a column, and the second plays elsewhere
    record = scripted(game, [0, 3, 0, 3, 0, 6, 0])
    found = pg.review(record, game=game, agent=UCT, play_on=UCT, pairs=16, plies=[5])
    (blunder,) = found.plies
    assert blunder.mark == "??"
    assert blunder.best in (0, 3)  # block, or build three in a column
    assert blunder.regret >= MARKS[0][0]
    assert blunder.low > 0
    assert blunder.luck == 0.0
    assert found.by_choices(1) == blunder.regret
    assert found.by_choices(0) == 0.0


def test_a_blunder_in_tic_tac_toe_is_marked_with_the_move_that_saves():
    game = pg.games.TicTacToe()
    # the first player has two in the upper row, and the second plays elsewhere
    found = pg.review(scripted(game, [0, 4, 1, 8]), agent=UCT, play_on=UCT, pairs=16, plies=[3])
    assert (found.plies[0].mark, found.plies[0].best) == ("??", 2)


SKIRMISH = pg.games.Skirmish(size=3, units=1, health=2, turns=sized(4, 8))
SEARCH = pg.Agent(pg.SOISMCTS(), pg.Exact(), pg.Budget(iterations=400))


def decisions(game, seeds):
    """Decisions of random matches, as (record, ply, exact success of every action)."""
    exact = Uniform(game) if game.hides else Open(game)
    for seed in seeds:
        record = pg.record_of(pg.play(game, [RANDOM] * 2, seed=seed))
        for ply, move in enumerate(record.moves):
            if game.hides:
                seen = tuple(seen_by(record, move["player"], ply, game))
                worth = exact.worth(exact.numbers[move["player"], seen])
            else:
                worth = exact.worth(position(record, ply, game))
            yield record, ply, worth


def with_action(record, ply, action):
    """The record up to a decision, with this action there."""
    played = {**record.moves[ply], "action": action}
    return replace(record, moves=(*record.moves[:ply], played), scores=())


@pytest.mark.parametrize(
    ("game", "agent"),
    [(pg.games.KuhnPoker(), SEARCH), (pg.games.LeducPoker(), SEARCH), (SKIRMISH, UCT)],
    ids=lambda each: getattr(each, "name", ""),
)
def test_the_worst_action_of_many_matches_is_marked(game, agent):
    """The costliest choice, by exact values, is a blunder; the best action is named instead."""
    record, ply, worth = max(
        decisions(game, range(40)), key=lambda each: max(each[2].values()) - min(each[2].values())
    )
    worst, best = min(worth, key=worth.get), max(worth, key=worth.get)
    planted = with_action(record, ply, worst)
    (found,) = pg.review(planted, plies=[ply], game=game, agent=agent, play_on=RANDOM).plies
    assert worth[best] - worth[worst] > MARKS[0][0]
    assert (found.mark, found.best) == ("??", best)


def test_no_move_of_perfect_play_is_marked():
    game = pg.games.TicTacToe()
    perfect = pg.agent_from("expectiminimax:depth=9,iterations=10000000")
    record = pg.record_of(pg.play(game, [perfect, perfect], seed=1))
    assert record.scores == (0.0, 0.0)
    found = pg.review(record, agent=UCT, play_on=UCT, pairs=16)
    assert [each.mark for each in found.plies] == [""] * len(record.moves)


@pytest.mark.parametrize(
    ("game", "agent", "moves"),
    [
        (pg.games.KuhnPoker(), replace(SEARCH, budget=pg.Budget(iterations=100)), sized(40, 5000)),
        (pg.games.LeducPoker(), replace(SEARCH, budget=pg.Budget(iterations=100)), sized(40, 5000)),
        (SKIRMISH, UCT, sized(20, 1000)),
    ],
    ids=lambda each: getattr(each, "name", ""),
)
def test_the_best_answer_to_those_who_play_on_is_hardly_ever_marked(game, agent, moves):
    """At most 1 % of exact best responses to the continuation get a mark."""
    marked = reviewed = 0
    for record, ply, worth in itertools.islice(decisions(game, itertools.count()), moves):
        answered = with_action(record, ply, max(worth, key=worth.get))
        found = pg.review(
            answered, plies=[ply], game=game, agent=agent, play_on=RANDOM, seed=reviewed
        )
        marked += bool(found.plies[0].mark)
        reviewed += 1
    print(f"{game.name}: {marked} of {reviewed} best responses marked")
    assert reviewed == moves
    assert marked <= 0.01 * reviewed


def test_luck_is_told_apart_from_choices():
    game = pg.games.Pig()
    record = pg.record_of(pg.play(game, [RANDOM, RANDOM], seed=2))
    rolls = [
        ply
        for ply, move in enumerate(record.moves[:12])
        if game.action_name(move["action"]) == "roll"
    ]
    holds = [
        ply
        for ply, move in enumerate(record.moves[:12])
        if game.action_name(move["action"]) == "hold"
    ]
    few = [*rolls[:3], *holds[:1]]
    found = {
        each.ply: each
        for each in pg.review(record, agent=UCT, play_on=RANDOM, pairs=4, plies=few).plies
    }
    assert all(found[ply].luck != 0 for ply in rolls[:3])
    assert all(found[ply].luck == 0 for ply in holds[:1])
    assert all(abs(each.luck) <= 1 for each in found.values())


def test_a_review_is_the_same_again_and_another_seed_gives_another():
    game = pg.games.Duel()
    record = pg.record_of(pg.play(game, [RANDOM, RANDOM], seed=4))
    agent = pg.agent_from("so-ismcts:iterations=100")
    reviews = [
        pg.review(record, game=game, agent=agent, play_on=RANDOM, plies=range(4), seed=seed)
        for seed in (1, 1, 2)
    ]
    assert reviews[0].plies == reviews[1].plies
    assert reviews[0].plies != reviews[2].plies


def test_a_reviewer_sees_only_what_the_player_saw(monkeypatch):
    """Another truth behind the same views gives the same marks, chances and regrets."""
    game = pg.games.KuhnPoker()
    records = [
        pg.record_of(pg.play(game, [pg.Agent(pg.Random()), pg.Agent(pg.Random())], seed=seed))
        for seed in range(40)
    ]
    by_view = {}
    for record in records:
        card = pg.arena.match.record.position(record, 0).record["card"]
        key = int(card[0]), record.moves[0]["action"]
        by_view.setdefault(key, {})[int(card[1])] = record
    pairs = [list(found.values()) for found in by_view.values() if len(found) == 2]
    assert pairs
    for first, second in pairs[:3]:
        one, other = (
            pg.review(each, agent=pg.agent_from("so-ismcts:iterations=50"), plies=[0]).plies[0]
            for each in (first, second)
        )
        assert (one.chance, one.regret, one.low, one.mark) == (
            other.chance, other.regret, other.low, other.mark,
        )  # fmt: skip


def test_the_command_prints_a_table_and_a_sentence(tmp_path):
    from typer.testing import CliRunner

    from plyglass.cli import app

    game = pg.games.TicTacToe()
    path = tmp_path / "game.json"
    pg.record_of(pg.play(game, [RANDOM, RANDOM], seed=3)).save(path)
    quick = ["--agent", "uct:iterations=50", "--play-on", "random", "--pairs", "4"]
    done = CliRunner().invoke(app, ["review", str(path), *quick])
    assert done.exit_code == 0, done.output
    assert "lost" in done.output
    assert "chance" in done.output
    legal = game.start(0).legal()
    played = pg.Record.load(path).moves[0]["action"]
    other = game.action_name(next(each for each in legal if each != played))
    done = CliRunner().invoke(
        app, ["review", str(path), *quick, "--action", "1", "--instead", other]
    )
    assert done.exit_code == 0, done.output
    assert f"{other} instead of" in done.output
    done = CliRunner().invoke(app, ["review", str(path), *quick, "--instead", other])
    assert done.exit_code == 2


@pytest.mark.parametrize("ply", [-1, 99])
def test_a_ply_that_was_not_played_is_refused(ply):
    record = pg.record_of(pg.play(pg.games.TicTacToe(), [RANDOM, RANDOM], seed=3))
    with pytest.raises(ValueError, match="The record has"):
        pg.review(record, plies=[ply])
