"""Try the gate of `plyglass learn --net` with nets of known strength.

    python measurements/net_gate.py FOLDER [TRIALS]

A net learns trading cards from 2,000 games. The script adds random numbers to the weights of a
copy, until the copy is 50 Elo weaker. Compiled greedy turns measure this difference in pairs of
games. Then gates are run with greedy turns. The challenger is the weaker net in half of the gates,
and the stronger net in the other half. Each trial has its own deals. FOLDER keeps the nets, the
calibration and one line for each finished trial in `trials.csv`, so an interrupted run can be
resumed.
"""

from __future__ import annotations

import csv
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from plyglass.arena.nets.games import TurnGames
from plyglass.arena.nets.gate import gate
from plyglass.arena.nets.loop import Lesson, learn_net
from plyglass.arena.specs import game_from
from plyglass.core.nets.file import Net, read_net, write_net
from plyglass.core.seeds import derive
from plyglass.stats.elo import elo_of_rate, rate_of_elo
from plyglass.stats.intervals import mean_interval

GAME, PLANTED = "trading-cards", 50.0  # Elo
AGENT = "whole-turns:depth=1,turn=turn(actions=preferred),iterations=1000000,evaluator={}"
PAIRS = 1000  # in a gate, at most; the test ends long before
PROBES, PROBE_PAIRS, CHECK_PAIRS = 9, 2000, 15_000


def learned(folder: Path) -> Path:
    """The net of which the weaker nets are copies."""
    lesson = Lesson(
        GAME, AGENT, AGENT.format("learned"), rounds=1, games=2000, pairs=0, evaluator="learned"
    )
    found = learn_net(lesson, folder / "work", told=lambda text: print(text, flush=True))[1]
    assert found is not None
    return found


def worsened(net: Net, noise: float) -> Net:
    """The net with random numbers added to its weights, in proportion to their spread."""
    added = np.random.default_rng(1).normal(0, noise * net.weights.std(), net.weights.shape)
    return replace(net, weights=net.weights + added.astype(np.float32), about={"noise": noise})


def points(first: Path, second: Path, pairs: int, seed: int) -> tuple[float, float, float]:
    """The share of points of the first net by greedy turns, with its interval by deals."""
    games, found = TurnGames(game_from(GAME)), list[float]()
    names = [f"net({first})", f"net({second})"]
    for number in range(pairs):
        deal = derive(seed, number)
        straight = games.play(deal, names, 0.0).scores
        swapped = games.play(deal, names[::-1], 0.0).scores
        found.append((np.sign(straight[0] - straight[1]) + np.sign(swapped[1] - swapped[0])) / 4)
    middle, low, high = mean_interval([0.5 + each for each in found], scale=(0.0, 1.0))
    assert low is not None
    assert high is not None
    return middle, low, high


def calibrated(folder: Path, better: Path) -> Path:
    """A copy of the net that is weaker by `PLANTED` Elo."""
    worse, kept = folder / "worse.npz", folder / "calibration.json"
    if kept.exists():
        return worse
    net, low, high = read_net(better), 0.0, 1.0
    for probe in range(PROBES):
        noise = (low + high) / 2
        write_net(worsened(net, noise), folder / f"probe-{probe}.npz")
        found = points(better, folder / f"probe-{probe}.npz", PROBE_PAIRS, 2)
        print(f"noise {noise:.4f}: {found[0]:.4f}", flush=True)
        low, high = (noise, high) if found[0] < rate_of_elo(PLANTED) else (low, noise)
    write_net(worsened(net, (low + high) / 2), worse)
    found = points(better, worse, CHECK_PAIRS, 3)
    elo = [round(elo_of_rate(each), 1) for each in found]
    told = {"noise": (low + high) / 2, "pairs": CHECK_PAIRS, "points": found, "elo": elo}
    kept.write_text(json.dumps(told, indent=1) + "\n")
    print(told, flush=True)
    return worse


def main() -> None:
    folder, trials = Path(sys.argv[1]).absolute(), int((*sys.argv[2:], 20)[0])
    folder.mkdir(parents=True, exist_ok=True)
    better = learned(folder)
    worse, path = calibrated(folder, better), folder / "trials.csv"
    done = len(path.read_text().splitlines()) - 1 if path.exists() else 0
    with path.open("a", newline="") as file:
        writer = csv.writer(file)
        if done <= 0:
            writer.writerow(["challenger", "trial", "accepted", "ended", "pairs", "points"])
        for number in range(max(0, done), 2 * trials):
            sides = (worse, better) if number % 2 == 0 else (better, worse)
            texts = [AGENT.format(f"net({each})") for each in sides]
            began = time.process_time()
            found = gate(game_from(GAME), *texts, pairs=PAIRS, seed=derive(4, number))
            name = ("worse", "better")[number % 2]
            row = [name, number // 2, found.accepted, found.ended, found.pairs]
            writer.writerow([*row, f"{found.points:.4f}"])
            file.flush()
            print(*row, f"{time.process_time() - began:.0f} CPU s", flush=True)


if __name__ == "__main__":
    main()
