"""Five measurements of how accurate beliefs are, and how often they run out of worlds.

    python measurements/beliefs.py MEASUREMENT FILE.csv

`measurements/data/beliefs/README.md` lists the commands of the files there. Each measurement
writes a CSV file and resumes if it was interrupted.

| measurement | measures |
|---|---|
| distance | total variation distance of particles to the exact posterior along random histories, |
| | compared with that of equally many exact samples |
| lasting | how often a belief ran out of worlds in random games, and whether the worlds that it |
| | gives at every decision match the view |
| reliability | Brier scores, and reliability curves in ten bins |
| tracks | as `lasting`, for tracks in games of TUBSTAP that its policy plays, map by map |
| steps | the cost of updating tracks by one view, and of drawing worlds |
"""

import argparse
import csv
import time
from pathlib import Path

import numpy as np

import plyglass as pg
from plyglass.arena.audit.belief_walk import believed, chooser, probabilities, total_variation
from plyglass.arena.specs import belief_from
from plyglass.beliefs import Exact, Particles, Tracks
from plyglass.core.seeds import derive
from plyglass.core.state import new_states
from plyglass.core.world import World
from plyglass.report.calibration import calibration

ENUMERABLE = ("kuhn-poker", "leduc-poker", "tiger", "phantom-tic-tac-toe", "dark-hex:size=2")
CHUNK = 1000  # games for one line of `lasting`
MAPS = (
    "crossroads",
    "gates",
    "plains",
    "ridge",
    "riverbend",
    "isthmus",
    "archipelago",
    "siege",
    "woods",
    "highlands",
)


def hidden_games():
    """Every game with hidden information, including Skirmish with fog."""
    names = [name if name != "skirmish" else "skirmish:fog=true" for name in pg.games.names()]
    return [name for name in names if pg.game_from(name).hides]


def distance(name, weighted, worlds=2000, histories=200):
    """Mean distances of belief and `worlds` exact samples, and the error of their difference."""
    game, choice, found = pg.game_from(name), np.random.default_rng(1), []
    for number in range(histories):
        decisions = []
        for _, (particles, exact) in believed(
            game, [Particles(worlds, weighted=weighted), Exact()], derive(1, number)
        ):
            truth = probabilities(exact, worlds)
            drawn = (
                choice.multinomial(worlds, np.array([*truth.values()]) / sum(truth.values()))
                / worlds
            )
            sampled = total_variation(dict(zip(truth, drawn, strict=True)), truth)
            decisions.append(
                (total_variation(probabilities(particles, worlds), truth), sampled, len(truth))
            )
        found.append(np.mean(decisions, axis=0))
    means, excess = np.mean(found, axis=0), np.array(found)[:, 0] - np.array(found)[:, 1]
    error = excess.std(ddof=1) / histories**0.5
    return {
        "belief": means[0],
        "exact_samples": means[1],
        "excess": excess.mean(),
        "error": error,
        "possible_worlds": means[2],
    }


def lasting(name, belief, chunk, games, play="random"):
    """How often a belief ran out of worlds, and how many worlds contradicted the view."""
    game, began = pg.game_from(name), time.process_time()
    decisions = refilled = unlike = 0
    for number in range(chunk * CHUNK, chunk * CHUNK + games):
        lives = {}
        for world, (live,) in believed(game, [belief], derive(2, number), play):
            given, view = new_states(2, game.state), world.hide(world.to_move)
            live.sample(given)
            unlike += sum(World(game, row).hide(view.viewer) != view for row in given)
            decisions += 1
            lives[world.to_move] = live
        refilled += sum(live.health().refilled for live in lives.values())
    seconds = time.process_time() - began
    return {
        "games": games,
        "decisions": decisions,
        "refilled": refilled,
        "unlike": unlike,
        "cpu_ms_per_decision": 1e3 * seconds / decisions,
    }


