"""POMCP: partially observable Monte Carlo planning.

Silver and Veness, "Monte-Carlo planning in large POMDPs", NIPS 2010, and their program, release
1.0; described in McKenney 2023a (section 0.3.2).

    repeat until the budget is used:
        world <- a random particle
        simulate: select by UCB1 as far as the tree of actions and views goes;
                  keep the world of the next decision as a particle; then continue at random
        add the discounted rewards to every node on the way
    play the action with the best value
    afterwards: keep the particles that lead to what was really seen

Needs: a belief for the first decision, and for any decision for which no particles are left. Every
increase of the score counts as an immediate reward.

`POMCP` cannot outwit other players. The search treats other players as part of the world, with a
fixed model: random play, or a policy of the game.

Like the program, and unlike the paper's pseudo-code:
- An observation gets a node only if the action that led to it was tried before.
- Particles are collected only for the next decision. The tree is dropped after each decision.
- With `prior`, the actions that the game prefers begin with given visits and a given value.
  Playouts then choose among these actions.

Differs from the program:
- A particle is perturbed before the real action is played in it, not after, so a game need not know
  the history. In RockSample, we redraw a rock's value according to the value's probability. The
  program flips a rock's value, however improbable the new value is.
- When no particle is left, worlds are sampled from the belief. The program continues the match at
  random in this case.
- Reservoir sampling limits the particles to `most_particles`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import below, mix, next_word
from plyglass.core.memory import address_of, borrow, read_action
from plyglass.core.refusals import refuse_other
from plyglass.core.state import Bytes, new_states
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
from plyglass.search.clock import late
from plyglass.search.information_sets.nodes import (
    BEGINNING,
    begin_memory,
    beginning,
    borrow_space,
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

TRANSFORMED = 16  # particles for each transformed particle
ATTEMPTS = 1000  # to transform one particle
SAMPLED = 32  # worlds sampled from the belief between two clock checks

Plan = np.dtype(
    [
        ("observer", np.int64),  # who plans
        ("horizon", np.int64),  # how many decisions of the observer to look ahead
        ("preferred", np.int64),  # whether to prefer the actions that the game recommends
        ("prior_visits", np.int64),
        ("prior_value", np.float64),
        ("policy", np.int64),  # how others act: the address of a policy, or 0 for random play
        ("offered", np.int64),  # particles for the next decision that were found so far
        ("clock", np.int64),  # address of the clock that limits the time to find particles
    ],
    align=True,
)


class Reservoir(NamedTuple):
    """A reservoir of particles for the next decision.

    Attributes:
        worlds: (capacity, bytes of a state).
        keys: (capacity,): a hash of what the observer remembers in each world.
    """

    worlds: Bytes
    keys: npt.NDArray[np.uint64]


@kernel
def borrow_reservoir(reservoir):
    """Return the reservoir with arrays that Numba does not reference-count."""
    return Reservoir(borrow(reservoir.worlds), borrow(reservoir.keys))


@kernel
def search(table, space, plan, used, particles, reservoir, iterations):
    """Run `iterations` simulations from random particles; return the new size of the tree."""
    table, space, plan, particles, reservoir = (
        borrow(table),
        borrow_space(space),
        borrow(plan),
        borrow(particles),
        borrow_reservoir(reservoir),
    )
    nodes, work = space.nodes, space.work[0]
    for _ in range(iterations):
        draw_particle(table, work, particles)
        if nodes[ROOT].count == 0:
            used = expand(table, work, plan[0], nodes, used, ROOT)
        used, length = simulate(table, space, plan[0], used, reservoir)
        back_up_discounted(nodes, work, space.trail, length)
    return used


@kernel
def simulate(table, space, plan, used, reservoir):
    """Choose actions by confidence bounds within the tree, then continue at random.

    Returns (the size of the tree, the length of the trail).
    """
    space = borrow_space(space)
    work, trail, nodes, slots = space.work[0], space.trail, space.nodes, space.slots
    memory = space.memories[plan.observer]
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
            keep_particle(table, work, plan, memory, reservoir)
        note_successor(nodes, edge, node)
        pass_through(work, trail[length], node)
        length += 1
    play_on(table, work, player, plan.horizon - depth, plan.preferred != 0)
    return used, length


@kernel
def expand(table, work, plan, nodes, used, node):
    """Add the actions of a node; preferred actions begin with a prior.

    Returns the new size of the tree.
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


# --- Other players, as part of the world ---


