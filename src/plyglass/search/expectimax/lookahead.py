"""Depth-first look-ahead: expectiminimax, with pruning and a memory of positions.

    value(position) = judgement of the leaf,  if the game is over or no depth is left
                    = best over actions, for the player to move, of
                      sum over outcomes of probability * value(outcome),  otherwise

With more than two players, the search is max^n. If chance is known, the search is plain minimax.

Alpha-beta (Knuth and Moore 1975) skips actions that cannot matter. Star1 (Ballard 1983) skips
outcomes of chance that cannot matter. Actions at the root always get exact values. So these values
can be averaged over worlds, and ties between actions can be seen.

The memory stores a value under a 64-bit hash of everything that the value depends on, including the
depth.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import mix, scramble
from plyglass.core.memory import read_word
from plyglass.core.state import Bytes
from plyglass.core.tape import MOST_DRAWS
from plyglass.core.verbs import RNG, fingerprint, legal, score, to_move
from plyglass.search.expectimax.frames import (
    AVERAGED,
    DICTATED,
    FORESEEN,
    LONG_TAPE,
    UNLIKE_LUCK,
    Frames,
    Terms,
)
from plyglass.search.expectimax.outcomes import first_outcome, next_outcome, outcome_probability
from plyglass.search.expectimax.transition import judge_leaf, reach

Results = npt.NDArray[np.float64]  # (actions, width): the values of root actions

FAULTS = {
    LONG_TAPE: f"makes more than {MOST_DRAWS} random draws in one action, which is more than can "
    "be enumerated.",
    UNLIKE_LUCK: "makes random draws that depend on what is played, so its futures cannot be "
    "numbered; use futures=sampled.",
}


@kernel
def look_ahead(table, look, frames, keys, known, results, most):
    """Continue the search for up to `most` positions; return how many were reached.

    The search is over when `look.level` is negative. `Frames` describes the arrays.
    """
    reached = 0
    while look[0].level >= 0 and look[0].fault == 0:
        here = frames[look[0].level]
        if here.next == here.count:
            leave(look[0], frames, keys, known, results)
        elif reached == most:
            break
        else:
            reached += 1
            visit(table, look[0], frames, keys, known, results)
    return reached


@kernel
def visit(table, look, frames, keys, known, results):
    """Play the current action with its current outcome; then judge, recall or expand the result."""
    here, there = frames[look.level], frames[look.level + 1]
    reach(table, look, here, there)
    set_window(look, here, there, results)
    if there.player < 0 or there.depth == 0 or look.level + 2 == len(frames):
        judge_leaf(table, look, there)
    elif not hopeless(table, look, there) and not recall(table, look, there, keys, known):
        open_frame(table, look, there)
        look.level += 1
        return
    credit(look, here, results)


@kernel
def open_frame(table, look, there):
    """List the legal actions of a position, and begin with the first one."""
    there.count = legal(table, there.state, there.actions)
    there.next, there.chosen, there.cut, there.mass = 0, -1, 0, 0.0
    there.judge, there.sign = there.player, 1.0
    if look.alone:
        there.judge = 0
        there.sign = 1.0 if there.player == look.seat or look.together else -1.0
    for i in range(look.width):
        there.sums[i] = 0.0
    first_outcome(there.tape)  # an abandoned search may have left the tape at any outcome


@kernel
def credit(look, here, results):
    """Add an outcome's values to its action, and close the action if no other outcome matters."""
    for i in range(look.width):
        here.sums[i] += here.share * (here.earned[i] + look.discount * look.values[i])
    here.mass += here.share
    here.cut |= look.cut
    if look.luck != AVERAGED or not next_outcome(here.tape):
        close_action(look, here, results)
    elif look.star and decided(look, here):
        first_outcome(here.tape)
        close_action(look, here, results)


