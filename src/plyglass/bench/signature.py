"""The signature: digests of searches' decisions, which a refactoring must not change.

Cases cover every planner with every belief on small games with hidden information, chance and long
turns. Other cases cover UCT on every game, the default players of large games, and planner options
that run other code. `plyglass bench --signature` compares the digests with those recorded in
`decisions.json`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from plyglass import games
from plyglass.arena.audit.glass_wall import thoughts
from plyglass.arena.match.agent import Agent
from plyglass.arena.match.match import Move, reveal, show
from plyglass.arena.specs import agent_from, game_from, is_auto
from plyglass.beliefs import BELIEFS
from plyglass.core.world import View
from plyglass.planners import PLANNERS
from plyglass.search.interface import Budget

RECORDED = Path(__file__).parent / "decisions.json"
Case = tuple[str, str, str]  # name, game, agent
REFUSED = "refused"

SMALL_GAMES = (
    "kuhn-poker",
    "pig:goal=8",
    "tiger:steps=6",
    "duel:kinds=3,copies=2,health=4",
    "skirmish:size=3,units=2,turns=4,fog=true",
    "tubstap:map=sandbox",
)
SMALLER: Mapping[str, str] = {  # parameters that keep a case within a tenth of a second
    "greedy": "worlds=4",
    "hindsight": "worlds=3,horizon=2",
    "pimc": "worlds=3",
    "pomcp": "particles=20",
    "three-ply-mcts": "simulations=5",
    "determinized-uct": "histories=4",
    "expectiminimax": "depth=2",
    "epimc": "worlds=3",
}
SMALLER_BELIEFS = {"particles": "particles(worlds=12,tries=2)", "tracks": "tracks(worlds=20)"}
ITERATIONS = 60  # for a decision
WHOLE_TURN_ITERATIONS = 2000  # an iteration of `whole-turns` is one position
MOVES = 3  # decisions in a case
UCT_ITERATIONS = 500

DUEL = "duel:kinds=3,copies=2,health=4"
SKIRMISH = "skirmish:size=3,units=2,turns=4"
NAVY = "navy:size=5,steps=6"
OPTIONS: tuple[Case, ...] = (
    ("uct, eight trees", DUEL, "uct:trees=8"),
    ("uct, playouts cut off", SKIRMISH, "uct:playout=playout(turns=2)"),
    ("pimc in one tree", DUEL, "pimc:redraw=true"),
    ("pimc with expectiminimax", "kuhn-poker", "pimc:worlds=4,inner=expectiminimax(depth=2)"),
    ("so-ismcts, nodes by mover", "leduc-poker", "so-ismcts:key=mover"),
    (
        "mo-ismcts, playouts by a policy",
        "tubstap:map=sandbox",
        "mo-ismcts:playout=playout(policy=attack-80,turns=2,evaluator=strength),belief=tracks",
    ),
    ("mo-ismcts, worlds imagined anew", "leduc-poker", "mo-ismcts:reimagine=true"),
    ("mo-ismcts, worlds imagined anew, fog", f"{SKIRMISH},fog=true", "mo-ismcts:reimagine=true"),
    ("bs-mcts, four searches", "leduc-poker", "bs-mcts:searches=4"),
    (
        "one-ply-mcts, action tree, mean",
        SKIRMISH,
        "one-ply-mcts:tree=tree(action_tree=true,backup=mean)",
    ),
    ("one-ply-mcts, greedy", DUEL, "one-ply-mcts:rollout=greedy,tree=tree(transpositions=false)"),
    (
        "one-ply-mcts, two plies, raw",
        "trading-cards",
        "one-ply-mcts:plies=2,scale=raw,exploration=10,opening=1,choice=visits",
    ),
    ("rollout, two plies", DUEL, "rollout:plies=2"),
    (
        "determinized-uct as coded",
        "pandemic:preset=as_coded",
        "determinized-uct:as_coded=true,scale=raw,evaluation=evaluation(by=rollout,"
        "policy=default,evaluator=preconditions),histories=3",
    ),
    (
        "determinized-uct, heavy",
        SKIRMISH,
        "determinized-uct:evaluation=evaluation(by=heavy),select=ucb1",
    ),
    ("hindsight with costs", NAVY, "hindsight:costs=true,worlds=4,belief=particles(worlds=20)"),
    (
        "hindsight with another model",
        NAVY,
        "hindsight:worlds=3,horizon=2,belief=particles(worlds=20),model=game(submarines=sticky)",
    ),
    ("representative moves by clusters", "trading-cards", "representative-moves"),
    (
        "whole turns, beam",
        "trading-cards",
        "whole-turns:depth=2,turn=turn(beam=4,ranked=completed)",
    ),
    (
        "plan tournament with answers",
        "pandemic",
        "plan-tournament:plans=4,worlds=2,turns=1,simulation=simulation(answers=4),"
        "turn=turn(actions=preferred)",
    ),
    (
        "plan tournament, deepening",
        f"{SKIRMISH},fog=true",
        "plan-tournament:plans=4,worlds=2,deepening=true",
    ),
    (
        "plan tournament, idle, aim",
        "duelyst",
        "plan-tournament:plans=4,turns=2,worlds=2,turn=turn(beam=4,aim=kill),"
        "simulation=simulation(idle=true),evaluator=learned",
    ),
)


def cases() -> Iterator[Case]:
    """Yield every case, small games first, because large games take long to compile."""
    for planner in PLANNERS:
        for belief in BELIEFS:
            for game in SMALL_GAMES:
                parts = (SMALLER.get(planner, ""), f"belief={SMALLER_BELIEFS.get(belief, belief)}")
                agent = f"{planner}:{','.join(part for part in parts if part)}"
                yield f"{planner}, {belief}, {game.partition(':')[0]}", game, agent
    yield from OPTIONS
    for name in games.names():
        yield f"uct on {name}", name, f"uct:iterations={UCT_ITERATIONS}"
        own = game_from(name).opponent  # the pick of `auto` does not depend on the code alone
        yield f"the player of {name}", name, "uct" if is_auto(own) else own


def decisions(game_text: str, agent: Agent, moves: int = MOVES) -> list[str]:
    """Return the first decisions of an agent that plays itself, and the position after them."""
    game = game_from(game_text)
    world = game.start(3)
    seats = [agent.take_seat(game, number, 5 + number) for number in range(game.players)]
    shown: list[View | None] = [None] * game.players
    found: list[str] = []
    move: Move | None = None
    while True:
        reveal(world, [agent] * game.players, seats)
        show(world, seats, shown, move)
        if world.over or len(found) == moves:
            return [*found, world.row().tobytes().hex()]
        decision = seats[world.to_move].decide()
        found.append(thoughts(decision).decode())
        move = Move(world.to_move, decision)
        world.apply(decision.action)


def digests() -> Iterator[tuple[str, str]]:
    """Yield (name, digest) of every case; "refused" is the digest if the agent refuses the game."""
    for name, game, text in cases():
        agent = agent_from(text)
        if not name.startswith("uct on"):
            whole = agent.planner.name == "whole-turns"
            iterations = WHOLE_TURN_ITERATIONS if whole else ITERATIONS
            agent = replace(agent, budget=Budget(iterations=iterations))
        try:
            yield name, _digest(repr(decisions(game, agent)))
        except ValueError:
            yield name, REFUSED


def compare(found: Mapping[str, str]) -> list[str]:
    """Return the cases whose digest differs from the recorded digest, or is new or missing."""
    recorded: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return sorted(name for name in {*found, *recorded} if found.get(name) != recorded.get(name))


def record(found: Mapping[str, str]) -> None:
    """Write the present digests to `decisions.json`."""
    RECORDED.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")


def signature(found: Mapping[str, str]) -> str:
    """Return one hash over the digests of all cases."""
    return _digest(json.dumps(found, sort_keys=True))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
