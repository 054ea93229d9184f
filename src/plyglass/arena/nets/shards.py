"""Samples in shards: a file for each range of seeds, which is written completely or not at all.

A shard depends only on its source and its seeds. So an interrupted run continues with the missing
shards, and any runner with any number of workers makes the same samples. The driver writes all
files.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plyglass.arena.nets.games import Source
from plyglass.arena.runners.tasks import done_tasks
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.state import Bytes

SHARD = 200  # games
HELD_OUT = 10  # one game in this many is held out to test the fit
OUTCOME = 0.7  # the share of the final result in a target; the rest is the search's expectation
NAMES = ("rows", "success", "thought", "movers", "games")


@dataclass(frozen=True, eq=False)
class Samples:
    """Positions, each from the point of view of one player.

    Attributes:
        rows: the positions, uint8 [n, size].
        players: the player from whose point of view each target counts, int64 [n].
        targets: success from 0 to 1, float32 [n].
        weights: the weight of each sample, float32 [n]; all games have the same total weight.
    """

    rows: Bytes
    players: npt.NDArray[np.int64]
    targets: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.rows)


def make_shards(
    source: Source,
    folder: Path,
    seed: int,
    games: int,
    *,
    workers: int = 1,
    runner: str = "processes",
    played: Callable[[int], object] = lambda games: None,
) -> list[Path]:
    """Play all games whose shards are missing, and return the shards in order."""
    folder.mkdir(parents=True, exist_ok=True)
    mark = hashlib.blake2b(repr((source, seed)).encode(), digest_size=4).hexdigest()
    ranges = [(start, min(start + SHARD, games)) for start in range(0, games, SHARD)]
    paths = [folder / f"games-{mark}-{start:07d}-{stop:07d}.npz" for start, stop in ranges]
    missing = [number for number, path in enumerate(paths) if not path.exists()]
    played(games - sum(ranges[number][1] - ranges[number][0] for number in missing))
    tasks = [(source, seed, *ranges[number]) for number in missing]
    for task, found in done_tasks(shard, tasks, runner=runner, workers=workers):
        path, (start, stop) = paths[missing[task]], ranges[missing[task]]
        part = path.with_name(path.name + ".part")
        part.write_bytes(found)
        part.replace(path)
        played(stop - start)
    return paths


def shard(source: Source, seed: int, start: int, stop: int) -> bytes:
    """Play the games of one shard, and return the bytes of its file."""
    found = [source.play(derive(seed, number)) for number in range(start, stop)]
    arrays = {
        "rows": np.concatenate([each.rows for each in found]),
        "success": np.concatenate([np.tile(each.scores, (len(each.rows), 1)) for each in found]),
        "thought": np.concatenate([each.thought for each in found]),
        "movers": np.concatenate([each.movers for each in found]),
        "games": np.repeat(np.arange(start, stop), [len(each.rows) for each in found]),
    }
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def read_samples(
    game: Game, paths: list[Path], weight: float = 1.0
) -> Iterator[tuple[bool, Samples]]:
    """Yield (whether the samples are held out, samples) for each shard and each player."""
    low, high = game.scores
    mirrored = game.players == 2 and low == -high and not game.cooperative
    for path in paths:
        with np.load(path, allow_pickle=False) as found:
            rows, scores, thought, movers, games = (found[name] for name in NAMES)
        shares = weight / (np.bincount(games)[games] * game.players)
        for player in range(game.players):
            target = game.success(scores[:, player])
            expected = np.clip(game.success(thought), 0, 1)
            known = ~np.isnan(expected) & (mirrored | (movers == player))
            expected = np.where(movers == player, expected, 1 - expected)
            mixed = OUTCOME * target + (1 - OUTCOME) * np.where(known, expected, target)
            for held in (False, True):
                chosen = (games % HELD_OUT == 0) == held
                if chosen.any():
                    yield (
                        held,
                        Samples(
                            rows[chosen],
                            np.full(chosen.sum(), player, np.int64),
                            (target if held else mixed)[chosen].astype(np.float32),
                            shares[chosen].astype(np.float32),
                        ),
                    )


def together(samples: list[Samples]) -> Samples:
    """Several sets of samples, joined into one."""
    return Samples(
        np.concatenate([each.rows for each in samples]),
        np.concatenate([each.players for each in samples]),
        np.concatenate([each.targets for each in samples]),
        np.concatenate([each.weights for each in samples]),
    )