@kernel
def close_action(look, here, results):
    """Finish an action: keep the action if it is the best so far, and continue with the next."""
    better = (
        here.chosen < 0 or here.sign * here.sums[here.judge] > here.sign * here.best[here.judge]
    )
    for i in range(look.width):
        if better:
            here.best[i] = here.sums[i]
        if look.level == 0:
            results[here.next, i] = here.sums[i]
        here.sums[i] = 0.0
    if better:
        here.chosen = here.next
    here.mass = 0.0
    here.next += 1
    if look.prunes and look.level > 0:
        narrow(here)


@kernel
def leave(look, frames, keys, known, results):
    """Leave a position, and credit the position's value to the action that led there."""
    here = frames[look.level]
    for i in range(look.width):
        look.values[i] = here.best[i]
    look.cut = here.cut
    look.level -= 1
    if look.level >= 0:
        if len(keys) > 0 and exact(look, here):
            remember(look, here, keys, known)
        credit(look, frames[look.level], results)


@kernel
def begin(table, look, frames, depth, only):
    """Make the position in the first frame the root.

    `only` is the index of the one root action to search, or -1 for all root actions.
    """
    root = frames[0]
    root.player, root.depth, root.position = to_move(table, root.state), depth, 0
    root.alpha, root.beta = look[0].low, look[0].high
    open_frame(table, look[0], root)
    if only >= 0:
        root.next, root.count = only, only + 1
    look[0].level, look[0].drawn, look[0].fault = 0, 0, 0


# --- Pruning ---
#
# Only a value within the window (alpha, beta) of a position can change the choice above it. A value
# at the edge of the window or beyond may be a bound instead of the true value. Pruning needs values
# within the game's declared scores, so the values of an evaluator must be within these scores, too.


@kernel
def set_window(look, here, there, results):
    """Set the window of an outcome: the action's window, narrowed by the other outcomes (Star1).

    If scores never rise, `results` holds an upper bound of each root action's value until the value
    is known.
    """
    if look.prunes == 0:
        return
    there.alpha, there.beta = look.low, look.high
    if here.share == 1.0 or look.star:
        rest = 1.0 - here.mass - here.share
        there.alpha = max(look.low, (here.alpha - here.sums[0] - look.high * rest) / here.share)
        there.beta = min(look.high, (here.beta - here.sums[0] - look.low * rest) / here.share)
    there.floor, there.ceiling = there.alpha, there.beta
    if look.costs and look.level == 0:
        there.beta = min(there.beta, results[here.next, 0])


@kernel
def narrow(here):
    """Narrow the window by the best action so far; skip other actions if no window is left."""
    if here.sign > 0:
        here.alpha = max(here.alpha, here.best[0])
    else:
        here.beta = min(here.beta, here.best[0])
    if here.alpha >= here.beta:
        here.next = here.count


@kernel
def decided(look, here):
    """Return whether no remaining outcome can bring the action's value into the window (Star1).

    If so, the function sets the action's sum to a bound of its value.
    """
    rest = 1.0 - here.mass
    if here.sums[0] + look.high * rest <= here.alpha:
        here.sums[0] += look.high * rest
        return True
    if here.sums[0] + look.low * rest >= here.beta:
        here.sums[0] += look.low * rest
        return True
    return False


@kernel
def hopeless(table, look, there):
    """Return whether the path already costs as much as the best plan (branch and bound).

    If scores never rise, no continuation can have a higher value than the score so far.
    """
    if look.costs == 0 or look.prunes == 0:
        return False
    look.values[0] = score(table, there.state, look.seat)
    look.cut = 0
    there.beta = min(there.beta, look.values[0])
    return look.values[0] <= there.alpha


@kernel
def exact(look, here):
    """Return whether the value is exact and not only a bound."""
    if look.prunes == 0:
        return True
    above = here.best[0] > here.floor or here.floor <= look.low
    return above and (here.best[0] < here.ceiling or here.ceiling >= look.high)


# --- Memory: a table of positions, in which a new position replaces an old one ---