@kernel
def act(table, work, here, memory, plan, action):
    """Play an action of the observer, and let others act until the observer decides again.

    The observer's rewards are stored in `here`. Returns the observer, or -1 at the end of the game.
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
    """Return another player's action, chosen by a policy of the game or at random."""
    if plan.policy != 0:
        return choose(table, work.world, work.stream, plan.policy)
    count = legal(table, work.world, work.actions)
    return np.int64(read_action(work.actions, below(work.stream, count)))


# --- Particles ---


@kernel
def draw_particle(table, work, particles):
    """Set the world of the iteration to a random particle, with a random seed of its own."""
    copy_state(
        table,
        work.world,
        address_of(particles) + below(work.stream, len(particles)) * particles.shape[1],
    )
    change_luck(work.world, next_word(work.stream))


@kernel
def keep_particle(table, work, plan, memory, reservoir):
    """Offer the world to the reservoir, which keeps every offer with the same probability."""
    place = plan.offered
    plan.offered += 1
    if place >= len(reservoir.keys):
        place = below(work.stream, plan.offered)
    if place < len(reservoir.keys):
        target = address_of(reservoir.worlds) + place * reservoir.worlds.shape[1]
        copy_state(table, target, work.world)
        reservoir.keys[place] = memory.history


@kernel
def transform(table, space, plan, particles, action, history, found, attempts):
    """Perturb particles, play the real action, and keep particles that lead to the real history.

    The particles are written to `found`. Returns the number of particles found before the time was
    over.
    """
    space = borrow_space(space)
    work, memory = space.work[0], space.memories[plan[0].observer]
    count = 0
    for _ in range(attempts):
        if late(plan[0].clock):
            break
        draw_particle(table, work, particles)
        if (
            table[PERTURB] != 0
            and perturb(table, work.world, plan[0].observer, next_word(work.stream)) == 0
        ):
            continue
        begin_memory(table, work.world, plan[0].observer, memory, mix(BEGINNING, plan[0].observer))
        act(table, work, space.trail[1], memory, plan[0], action)
        if memory.history == history and to_move(table, work.world) == plan[0].observer:
            copy_state(table, address_of(found) + count * found.shape[1], work.world)
            count += 1
            if count == len(found):
                break
    return count


@dataclass(frozen=True)
class Prior:
    """The search's prior knowledge about actions.

    Attributes:
        actions: "legal" treats all legal actions alike; "preferred" favours the game's preferred
            actions, in the tree and in playouts.
        visits, value: the visits and the value with which a preferred action begins.
    """

    actions: Literal["legal", "preferred"] = "legal"
    visits: int = 10
    value: float = 1.0

    name: ClassVar[str] = "prior"

    def __post_init__(self) -> None:
        refuse_other("actions", self.actions, ("legal", "preferred"))


@dataclass(frozen=True)
class POMCP:
    """Partially observable Monte Carlo planning.

    Attributes:
        exploration: the weight of the exploration term in the confidence bound, in units of the
            range of one action's reward.
        particles: the number of worlds with which the first decision begins. Later decisions begin
            with the worlds that the search found, and with a sixteenth as many transformed worlds.
        prior: the search's prior knowledge about actions.
        others: how other players act: "random", or the name of a policy of the game.
        precision: the search ignores rewards whose discount factor is below this number.
        choice: the action to play: the one with the best "value", the most "visits", or the
            highest "bound".
        most_particles: the largest number of worlds that are kept for the next decision.
        most_nodes: the size limit of the tree; a node takes 40 bytes.
    """

    exploration: float = 1.0
    particles: int = 1024
    prior: Prior = Prior()
    others: str = "random"
    precision: float = 0.01
    choice: Literal["value", "visits", "bound"] = "value"
    most_particles: int = 65_536
    most_nodes: int = 20_000_000

    name: ClassVar[str] = "pomcp"
    scale: ClassVar[str] = "raw"
    moved: ClassVar[Mapping[str, str]] = {
        "knowledge": "prior.actions",
        "prior_visits": "prior.visits",
        "prior_value": "prior.value",
    }

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> POMCPSearch:
        if self.most_nodes <= game.most_actions:
            raise ValueError(
                f"most_nodes={self.most_nodes} has no room for the {game.most_actions} actions of "
                f"{game.name}; give more."
            )
        return POMCPSearch(self, game, seat, belief, seed)


