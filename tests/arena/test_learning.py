"""Learning an evaluator: its seed determines it, it predicts winners, and the game uses it."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import plyglass as pg
from plyglass.arena.learning import learn, with_weights
from plyglass.arena.learning_by_play import _Trial, calibrated, learn_by_play
from plyglass.arena.self_play import SelfPlay
from plyglass.cli import app
from plyglass.core.compile import JIT
from plyglass.core.seeds import derive

compiled = pytest.mark.skipif(not JIT, reason="too long for interpreted code")


def small():
    return pg.games.TradingCards(soldiers=8, removals=1, hand=3, health=15)


@compiled
def test_a_game_against_itself_is_seen_by_both_sides():
    seen, scores = SelfPlay(small(), "turn").play(3)
    assert scores.sum() == 0
    half = (seen.shape[2] - 1) // 2
    assert np.array_equal(seen[:, 0, :half], seen[:, 1, half : 2 * half])
    assert np.array_equal(seen[:, 0, -1], -seen[:, 1, -1])
    assert seen[:, 0, 0].max() <= 15 + 8 * 48


@compiled
def test_the_same_seed_gives_the_same_weights_and_another_one_others():
    first, again, other = (learn([small()], "turn", 40, seed=seed, dice=0.2) for seed in (1, 1, 2))
    assert first == again
    assert first.weights != other.weights


@compiled
def test_what_is_learned_tells_winners_in_games_that_were_held_out():
    found = learn([small()], "turn", 400, seed=1, dice=0.2)
    assert found.held_out < np.log(2) - 0.05
    assert found.games == 360


@compiled
def test_the_command_writes_weights_that_the_game_takes(tmp_path):
    file = tmp_path / "weights.json"
    words = [
        "learn",
        "trading-cards:soldiers=8,removals=1,hand=3,health=15",
        "--evaluator",
        "turn",
        "--games",
        "60",
        "--out",
        str(file),
    ]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "Learned 42 weights" in done.output.replace("\n", " ")
    written = json.loads(file.read_text())
    game = pg.games.TradingCards(soldiers=8, removals=1, hand=3, health=15, weights=str(file))
    assert game.constants_record["weights"][0].tolist() == written["weights"]
    world = game.start(1)
    values = [
        game.verbs.evaluate(game.table, world.address, player, game.evaluator("learned"))
        for player in range(2)
    ]
    assert values[0] == pytest.approx(-values[1], abs=0.05)  # both sides learn from the same games


def test_weights_of_another_game_are_refused(tmp_path):
    file = tmp_path / "weights.json"
    file.write_text('{"weights": [1.0, 2.0]}')
    with pytest.raises(ValueError, match="has 2 weights, but this game has 41 features"):
        pg.games.TradingCards(weights=str(file))


def test_a_game_without_features_is_refused():
    with pytest.raises(ValueError, match="it has no rule `features` to describe positions"):
        learn([pg.games.TicTacToe()], "", 1, seed=1, dice=0.0)


@compiled
def test_a_second_round_is_played_by_what_the_first_has_learned():
    once, twice = (
        learn([small()], "turn", 40, seed=1, dice=0.2, rounds=rounds) for rounds in (1, 2)
    )
    assert (once.games, twice.games) == (36, 72)
    player, samples = SelfPlay(with_weights(small(), once.weights), "learned", dice=0.2), 0
    for deal in range(4, 40):
        samples += 2 * len(player.play(derive(1, 40 + deal))[0])
    assert twice.samples == once.samples + samples


@compiled
def test_with_a_spread_every_game_of_the_second_round_has_weights_of_its_own():
    level, spread = (
        learn([small()], "turn", 40, seed=1, dice=0.2, rounds=2, spread=spread)
        for spread in (0.0, 0.5)
    )
    assert level.weights != spread.weights
    assert spread == learn([small()], "turn", 40, seed=1, dice=0.2, rounds=2, spread=0.5)
    assert learn([small()], "turn", 40, seed=1, dice=0.2, spread=0.5) == learn(
        [small()], "turn", 40, seed=1, dice=0.2
    )


def test_a_game_without_weights_of_its_own_learns_in_one_round():
    with pytest.raises(ValueError, match="has no evaluator `learned`"):
        with_weights(pg.games.Skirmish(), [0.0])


@compiled
def test_variants_are_played_in_turn_with_a_beam():
    maps = [pg.games.Tubstap(map=name, fog=False) for name in ("sandbox", "duelists")]
    found = learn(maps, "threat", 20, seed=1, dice=0.3, beam=2)
    samples = 0
    for deal in range(2, 20):
        samples += 2 * len(
            SelfPlay(maps[deal % 2], "threat", dice=0.3, beam=2).play(derive(1, deal))[0]
        )
    assert (found.games, found.samples) == (18, samples)


@compiled
def test_games_in_which_luck_is_drawn_before_turns_are_planned_differ_and_repeat():
    game = pg.games.Duelyst()
    plain, drawn, again = (
        SelfPlay(game, "learned", beam=1, draws=draws).play(5)[0] for draws in (0, 2, 2)
    )
    assert np.array_equal(drawn, again)
    assert drawn.shape != plain.shape or not np.array_equal(drawn, plain)


@compiled
def test_learning_by_play_is_decided_by_its_seed_and_scores_more_in_the_end():
    game = pg.game_from("pandemic:preset=thesis,weights=")
    bad = with_weights(game, [0.0] * (game.most_features + 1))
    settings = {"rounds": 6, "candidates": 12, "aim": "subgoals", "beam": 8, "calibration": 20}
    found = learn_by_play([bad], 8, seed=1, **settings)
    assert found == learn_by_play([bad], 8, seed=1, **settings)
    assert found.games == 6 * 12 * 8
    assert found.curve[-1] > found.curve[0]
    assert len(found.weights) == game.most_features + 1


@compiled
def test_candidates_of_a_round_play_the_same_games_and_leave_the_given_game_as_it_is(monkeypatch):
    game, seeds = pg.game_from("pandemic:preset=thesis"), []
    before = game.constants_record.copy()
    play = SelfPlay.play

    def noted(self, seed, seats):
        seeds.append(seed)
        return play(self, seed, seats=seats)

    monkeypatch.setattr(SelfPlay, "play", noted)
    told = []
    found = learn_by_play(
        [game], 3, seed=1, rounds=2, candidates=8, beam=2, calibration=0, played=told.append
    )
    assert told == [None] * 24 + [found.curve[0]] * 24
    rounds = [seeds[:24], seeds[24:]]
    assert all(each == each[:3] * 8 for each in rounds)
    assert not {*rounds[0]} & {*rounds[1]}
    assert game.constants_record == before


@compiled
def test_weights_learned_by_play_are_calibrated_whatever_their_scale():
    """Greedy turns do not depend on the scale, so all scales give the same games and weights."""
    game = small()
    weights = game.constants_record["weights"][0].copy()
    found = [
        learn_by_play(
            [with_weights(game, (factor * weights).tolist())], 2, seed=1, rounds=0, calibration=100
        )
        for factor in (0.2, 1.0, 7.0)
    ]
    assert found[0].weights == pytest.approx(found[1].weights)
    assert found[2].weights == pytest.approx(found[1].weights)
    assert np.corrcoef(found[1].weights[:-1], weights[:-1])[0, 1] > 0.9999


def test_calibrated_values_are_probabilities_of_winning():
    rng = np.random.default_rng(1)
    features = rng.standard_normal((20000, 2))
    likely = (1 + np.tanh(features @ [0.3, -0.6] + 0.2)) / 2
    samples = features, (rng.random(20000) < likely).astype(float), np.ones(20000)
    assert calibrated(np.array([1.5, -3.0, 4.0]), samples) == pytest.approx(
        [0.3, -0.6, 0.2], abs=0.03
    )
    lost = features, np.zeros(20000), np.ones(20000)
    assert calibrated(np.array([1.5, -3.0, 4.0]), lost).tolist() == [1.5, -3.0, 4.0]


def test_calibration_counts_samples_by_their_share_and_never_turns_judgements_round():
    rng = np.random.default_rng(2)
    features = rng.standard_normal((40000, 1))
    likely = (1 + np.tanh(0.5 * features[:, 0])) / 2
    success = (rng.random(40000) < likely).astype(float)
    success[20000:] = 1.0 - success[20000:]
    share = np.repeat([1.0, 0.0], 20000)
    assert calibrated(np.array([2.0, 0.0]), (features, success, share)) == pytest.approx(
        [0.5, 0.0], abs=0.03
    )
    assert calibrated(np.array([-2.0, 0.3]), (features, success, share)).tolist() == [-2.0, 0.3]


@compiled
def test_calibration_begins_with_the_weights_of_the_last_round():
    game, told, settings = small(), [], {"seed": 1, "candidates": 8}
    found = learn_by_play([game], 2, rounds=3, calibration=60, improved=told.append, **settings)
    plain = learn_by_play([game], 2, rounds=3, calibration=0, **settings)
    other = with_weights(game, plain.weights)
    again = learn_by_play([other], 2, rounds=0, calibration=60, **settings)
    assert told[-1].weights == plain.weights
    assert again.weights == found.weights != plain.weights


@compiled
def test_calibration_plays_new_deals_of_all_variants_with_the_same_weights_in_all_seats(
    monkeypatch,
):
    played, play = [], SelfPlay.play

    def noted(self, seed, seats=()):
        played.append((id(self), seed, len(seats)))
        return play(self, seed, seats=seats)

    monkeypatch.setattr(SelfPlay, "play", noted)
    learn_by_play([small(), small()], 4, seed=1, rounds=2, candidates=8, calibration=20)
    rounds, last = played[:-20], played[-20:]
    assert {seats for _, _, seats in rounds} == {2}
    assert {seats for _, _, seats in last} == {0}
    assert not {seed for _, seed, _ in rounds} & {seed for _, seed, _ in last}
    assert len({seed for _, seed, _ in last}) == 20
    for games in (rounds, last):
        assert len({variant for variant, _, _ in games}) == 2


@compiled
def test_a_search_by_play_tells_its_weights_after_every_round():
    game, told = small(), []
    found = learn_by_play(
        [game], 2, seed=1, rounds=3, candidates=8, calibration=40, improved=told.append
    )
    assert [each.games for each in told] == [16, 32, 48]
    assert told[-1].curve == found.curve
    assert len({each.weights for each in (*told, found)}) == 4


@compiled
def test_a_candidate_plays_each_deal_from_both_seats_against_the_first_weights(monkeypatch):
    game, met = with_weights(small(), [0.25] * (small().most_features + 1)), []

    def noted(self, seed, seats):
        weights = [seat.constants_record["weights"][0].copy() for seat in seats]
        met.append((seed, [bool((each == 0.25).all()) for each in weights]))
        return play(self, seed, seats=seats)

    play = SelfPlay.play
    monkeypatch.setattr(SelfPlay, "play", noted)
    learn_by_play([game], 4, seed=1, rounds=2, candidates=8, beam=2, calibration=0)
    for first, second in zip(met[::2], met[1::2], strict=True):
        assert first[0] == second[0]
        assert (first[1], second[1]) == ([False, True], [True, False])
    assert len({seed for seed, _ in met}) == 2 * 2


@compiled
def test_a_seat_decides_by_its_own_weights():
    game = small()
    other = with_weights(game, (-game.constants_record["weights"][0]).tolist())
    player = SelfPlay(game, "learned")
    won = [player.play(seed, seats=[game, other])[1][0] for seed in range(40)]
    lost = [player.play(seed, seats=[other, game])[1][0] for seed in range(40)]
    assert np.mean(won) > 0.8 > 0.2 > np.mean(lost)
    for alone, twice in zip(player.play(3), player.play(3, seats=[game, game]), strict=True):
        assert np.array_equal(alone, twice)


@compiled
def test_weights_learned_by_play_beat_the_first_weights():
    game = with_weights(small(), [0.0] * (small().most_features + 1))
    found = learn_by_play([game], 12, seed=1, rounds=8, candidates=12, calibration=0)
    better, player = with_weights(game, found.weights), SelfPlay(game, "learned")
    points = [player.play(derive(9, seed), seats=[better, game])[1][0] for seed in range(100)]
    points += [player.play(derive(9, seed), seats=[game, better])[1][1] for seed in range(100)]
    assert np.mean(points) > 0.6


def test_learning_by_play_refuses_wrong_numbers():
    with pytest.raises(ValueError, match="games is a multiple of 2, because each deal of trading"):
        learn_by_play([small()], 3, seed=1, rounds=1)
    with pytest.raises(ValueError, match="candidates is at least 8; it cannot be 4"):
        learn_by_play([pg.games.Pandemic()], 3, seed=1, rounds=1, candidates=4)


@compiled
def test_the_command_writes_weights_that_were_found_by_play(tmp_path, monkeypatch):
    monkeypatch.setattr("plyglass.cli.learn.CANDIDATES", 8)
    monkeypatch.setattr("plyglass.cli.learn.CALIBRATION", 20)
    file = tmp_path / "weights.json"
    words = "learn pandemic:preset=thesis --by play --games 2 --rounds 2 --beam 4 --out"
    done = CliRunner().invoke(app, [*words.split(), str(file)])
    assert done.exit_code == 0, done.output
    written = json.loads(file.read_text())
    assert written["command"] == (
        "plyglass learn pandemic:preset=thesis --by play --games 2 --seed 1 --rounds 2 --beam 4"
    )
    assert len(written["curve"]) == 2
    refused = CliRunner().invoke(
        app, ["learn", "pandemic", "--by", "play", "--evaluator", "subgoals"]
    )
    assert refused.exit_code == 2
    assert "--evaluator is not for --by play" in " ".join(refused.output.split())
    taken = pg.games.Pandemic(weights=str(file)).constants_record["weights"][0].tolist()
    assert taken == written["weights"]


@compiled
def test_the_command_calibrates_alone_and_writes_after_every_round(tmp_path, monkeypatch):
    monkeypatch.setattr("plyglass.cli.learn.CANDIDATES", 8)
    monkeypatch.setattr("plyglass.cli.learn.CALIBRATION", 20)
    file, sizes = tmp_path / "weights.json", []
    words = [
        "learn",
        "trading-cards:soldiers=8,removals=1,hand=3,health=15",
        "--by",
        "play",
        "--games",
        "2",
    ]
    words += ["--out", str(file), "--rounds"]
    done = CliRunner().invoke(app, [*words, "0"])
    assert done.exit_code == 0, done.output
    assert json.loads(file.read_text())["command"].endswith(
        "--by play --games 2 --seed 1 --rounds 0"
    )

    def seen(self, *given):
        sizes.append(len(json.loads(file.read_text())["curve"]))
        return samples(self, *given)

    samples = _Trial.samples
    monkeypatch.setattr(_Trial, "samples", seen)
    done = CliRunner().invoke(app, [*words, "2"])
    assert done.exit_code == 0, done.output
    assert sizes == [2] * 20  # before the command has ended
    refused = CliRunner().invoke(app, ["learn", "duel", "--net", str(file), "--rounds", "0"])
    assert refused.exit_code == 2
    assert "rounds is at least 1; it cannot be 0" in " ".join(refused.output.split())
