"""Learning a net: shards of games by seed, a verifiable fit, and a gate of matches."""

import csv
import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest
from typer.testing import CliRunner

import plyglass as pg
from plyglass.arena.nets import blas, loop
from plyglass.arena.nets.engines import NumpyEngine, TorchEngine, gradients
from plyglass.arena.nets.fit import fit_net, held_out_loss, linear_loss
from plyglass.arena.nets.games import Source
from plyglass.arena.nets.gate import gate
from plyglass.arena.nets.loop import Lesson, command_of, learn_net
from plyglass.arena.nets.shards import Samples, make_shards, read_samples, shard, together
from plyglass.cli import app
from plyglass.core.compile import JIT
from plyglass.core.nets.encoding import encoding_of
from plyglass.core.nets.file import read_net
from plyglass.core.seeds import derive
from tests.core.test_nets import positions

pytestmark = pytest.mark.skipif(not JIT, reason="too long for interpreted code")
OPEN = Source("connect-four", dice=0.5)  # turns, compiled
HIDDEN = Source(
    "phantom-tic-tac-toe",
    agent="so-ismcts:seconds=0.002,playout.turns=1,playout.evaluator={}",
    first_agent="so-ismcts:seconds=0.002",  # of which only the planner plays
    iterations=20,
)


@pytest.mark.parametrize("source", [OPEN, HIDDEN])
def test_a_game_is_a_function_of_its_seed(source):
    first, again, other = (source.play(seed) for seed in (3, 3, 4))
    assert first.rows.tobytes() == again.rows.tobytes()
    assert first.rows.tobytes() != other.rows.tobytes()
    assert np.array_equal(first.thought, again.thought, equal_nan=True)
    game = pg.game_from(source.game)
    assert {pg.World(game, row).to_move for row in first.rows} == {0, 1}


def test_games_with_hidden_information_say_what_the_search_expected():
    found = HIDDEN.play(3)
    assert not np.isnan(found.thought).any()
    assert np.abs(found.thought).max() <= 1


def test_a_stopped_run_plays_only_what_is_missing_and_makes_the_same_samples(tmp_path, monkeypatch):
    monkeypatch.setattr("plyglass.arena.nets.shards.SHARD", 5)
    whole = make_shards(OPEN, tmp_path / "whole", 1, 20)
    parts = make_shards(OPEN, tmp_path / "parts", 1, 20)
    parts[2].unlink()
    (tmp_path / "parts" / f"{parts[3].name}.part").write_bytes(b"half")
    parts[3].unlink()
    kept, told = parts[0].stat().st_mtime_ns, []
    assert make_shards(OPEN, tmp_path / "parts", 1, 20, played=told.append) == parts
    assert told == [10, 5, 5]
    assert parts[0].stat().st_mtime_ns == kept
    assert [each.read_bytes() for each in parts] == [each.read_bytes() for each in whole]
    others = make_shards(OPEN, tmp_path / "whole", 2, 20)
    assert not set(others) & set(whole)


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("runner", ["processes", "ray"])
def test_two_workers_make_the_same_samples(runner, tmp_path):
    pytest.importorskip("ray")
    alone = make_shards(HIDDEN, tmp_path / "alone", 1, 500)
    both = make_shards(HIDDEN, tmp_path / "both", 1, 500, workers=2, runner=runner)
    assert [each.read_bytes() for each in alone] == [each.read_bytes() for each in both]


KILLED = """
from pathlib import Path
from plyglass.arena.nets import shards
from tests.arena.nets.test_loop import HIDDEN
shards.SHARD = 5
if __name__ == "__main__":
    shards.make_shards(HIDDEN, Path("killed"), 1, 200, workers=2)
"""


