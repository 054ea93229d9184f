"""BS-MCTS: belief-state Monte Carlo tree search.

Wang, Zhu, Li, Hsueh and Wu, "Belief-state Monte-Carlo tree search for Phantom games", CIG 2015, and
"Belief-state Monte Carlo tree search for Phantom Go", ToG 2018; described in Pipan 2021 (appendix
1.6).

A belief node B represents everything that the root player has seen up to a decision. B holds the
worlds in which the search reached B, and each world has statistics of its own. B's value of an
action is the mean of the action's values in these worlds, weighted by the estimated probability of
each world.

    for each world of the belief, `searches` times:
        descend: at a node B select by UCB1 on B's values if the root player moves;
                 predict an opponent's action by the action's value to this opponent
        value <- score after a random playout at the first new node
        add the value to the worlds and actions on the way, and update the mean of each B
    play the action with the best value

Needs: a belief.

`BSMCTS` cannot explain an opponent's action except by the action's value to the opponent.

Differs from the paper, as far as its equations are known:
- Equations 4 to 6 use the utilities of the player who acts. An opponent prefers actions that are
  good for this opponent (equation 6). A world gets more weight if it is good for the opponents
  whose actions led to it (equations 4 and 5). With the root player's utilities, the search would
  assume that opponents help the root player. A negative `guess` or `predict` reverses the
  preference.
- The weight of a world is the world's share of the visits times e^(guess U), where U is the world's
  value to opponents. The paper puts the prior into the exponent, where the prior makes little
  difference if there are many worlds.
- The mean in equation 3 is taken over the worlds in which the action was tried.
- The number of searches per world is given (`searches`), and the number of worlds follows from the
  budget.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import below, mix, uniform
from plyglass.core.memory import borrow, read_action
from plyglass.core.refusals import refuse_other
from plyglass.core.verbs import fingerprint, legal, to_move
from plyglass.search.information_sets.nodes import (
    BEGINNING,
    begin_memory,
    borrow_space,
    enter,
    remember,
)
from plyglass.search.information_sets.offers import find_offer, is_legal, new_offers, note_legal
from plyglass.search.information_sets.search import (
    InformationSearch,
    borrow_batch,
    place_world,
)
from plyglass.search.interface import LiveBelief
from plyglass.search.mcts.iteration import pass_through, take, ucb1
from plyglass.search.mcts.playout import TO_THE_END, Playout, judge_by_playout
from plyglass.search.mcts.root import RootStatistics
from plyglass.search.mcts.tree import ROOT
from plyglass.search.mcts.workspace import new_trail

# How the nodes of `mcts.tree` are used here:
#
#     node                  its fields
#     B                     `first` begins the chain of its actions
#     an action of B        `total` is the action's value; the next node's `total` is the weight of
#                           the worlds in which the action was tried
#     a world               the children are actions; `next` begins the chain of tried actions
#     an action in a world  `first` is the action of B

WORLD = 1 << 20  # distinguishes the key of a world from the key of a belief node
NODES_PER_ACTION = 3  # one in the world, one in B, and one for the weight in B
MOST_GUESS = 10.0  # sums of weights e^(guess U) stay exact while exponents differ by at most this

Response = np.dtype(
    [
        ("guess", np.float64),
        ("predict", np.float64),
        ("by_bound", np.int64),  # whether opponents act by confidence bounds
    ],
    align=True,
)


@kernel
def search(table, space, offers, used, batch, response):
    """Run the iterations of a batch; return the new size of the tree."""
    table, space, offers, batch, response = (
        borrow(table),
        borrow_space(space),
        borrow(offers),
        borrow_batch(batch),
        borrow(response),
    )
    work = space.work[0]
    for iteration in range(batch.done, batch.done + batch.size):
        place_world(table, work, batch, iteration)
        used, length, player = descend(table, space, offers, used, response[0])
        judge_by_playout(table, work, player, 0)
        back_up_beliefs(space.nodes, work, space.trail, length, response[0])
    return used


@kernel
def descend(table, space, offers, used, response):
    """Descend to the first new node B, and record the path in the trail.

    The trail gets each B on the path, with the world and the action chosen there. Returns (the size
    of the tree, the length of the trail, the player to move or -1).
    """
    space = borrow_space(space)
    work, trail, nodes, slots = space.work[0], space.trail, space.nodes, space.slots
    observer = player = to_move(table, work.root)
    memory = space.memories[observer]
    begin_memory(table, work.world, observer, memory, mix(BEGINNING, observer))
    node = ROOT
    length = 0
    while player >= 0:
        used, world = enter_world(table, work, nodes, slots, used, memory, player)
        if world == ROOT:
            break  # the tree is full
        pass_through(work, trail[length], node)
        pass_through(work, trail[length + 1], world)
        length += 2
        is_new = nodes[node].visits == 0 and node != ROOT
        if is_new or used + NODES_PER_ACTION * work.most_actions + 2 > len(nodes):
            break
        if nodes[world].count == 0:
            used = expand_world(table, work, offers, nodes, used, node, world, player)
        if player == observer or response.by_bound:
            action = believed_best(nodes, node, world, work.exploration)
        else:
            action = predicted(nodes, world, work.stream, response.predict)
        mover = player
        player = take(table, work, trail[length], mover, nodes[action].action)
        trail[length].node = action
        length += 1
        if player >= 0:
            remember(table, work.world, observer, memory, mover, nodes[action].action)
            used, node = enter(nodes, slots, used, memory.history, player)
            if node == ROOT:
                break
    return used, length, player


# --- Selection ---


@kernel
def believed_best(nodes, node, world, exploration):
    """Return the action with the highest confidence bound, computed from B's values (equation 1).

    An action that B has never tried comes first.
    """
    log_visits = math.log(max(1, nodes[node].visits))
    first = nodes[world].first
    best, best_bound = first, -1e300
    for child in range(first, first + nodes[world].count):
        shared = nodes[child].first
        if nodes[shared].visits == 0:
            return child
        bound = ucb1(nodes[shared].total, nodes[shared].visits, log_visits, exploration)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@kernel
def predicted(nodes, world, stream, predict):
    """Return an opponent's action, drawn by a softmax of the values to the opponent (equation 6).

    An action that B has never tried comes first.
    """
    first, count = nodes[world].first, nodes[world].count
    total = 0.0
    for child in range(first, first + count):
        if nodes[nodes[child].first].visits == 0:
            return child
        total += math.exp(predict * nodes[nodes[child].first].total)
    rest = uniform(stream) * total
    for child in range(first, first + count):
        rest -= math.exp(predict * nodes[nodes[child].first].total)
        if rest < 0.0:
            return child
    return first + count - 1


# --- Expansion ---


@kernel
def enter_world(table, work, nodes, slots, used, memory, player):
    """Find or add the present world in B; return (the size of the tree, the node of the world)."""
    return enter(
        nodes, slots, used, mix(memory.history ^ fingerprint(table, work.world), WORLD), player
    )


@kernel
def expand_world(table, work, offers, nodes, used, node, world, player):
    """Add the legal actions to a world, and to B if B lacks them; return the tree's new size."""
    count = legal(table, work.world, work.actions)
    note_legal(offers, work.actions, count)
    first = used
    end = add_known(nodes, used, nodes[node].first, offers)
    used = add_unknown(nodes, end, offers, work.actions, count, work.stream)
    nodes[world].first = first
    nodes[world].count = count
    for child in range(first, first + count):
        nodes[child].player = player
        if child >= end:
            nodes[child].first = used
            nodes[used].action = nodes[child].action
            nodes[used].player = player
            nodes[used].next = nodes[node].first
            nodes[node].first = used
            used += 2
    return used