@kernel
def recall(table, look, there, keys, known):
    """Return whether the memory has the values of this position; if so, copy them to `look`."""
    if len(keys) == 0:
        return False
    there.key = position_key(table, look, there)
    at = np.int64(there.key & np.uint64(len(keys) - 1))
    if keys[at] != there.key:
        return False
    for i in range(look.width):
        look.values[i] = known[at, i]
    look.cut = np.int64(known[at, look.width])
    return True


@kernel
def position_key(table, look, there):
    """Return a hash of the position, the depth, and the future if it is known."""
    hashed = fingerprint(table, there.state) ^ look.salt
    if look.luck == FORESEEN:
        hashed = hashed ^ scramble(read_word(there.state, RNG))
    return mix(mix(hashed, there.depth), there.position if look.luck == DICTATED else 0)


@kernel
def remember(look, here, keys, known):
    """Store the values of a position."""
    at = np.int64(here.key & np.uint64(len(keys) - 1))
    keys[at] = here.key
    for i in range(look.width):
        known[at, i] = look.values[i]
    known[at, look.width] = look.cut


class Lookahead:
    """A look-ahead that can stop anywhere and continue later."""

    def __init__(self, game: Game, seat: int, terms: Terms) -> None:
        terms.refuse(game)
        self._game = game
        self._memory = Frames(game, seat, terms)
        self._judge = 0 if terms.pruning != "none" else seat
        self._first = 0
        look, root = self._memory.look, self._memory.frames[:1]
        self._level, self._fault, self._leaves = look["level"], look["fault"], look["leaves"]
        self._next, self._cut = root["next"], root["cut"]
        self._dictated = terms.luck == DICTATED

    def begin(
        self, world: Bytes, depth: int, only: int | None = None, ceilings: Results | None = None
    ) -> None:
        """Begin to search from a world.

        `only` is the index of the one root action to search; None means all root actions.
        `ceilings` are upper bounds of the root actions' values.
        """
        m = self._memory
        m.states[0] = world
        m.results[:, 0] = m.high if ceilings is None else ceilings
        begin(self._game.table, m.look, m.frames, depth, -1 if only is None else only)
        self._first = only or 0

    def run(self, most: int) -> int:
        """Continue the search for up to `most` positions; return how many were reached."""
        m = self._memory
        reached = int(
            look_ahead(self._game.table, m.look, m.frames, m.keys, m.known, m.results, most)
        )
        if self._fault[0]:
            raise RuntimeError(f"{self._game.name} {FAULTS[int(self._fault[0])]}")
        return reached

    @property
    def over(self) -> bool:
        """Return whether the search is complete."""
        return bool(self._level[0] < 0)

    @property
    def cut(self) -> bool:
        """Return whether the depth limit cut a line short, so a deeper search may help."""
        return bool(self._cut[0])

    @property
    def leaves(self) -> int:
        """Return how many positions were judged so far."""
        return int(self._leaves[0])

    def results(self) -> Results:
        """Return the seat's value of every root action, by index; the search must be complete."""
        return self._memory.results[:, self._judge].copy()

    def values(self) -> dict[int, float]:
        """Return the seat's values of the root actions searched so far, by index of the action."""
        judged = self._memory.results[:, self._judge].tolist()
        return {index: judged[index] for index in range(self._first, int(self._next[0]))}

    def probability(self) -> float:
        """Return the probability of the dictated future, or 1 if chance is not dictated."""
        if not self._dictated:
            return 1.0
        self._memory.rewind()
        return float(outcome_probability(self._memory.look["future"][0]))

    def first_future(self) -> None:
        """Set the dictated future to the first one."""
        self._memory.blank_future()
        self._memory.look["salt"] += np.uint64(1)

    def next_future(self) -> bool:
        """Set the dictated future to the next one; return False after the last one."""
        self._memory.rewind()
        self._memory.look["salt"] += np.uint64(1)
        return bool(next_outcome(self._memory.look["future"][0]))