@pytest.mark.nightly
@pytest.mark.parametrize("victim", ["driver", "worker"])
def test_ten_kills_lose_nothing(victim, tmp_path, monkeypatch):
    monkeypatch.setattr("plyglass.arena.nets.shards.SHARD", 5)
    wanted = {each.name: each.read_bytes() for each in make_shards(HIDDEN, tmp_path / "a", 1, 200)}
    (tmp_path / "killed.py").write_text(KILLED)
    choice, kills, folder = np.random.default_rng(1), 0, tmp_path / "killed"
    path = os.pathsep.join([str(Path(__file__).parents[3]), *sys.path])

    def start():
        return subprocess.Popen(
            [sys.executable, "killed.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}
        )

    run = None
    while kills < 10:
        if run is None:
            run = start()
        done = len(list(folder.glob("*.npz")))
        while len(list(folder.glob("*.npz"))) < done + 2 and run.poll() is None:
            time.sleep(0.05)
        assert run.poll() is None, "all games were played before ten kills"
        if victim == "driver":
            run.kill()
            run.wait()
            run = None
        else:
            workers = psutil.Process(run.pid).children()
            workers = [each for each in workers if "spawn_main" in " ".join(each.cmdline())]
            workers[choice.integers(len(workers))].kill()
        kills += 1
    if run is None:
        run = start()
    assert run.wait() == 0
    assert {each.name: each.read_bytes() for each in folder.glob("*.npz")} == wanted


def test_targets_mix_the_outcome_with_what_the_search_expected_and_games_count_alike(tmp_path):
    game, path = pg.game_from(HIDDEN.game), tmp_path / "shard.npz"
    path.write_bytes(shard(HIDDEN, 1, 0, 12))
    with np.load(path) as found:
        success, thought, movers, games = (
            found[name] for name in ("success", "thought", "movers", "games")
        )
    pairs = list(read_samples(game, [path]))
    train = together([samples for held, samples in pairs if not held])
    kept = games % 10 != 0
    for player in range(2):
        own = train.players == player
        outcome = (success[kept, player] + 1) / 2
        expected = (thought[kept] + 1) / 2
        expected = np.where(movers[kept] == player, expected, 1 - expected)
        np.testing.assert_allclose(train.targets[own], 0.7 * outcome + 0.3 * expected, rtol=1e-6)
    assert sum(samples.weights.sum() for _, samples in pairs) == pytest.approx(12, rel=1e-5)
    held = together([samples for held, samples in pairs if held])
    assert set(held.targets) <= {0.0, 0.5, 1.0}


def test_gradients_are_those_of_finite_differences():
    choice = np.random.default_rng(1)
    parts = [choice.normal(0, 1, size) for size in ((5, 4), 4, 4, 1)]
    inputs, targets, weights = choice.normal(0, 1, (9, 5)), choice.random(9), choice.random(9)

    def loss():
        units = inputs @ parts[0] + parts[1]
        units[:, :-1] = np.maximum(units[:, :-1], 0)
        likely = 1 / (1 + np.exp(-(units @ parts[2] + parts[3][0])))
        found = -(targets * np.log(likely) + (1 - targets) * np.log(1 - likely))
        return (weights * found).mean() + 0.5e-5 * (parts[0] ** 2).sum()

    slopes = gradients(parts, inputs, targets, weights)
    for part, slope in zip(parts, slopes, strict=True):
        for at in np.ndindex(part.shape):
            before = part[at]
            ends = []
            for part[at] in (before + 1e-5, before - 1e-5):
                ends.append(loss())
            part[at] = before
            assert slope[at] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-5)


def test_steps_are_those_of_adam():
    """Kingma and Ba 2015, algorithm 1, with 0.9 and 0.999."""
    choice = np.random.default_rng(1)
    parts = [choice.normal(0, 0.3, size).astype(np.float32) for size in ((5, 4), 4, 4, 1)]
    inputs, targets, weights = (choice.random(size, np.float32) for size in ((9, 5), 9, 9))
    engine, means, squares = NumpyEngine(parts), [0.0] * 4, [0.0] * 4
    for number in (1, 2, 3):
        slopes = gradients(parts, inputs, targets, weights)
        means = [0.9 * mean + 0.1 * slope for mean, slope in zip(means, slopes, strict=True)]
        squares = [
            0.999 * one + 0.001 * slope**2 for one, slope in zip(squares, slopes, strict=True)
        ]
        parts = [
            part - 0.01 * (mean / (1 - 0.9**number)) / np.sqrt(square / (1 - 0.999**number))
            for part, mean, square in zip(parts, means, squares, strict=True)
        ]
        engine.step(inputs, targets, weights, 0.01)
        for found, part in zip(engine.parts(), parts, strict=True):
            np.testing.assert_allclose(found, part, atol=1e-4)


def test_pytorch_and_numpy_make_the_same_steps():
    pytest.importorskip("torch")
    choice = np.random.default_rng(1)
    first = [choice.normal(0, 0.3, size).astype(np.float32) for size in ((30, 8), 8, 8, 1)]
    engines = NumpyEngine(first), TorchEngine(first)
    for step in range(200):
        inputs = choice.normal(0, 1, (64, 30)).astype(np.float32)
        targets = (inputs[:, 0] * inputs[:, 1] > 0).astype(np.float32)
        weights = choice.random(64, np.float32)
        for engine in engines:
            engine.step(inputs, targets, weights, 2e-3 * (1 - step / 200))
    for ours, theirs, start in zip(*(each.parts() for each in engines), first, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=2e-4)
        assert np.abs(ours - start).max() > 0.05


