"""ISMCTS: Monte Carlo tree search over information sets.

Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", TCIAIG 2012; described in
Pipan 2021 (appendix 1.5).

    repeat until the budget is used:
        world <- a sample of the belief, with new chance
        descend: at each node, select by UCB1 among the actions legal in this world;
                 continue to the node of what was then seen, until a node is new
        value <- score after a random playout
        add the value to every node on the way
    play the action with the most visits

One implementation serves three forms. They differ in the player whose information sets are the
nodes (`key`):

    observer   SO-ISMCTS: one tree of what the root player has seen. In this tree, other players
               act without their private information.
    mover      SO-ISMCTS as OpenSpiel builds it: a node is an information set of the player who
               moves there.
    observers  MO-ISMCTS: a tree for each player, and the search descends all trees together. The
               other players' trees begin without these players' private information.

`PIMC` uses a fourth form (`actions`), which is not an ISMCTS. Its nodes are the actions of all
players, whatever the players see.

In every sampled world, the root player has their true private information, such as their hand of
cards. So other players learn to respond to this information, although they cannot see it.
Re-determinizing ISMCTS (RIS; Goodman, "Re-determinizing MCTS in Hanabi", CoG 2019) prevents this
leak. RIS is MO-ISMCTS with `reimagine`:

    whenever the descent enters a node of another player:
        this player imagines a world from their view
        the descent and a playout continue in the imagined world
        add the value to the node and to all nodes after it
        restore the world
    add the value of the iteration to the nodes of the root player only

So other players learn only in worlds that they imagine themselves. The root player learns in worlds
of the belief.

Needs: a belief.

ISMCTS cannot bluff or find an equilibrium. Each node maximises against the play that the search
finds for the others, so more search can make play more exploitable.

Differs from the paper:
- A node represents what a player saw after an action, not the action. So chance and hidden results
  need no special case.
- An iteration ends at the first new node of the player to move, in all three forms.
- If opponents' actions look alike to the observer, these actions lead to one node, but each action
  keeps its own statistics.
- Several iterations can share a world (`resample`), and several playouts can judge a node before
  its children are searched (`patience`).
- Goodman's agent plays an action in the imagined world, and then restores the hidden information of
  the earlier world as far as possible. A general game has no rule for such a mixture. Here another
  player learns in a separate descent in the imagined world. Then the earlier world is restored.
  There, the player plays the action that they learned to prefer.
- In an imagined world, only the player who imagines it keeps their memory. The other players get a
  different memory, so they have separate nodes there.
- RIS does not infer hidden information from actions, because a world is imagined from a view, not
  from a history. Even in an imagined world, the root player has the same belief about others as the
  true root player.
- SO-ISMCTS can keep the subtree of the information set that the match reaches (`reuse`). A tree of
  a single world could not keep a subtree, because a new view may rule this world out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import MOST_PLAYERS, Game
from plyglass.core.luck import mix, next_word
from plyglass.core.memory import address_of, borrow
from plyglass.core.refusals import refuse_less
from plyglass.core.state import Bytes, new_states
from plyglass.core.verbs import copy_state, hide, imagine, legal, to_move
from plyglass.core.world import View
from plyglass.search.information_sets.nodes import (
    BEGINNING,
    Memory,
    begin_memory,
    beginning,
    borrow_space,
    enter,
    look,
    note_successor,
    remember,
    remembered,
)
from plyglass.search.information_sets.offers import new_offers, offer, ucb_offered_child
from plyglass.search.information_sets.search import (
    InformationSearch,
    borrow_batch,
    place_world,
)
from plyglass.search.interface import LiveBelief
from plyglass.search.mcts.iteration import back_up, pass_through, take, ucb_child
from plyglass.search.mcts.playout import TO_THE_END, Playout, judge_by_playout
from plyglass.search.mcts.tree import ROOT

# The player whose information sets are the nodes.
BY_OBSERVER, BY_MOVER, BY_OBSERVERS, BY_ACTIONS = range(4)
FORMS = {
    "observer": BY_OBSERVER,
    "mover": BY_MOVER,
    "observers": BY_OBSERVERS,
    "actions": BY_ACTIONS,
}
EVERYBODY = -1  # in place of a player
IMAGINED = np.uint64(0x13198A2E03707344)  # marks memories of imagined worlds


@kernel
def search(table, space, offers, used, batch, form, history, aside):
    """Run the iterations of a batch; return the new size of the tree.

    `history` is what the observer remembers at the root. Other players imagine worlds of their own
    if `aside` has room for one.
    """
    table, space, offers, batch, aside = (
        borrow(table),
        borrow_space(space),
        borrow(offers),
        borrow_batch(batch),
        borrow_aside(aside),
    )
    work = space.work[0]
    reimagine = len(aside.world) > 0
    for iteration in range(batch.done, batch.done + batch.size):
        place_world(table, work, batch, iteration)
        observer = to_move(table, work.root)
        begin_memories(table, work, space.memories, form, observer, history)
        if reimagine:
            used = iterate_with_others(table, space, offers, used, form, observer, aside)
        else:
            used, length, player, _ = descend(
                table, space, offers, used, form, observer, 1, observer, ROOT, False
            )
            judge_by_playout(table, work, player, 0)
            back_up(space.nodes, work, space.trail, length)
    return used


@kernel
def descend(table, space, offers, used, form, observer, length, player, node, halts):
    """Descend the tree: the player to move selects an action at each node, until a node is new.

    If `halts` is true, the descent also ends at each node of a player who is not the observer.
    Returns (the size of the trees, the length of the trail, the player to move or -1, the last
    node). The last node is ROOT if the game is over or the tree is full; playouts then judge this
    leaf.
    """
    space = borrow_space(space)
    work, trail, memories, nodes = space.work[0], space.trail, space.memories, space.nodes
    node = np.int64(node)
    while player >= 0:
        if form == BY_ACTIONS:
            same_everywhere = node == ROOT
        else:
            same_everywhere = player == observer or form == BY_MOVER
        used, edge = select(table, space, offers, used, length, node, player, same_everywhere)
        if edge == ROOT:
            return used, length, player, np.int64(ROOT)
        mover = player
        player = take(table, work, trail[length], mover, nodes[edge].action)
        trail[length].node = edge
        length += 1
        if player >= 0:
            remember_all(table, work, memories, form, observer, mover, nodes[edge].action)
            whose = observer if form in (BY_OBSERVER, BY_ACTIONS) else player
            used, node = enter(nodes, space.slots, used, memories[whose].history, player)
            if node == ROOT:
                return used, length, player, np.int64(ROOT)
            note_successor(nodes, edge, node)
            pass_through(work, trail[length], node)
            length += 1
            if is_new(work, nodes[node]) or (halts and player != observer):
                return used, length, player, node
    return used, length, player, np.int64(ROOT)


@kernel
def is_new(work, node):
    """Return whether playouts still judge the node, because its children are not searched yet."""
    return node.visits <= work.patience and node.count == 0


@kernel
def select(table, space, offers, used, length, node, player, same_everywhere):
    """Select an action at the node; `same_everywhere` says that all worlds allow the same actions.

    Returns (the size of the tree, the action's node). The node is ROOT if the tree is full.
    """
    space = borrow_space(space)
    nodes, work = space.nodes, space.work[0]
    if same_everywhere and nodes[node].count > 0:
        return used, ucb_child(nodes, node, work.exploration)
    count = legal(table, work.world, work.actions)
    if used + 2 * (nodes[node].count + count) + 1 > len(nodes):
        return used, ROOT
    used = offer(space, offers, used, node, player, count, length)
    if same_everywhere:
        return used, ucb_child(nodes, node, work.exploration)
    return used, ucb_offered_child(nodes, node, offers, count, work.exploration)


@kernel
def begin_memories(table, work, memories, form, observer, history):
    """Start the memories of all players at the roots of their trees.

    If nodes are keyed by mover, other players begin with what they see in this world.
    """
    for player in range(work.players):
        if player == observer or form in (BY_MOVER, BY_OBSERVERS):
            begin_memory(
                table,
                work.world,
                player,
                memories[player],
                history if player == observer else mix(BEGINNING, player),
            )
            if form == BY_MOVER and player != observer:
                memories[player].history = mix(memories[player].seen, player)


@kernel
def remember_all(table, work, memories, form, observer, mover, action):
    """Update the memory of every player who has nodes in the tree."""
    if form == BY_ACTIONS:
        memories[observer].history = mix(mix(memories[observer].history, mover), action)
        return
    for player in range(work.players):
        if player == observer or form in (BY_MOVER, BY_OBSERVERS):
            remember(table, work.world, player, memories[player], mover, action)


# --- Re-determinizing ---


class Aside(NamedTuple):
    """Storage for an iteration's world and memories while another player imagines a world.

    Attributes:
        world: (1, bytes of a state), or (0, bytes of a state) if nobody imagines anything.
        memories: (MOST_PLAYERS,) of `Memory`.
    """

    world: Bytes
    memories: Any


@kernel
def borrow_aside(aside):
    """Return the storage with arrays that Numba does not reference-count."""
    return Aside(borrow(aside.world), borrow(aside.memories))


@kernel
def iterate_with_others(table, space, offers, used, form, observer, aside):
    """Run an iteration in which other players learn at their nodes; return the size of the trees.

    Only nodes of the observer learn from the world of the iteration.
    """
    work = space.work[0]
    length, player, node, goes_on = 1, observer, np.int64(ROOT), True
    while goes_on:
        used, length, player, node = descend(
            table, space, offers, used, form, observer, length, player, node, True
        )
        goes_on = node != ROOT and not is_new(work, space.nodes[node])
        if node != ROOT and player != observer:
            used = learn(table, space, offers, used, form, observer, length, player, node, aside)
    judge_by_playout(table, work, player, 0)
    back_up_part(space.nodes, work, space.trail, 0, length, observer)
    return used


@kernel
def learn(table, space, offers, used, form, observer, length, player, node, aside):
    """Let the player to move learn in a world that they imagine; then restore world and memories.

    Returns the new size of the trees. `length` is the length of the trail to the node.
    """
    work, begin = space.work[0], length - 1
    copy_state(table, address_of(aside.world), work.world)
    copy_memories(work, space.memories, aside.memories)
    imagine_anew(table, work, space.memories, player)
    if not is_new(work, space.nodes[node]):
        used, length, player, node = descend(
            table, space, offers, used, form, observer, length, player, node, False
        )
    judge_by_playout(table, work, player, 0)
    back_up_part(space.nodes, work, space.trail, begin, length, EVERYBODY)
    copy_state(table, work.world, address_of(aside.world))
    copy_memories(work, aside.memories, space.memories)
    return used


@kernel
def copy_memories(work, memories, copies):
    """Copy what all players remember."""
    for player in range(work.players):
        copies[player].history = memories[player].history
        copies[player].seen = memories[player].seen


@kernel
def imagine_anew(table, work, memories, viewer):
    """Replace the world by one that the viewer imagines, and adapt the others' memories to it."""
    hide(table, work.world, viewer)
    imagine(table, work.world, viewer, next_word(work.stream))
    for player in range(work.players):
        if player != viewer:
            memories[player].seen = look(table, work.world, player, memories[player])
            memories[player].history = mix(
                memories[player].history ^ memories[player].seen, IMAGINED
            )


@kernel
def back_up_part(nodes, work, trail, begin, length, whose):
    """Add the value of the iteration to the nodes of a player, or of EVERYBODY, on part of a trail.

    The part goes from index `begin` to the end of the trail.
    """
    discounts = work.discount != 1.0
    for i in range(length - 1, begin - 1, -1):
        if discounts:
            for player in range(work.players):
                work.values[player] = (
                    trail[i].reward[player] + trail[i].factor * work.values[player]
                )
        node = nodes[trail[i].node]
        if whose == EVERYBODY or whose == node.player:
            value = work.values[node.player]
            node.visits += 1
            node.total += (value - work.low) / work.span if discounts else value


@dataclass(frozen=True)
class SOISMCTS:
    """Information set Monte Carlo tree search with one tree.

    Attributes:
        key: the player whose information sets are the nodes: the root player ("observer"), or the
            player to move at the node ("mover").
        exploration: the weight of the exploration term in the confidence bound, for values scaled
            to [0, 1].
        choice: the action to play: the one with the most "visits", the best "value", or the
            highest "bound".
        patience: the number of playouts that judge a node before its children are searched.
        reuse: whether to keep the subtree that the match reaches; needs key=observer.
        resample: the number of iterations that share a world of the belief.
        scale: "range" scales values by the game's declared scores; "raw" leaves values as scores.
        playout: the playout that judges a new leaf, by default a random playout to the end.
        most_nodes: the size limit of the tree; a node takes 40 bytes.
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
        refuse_less("resample", self.resample, 1)
        if self.reuse and self.key != "observer":
            raise ValueError(
                f"reuse=true needs key=observer, not key={self.key}: only a tree of the root "
                "player's own information sets continues what that player remembers."
            )

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> ISMCTSSearch:
        return ISMCTSSearch(
            self, self.key, game, seat, belief, seed, self.resample, reuse=self.reuse
        )


@dataclass(frozen=True)
class MOISMCTS:
    """Information set Monte Carlo tree search with a tree for every player.

    Attributes:
        exploration, choice, patience, resample, scale, playout, most_nodes: as in `SOISMCTS`.
        reimagine: whether other players learn in worlds that they imagine themselves (RIS), so they
            cannot use the root player's private information. Iterations then take longer.
    """

    exploration: float = 0.7
    choice: Literal["visits", "value", "bound"] = "visits"
    patience: int = 0
    resample: int = 1
    scale: Literal["range", "raw"] = "range"
    playout: Playout = TO_THE_END
    most_nodes: int = 5_000_000
    reimagine: bool = False

    name: ClassVar[str] = "mo-ismcts"

    def __post_init__(self) -> None:
        refuse_less("resample", self.resample, 1)

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> ISMCTSSearch:
        return ISMCTSSearch(
            self,
            "observers",
            game,
            seat,
            belief,
            seed,
            self.resample,
            reimagine=self.reimagine and game.hides,
        )


class ISMCTSSearch(InformationSearch):
    """A search of one seat in one match over information sets.

    The planner must have the parameters playout, patience, exploration, scale, choice and
    most_nodes.
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
        reimagine: bool = False,
    ) -> None:
        super().__init__(planner, game, seat, belief, seed, planner.playout)
        self.space.work[0].patience = planner.patience
        self._offers = new_offers(game.most_actions)
        self._form, self._resample, self._reuse = FORMS[key], resample, reuse
        self._aside = Aside(
            new_states(int(reimagine), game.state), np.zeros(MOST_PLAYERS, Memory).view(np.recarray)
        )
        self._history = beginning(seat)  # what the seat has seen and done since the tree began

    def forget(self, own_action: int | None, view: View) -> None:
        """Keep the subtree of the seat's present information set, if it exists and can grow."""
        self._history = remembered(self._history, own_action, view)
        if self._reuse and (
            view.to_move != self.seat
            or (2 * self.tree.used < self.planner.most_nodes and self.tree.root_at(self._history))
        ):
            return
        super().forget(own_action, view)
        self._history = beginning(self.seat)

    def grow(self, done: int, count: int) -> None:
        self.tree.reserve(count * self.nodes_per_iteration)
        self.tree.used = search(
            self.game.table,
            self.tree_space,
            self._offers,
            self.tree.used,
            self.batch(done, count, self._resample),
            self._form,
            self._history,
            self._aside,
        )
