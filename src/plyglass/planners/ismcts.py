"""ISMCTS: Monte Carlo tree search over information sets.

Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", TCIAIG 2012; document 003
appendix 1.5.

One implementation of three forms, which differ in whose information sets the nodes are (`key`):

    observer   SO-ISMCTS: one tree of what the root player has seen; others act at nodes that do not
    know their secrets mover      SO-ISMCTS as OpenSpiel builds it: each node is an information set
    of the player who moves there observers  MO-ISMCTS: a tree for each player, descended together;
    the trees of others begin without their secrets

A fourth form is no ISMCTS but shares all of its code: nodes by the actions of all, whatever anybody
sees (`actions`, for `PIMC`).

Needs: a belief.
Cannot: bluff, or find an equilibrium; each node maximises against how the others were searched, so
more search can be more exploitable.

Differs from the paper in:
- nodes stand for what was seen after an action, not for the action, so luck and hidden results need
  no special case;
- an iteration ends at the first new node of the player to move, in all three forms;
- opponents' actions that look alike to the observer lead to one node but keep statistics of their
  own;
- a world can be kept for several iterations (`resample`), and a node judged several times before it
  is looked beyond (`patience`);
- SO-ISMCTS can keep what it knows of the information set that the match reaches (`reuse`); trees of
  single worlds could not, as those worlds may be ruled out by now.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import mix
from plyglass.core.memory import borrow
from plyglass.core.verbs import legal, to_move
from plyglass.core.world import View
from plyglass.search.information_sets.nodes import (
    BEGINNING,
    begin_memory,
    beginning,
    enter,
    note_successor,
    remember,
    remembered,
)
from plyglass.search.information_sets.offers import new_offers, offer, ucb_offered_child
from plyglass.search.information_sets.search import InformationSearch, place_world
from plyglass.search.interface import LiveBelief
from plyglass.search.mcts.iteration import back_up, pass_through, take, ucb_child
from plyglass.search.mcts.playout import TO_THE_END, Playout, judge_by_playout
from plyglass.search.mcts.tree import ROOT

OBSERVER, MOVER, OBSERVERS, ACTIONS = range(4)
FORMS = {"observer": OBSERVER, "mover": MOVER, "observers": OBSERVERS, "actions": ACTIONS}


@kernel
def search(
    table,
    work,
    trail,
    memories,
    offers,
    nodes,
    slots,
    used,
    worlds,
    form,
    history,
    done,
    iterations,
    resample,
):
    """Grow the tree by so many iterations after `done`, with the next of `worlds` every `resample`
    of them; returns its new size.

    `history` is what the observer remembers at the root.
    """
    table, work, trail, memories = borrow(table), borrow(work), borrow(trail), borrow(memories)
    offers, nodes, slots, worlds = borrow(offers), borrow(nodes), borrow(slots), borrow(worlds)
    for iteration in range(done, done + iterations):
        place_world(table, work[0], worlds, iteration, done, resample)
        used, length, player = descend(
            table, work[0], trail, memories, offers, nodes, slots, used, form, history
        )
        judge_by_playout(table, work[0], player, 0)
        back_up(nodes, work[0], trail, length)
    return used


@kernel
def descend(table, work, trail, memories, offers, nodes, slots, used, form, history):
    """Let each player in turn select at his node, until a node is new; returns (size of the
    trees, length of the trail, who moves).
    """
    observer = player = to_move(table, work.root)
    node = ROOT
    length = 1
    begin_memories(table, work, memories, form, observer, history)
    while player >= 0:
        same_everywhere = node == ROOT if form == ACTIONS else player == observer or form == MOVER
        used, edge = select(
            table, work, trail, length, offers, nodes, used, node, player, same_everywhere
        )
        if edge == ROOT:
            break  # the tree is full: from now on playouts judge this leaf
        mover = player
        player = take(table, work, trail[length], mover, nodes[edge].action)
        trail[length].node = edge
        length += 1
        if player >= 0:
            remember_all(table, work, memories, form, observer, mover, nodes[edge].action)
            whose = observer if form in (OBSERVER, ACTIONS) else player
            used, node = enter(nodes, slots, used, memories[whose].history, player)
            if node == ROOT:
                break  # the tree is full
            note_successor(nodes, edge, node)
            pass_through(work, trail[length], node)
            length += 1
            if nodes[node].visits <= work.patience and nodes[node].count == 0:
                break
    return used, length, player


@kernel
def select(table, work, trail, length, offers, nodes, used, node, player, same_everywhere):
    """An action at the node, which may offer others in another world; returns (size of the tree,
    the action or ROOT if it is full).
    """
    if same_everywhere and nodes[node].count > 0:
        return used, ucb_child(nodes, node, work.exploration)
    count = legal(table, work.world, work.actions)
    if used + 2 * (nodes[node].count + count) + 1 > len(nodes):
        return used, ROOT
    used = offer(nodes, used, node, player, work.actions, count, work.stream, offers, trail, length)
    if same_everywhere:
        return used, ucb_child(nodes, node, work.exploration)
    return used, ucb_offered_child(nodes, node, offers, count, work.exploration)


@kernel
def begin_memories(table, work, memories, form, observer, history):
    """The observer begins at the root. Others begin where his trees do, or, keyed by mover, with
    what they see in this world.
    """
    for player in range(work.players):
        if player == observer or form in (MOVER, OBSERVERS):
            begin_memory(
                table,
                work.world,
                player,
                memories[player],
                history if player == observer else mix(BEGINNING, player),
            )
            if form == MOVER and player != observer:
                memories[player].history = mix(memories[player].seen, player)


@kernel
def remember_all(table, work, memories, form, observer, mover, action):
    """Everybody whose nodes are in the tree takes note of what happened."""
    if form == ACTIONS:
        memories[observer].history = mix(mix(memories[observer].history, mover), action)
        return
    for player in range(work.players):
        if player == observer or form in (MOVER, OBSERVERS):
            remember(table, work.world, player, memories[player], mover, action)


@dataclass(frozen=True)
class SOISMCTS:
    """Information set Monte Carlo tree search with one tree.

    Attributes:
        key: whose information sets the nodes are: the root player's ("observer"), or those of
            whoever moves ("mover").
        exploration: the weight of the confidence bound; values are scaled to [0, 1] first.
        choice: what to play in the end: the action with the most visits, the best value, or the
            highest bound.
        patience: how often a node is judged by playouts before its actions are tried one by one.
        reuse: whether the part of the tree below what was done and seen is kept; for key=observer.
        resample: a new world is drawn for every so many iterations.
        scale: "range" scales values by the game's declared scores; "raw" takes them as they are.
        playout: how a new leaf is judged; to the end at random by default.
        most_nodes: how large the tree may grow; 40 bytes a node.
    """

    key: Literal["observer", "mover"] = "observer"
    exploration: float = 0.7
    choice: Literal["visits", "value", "bound"] = "visits"
    patience: int = 0
    reuse: bool = False
    resample: int = 1
    scale: Literal["range", "raw"] = "range"
    playout: Playout = TO_THE_END
    most_nodes: int = 5_000_000

    name: ClassVar[str] = "so-ismcts"

    def __post_init__(self) -> None:
        if self.reuse and self.key != "observer":
            raise ValueError(
                "What a player remembers goes on in a tree of his own alone, so that reuse=true "
                "needs key=observer."
            )

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> ISMCTSSearch:
        return ISMCTSSearch(
            self, self.key, game, seat, belief, seed, self.resample, reuse=self.reuse
        )


@dataclass(frozen=True)
class MOISMCTS:
    """Information set Monte Carlo tree search with a tree for every player, descended together.

    Attributes:
        exploration, choice, patience, resample, scale, playout, most_nodes: as in SO-ISMCTS.
    """

    exploration: float = 0.7
    choice: Literal["visits", "value", "bound"] = "visits"
    patience: int = 0
    resample: int = 1
    scale: Literal["range", "raw"] = "range"
    playout: Playout = TO_THE_END
    most_nodes: int = 5_000_000

    name: ClassVar[str] = "mo-ismcts"

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> ISMCTSSearch:
        return ISMCTSSearch(self, "observers", game, seat, belief, seed, self.resample)


class ISMCTSSearch(InformationSearch):
    """A search over information sets of one seat in one match. `planner` has playout, patience,
    exploration, scale, choice, most_nodes.
    """

    def __init__(
        self,
        planner: Any,
        key: str,
        game: Game,
        seat: int,
        belief: LiveBelief,
        seed: int,
        resample: int,
        *,
        reuse: bool = False,
    ) -> None:
        super().__init__(planner, game, seat, belief, seed, planner.playout)
        self.space.work[0].patience = planner.patience
        self._offers = new_offers(game.most_actions)
        self._form, self._resample, self._reuse = FORMS[key], resample, reuse
        self._history = beginning(
            seat
        )  # what the seat remembers at the root of the tree, or since then

    def forget(self, own_action: int | None, view: View) -> None:
        """Keep what is below the node of what the seat now remembers, if there is one, and if
        there is room for more.
        """
        self._history = remembered(self._history, own_action, view)
        if self._reuse and (
            view.to_move != self.seat
            or (2 * self.tree.used < self.planner.most_nodes and self.tree.root_at(self._history))
        ):
            return
        super().forget(own_action, view)
        self._history = beginning(self.seat)

    def grow(self, done: int, count: int) -> None:
        tree, space, resample = self.tree, self.space, self._resample
        tree.reserve(count * self.nodes_per_iteration)
        worlds = self.worlds(done, count, resample)
        tree.used = search(
            self.game.table, space.work, space.trail, self.memories.records, self._offers,
            tree.nodes, tree.slots, tree.used, worlds,
            self._form, self._history, done, count, resample,
        )  # fmt: skip