def test_a_fit_multiplies_in_one_thread_and_leaves_the_number_as_it_was():
    if (found := blas._openblas()) is None:
        pytest.skip("NumPy has another library here")
    ask, limit = found
    before = ask()
    limit(2)
    try:
        with blas.one_thread():
            assert ask() == 1
        assert ask() == 2
    finally:
        limit(before)


def test_a_net_learns_what_no_linear_evaluator_can():
    game = pg.games.ConnectFour()
    rows = positions(game, 3000)
    cells = rows.view(game.state)["cell"].reshape(len(rows), -1)
    wanted = ((cells[:, 0] == cells[:, 1]) ^ (cells[:, 2] == cells[:, 3])).astype(np.float32)
    players, weights = np.zeros(len(rows), np.int64), np.ones(len(rows), np.float32)
    samples = Samples(rows, players, wanted, weights)
    train, held = (
        Samples(rows[part], players[part], wanted[part], weights[part])
        for part in (slice(0, 2500), slice(2500, None))
    )
    assert len(samples) == len(train) + len(held)
    encoding = encoding_of(game, rows)
    first, again = (
        fit_net(game, encoding, train, held, units=16, epochs=40, seed=1) for _ in range(2)
    )
    assert np.array_equal(first.net.weights, again.net.weights)
    assert first.held_out == held_out_loss(game, first.net, held)
    assert first.held_out < 0.8 * linear_loss(game, encoding, train, held)


def test_the_gate_accepts_the_stronger_and_refuses_the_weaker_agent():
    game = pg.games.ConnectFour()
    strong, weak = "uct:iterations=60", "uct:iterations=3"
    better = gate(game, strong, weak, pairs=60, seed=1)
    worse = gate(game, weak, strong, pairs=60, seed=1)
    assert (better.accepted, better.ended) == (True, "H1")
    assert (worse.accepted, worse.ended) == (False, "H0")
    assert worse.points < 0.5 < better.points
    assert better.low <= better.points <= better.high
    assert better.seconds[0] > better.seconds[1]
    undecided = gate(game, strong, weak, pairs=1, seed=1)
    assert (undecided.accepted, undecided.ended, undecided.pairs) == (False, "pairs", 1)


def test_a_stopped_gate_goes_on_where_it_was(tmp_path):
    game, sides = pg.games.TicTacToe(), ("uct:iterations=20", "uct:iterations=4")
    kept, stopped = tmp_path / "pairs.csv", []

    def stop(pairs, points):
        stopped.append(pairs)
        if pairs == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gate(game, *sides, pairs=8, seed=1, kept=kept, told=stop)
    kept.write_text(kept.read_text() + "1.5,0.0")  # a line that was not finished
    first = kept.read_text().splitlines()[:3]
    verdict = gate(game, *sides, pairs=8, seed=1, kept=kept)
    assert kept.read_text().splitlines()[:3] == first
    assert len(kept.read_text().splitlines()) == verdict.pairs
    whole = gate(game, *sides, pairs=8, seed=1)
    assert (whole.pairs, whole.points, whole.ended) == (
        verdict.pairs,
        verdict.points,
        verdict.ended,
    )


def test_a_round_stopped_in_its_gate_is_not_fitted_again(tmp_path, monkeypatch):
    lesson = Lesson(
        "tic-tac-toe",
        "uct:iterations=4,playout.at_leaf=true,playout.evaluator={}",
        "uct:iterations=4",
        rounds=1,
        games=40,
        pairs=2,
        units=4,
        epochs=1,
    )

    def stop(text):
        if "pairs" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn_net(lesson, tmp_path, told=stop)
    weights = read_net(tmp_path / "round-1.npz").weights
    monkeypatch.setattr("plyglass.arena.nets.loop._fitted", lambda *given: pytest.fail("again"))
    curve, _ = learn_net(lesson, tmp_path)
    assert curve[0].pairs == 2
    assert np.array_equal(read_net(tmp_path / "round-1.npz").weights, weights)


def test_a_gate_of_one_side_compares_scores_on_the_same_deals():
    game = pg.game_from("tiger")
    verdict = gate(game, "pomcp:iterations=60", "random:iterations=1", pairs=12, seed=1)
    assert verdict.points > 0.5


