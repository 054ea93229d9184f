"""Measure `auto` in two games of users' files, against `uct` and `so-ismcts` at equal CPU time.

    python measurements/auto_users.py [--pairs N] [--seconds 0.01]

Writes `measurements/data/auto-users.json`, which `docs/auto.md` quotes. The number of pairs is
fixed beforehand. A pair is a deal that is played in both seats. Limits in seconds count CPU time of
the thread, so other load on the machine changes nothing. An interrupted run continues after the
last meeting that the file has for the same agents, pairs and seed.
"""

import argparse
import datetime
import json
import time
from pathlib import Path

import plyglass as pg
from plyglass.arena.auto.trial import points_of_deal
from plyglass.arena.code_version import code_of
from plyglass.arena.specs import resolved
from plyglass.arena.tournament.settings import Settings
from plyglass.core.seeds import derive
from plyglass.search import clock
from plyglass.search.threads import one_thread
from plyglass.stats.pairs import Tally

ROOT = Path(__file__).parents[1]
FILE = ROOT / "measurements" / "data" / "auto-users.json"
PAIRS = {"liars_dice": 300, "harvest": 30}  # a match of Harvest takes ten times as long
MEETINGS = (
    ("liars_dice", "so-ismcts"),
    ("harvest", "uct"),
    ("harvest", "so-ismcts"),
    ("liars_dice", "uct"),
)
SEED = 3303


def measured(game, agents, pairs):
    """The points of the first agent, with the 95 % interval by pairs."""
    tally, players = Tally(), tuple(pg.agent_from(text) for text in agents)
    for player in players:
        player.warm(game)
    with one_thread():
        for deal in range(pairs):
            points = points_of_deal(game, players, derive(SEED, deal))
            tally.add(sum(points), len(points))
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--seconds", type=float, default=0.01)
    given = parser.parse_args()
    clock.kind = time.CLOCK_THREAD_CPUTIME_ID
    rows = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else []
    for name, other in MEETINGS:
        path, pairs = ROOT / "tests" / "arena" / "auto" / f"{name}.py", given.pairs or PAIRS[name]
        game = pg.game_from(str(path))
        agents = (
            resolved(f"auto:seconds={given.seconds}", game),
            f"{other}:seconds={given.seconds}",
        )
        about = {"game": name, "auto": agents[0], "other": agents[1], "pairs": pairs, "seed": SEED}
        if any(about.items() <= row.items() for row in rows):
            continue
        tally = measured(game, agents, pairs)
        rate, low, high = tally.interval()
        rows.append(
            {
                **about,
                "points": round(rate, 4),
                "low": round(low, 4),
                "high": round(high, 4),
                "games": tally.games,
                "code": code_of(Settings((str(path),), {"any": "random"}).canonical),
                "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
            }
        )
        FILE.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        print(
            f"{name}: {agents[0]} v {agents[1]}: {rate:.1%} ({low:.1%} to {high:.1%})", flush=True
        )


if __name__ == "__main__":
    main()
