"""Reviews of matches: planted blunders, perfect play, and luck."""

import itertools
from dataclasses import replace

import pytest

import plyglass as pg
from plyglass.arena.match.record import seen_by
from plyglass.arena.review.match_review import MARKS
from tests.arena.review.uniform import RANDOM, Uniform
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


def test_no_move_of_perfect_play_is_marked():
    game = pg.games.TicTacToe()
    perfect = pg.agent_from("expectiminimax:depth=9,iterations=10000000")
    record = pg.record_of(pg.play(game, [perfect, perfect], seed=1))
    assert record.scores == (0.0, 0.0)
    found = pg.review(record, agent=UCT, play_on=UCT, pairs=16)
    assert [each.mark for each in found.plies] == [""] * len(record.moves)


@pytest.mark.parametrize("name", ["kuhn-poker", "leduc-poker"])
def test_the_best_answer_to_those_who_play_on_is_hardly_ever_marked(name):
    """At most 1 % of exact best responses to the continuation get a mark."""
    game = pg.game_from(name)
    exact, moves, marked = Uniform(game), sized(40, 5000), 0
    agent = pg.Agent(pg.SOISMCTS(), pg.Exact(), pg.Budget(iterations=100))
    reviewed = 0
    for seed in itertools.count():
        record = pg.record_of(pg.play(game, [RANDOM] * 2, seed=seed))
        for ply, move in enumerate(record.moves):
            seen = tuple(seen_by(record, move["player"], ply, game))
            worth = exact.worth(exact.numbers[move["player"], seen])
            best = {**move, "action": max(worth, key=worth.get)}
            answered = replace(record, moves=(*record.moves[:ply], best), scores=())
            found = pg.review(
                answered, plies=[ply], game=game, agent=agent, play_on=RANDOM, seed=reviewed
            )
            marked += bool(found.plies[0].mark)
            reviewed += 1
        if reviewed >= moves:
            break
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
