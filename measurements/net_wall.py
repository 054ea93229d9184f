"""Test the glass wall with nets that judge worlds, and with nets that judge views.

    python measurements/net_wall.py OUT.json [POINTS] [GAME ...]

The weights are random, because an untrained net reacts to all its inputs. The file keeps every
finished cell. A cell with a changed decision ends the program with an error.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from plyglass.arena.audit.glass_wall import Findings, examine
from plyglass.arena.specs import agent_from, game_from
from plyglass.core.game import Game
from plyglass.core.nets.encoding import encoding_of
from plyglass.core.nets.file import KINDS, Kind, Net, write_net

GAMES = ("dark-hex", "duel", "skirmish:fog=true", "phantom-tic-tac-toe", "leduc-poker")
AGENTS = (
    "so-ismcts:iterations=20,playout.turns=1,playout.evaluator={}",
    "plan-tournament:iterations=20,plans=4,worlds=2,evaluator={}",
)


def write_random_net(game: Game, kind: Kind, path: Path, seed: int = 1) -> None:
    """Write a net with random weights, with inputs from some random games."""
    choice, rows = np.random.default_rng(seed), []
    while len(rows) < 200:
        world = game.start(int(choice.integers(1 << 40)))
        while not world.over:
            rows.append(world.row())
            actions = world.legal()
            world.apply(actions[choice.integers(len(actions))])
    encoding = encoding_of(game, np.array(rows), kind=kind)
    weights = choice.normal(0, 0.3, (encoding.rows + 1, 8)).astype(np.float32)
    write_net(Net(encoding, weights, choice.normal(0, 1, 9).astype(np.float32)), path)


def main(out: str, points: int = 1000, *games: str) -> int:
    findings, different = Findings(Path(out)), 0
    with tempfile.TemporaryDirectory() as folder:
        for name in games or GAMES:
            for kind in KINDS:
                path = Path(folder) / f"{name.partition(':')[0]}-{kind}.npz"
                write_random_net(game_from(name), kind, path)
                for text in AGENTS:
                    cell = examine(name, agent_from(text.format(f"net({path})")), points)
                    print(name, kind, text.partition(":")[0], cell, flush=True)
                    findings.add(replace(cell, agent=text.format(f"net({kind})")))
                    different += cell.differences
    return different


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:3]), *sys.argv[3:]) > 0)
