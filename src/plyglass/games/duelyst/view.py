"""Duelyst as text: the board, both players, and the cards in hand with their effects."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from plyglass.core import unpack
from plyglass.core.compile import Function, interpreted
from plyglass.core.state import Fields
from plyglass.games.duelyst import state
from plyglass.games.duelyst.cards.catalog import cards
from plyglass.games.duelyst.cards.vocabulary import KEYWORDS
from plyglass.games.duelyst.engine import card_play, graveyard, units
from plyglass.games.duelyst.engine.board import HEIGHT, WIDTH
from plyglass.games.duelyst.show.card_text import describe
from plyglass.games.pieces import state_line

TILES = {state.NO_TILE: ".", state.SPRING: "mana", state.CREEP: "creep1", state.CREEP + 1: "creep2"}
CELL = 8  # letters per cell, so the board fits into 80 columns


class Position:
    """A view in the form that the rules read, to compute values that include auras."""

    def __init__(self, record: Any, constants: Any) -> None:
        self._keep = np.array(record).reshape(1), np.array(constants).reshape(1)
        self.s = Fields(self._keep[0].ctypes.data, self._keep[0].dtype)
        self.r = Fields(self._keep[1].ctypes.data, self._keep[1].dtype)
        self._found: dict[tuple[str, int], int] = {}  # values that were computed before

    def attack(self, unit: int) -> int:
        return self._value(units.attack_of, unit)

    def health(self, unit: int) -> int:
        return self._value(units.health_of, unit)

    def keywords(self, unit: int) -> list[str]:
        found = self._value(units.keywords_of, unit)
        return [word for number, word in enumerate(KEYWORDS) if found >> number & 1]

    def _value(self, rule: Function, unit: int) -> int:
        key = rule.__name__, unit
        if key not in self._found:
            self._found[key] = int(interpreted(rule)(self.r, self.s, unit))
        return self._found[key]

    def cost(self, player: int, card: int) -> int:
        return int(interpreted(card_play.cost_of)(self.r, self.s, player, card))


def text(record: Any, constants: Any, viewer: int) -> str:
    return "\n".join(line.rstrip() for line in _lines(record, Position(record, constants), viewer))


def _lines(record: Any, position: Position, viewer: int) -> Iterator[str]:
    yield headline(record)
    for player in (1, 0):
        yield _player(record, player)
    yield "  " + "".join(letter.center(CELL) for letter in "abcdefghi")
    for y in reversed(range(HEIGHT)):
        yield f"{y + 1} " + "".join(
            _square(record, position, WIDTH * y + x).center(CELL) for x in range(WIDTH)
        )
    for unit in range(1, int(record["units"]) + 1):
        yield unit_line(record, position, unit)
    yield from _memories(record, viewer)
    if record["pending"]:
        yield f"to choose: a space for {cards()[int(record['played'])].name}"
    for slot, card in enumerate(int(card) for card in record["hand"][viewer]):
        if card:
            yield f"{slot + 1}. {card_line(card, position.cost(viewer, card))}"


def _memories(record: Any, viewer: int) -> Iterator[str]:
    """Yield facts that are not on the board: calm, units that come back, and dead minions.

    Dead minions are listed only for a player who holds a card that brings minions back.
    """
    if record["calm"]:
        yield f"spells do no damage until {record['calm']} more turns have ended"
    for number in filter(None, map(int, record["reborn"])):
        card, cell = divmod(number, graveyard.PLACES)
        yield f"{place(cell)} {cards()[card].name} comes back at the end of the turn"
    held = [cards()[card] for card in map(int, record["hand"][viewer]) if card > 0]
    if any(each["do"].startswith("revive") for card in held for each in card.abilities):
        for player in (1, 0):
            lost = [_dead(number) for number in map(int, record["dead"][player]) if number]
            yield f"player {player + 1} has lost {', '.join(lost) or 'no minion'}"


def _dead(number: int) -> str:
    """Return the name of a dead minion; if it died in the last two turns, also say when."""
    card, when = divmod(number, graveyard.TIMES)
    return cards()[card].name + ("", " (last turn)", " (this turn)")[when]


def headline(record: Any) -> str:
    """Return whose turn it is, or who has won."""
    turn, result, player = (int(record[name]) for name in ("turn", "result", "player"))
    if record["phase"] == state.MULLIGAN_PHASE and not result:
        return f"turn {turn + 1}: player {player + 1} exchanges cards"
    return f"turn {turn + 1}: {state_line(result, player)}"


def _player(record: Any, player: int) -> str:
    worn = [
        f"{cards()[int(card)].name} ({left})"
        for card, left in zip(record["artifact"][player], record["durability"][player], strict=True)
        if card
    ]
    held, left = np.count_nonzero(record["hand"][player]), record["left"][player]
    mana = f"mana {record['mana'][player]} of {record['most_mana'][player]}"
    return (
        f"player {player + 1}: {mana}, {held} in hand, {left} in the "
        f"deck{', wears ' + ', '.join(worn) if worn else ''}"
    )


def _square(record: Any, position: Position, cell: int) -> str:
    """Return the text of a cell: its tile, or its unit's mark, shortened name and stats."""
    unit = int(record["at"][cell])
    if not unit:
        return TILES[int(record["tile"][cell])]
    name, stats = (
        cards()[int(record["card"][unit])].name,
        f"{position.attack(unit)}/{position.health(unit)}",
    )
    return f"{'<>'[1 - int(record['owner'][unit])]}{name[: CELL - 2 - len(stats)]}{stats}"


