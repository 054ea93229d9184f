"""Leduc poker as text and as a scene."""

from typing import Any

from plyglass.core.scene import Imagined, Label, Role, Scene, Shape
from plyglass.games.leduc_poker.rules import SUITS
from plyglass.games.pieces import PLAYERS, believed, card_of, chips, playing_card, table

CARDS = {-1: "?", 0: "J♠", 1: "J♥", 2: "Q♠", 3: "Q♥", 4: "K♠", 5: "K♥"}
ACTIONS = ("fold", "call", "raise")


def text(record: Any) -> str:
    hands = zip(PLAYERS, record["card"], record["chips"], strict=True)
    lines = [f"{who}: {CARDS[int(card)]:2}  {chips:2} in the pot" for who, card, chips in hands]
    return "\n".join(
        [
            *lines,
            f"table:    {CARDS[int(record['public'])]}",
            f"round 1:  {_round(record, 0)}",
            f"round 2:  {_round(record, 1)}",
        ]
    )


def _round(record: Any, number: int) -> str:
    actions = record["history"][number][: record["turns"][number]]
    return ", ".join(ACTIONS[action] for action in actions) or "-"


def scene(record: Any, viewer: int, imagined: Imagined | None) -> Scene:
    """Return the table: the viewer's card below, the opponent's above, and the pot between."""
    shown = imagined.worlds[0] if imagined is not None and imagined.true else record
    shapes: list[Shape] = [table(9, 7, "plain")]
    for player in range(2):
        y = 5.75 if player == viewer else 1.25
        role: Role = "own" if player == viewer else "enemy"
        shapes += card_of(PLAYERS[player], CARDS[int(shown["card"][player])], 4.5, y, role)
        bet, tip = int(record["chips"][player]), f"{record['chips'][player]} in the pot"
        down = 4.1 if player == viewer else 3.1
        shapes += chips(0.8, down, bet, role, tip)
        shapes.append(Label(2.9, down - 0.1, str(bet), 0.4, role="ink", tip=tip))
        shapes.append(Label(1.7, y, f"player {player + 1}", 0.36, role=role))
        shapes.append(Label(1.7, y + 0.5, _said(record, player), 0.28, role="ink"))
    public = int(record["public"])
    shapes += (
        card_of("the table", CARDS[public], 4.5, 3.5, "goal")
        if public >= 0
        else playing_card(4.5, 3.5, "", "muted", "no public card yet")
    )
    if imagined is not None and shown["card"][1 - viewer] < 0:
        ranks = imagined.worlds["card"][:, 1 - viewer] // SUITS
        shapes += believed(imagined, ranks, "JQK", 6.1, 0.8)
    return Scene(9, 7, tuple(shapes), f"Leduc poker, player {viewer + 1}", (_state(record),))


def _state(record: Any) -> str:
    if record["ended"]:
        return ("", "a showdown", "a player folded")[int(record["ended"])]
    turn = int(record["turns"][int(record["round"])]) % 2
    return f"round {int(record['round']) + 1}: player {turn + 1} to move"


def _said(record: Any, player: int) -> str:
    """Return a player's actions in the current round."""
    number = int(record["round"])
    actions = record["history"][number][player : record["turns"][number] : 2]
    return ", ".join(ACTIONS[action] for action in actions)