def steps(name, belief, games=30):
    """The median time of a step in games of the policy, in microseconds of one CPU."""
    game, observing, drawing = pg.game_from(name), [], []
    for number in range(games):
        live, view, choose, world = (
            belief.begin(game, 0, number),
            None,
            chooser(game, number, "attack-80"),
            game.start(number),
        )
        while world.to_move >= 0:
            if world.hide(0) != view:
                view, began = world.hide(0), time.process_time()
                live.observe(None, view)
                seen = time.process_time()
                live.health()
                observing.append(seen - began)
                drawing.append(time.process_time() - seen)
            world.apply(choose(world).action)
    return {
        "seen": len(observing),
        "us_to_observe": 1e6 * np.median(observing),
        "us_to_draw": 1e6 * np.median(drawing),
    }


def reliability(name, text, games):
    """Brier scores of a belief in a game."""
    found = calibration(pg.game_from(name), belief_from(text), games, seed=3, worlds=500)
    curve = " ".join(f"{each.predicted:.3f}:{each.rate:.3f}:{each.count}" for each in found.bins())
    return {
        "predictions": len(found.predicted), "brier": found.brier,
        "brier_if_right": found.expected_brier,
        "brier_of_rate": found.brier_of_rate, "curve": curve,
    }  # fmt: skip


def jobs(what, options):
    """(name, function) for every line of a measurement."""
    if what == "distance":
        for name in ENUMERABLE:
            for weighted in (False, True):
                yield (
                    {"game": name, "weighted": weighted, "worlds": 2000},
                    lambda n=name, w=weighted: distance(n, w),
                )
    elif what == "lasting":
        for chunk in range(-(-options.games // CHUNK)):
            for name in hidden_games():
                size, weighted = min(CHUNK, options.games - chunk * CHUNK), bool(chunk % 2)
                label = {
                    "game": name,
                    "weighted": weighted,
                    "worlds": options.worlds,
                    "chunk": chunk,
                }
                yield (
                    label,
                    lambda n=name, w=weighted, c=chunk, s=size: lasting(
                        n, Particles(options.worlds, weighted=w), c, s
                    ),
                )
    elif what == "tracks":
        for chunk in range(-(-options.games // CHUNK)):
            name, size = (
                f"tubstap:map={MAPS[chunk % len(MAPS)]}",
                min(CHUNK, options.games - chunk * CHUNK),
            )
            label = {"game": name, "play": "attack-80", "worlds": options.worlds, "chunk": chunk}
            yield (
                label,
                lambda n=name, c=chunk, s=size: lasting(
                    n, Tracks(options.worlds), c, s, "attack-80"
                ),
            )
    elif what == "steps":
        for place in MAPS:
            name = f"tubstap:map={place}"
            yield {"game": name, "worlds": 300}, lambda n=name: steps(n, Tracks(300))
    else:
        for name in hidden_games():
            for text in ("particles(worlds=500)", "particles(worlds=500,weighted=false)", "fresh"):
                label = {"game": name, "belief": text, "games": options.games}
                yield label, lambda n=name, t=text: reliability(n, t, options.games)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("distance", "lasting", "reliability", "tracks", "steps"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--worlds", type=int, default=100)
    options = parser.parse_args()
    options.file.parent.mkdir(parents=True, exist_ok=True)
    done = list(csv.DictReader(options.file.open())) if options.file.exists() else []
    for label, measure in jobs(options.what, options):
        if any(all(line[key] == str(value) for key, value in label.items()) for line in done):
            continue
        result = {
            key: f"{value:.5g}" if isinstance(value, float) else value
            for key, value in measure().items()
        }
        fresh = not options.file.exists()
        with options.file.open("a", newline="") as file:
            writer = csv.DictWriter(file, [*label, *result], lineterminator="\n")
            if fresh:
                writer.writeheader()
            writer.writerow({**label, **result})
        print({**label, **result}, flush=True)


if __name__ == "__main__":
    main()