def unit_line(record: Any, position: Position, unit: int) -> str:
    """Describe a unit in one line."""
    card = cards()[int(record["card"][unit])]
    states = [word for word in ("exhausted", "stunned", "dispelled") if record[word][unit]]
    if record["hatch"][unit]:
        states.append(f"hatches into {cards()[int(record['hatch'][unit])].name}")
    told = ", ".join([*position.keywords(unit), *states])
    where = place(int(record["cell"][unit]))
    general = "general " if card.type == "general" else ""
    head = (
        f"{where} {general}{card.name} of player {int(record['owner'][unit]) + 1}, "
        f"{position.attack(unit)}/{position.health(unit)}"
    )
    return f"{head}{': ' + told if told else ''}"


def card_line(card: int, cost: int) -> str:
    """Describe a card in one line."""
    shown = cards()[card]
    stats = f", {shown.attack}/{shown.health}" if shown.type == "minion" else ""
    does = describe(shown)
    return f"{shown.name} ({cost} mana, {shown.type}{stats}){': ' + does if does else ''}"


def place(cell: int) -> str:
    """Return the name of a cell: a column and a row, as in c3."""
    return f"{'abcdefghi'[cell % WIDTH]}{1 + cell // WIDTH}"


def action_name(action: int) -> str:
    kind, source, target = unpack(action)
    marked = "+".join(str(1 + slot) for slot in range(state.HAND) if target >> slot & 1)
    return {
        state.END: "end turn",
        state.MOVE: f"move {place(source)} {place(target)}",
        state.ATTACK: f"attack {place(source)} {place(target)}",
        state.PLAY: f"play {source + 1} {place(target)}",
        state.FOLLOW: f"choose {place(target)}",
        state.DECLINE: "choose nothing",
        state.REPLACE: f"replace {source + 1}",
        state.MULLIGAN: f"exchange {marked}" if marked else "keep all",
    }[kind]


def action_parts(record: Any, action: int) -> tuple[str, ...]:
    """Return the parts of an action's name: the unit or card, what it does, and where."""
    kind, source, target = unpack(action)
    if kind in (state.MOVE, state.ATTACK):
        does = "move" if kind == state.MOVE else "attack"
        aim = f" {_name_at(record, target)}" if kind == state.ATTACK else ""
        return f"{place(source)} {_name_at(record, source)}", f"{does} {place(target)}{aim}"
    if kind in (state.PLAY, state.REPLACE):
        card = cards()[int(record["hand"][int(record["player"])][source])].name
        where = (place(target),) if kind == state.PLAY else ()
        return f"{'play' if kind == state.PLAY else 'replace'} {source + 1} {card}", *where
    return (action_name(action),)


def _name_at(record: Any, cell: int) -> str:
    """Return the name of the unit on a cell."""
    return cards()[int(record["card"][int(record["at"][cell])])].name