def test_the_command_learns_a_net_goes_on_and_draws_the_curve(tmp_path):
    out, work = tmp_path / "four.npz", tmp_path / "work"
    words = ["learn", "connect-four", "--net", str(out), "--work", str(work), "--games", "20"]
    words += ["--pairs", "0", "--units", "8", "--engine", "numpy"]
    done = CliRunner().invoke(app, [*words, "--rounds", "1"])
    assert done.exit_code == 0, done.output
    assert f"Written: {out}" in done.output.replace("\n", "")
    first = (work / "round-1.npz").read_bytes()
    done = CliRunner().invoke(app, [*words, "--rounds", "2", "--json"])
    told = json.loads(done.stdout)
    assert told["accepted"]
    assert [point["games"] for point in told["curve"]] == [20, 40]
    assert (work / "round-1.npz").read_bytes() == first
    with (work / "curve.csv").open() as file:
        assert [row["round"] for row in csv.DictReader(file)] == ["1", "2"]
    assert (work / "curve.svg").read_text().startswith("<?xml")
    net = read_net(out)
    assert net.about["lesson"]["games"] == 20
    match = pg.play(
        pg.games.ConnectFour(),
        [
            pg.agent_from(f"uct:iterations=20,playout.turns=1,playout.evaluator=net({out})"),
            pg.agent_from("random"),
        ],
        seed=derive(1, 1),
    )
    assert match.end.over
    other = CliRunner().invoke(app, [*words, "--rounds", "2", "--seed", "5"])
    assert other.exit_code != 0
    assert "another lesson" in " ".join(other.output.split())


@pytest.mark.parametrize("name", ["liars_dice", "harvest"])
def test_a_net_learns_from_a_users_file_that_has_nothing_but_rules(name, tmp_path):
    file = Path(__file__).parents[1] / "auto" / f"{name}.py"
    out, work = tmp_path / "net.npz", tmp_path / "work"
    sizes = ["--games", "12", "--rounds", "1", "--pairs", "0", "--seconds", "0.001"]
    places = ["--net", str(out), "--work", str(work)]
    done = CliRunner().invoke(app, ["learn", str(file), *places, *sizes, "--units", "4"])
    assert done.exit_code == 0, done.output
    assert "MB: games, nets" in " ".join(done.output.split())  # the disk use is told
    game = pg.game_from(str(file))
    learned = f"uct:iterations=20,playout.at_leaf=true,playout.evaluator=net({out})"
    match = pg.play(game, [pg.agent_from(learned), pg.agent_from("random")], seed=derive(1, 1))
    assert match.end.over


def test_a_command_tells_a_lesson_completely():
    lesson = Lesson(
        "duel", "uct:evaluator={},iterations=3", "uct", 2, 30, 5, "view", False, 8, 8, 0.2, 3, 7
    )
    words, told = shlex.split(command_of(lesson)), {}
    assert words[:5] == ["plyglass", "learn", "duel", "--net", "net.npz"]
    assert words[-1] == "--no-features"
    told = dict(zip(words[5:-1:2], words[6:-1:2], strict=True))
    assert told == {
        "--agent": lesson.agent, "--against": "uct", "--rounds": "2", "--games": "30",
        "--pairs": "5", "--units": "8", "--dice": "0.2", "--beam": "3", "--seed": "7",
        "--kind": "view", "--engine": "numpy",
    }  # fmt: skip


def test_several_evaluators_and_the_newest_nets_play(tmp_path):
    agent = "plan-tournament:evaluator={},iterations=2"
    lesson = Lesson("trading-cards", agent, agent.format("learned"), evaluator="turn+learned")
    nets = [tmp_path / f"round-{number}.npz" for number in range(1, 6)]
    game = pg.game_from(lesson.game)
    assert loop._source(lesson, game, 1, []).evaluators == ("turn", "learned")
    newest = [f"net({path})" for path in nets[-3:]]
    assert loop._source(lesson, game, 6, nets).evaluators == ("turn", "learned", *newest)


def test_an_agent_without_a_place_for_its_evaluator_is_refused():
    with pytest.raises(ValueError, match=r"has no {} in place of its evaluator"):
        Lesson("connect-four", "uct", "uct")


def test_a_refused_net_does_not_play(tmp_path):
    lesson = Lesson(
        "connect-four",
        "uct:iterations=2,playout.at_leaf=true,playout.evaluator={}",
        "uct:iterations=100",
        rounds=1,
        games=20,
        pairs=30,
        units=4,
        epochs=1,
    )
    curve, accepted = learn_net(lesson, tmp_path)
    assert accepted is None
    assert not curve[0].accepted
    assert curve[0].points < 0.5
