"""Looking back after a match at the terminal: hidden information, agents' thoughts, all actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rich.panel import Panel

from plyglass.cli.output import console
from plyglass.cli.screen import painted, show_decision

if TYPE_CHECKING:
    from plyglass.cli.session import Session
    from plyglass.core.game import Game
    from plyglass.core.world import View, World

PROMPT = (
    "[bold green]the game is over[/] (v: what was hidden; v 12: before action 12; m: all actions; "
    "u: take back; s: save; Enter: leave): "
)
MOST_THOUGHTS = 8  # most actions listed for a decision


class Unhidden:
    """A true position that a game's `text` accepts in place of a view."""

    def __init__(self, world: World, viewer: int) -> None:
        self._world, self.viewer = world, viewer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world, name)


def truth(world: World) -> str:
    """The true position as text: the first player's text, then lines found only in other texts.

    This text must not be shown before the match is over.
    """
    game = world.game
    texts = [game.text(cast("View", Unhidden(world, viewer))) for viewer in range(game.players)]
    lines = texts[0].splitlines()
    known = {line.strip() for line in lines}
    for viewer, text in enumerate(texts[1:], 1):
        further = [line for line in text.splitlines() if line.strip() not in known]
        if further:
            lines += ["", f"and {game.player_name(viewer)} sees:", *further]
    return "\n".join(lines)


def look_back(session: Session) -> bool:
    """Let the person look back; return whether they take an action back to continue."""
    while True:
        console.print(PROMPT, end="")
        try:
            word, _, rest = input().strip().partition(" ")
        except EOFError:
            console.print()
            return False
        if not word or word.lower() in ("q", "quit"):
            return False
        if word.lower() in ("u", "undo"):
            if session.take_back(int(rest) if rest.isdecimal() else 1):
                return True
            console.print("There are not so many actions to take back.")
        elif word.lower() in ("v", "view"):
            show_ply(session, int(rest) - 1 if rest.isdecimal() else None)
        elif word.lower() in ("m", "moves"):
            show_moves(session)
        elif word.lower() in ("s", "save"):
            session.person.commands["s"](rest)
        else:
            console.print("Type v, v and a number, m, u, s, or Enter.")


def show_moves(session: Session) -> None:
    """List every action with its number."""
    game = session.game
    for number, move in enumerate(session.moves, 1):
        console.print(
            f"{number:4} {game.player_name(move.player)}: {game.action_name(move.action)}",
            markup=False,
        )


def show_ply(session: Session, ply: int | None) -> None:
    """Show the true position before an action, the agent's thoughts, and the action.

    If `ply` is None, show the last position and the last decision of an agent.
    """
    game, moves = session.game, session.moves
    if ply is not None and not 0 <= ply < len(moves):
        console.print(f"The game has actions 1 to {len(moves)}.")
        return
    world = _world_before(session, len(moves) if ply is None else ply)
    title = "the truth at the end" if ply is None else f"the truth before action {ply + 1}"
    console.print(Panel(painted(truth(world), "", game.colours), title=title,
                        title_align="left", expand=False))  # fmt: skip
    of_agents = [number for number, move in enumerate(moves) if move.player != session.seat]
    chosen = ply if ply is not None else of_agents[-1] if of_agents else None
    if chosen is not None:
        _show_decision(game, session, chosen)


def _show_decision(game: Game, session: Session, ply: int) -> None:
    move = session.moves[ply]
    name = game.player_name(move.player)
    if move.player == session.seat:
        console.print(f"You played {game.action_name(move.action)}.", markup=False)
        return
    show_decision(
        f"action {ply + 1}: what {name} thought before {game.action_name(move.action)}",
        move.decision,
        game.action_name,
        MOST_THOUGHTS,
    )


def _world_before(session: Session, ply: int) -> World:
    from plyglass.arena.match.match import first_position

    world = first_position(session.game, session.seed)
    for move in session.moves[:ply]:
        world.apply(move.action)
    return world
