"""A match that is interrupted and resumed is recorded so that every decision can be verified."""

from dataclasses import replace

import pytest

import plyglass as pg
from plyglass.arena.match.match import run
from plyglass.arena.match.record import RecordMismatch, moves_of, record_of
from plyglass.arena.match.resume import CaughtUpSeat
from plyglass.arena.specs import agent_from, game_from
from plyglass.core.seeds import derive

CASES = [
    ("duel", "uct:iterations=20"),
    ("duel", "one-ply-mcts:iterations=20"),
    ("skirmish:fog=true", "so-ismcts:iterations=20,belief=particles(worlds=50)"),
    ("phantom-tic-tac-toe", "pomcp:iterations=20"),
    ("phantom-tic-tac-toe", "uct:iterations=20,belief=truth"),
]


def resumed(game, players, seed, moves):
    """The match played on after these moves, with all seats taken anew."""
    seats = [
        CaughtUpSeat(
            player.take_seat(game, number, derive(seed, number + 1)),
            [move.decision for move in moves if move.player == number],
        )
        for number, player in enumerate(players)
    ]
    return run(game, players, seats, seed=seed)


@pytest.mark.parametrize(("name", "text"), CASES)
def test_a_match_that_was_resumed_twice_is_verified(name, text):
    game, players = game_from(name), [agent_from(text)] * 2
    match = pg.play(game, players, seed=5)
    half = len(match.moves) // 2
    once = resumed(game, players, 5, match.moves[:half])
    assert once.actions[:half] == match.actions[:half]
    twice = resumed(game, players, 5, once.moves[: half + 2])
    plies = tuple(ply for ply in (half, half + 2) if ply < len(twice.moves))
    pg.verify(replace(record_of(twice), resumed=plies))


def test_a_search_that_goes_on_knows_more_than_one_that_begins_anew():
    game, players = game_from("duel"), [agent_from("one-ply-mcts:iterations=30")] * 2
    match = pg.play(game, players, seed=5)
    ply = next(
        ply for ply in range(1, 40) if match.moves[ply].player == match.moves[ply - 1].player
    )
    record = record_of(resumed(game, players, 5, match.moves[:ply]))
    pg.verify(replace(record, resumed=(ply,)))
    with pytest.raises(RecordMismatch):
        pg.verify(record)


def test_a_match_that_is_not_over_cannot_be_played_again(tmp_path):
    match = pg.play(game_from("tic-tac-toe"), [agent_from("random")] * 2, seed=1)
    record = replace(record_of(match), moves=record_of(match).moves[:3], scores=())
    record.save(tmp_path / "game.json")
    assert pg.Record.load(tmp_path / "game.json") == record
    assert [move.action for move in moves_of(record, match.game)] == [*match.actions[:3]]
    with pytest.raises(ValueError, match="not over, so it cannot be played again"):
        pg.verify(record)


def test_a_saved_match_keeps_all_that_a_decision_used():
    players = [agent_from("uct:seconds=0.005"), agent_from("random")]
    match = pg.play(game_from("tic-tac-toe"), players, seed=1)
    record = record_of(match)
    assert any("stop" in move for move in record.moves), "a clock could stop these decisions"
    again = replace(match, moves=tuple(moves_of(record, match.game)))
    assert record_of(again).moves == record.moves
