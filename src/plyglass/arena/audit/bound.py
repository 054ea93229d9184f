"""An upper bound of what any honest agent can win, in games for one player.

The bound relaxes what the player knows (Brown, Smith and Sun 2010). For the first actions, the
relaxed player knows only their views, like an honest player. Then they learn the whole world and
all chance to come. An honest player can do nothing that the relaxed player cannot do, so no honest
player scores more on average. The bound falls as the player has to stay honest for longer.

    for each start of the game:
        sample worlds that agree with the first view
        find all positions of every world (`search.layers`)
        value(worlds, depth):  worlds that the player cannot tell apart after `depth` actions
            one world, or depth = honest actions:  the sum of each world's best value
            otherwise:  the best over actions of the sum over views of value(worlds with this view)

The best action is chosen for the sampled worlds, so a finite sample makes the bound looser, but not
wrong: the mean over starts is an unbiased estimate of a value that is at least the bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plyglass.arena.audit.progress import Progress, ProgressLine
from plyglass.beliefs.fresh import LiveFresh
from plyglass.core.game import Game
from plyglass.core.refusals import refuse_less
from plyglass.core.seeds import Purpose, derive
from plyglass.core.state import new_states
from plyglass.search.layers import VIEWER, Layers, fill, new_layers
from plyglass.stats.intervals import mean_interval

ROOM = 1 << 17  # the most positions of a world


@dataclass(frozen=True)
class Bound:
    """Upper bounds of the mean score of any honest player.

    Attributes:
        values: for each number of honest actions, from 0 on: the bound in each start's worlds.
        horizon: the number of actions that were unrolled.
        worlds: the number of sampled worlds of a start.
    """

    values: tuple[tuple[float, ...], ...]
    horizon: int
    worlds: int

    def interval(self, honest: int = -1) -> tuple[float, float | None, float | None]:
        """Return the mean over starts, with its 95 % interval; by default for most honesty."""
        return mean_interval(self.values[honest])


def bound(
    game: Game,
    *,
    honest: int = 3,
    horizon: int | None = None,
    falling: bool = False,
    worlds: int = 100,
    starts: int = 30,
    seed: int = 0,
    progress: Progress | None = None,
) -> Bound:
    """Return upper bounds of the mean score of any honest player of a game for one player.

    Args:
        honest: the largest number of actions before the relaxed player learns everything. The
            result has a bound for each smaller number, too. With 0, the player knows everything
            from the start.
        horizon: the number of actions to unroll; by default all. Beyond it, the bound assumes the
            game's highest score, or the present score if `falling` is given. A world with too many
            positions is cut after the last layer that fits into memory.
        falling: whether scores never rise, as in games that count costs.
        worlds: the number of worlds that are sampled for each start. More worlds make the bound
            tighter.
        starts: the number of starts of the game.
        seed: the random seed.
        progress: called with what is counted, the number done, and the total. By default, a
            terminal shows the progress.

    The worlds of a start come from the game's rule `imagine`, applied to the first view. There, the
    rule must give every world its true probability.
    """
    _refuse(game, honest, horizon, worlds, starts)
    depth = min(game.most_steps, horizon or game.most_steps)
    floor = -np.inf if falling else game.scores[1]
    memory, found = new_layers(game, depth, ROOM), list[list[float]]()
    progress = progress or ProgressLine()
    for number in range(starts):
        luck = derive(seed, number)
        relaxed = _joined(
            [
                _unrolled(game, memory, row, derive(luck, at), honest, floor)
                for at, row in enumerate(_worlds(game, worlds, luck))
            ]
        )
        found.append([relaxed.value(actions) / worlds for actions in range(honest + 1)])
        progress("starts", number + 1, starts)
    return Bound(tuple(zip(*found, strict=True)), depth, worlds)


def _refuse(game: Game, honest: int, horizon: int | None, worlds: int, starts: int) -> None:
    if game.players != 1:
        raise ValueError(
            f"The bound is for games of one player, but {game.name} has {game.players}. Opponents "
            "would have to play a fixed policy."
        )
    if game.discount != 1.0:
        raise ValueError(f"{game.name} discounts rewards; the bound needs a game with discount=1.")
    refuse_less("honest", honest, 0)
    refuse_less("worlds", worlds, 1)
    refuse_less("starts", starts, 1)
    if horizon is not None:
        refuse_less("horizon", horizon, max(1, honest))


def _worlds(game: Game, count: int, seed: int) -> npt.NDArray[np.uint8]:
    """Return worlds that agree with the first view of a start."""
    belief = LiveFresh(game, VIEWER, derive(seed, Purpose.BELIEF))
    belief.observe(None, game.start(derive(seed, Purpose.LUCK)).hide(VIEWER))
    rows = new_states(count, game.state)
    belief.sample(rows)
    return rows


@dataclass(frozen=True)
class _Relaxed:
    """The positions of one or several worlds up to the last honest action.

    Attributes:
        roots: the first position of each world.
        counts, children, seen, values: as in `Layers`.
    """

    roots: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int32]
    children: npt.NDArray[np.int64]
    seen: npt.NDArray[np.uint64]
    values: npt.NDArray[np.float64]

    def value(self, honest: int) -> float:
        """Return the sum over worlds of the value of the best relaxed policy."""
        return self._value(self.roots, honest)

    def _value(self, group: npt.NDArray[np.int64], honest: int) -> float:
        """Return the value of worlds that the player cannot tell apart.

        Actions are tried in the order of what they would be worth if everything were known now. An
        action whose worth is not above the best value so far cannot be better.
        """
        count = int(self.counts[group[0]])
        if honest == 0 or len(group) == 1 or count == 0:
            return float(self.values[group].sum())
        after = self.children[group, :count]
        worth = self.values[after].sum(axis=0)
        best = -np.inf
        for action in np.argsort(-worth):
            if worth[action] <= best:
                break
            best = max(best, self._after(after[:, action], honest - 1))
        return float(best)

    def _after(self, group: npt.NDArray[np.int64], honest: int) -> float:
        """Return the value of worlds after an action; equal views stay together."""
        if honest == 0:
            return float(self.values[group].sum())
        order = np.argsort(self.seen[group], kind="stable")
        group = group[order]
        seen = self.seen[group]
        ends = np.flatnonzero(np.append(seen[1:] != seen[:-1], True)) + 1
        begins = np.append(0, ends[:-1])
        alone = ends - begins == 1
        total = float(self.values[group[begins[alone]]].sum())
        for begin, end in zip(begins[~alone], ends[~alone], strict=True):
            total += self._value(group[begin:end], honest)
        return total


def _unrolled(
    game: Game, memory: Layers, row: npt.NDArray[np.uint8], luck: int, honest: int, floor: float
) -> _Relaxed:
    """Unroll a world, and keep its positions up to the last honest action."""
    depth = fill(game, memory, row, luck, honest, floor)
    inner, kept = memory.starts[min(honest, depth) :][:2]
    counts = memory.counts[:kept].copy()
    counts[inner:] = 0
    return _Relaxed(
        np.zeros(1, np.int64),
        counts,
        memory.children[:kept].astype(np.int64),
        memory.seen[:kept].copy(),
        memory.values[:kept].copy(),
    )


def _joined(worlds: list[_Relaxed]) -> _Relaxed:
    """Return the positions of all worlds, numbered one world after the other."""
    sizes = np.array([len(world.counts) for world in worlds])
    firsts = np.append(0, np.cumsum(sizes)[:-1])
    return _Relaxed(
        firsts,
        np.concatenate([world.counts for world in worlds]),
        np.concatenate(
            [world.children + first for world, first in zip(worlds, firsts, strict=True)]
        ),
        np.concatenate([world.seen for world in worlds]),
        np.concatenate([world.values for world in worlds]),
    )
