"""Record the argument types of kernels, by briefly running all code that calls a kernel.

Only kernels that Numba compiles in this process are recorded anew. Kernels that are unchanged since
the last build keep their recorded types.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from plyglass import games
from plyglass.arena.audit.bound import bound
from plyglass.arena.audit.exploitability import exploitability
from plyglass.arena.learning import learn
from plyglass.arena.nets.games import TurnGames
from plyglass.arena.specs import agent_from, game_from
from plyglass.bench.policies import policy_speeds
from plyglass.bench.rules import rule_speeds
from plyglass.bench.signature import digests
from plyglass.core.check import check
from plyglass.core.game import Game
from plyglass.core.nets.file import read_net
from plyglass.core.nets.record import SHIPPED, encoded, values
from plyglass.games.pandemic.tally import tally
from plyglass.interop.observation import Layout
from plyglass.native import signatures

# Together, these games have all optional rules.
CHECKED = ("kuhn-poker", "duel", "navy", "tubstap:map=duelists")
LEARNED = "trading-cards"  # comes with a net


def record() -> int:
    """Call every kernel that Python calls, and record its types; return the number of kernels."""
    for _ in digests():
        pass
    for name in games.names():  # agents also need the kernels that run when time is short
        game = game_from(name)
        for level in game.levels.values():
            agent_from(level, game).warm(game)
    for name in CHECKED:
        check(game_from(name), games=1)
    agent, small = agent_from("uct:iterations=5"), game_from("kuhn-poker")
    exploitability(agent, small, progress=_tell_nobody)
    bound(game_from("tiger:discount=1.0"), honest=1, horizon=2, worlds=2, starts=1)
    game = game_from(LEARNED)
    learn([game], next(iter(game.evaluators)), 10, seed=1, dice=0.1)
    _judge_by_net(game)
    _encode_view(game)
    tally(game_from("pandemic"), games=1, seed=1)
    for _ in policy_speeds(seconds=0.01):
        pass
    for _ in rule_speeds(seconds=0.01):
        pass
    return signatures.record()


def _judge_by_net(game: Game) -> None:
    """Play a game for a net to learn from, and judge its positions by the game's own net."""
    played = TurnGames(game, beam=2).play(1, list(game.evaluators)[:1] * game.players, dice=0.1)
    net = read_net(Path(games.__file__).parent / "trading_cards" / SHIPPED)
    players = np.zeros(len(played.rows), np.int64)
    encoded(game, net.encoding, played.rows, players)
    values(game, net, played.rows, players)


def _encode_view(game: Game) -> None:
    """Encode a view as a vector."""
    world = game.start(1)
    Layout(game).encode(world.hide(world.to_move))


def _tell_nobody(*progress: object) -> None:
    pass
