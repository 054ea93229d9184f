"""Kuhn poker as text and as a scene."""

from typing import Any

from plyglass.core.scene import Imagined, Label, Role, Scene, Shape
from plyglass.games.kuhn_poker.rules import ANTE
from plyglass.games.pieces import PLAYERS, believed, card_of, chips, table

WORDS = ("pass", "bet")
NAMES = {-1: "?", 0: "J", 1: "Q", 2: "K"}


def text(record: Any) -> str:
    moves = ["bet" if action else "pass" for action in record["history"][: record["length"]]]
    lines = [
        f"{who}: {NAMES[int(card)]}" for who, card in zip(PLAYERS, record["card"], strict=True)
    ]
    return "\n".join([*lines, "play: " + (", ".join(moves) or "none yet")])


def scene(record: Any, viewer: int, imagined: Imagined | None) -> Scene:
    """Return the table: the viewer's card below, the opponent's above, and the bets between."""
    shown = imagined.worlds[0] if imagined is not None and imagined.true else record
    shapes: list[Shape] = [table(8, 6, "plain")]
    for player in range(2):
        y = 4.75 if player == viewer else 1.25
        role: Role = "own" if player == viewer else "enemy"
        shapes += card_of(PLAYERS[player], NAMES[int(shown["card"][player])], 4.0, y, role)
        bet = ANTE + sum(int(act) for act in record["history"][player : record["length"] : 2])
        tip = f"{bet} of player {player + 1} in the pot"
        shapes += chips(3.6, 3.5 if player == viewer else 2.5, bet, role, tip)
        shapes.append(Label(5.0, 3.45 if player == viewer else 2.45, f"{bet}", 0.4, role="ink"))
        shapes.append(Label(1.5, y, f"player {player + 1}", 0.36, role=role))
        said = [WORDS[int(act)] for act in record["history"][player : record["length"] : 2]]
        shapes.append(Label(1.5, y + 0.5, ", ".join(said), 0.32, role="ink"))
    if imagined is not None and shown["card"][1 - viewer] < 0:
        shapes += believed(imagined, imagined.worlds["card"][:, 1 - viewer], "JQK", 5.4, 0.8)
    return Scene(8, 6, tuple(shapes), f"Kuhn poker, player {viewer + 1}", (_state(record),))


def _state(record: Any) -> str:
    if not record["ended"]:
        return f"player {int(record['length']) % 2 + 1} to move"
    return "a showdown" if (record["card"] >= 0).all() else "a player gave up"
