"""This module finishes a turn: at random, greedily, by a policy, or as the best of several tries.

If the time runs out, a ply stays unfinished, and its value is invalid.

Random and greedy play come from McKenney 2023a (algorithm 6). The best of several tries
("multi-random") and several plies come from McKenney 2023b. A ply ends when another player is to
move.
"""

from __future__ import annotations

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import below, uniform
from plyglass.core.memory import read_action, write_int
from plyglass.core.verbs import choose, copy_state, legal, step
from plyglass.search.clock import is_stopped, late
from plyglass.search.values import judge

RANDOM, GREEDY, BY_POLICY = range(3)


def policy_of(game: Game, name: str) -> tuple[int, int]:
    """Return a policy's kind (RANDOM, GREEDY or BY_POLICY) and its address (0 if it has none)."""
    if name == "random":
        return RANDOM, 0
    if name == "greedy":
        return GREEDY, 0
    return BY_POLICY, game.policy(name)


@kernel
def play_plies(table, work, player, plies):
    """Play `plies` plies in the world; return the next mover, or -1."""
    for _ in range(plies):
        if player < 0 or is_stopped(work.clock):
            break
        player = (
            finish_ply(table, work, player) if work.tries <= 1 else best_finish(table, work, player)
        )
    return player


@kernel
def finish_ply(table, work, player):
    """Play the rest of the player's turn; return the next mover, or -1."""
    mover = player
    steps = 0
    while mover == player and steps < work.most_steps:
        mover = play_one(table, work, player)
        steps += 1
        if late(work.clock):
            break
    return mover


@kernel
def best_finish(table, work, player):
    """Play the rest of the turn several times, and keep the player's best final position.

    McKenney 2023b calls this multi-random.
    """
    copy_state(table, work.before, work.world)
    best, best_mover = -1e300, player
    for _ in range(work.tries):
        if is_stopped(work.clock):
            break
        copy_state(table, work.world, work.before)
        mover = finish_ply(table, work, player)
        value = judge(table, work.world, player, work.evaluator)
        work.evaluated += 1
        if value > best:
            best, best_mover = value, mover
            copy_state(table, work.best_end, work.world)
    copy_state(table, work.world, work.best_end)
    return best_mover


@kernel
def play_one(table, work, player):
    """Play one action of the player by the policy; return the next mover, or -1."""
    if work.policy == GREEDY and (work.epsilon == 0.0 or uniform(work.stream) >= work.epsilon):
        return play_greedily(table, work, player)
    if work.policy == BY_POLICY:
        action = choose(table, work.world, work.stream, work.policy_address)
    else:
        count = legal(table, work.world, work.actions)
        action = read_action(work.actions, below(work.stream, count))
    note_action(work, action)
    return step(table, work.world, player, action)


@kernel
def play_greedily(table, work, player):
    """Try every action, and continue from the player's best position; break ties at random.

    As in algorithm 6 of McKenney 2023a, play continues from the same position that was judged, with
    the same chance outcomes.
    """
    count = legal(table, work.world, work.actions)
    trial, kept = work.trial, work.kept
    best, best_mover, best_action, ties = -1e300, player, 0, 0
    for i in range(count):
        action = read_action(work.actions, i)
        copy_state(table, trial, work.world)
        mover = step(table, trial, player, action)
        value = judge(table, trial, player, work.evaluator)
        if late(work.clock):
            return player
        if value < best:
            continue
        ties = 1 if value > best else ties + 1
        if below(work.stream, ties) == 0:
            best, best_mover, best_action = value, mover, action
            trial, kept = kept, trial
    work.evaluated += count
    note_action(work, best_action)
    copy_state(table, work.world, kept)
    return best_mover


@kernel
def note_action(work, action):
    """Add an action to the plan of the iteration."""
    if work.plan_length < work.most_steps:
        write_int(work.plan, work.plan_length, action)
        work.plan_length += 1


@kernel
def pass_over(table, work, player):
    """Let all players except the searching player pass; return the next mover, or -1.

    To pass, a player plays the last of the legal actions that immediately end the ply. If no action
    ends the ply, the player acts at random. After the mulligan, McKenney 2023a skips the opponent's
    turn with the game's end-turn action. This function finds such an action in any game.
    """
    steps = 0
    while player >= 0 and player != work.mover and steps < work.most_steps:
        count = legal(table, work.world, work.actions)
        action = read_action(work.actions, below(work.stream, count))
        for i in range(count):
            copy_state(table, work.trial, work.world)
            mover = step(table, work.trial, player, read_action(work.actions, i))
            if mover >= 0 and mover != player:
                action = read_action(work.actions, i)
        player = step(table, work.world, player, action)
        steps += 1
    return player
