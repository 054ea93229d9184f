"""POMCP: partially observable Monte Carlo planning.

Silver and Veness, "Monte-Carlo planning in large POMDPs", NIPS 2010, and their program, release
1.0; document 000 section 0.3.2.

Needs: rewards that grow on the way count at once; a belief for the first decision and for those
after which no particle is left.
Cannot: outwit others. They are part of the world and play by a fixed model, at random or by a
policy of the game.

As in the program, and unlike the paper's pseudo-code: an observation gets a node only when its
action was tried before; particles are collected for the next decision alone, and the tree is given
up after each; preferred actions, where the game knows any, begin with `prior_visits` of value
`prior_value`, and playouts choose among them.

Differs from the program in:
- a transformed particle is changed before the real action is played in it, not after, so that a
  game need not know the history, and games change it so that worlds stay as likely as they are,
  where the program turns any rock over;
- when no particle is left the belief is asked for worlds; the program plays on at random;
- particles are capped at `most_particles` by reservoir sampling.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import below, mix, next_word
from plyglass.core.memory import address_of, borrow, read_action
from plyglass.core.state import Bytes, rows
from plyglass.core.table import PERTURB
from plyglass.core.verbs import (
    change_luck,
    choose,
    copy_state,
    legal,
    perturb,
    prefer,
    score,
    step,
    to_move,
)
from plyglass.core.world import View
from plyglass.search.information_sets.nodes import (
    BEGINNING,
    begin_memory,
    beginning,
    enter,
    find_child,
    find_slot,
    note_successor,
    remember,
    remembered,
)
from plyglass.search.information_sets.search import InformationSearch
from plyglass.search.interface import Health, LiveBelief
from plyglass.search.mcts.iteration import back_up_discounted, pass_through, ucb_child
from plyglass.search.mcts.playout import play_on
from plyglass.search.mcts.tree import ROOT, add_children


# Other players as a part of the world: they act by a model, and a planner sees only what its own
# player sees.
#
# `plan` is a record with at least `observer`, who plans, and `policy`, the address of a policy by
# which the others act, or 0 for at random.


@kernel
def act(table, work, here, memory, plan, action):
    """Play an action of the observer and let the others answer, until he decides again; notes
    what that earned him.
    """
    player = plan.observer
    here.factor = 1.0
    here.reward[player] = 0.0
    while player >= 0:
        here.reward[plan.observer] -= here.factor * score(table, work.world, plan.observer)
        mover = player
        player = step(table, work.world, mover, action)
        here.reward[plan.observer] += here.factor * score(table, work.world, plan.observer)
        here.factor *= work.discount
        remember(table, work.world, plan.observer, memory, mover, action)
        if player == plan.observer:
            break
        if player >= 0:
            action = answer(table, work, plan)
    return player


@kernel
def answer(table, work, plan):
    """What another player does."""
    if plan.policy != 0:
        return choose(table, work.world, work.stream, plan.policy)
    count = legal(table, work.world, work.actions)
    return np.int64(read_action(work.actions, below(work.stream, count)))


# Worlds found by a search and kept for the next decision, each that was ever offered with the
# same probability.


@kernel
def draw_particle(table, work, particles):
    """Make the world of the iteration a random particle with luck of its own."""
    copy_state(
        table,
        work.world,
        address_of(particles) + below(work.stream, len(particles)) * particles.shape[1],
    )
    change_luck(work.world, next_word(work.stream))


@kernel
def keep_particle(table, work, plan, memory, kept, keys):
    """Keep the world for the next decision, in a reservoir: each that was ever offered is
    equally likely to be in it.
    """
    place = plan.offered
    plan.offered += 1
    if place >= len(keys):
        place = below(work.stream, plan.offered)
    if place < len(keys):
        copy_state(table, address_of(kept) + place * kept.shape[1], work.world)
        keys[place] = memory.history


Plan = np.dtype(
    [
        ("observer", np.int64),  # who plans
        ("horizon", np.int64),  # decisions of his that are looked ahead
        ("preferred", np.int64),  # whether to prefer what the game recommends
        ("prior_visits", np.int64),
        ("prior_value", np.float64),
        ("policy", np.int64),  # how others act: the address of a policy, or 0 for at random
        ("offered", np.int64),  # particles for the next decision that were found so far
    ],
    align=True,
)
TRANSFORMED = 16  # one particle in so many is a transformed one
ATTEMPTS = 1000  # to transform one particle


@kernel
def search(
    table, work, trail, memories, plan, nodes, slots, used, particles, kept, keys, iterations
):
    """Run so many simulations from random particles; returns the new size of the tree."""
    table, work, trail, memories, plan = (
        borrow(table),
        borrow(work),
        borrow(trail),
        borrow(memories),
        borrow(plan),
    )
    nodes, slots, particles, kept, keys = (
        borrow(nodes),
        borrow(slots),
        borrow(particles),
        borrow(kept),
        borrow(keys),
    )
    for _ in range(iterations):
        draw_particle(table, work[0], particles)
        if nodes[ROOT].count == 0:
            used = expand(table, work[0], plan[0], nodes, used, ROOT)
        used, length = simulate(
            table, work[0], trail, memories, plan[0], nodes, slots, used, kept, keys
        )
        back_up_discounted(nodes, work[0], trail, length)
    return used


@kernel
def simulate(table, work, trail, memories, plan, nodes, slots, used, kept, keys):
    """Act by confidence bounds as far as the tree goes, then play on at random; returns (size of
    the tree, length of the trail).
    """
    memory = memories[plan.observer]
    begin_memory(table, work.world, plan.observer, memory, mix(BEGINNING, plan.observer))
    node = ROOT
    length, depth = 1, 0
    player = plan.observer
    while player >= 0 and depth < plan.horizon:
        edge = ucb_child(nodes, node, work.exploration)
        player = act(table, work, trail[length], memory, plan, nodes[edge].action)
        trail[length].node = edge
        length += 1
        depth += 1
        if player < 0 or used + work.most_actions + 1 > len(nodes):
            break
        if nodes[edge].visits == 0 and slots[find_slot(nodes, slots, memory.history)] == 0:
            break
        used, node = enter(nodes, slots, used, memory.history, player)
        if nodes[node].count == 0:
            used = expand(table, work, plan, nodes, used, node)
        if depth == 1:
            keep_particle(table, work, plan, memory, kept, keys)
        note_successor(nodes, edge, node)
        pass_through(work, trail[length], node)
        length += 1
    play_on(table, work, player, plan.horizon - depth, plan.preferred != 0)
    return used, length


@kernel
def expand(table, work, plan, nodes, used, node):
    """Give a node its actions; those that the game prefers begin with a prior. Returns the new
    size of the tree.
    """
    count = legal(table, work.world, work.actions)
    used = add_children(nodes, used, node, plan.observer, work.actions, count, work.stream)
    nodes[node].visits = 1
    if plan.preferred:
        for i in range(prefer(table, work.world, work.actions)):
            child = find_child(nodes, node, read_action(work.actions, i))
            if child >= 0:
                nodes[child].visits = plan.prior_visits
                nodes[child].total = plan.prior_visits * plan.prior_value
    return used


@kernel
def transform(table, work, trail, memories, plan, particles, action, history, found, attempts):
    """Fill `found` with particles that were changed a little before the real action and lead to
    the real history; returns how many.
    """
    memory = memories[plan[0].observer]
    count = 0
    for _ in range(attempts):
        draw_particle(table, work[0], particles)
        if (
            table[PERTURB] != 0
            and perturb(table, work[0].world, plan[0].observer, next_word(work[0].stream)) == 0
        ):
            continue
        begin_memory(
            table, work[0].world, plan[0].observer, memory, mix(BEGINNING, plan[0].observer)
        )
        act(table, work[0], trail[1], memory, plan[0], action)
        if memory.history == history and to_move(table, work[0].world) == plan[0].observer:
            copy_state(table, address_of(found) + count * found.shape[1], work[0].world)
            count += 1
            if count == len(found):
                break
    return count


@dataclass(frozen=True)
class POMCP:
    """Partially observable Monte Carlo planning.

    Attributes:
        exploration: the weight of the confidence bound, in ranges of the reward of one action.
        particles: how many worlds the first decision begins with; later ones have what the search
            found, and a sixteenth as many transformed ones.
        knowledge: "legal" plays out and searches all legal actions alike; "preferred" favours those
            that the game prefers.
        prior_visits, prior_value: what a preferred action begins with.
        others: how other players act: "random" or the name of a policy of the game.
        precision: rewards that are discounted to less than this are not looked at.
        choice: what to play in the end: the action with the best value, the most visits, or the
            highest bound.
        most_particles: how many worlds are kept for the next decision.
        most_nodes: how large the tree may grow; 40 bytes a node.
    """

    exploration: float = 1.0
    particles: int = 1024
    knowledge: Literal["legal", "preferred"] = "legal"
    prior_visits: int = 10
    prior_value: float = 1.0
    others: str = "random"
    precision: float = 0.01
    choice: Literal["value", "visits", "bound"] = "value"
    most_particles: int = 65_536
    most_nodes: int = 20_000_000

    name: ClassVar[str] = "pomcp"
    scale: ClassVar[str] = "raw"

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> POMCPSearch:
        return POMCPSearch(self, game, seat, belief, seed)


class POMCPSearch(InformationSearch):
    """A POMCP search of one seat in one match."""

    def __init__(
        self, planner: POMCP, game: Game, seat: int, belief: LiveBelief, seed: int
    ) -> None:
        super().__init__(planner, game, seat, belief, seed)
        self.space.work[0].exploration = planner.exploration * (game.rewards[1] - game.rewards[0])
        self._plan = _plan_of(planner, game, seat)
        self._particles = self._kept = rows(0, game.state)
        self._keys = np.zeros(0, np.uint64)
        self._history = np.uint64(0)
        self._action: int | None = None
        self._refilled = 0

    def observe(self, own_action: int | None, view: View) -> None:
        super().observe(own_action, view)
        self._action = self._action if own_action is None else own_action
        self._history = remembered(self._history, own_action, view)
        if view.to_move == self.seat:
            self._particles = self._next_particles()
            self._history, self._action = beginning(self.seat), None
            self._plan[0].offered = 0

    @property
    def nodes_per_iteration(self) -> int:
        """A preferred action counts as tried from the beginning, so that a simulation can add a
        node at every step.
        """
        return (self.game.most_actions + 1) * (
            int(self._plan[0].horizon) if self._plan[0].preferred else 1
        )

    def grow(self, done: int, count: int) -> None:
        self._make_room(done + count)
        tree, space = self.tree, self.space
        tree.reserve((count + 1) * self.nodes_per_iteration)
        tree.used = search(
            self.game.table, space.work, space.trail, self.memories.records, self._plan, tree.nodes,
            tree.slots, tree.used,
            self._particles, self._kept, self._keys, count,
        )  # fmt: skip

    def _next_particles(self) -> Bytes:
        """The worlds for the decision ahead: those that the search found there, and some that
        were changed a little.
        """
        filled = min(int(self._plan[0].offered), len(self._keys))
        particles = np.concatenate(
            [self._kept[:filled][self._keys[:filled] == self._history], self._transformed()]
        )
        if len(particles) == 0:
            self._refilled += self._action is not None
            particles = rows(self.planner.particles, self.game.state)
            self.belief.sample(particles)
        return particles

    def _transformed(self) -> Bytes:
        wanted = max(1, int(self._plan[0].offered) // TRANSFORMED)
        if self._action is None or not self.game.hides:
            return rows(0, self.game.state)
        found = rows(wanted, self.game.state)
        count = transform(
            self.game.table, self.space.work, self.space.trail, self.memories.records, self._plan,
            self._particles, self._action,
            self._history, found, wanted * ATTEMPTS,
        )  # fmt: skip
        return found[:count]

    def _make_room(self, particles: int) -> None:
        """Room for one particle a simulation, up to the limit."""
        size = min(particles, self.planner.most_particles)
        if size > len(self._keys):
            size = min(self.planner.most_particles, max(size, 2 * len(self._keys)))
            kept, keys = rows(size, self.game.state), np.zeros(size, np.uint64)
            kept[: len(self._keys)], keys[: len(self._keys)] = self._kept, self._keys
            self._kept, self._keys = kept, keys

    def health(self) -> Health:
        return Health(len(self._particles), float(len(self._particles)), self._refilled)


def _plan_of(planner: POMCP, game: Game, seat: int) -> Any:
    plan: Any = np.zeros(1, Plan).view(np.recarray)
    plan[0].observer = seat
    plan[0].horizon = game.most_steps
    if game.discount < 1.0:
        plan[0].horizon = min(
            game.most_steps, math.ceil(math.log(planner.precision) / math.log(game.discount))
        )
    plan[0].preferred = planner.knowledge == "preferred" and game.prefers
    plan[0].prior_visits, plan[0].prior_value = planner.prior_visits, planner.prior_value
    plan[0].policy = 0 if planner.others == "random" else game.policy(planner.others)
    return plan