class POMCPSearch(InformationSearch):
    """A POMCP search of one seat in one match."""

    def __init__(
        self, planner: POMCP, game: Game, seat: int, belief: LiveBelief, seed: int
    ) -> None:
        super().__init__(planner, game, seat, belief, seed)
        self.space.work[0].exploration = planner.exploration * (game.rewards[1] - game.rewards[0])
        self._plan = _plan_of(planner, game, seat)
        self._plan[0].clock = belief.clock.belief
        self._particles = new_states(0, game.state)
        self._reservoir = Reservoir(new_states(0, game.state), np.zeros(0, np.uint64))
        self._history = np.uint64(0)
        self._action: int | None = None
        self._refilled = 0
        self._decides = False  # whether the particles of the next decision must still be found

    def observe(self, own_action: int | None, view: View) -> None:
        self._begin_decision()
        super().observe(own_action, view)
        self._action = self._action if own_action is None else own_action
        self._history = remembered(self._history, own_action, view)
        self._decides = view.to_move == self.seat

    def _begin_decision(self) -> None:
        """Find the particles of a decision within its time limit."""
        if self._decides:
            self._particles = self._next_particles()
            self._history, self._action = beginning(self.seat), None
            self._plan[0].offered = 0
            self._decides = False

    @property
    def nodes_per_iteration(self) -> int:
        """Return the largest number of nodes that an iteration adds.

        Without a prior, an iteration expands one node. With a prior, each step can expand a node,
        because a preferred action counts as tried from the beginning.
        """
        expansions = int(self._plan[0].horizon) if self._plan[0].preferred else 1
        return (self.game.most_actions + 1) * expansions

    def grow(self, done: int, count: int) -> None:
        self._begin_decision()
        self._make_room(done + count)
        self.tree.reserve((count + 1) * self.nodes_per_iteration)
        self.tree.used = search(
            self.game.table,
            self.tree_space,
            self._plan,
            self.tree.used,
            self._particles,
            self._reservoir,
            count,
        )

    def _next_particles(self) -> Bytes:
        """Return the worlds for the next decision, including transformed worlds."""
        worlds, keys = self._reservoir
        filled = min(int(self._plan[0].offered), len(keys))
        particles = np.concatenate(
            [worlds[:filled][keys[:filled] == self._history], self._transformed()]
        )
        if len(particles) == 0:
            self._refilled += self._action is not None
            particles = self._sampled()
        return particles

    def _sampled(self) -> Bytes:
        """Return worlds sampled from the belief; fewer than wanted if the time runs out."""
        worlds, drawn = new_states(self.planner.particles, self.game.state), 0
        while drawn < len(worlds) and not (drawn and late(self.belief.clock.belief)):
            self.belief.sample(worlds[drawn : drawn + SAMPLED])
            drawn = min(len(worlds), drawn + SAMPLED)
        return worlds[:drawn]

    def _transformed(self) -> Bytes:
        """Return perturbed particles that are consistent with what was seen."""
        wanted = max(1, int(self._plan[0].offered) // TRANSFORMED)
        if self._action is None or not self.game.hides:
            return new_states(0, self.game.state)
        found = new_states(wanted, self.game.state)
        count = transform(
            self.game.table,
            self.tree_space,
            self._plan,
            self._particles,
            self._action,
            self._history,
            found,
            wanted * ATTEMPTS,
        )
        return found[:count]

    def _make_room(self, particles: int) -> None:
        """Allocate memory for one particle per simulation, up to the limit."""
        size, before = min(particles, self.planner.most_particles), len(self._reservoir.keys)
        if size > before:
            size = min(self.planner.most_particles, max(size, 2 * before))
            larger = Reservoir(new_states(size, self.game.state), np.zeros(size, np.uint64))
            larger.worlds[:before], larger.keys[:before] = self._reservoir
            self._reservoir = larger

    def health(self) -> Health:
        self._begin_decision()
        return Health(len(self._particles), float(len(self._particles)), self._refilled)


def _plan_of(planner: POMCP, game: Game, seat: int) -> Any:
    plan: Any = np.zeros(1, Plan).view(np.recarray)
    plan[0].observer = seat
    plan[0].horizon = game.most_steps
    if game.discount < 1.0:
        plan[0].horizon = min(
            game.most_steps, math.ceil(math.log(planner.precision) / math.log(game.discount))
        )
    plan[0].preferred = planner.prior.actions == "preferred" and game.prefers
    plan[0].prior_visits, plan[0].prior_value = planner.prior.visits, planner.prior.value
    plan[0].policy = 0 if planner.others == "random" else game.policy(planner.others)
    return plan