@kernel
def add_known(nodes, used, shared, offers):
    """Add a child for each legal action that B already has; return the tree's new size.

    The children are stored in the order of B's chain, because the search reads them in this order.
    """
    while shared != 0:
        at = find_offer(offers, np.int64(nodes[shared].action))
        if is_legal(offers, at):
            offers[at].child = shared
            nodes[used].action = nodes[shared].action
            nodes[used].first = shared
            used += 1
        shared = nodes[shared].next
    return used


@kernel
def add_unknown(nodes, used, offers, actions, count, stream):
    """Add a child for each legal action that has no child yet, in random order.

    Return the tree's new size.
    """
    first = used
    for i in range(count):
        action = np.int64(read_action(actions, i))
        if offers[find_offer(offers, action)].child == 0:
            at = first + below(stream, used - first + 1)
            nodes[used].action = nodes[at].action
            nodes[at].action = action
            used += 1
    return used


# --- Backup ---


@kernel
def back_up_beliefs(nodes, work, trail, length, response):
    """Add the iteration's value to every world and action on the trail, and update each node B."""
    discounts = work.discount != 1.0
    for at in range((length - 1) // 3 * 3, -1, -3):
        node, world, tried = trail[at].node, trail[at + 1].node, np.int64(ROOT)
        if at + 2 < length:
            tried = trail[at + 2].node
            if discounts:
                for player in range(work.players):
                    work.values[player] = (
                        trail[at + 2].reward[player] + trail[at + 2].factor * work.values[player]
                    )
        player = nodes[world].player
        opponent = nodes[trail[at - 1].node].player if at > 0 else (player + 1) % work.players
        nodes[node].visits += 1
        add_search(
            nodes,
            world,
            tried,
            scaled(work, player, discounts),
            scaled(work, opponent, discounts),
            response.guess,
        )


@kernel
def scaled(work, player, discounts):
    """Return the iteration's scaled value to a player."""
    return (work.values[player] - work.low) / work.span if discounts else work.values[player]


@kernel
def add_search(nodes, world, tried, worth, worth_to_opponent, guess):
    """Add a search to a world and its tried action (ROOT if no action was tried), and update B.

    B's value of an action is a weighted mean over worlds (equations 3 to 5). The weight of this
    world has changed, so B's values of all actions tried in this world are recomputed.
    """
    weight_before = weight(nodes, world, guess)
    nodes[world].visits += 1
    nodes[world].total += worth_to_opponent
    weight_now = weight(nodes, world, guess)
    child = nodes[world].next
    while child != 0:
        if child != tried:
            value = nodes[child].total / nodes[child].visits
            weigh(nodes, nodes[child].first, value, weight_before, value, weight_now)
        child = nodes[child].next
    if tried != ROOT:
        value_before = 0.0
        if nodes[tried].visits > 0:
            value_before = nodes[tried].total / nodes[tried].visits
        else:
            weight_before = 0.0  # the action was not tried in this world before
            note_tried(nodes, world, tried)
        nodes[tried].visits += 1
        nodes[tried].total += worth
        nodes[nodes[tried].first].visits += 1
        weigh(
            nodes,
            nodes[tried].first,
            value_before,
            weight_before,
            nodes[tried].total / nodes[tried].visits,
            weight_now,
        )


@kernel
def note_tried(nodes, world, child):
    """Add an action to the chain of actions that were tried in a world."""
    nodes[child].next = nodes[world].next
    nodes[world].next = child


@kernel
def weigh(nodes, shared, value, weight, new_value, new_weight):
    """Replace one world's value and weight in B's mean value of an action."""
    rest = nodes[shared + 1].total - weight
    nodes[shared + 1].total = rest + new_weight
    if rest == 0.0:
        nodes[shared].total = new_value
    else:
        mean = nodes[shared].total
        nodes[shared].total += (new_weight * (new_value - mean) - weight * (value - mean)) / (
            rest + new_weight
        )


@kernel
def weight(nodes, world, guess):
    """Return the weight of a world, computed from its visits and its value to opponents."""
    visits = nodes[world].visits
    return visits * math.exp(guess * nodes[world].total / visits) if visits > 0 else 0.0


@dataclass(frozen=True)
class OpponentModel:
    """What a search assumes about opponents.

    Attributes:
        act: how opponents choose actions. "predicted" draws an action by a softmax, as in the
            paper. "bound" takes the action with the highest confidence bound.
        guess: how strongly a world's value to opponents raises the world's probability. With 0,
            only visits count.
        predict: how strongly opponents prefer actions that are good for them. With 0, opponents
            play at random.
    """

    act: Literal["predicted", "bound"] = "predicted"
    guess: float = 1.0
    predict: float = 5.0

    name: ClassVar[str] = "opponent-model"

    def __post_init__(self) -> None:
        refuse_other("act", self.act, ("predicted", "bound"))


@dataclass(frozen=True)
class BSMCTS:
    """Belief-state Monte Carlo tree search.

    Attributes:
        exploration: the weight of the exploration term in the confidence bound, for values scaled
            to [0, 1].
        searches: the number of searches in each world before the next world is drawn.
        opponent_model: what the search assumes about opponents.
        choice: the action to play: the one with the best "value", the most "visits", or the
            highest "bound".
        scale: "range" scales values by the game's declared scores; "raw" leaves values as scores.
        playout: the playout that judges a new leaf, by default a random playout to the end.
        most_nodes: the size limit of the tree; a node takes 40 bytes.
    """

    exploration: float = 0.7
    searches: int = 16
    opponent_model: OpponentModel = OpponentModel()
    choice: Literal["value", "visits", "bound"] = "value"
    scale: Literal["range", "raw"] = "range"
    playout: Playout = TO_THE_END
    most_nodes: int = 5_000_000

    name: ClassVar[str] = "bs-mcts"
    moved: ClassVar[Mapping[str, str]] = {
        "guess": "opponent_model.guess",
        "predict": "opponent_model.predict",
        "opponents": "opponent_model.act",
    }

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> BSMCTSSearch:
        most = MOST_GUESS / (game.scores[1] - game.scores[0] if self.scale == "raw" else 1.0)
        guess = self.opponent_model.guess
        if abs(guess) > most:
            raise ValueError(
                f"In {game.name} with scale={self.scale} `guess` can be {-most:g} to {most:g}, "
                f"not {guess:g}."
            )
        return BSMCTSSearch(self, game, seat, belief, seed)


class BSMCTSSearch(InformationSearch):
    """A BS-MCTS search of one seat in one match."""

    def __init__(
        self, planner: BSMCTS, game: Game, seat: int, belief: LiveBelief, seed: int
    ) -> None:
        super().__init__(planner, game, seat, belief, seed, planner.playout)
        self._offers = new_offers(game.most_actions)
        self.trail = new_trail(3 * game.most_steps + 3)
        model = planner.opponent_model
        self._response = np.array(
            [(model.guess, model.predict, model.act == "bound")], Response
        ).view(np.recarray)

    @property
    def nodes_per_iteration(self) -> int:
        return NODES_PER_ACTION * self.game.most_actions + 2

    def grow(self, done: int, count: int) -> None:
        self.tree.reserve((count + 1) * self.nodes_per_iteration)
        self.tree.used = search(
            self.game.table,
            self.tree_space,
            self._offers,
            self.tree.used,
            self.batch(done, count, self.planner.searches),
            self._response,
        )

    def line(self, action: int) -> tuple[tuple[int, int], ...]:
        return ((self.seat, action),)

    def statistics(self, actions: tuple[int, ...]) -> RootStatistics:
        nodes, work = self.tree.nodes, self.space.work[0]
        low, span = float(work.low), float(work.span)
        found: dict[int, tuple[int, float]] = {}
        shared = int(nodes[ROOT].first)
        while shared:
            found[int(nodes[shared].action)] = (
                int(nodes[shared].visits),
                low + span * float(nodes[shared].total),
            )
            shared = int(nodes[shared].next)
        visits = tuple(found.get(action, (0, 0.0))[0] for action in actions)
        values = tuple(
            found[action][1] if tried else None
            for action, tried in zip(actions, visits, strict=True)
        )
        return RootStatistics(actions, visits, values, span)
