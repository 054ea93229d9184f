"""Writes a card game as large as a commercial one: 300 cards, each with an effect of its own, and a
state of almost 4 KiB.

Nobody should write a game like this: cards are better data that some dozens of effects read. This
game shows what the core can handle if somebody does so anyway. The generated text is the same on
every machine, because everything that varies is a checksum of the card's number.
"""

from __future__ import annotations

import hashlib
import itertools
import textwrap
import zlib
from pathlib import Path
from typing import NamedTuple

CARDS, GROUP = 300, 15
MODULE = "card_game"

HEAD = '''"""A card game with {cards} effects, written by generate_card_game.py.

Two heroes, a board of 5 x 9 tiles, and hidden hands.
"""

import numpy as np

from plyglass.core import Game, draw, kernel, kind_of, pack, source_of, state_dtype, target_of

CARDS, ROWS, COLUMNS = {cards}, 5, 9
TILES = ROWS * COLUMNS
HERO = TILES  # as the target of an attack
HAND, DECK, OPENING = 8, 40, 4
HEALTH, MOST_MANA, MOST_TURNS, MOST_ACTED = 25, 9, 24, 12
LOG = 336
# Kinds of actions. The source is a card (PLAY) or a tile, the target a tile.
END, PLAY, MOVE, ATTACK = range(4)
NOWHERE, FOE, FRIEND, FREE = range(4)  # what a card is aimed at

State = state_dtype(
    # Cards left to draw, by kind; in a view the enemy's deck and hand together.
    ("deck", np.int8, (2, CARDS)),
    ("played", np.int8, (2, CARDS)),  # how often each card was played
    ("cheaper", np.int8, (2, CARDS)),  # what effects have taken off its cost
    ("hand", np.int16, (2, HAND)),  # card + 1, the largest first, then 0
    ("held", np.int16, (2,)),
    ("left", np.int16, (2,)),
    ("hero", np.int16, (2,)),
    ("crystals", np.int16, (2,)),
    # Card + 1, or 0 where nobody stands; the fields below are then 0 too, but for terrain.
    ("unit", np.int16, (TILES,)),
    ("owner", np.int16, (TILES,)),  # player + 1
    ("attack", np.int16, (TILES,)),
    ("health", np.int16, (TILES,)),
    ("shield", np.int16, (TILES,)),
    ("poison", np.int16, (TILES,)),
    ("stunned", np.int16, (TILES,)),
    ("ready", np.int16, (TILES,)),
    ("terrain", np.int16, (TILES,)),
    ("log", np.int32, (LOG,)),  # every action so far
    ("logged", np.int32),
    ("mana", np.int16),
    ("turn", np.int16),
    ("acted", np.int16),
    ("player", np.int16),
)

Constants = np.dtype(
    [
        ("cost", np.int64, (CARDS,)),
        ("aim", np.int64, (CARDS,)),
        ("attack", np.int64, (CARDS,)),
        ("health", np.int64, (CARDS,)),
        ("row", np.int64, (TILES,)),
        ("column", np.int64, (TILES,)),
        ("beside", np.int64, (TILES, 4)),  # the tile in each direction, or -1
    ]
)


@kernel
def start(r, setup, s):
    for player in range(2):
        s.hero[player] = HEALTH
        s.left[player] = DECK
        for _ in range(DECK):
            s.deck[player, draw(s, CARDS)] += 1
        for _ in range(OPENING + player):
            _take_card(s, player)
    _begin_turn(s, 0)


@kernel
def to_move(r, s):
    return -1 if s.hero[0] <= 0 or s.hero[1] <= 0 or s.turn == MOST_TURNS else s.player


@kernel
def legal(r, s, out):
    out[0] = pack(END, 0, 0)
    if s.acted == MOST_ACTED:
        return 1
    return _commands(r, s, out, _plays(r, s, out, 1))


@kernel
def score(r, s, player):
    if s.hero[0] > 0 and s.hero[1] > 0 and s.turn < MOST_TURNS:
        return 0.0
    ahead = s.hero[player] - s.hero[1 - player]
    if ahead == 0:
        return 0.0
    return 1.0 if ahead > 0 else -1.0


@kernel
def hide(r, s, viewer):
    """Shuffle the enemy's hand into his deck."""
    foe = 1 - viewer
    for slot in range(HAND):
        if s.hand[foe, slot] > 0:
            s.deck[foe, s.hand[foe, slot] - 1] += 1
            s.hand[foe, slot] = 0


@kernel
def imagine(r, s, viewer):
    """Deal the enemy's hand from the cards that he has not shown yet."""
    foe = 1 - viewer
    missing = s.held[foe]
    for slot in range(HAND):
        if s.hand[foe, slot] > 0:
            missing -= 1
    s.held[foe] -= missing
    s.left[foe] += missing
    for _ in range(missing):
        _take_card(s, foe)


@kernel
def material(r, s, player):
    """An evaluator: health, and the strength of the units."""
    value = 2.0 * (s.hero[player] - s.hero[1 - player])
    for tile in range(TILES):
        worth = s.attack[tile] + s.health[tile]
        value += worth if s.owner[tile] == 1 + player else -worth
    return value / 1000.0


@kernel
def _plays(r, s, out, count):
    player = s.player
    for slot in range(s.held[player]):
        card = s.hand[player, slot] - 1
        if slot > 0 and s.hand[player, slot - 1] == card + 1:
            continue
        if _price(r, s, player, card) > s.mana:
            continue
        if r.aim[card] == NOWHERE:
            out[count] = pack(PLAY, card, 0)
            count += 1
            continue
        for tile in range(TILES):
            if _fits(r, s, player, tile, r.aim[card]):
                out[count] = pack(PLAY, card, tile)
                count += 1
    return count


@kernel
def _fits(r, s, player, tile, aim):
    """Whether a card of this aim can be played on a tile; units start on their own third."""
    if aim == FREE:
        return s.unit[tile] == 0 and (r.column[tile] < 3 if player == 0 else r.column[tile] > 5)
    return s.owner[tile] == (1 + player if aim == FRIEND else 2 - player)


@kernel
def _commands(r, s, out, count):
    """Moves and attacks of units that can act; from the last column, also of the hero."""
    player = s.player
    for tile in range(TILES):
        if s.ready[tile] == 0 or s.owner[tile] != 1 + player or s.stunned[tile] > 0:
            continue
        for side in range(4):
            to = r.beside[tile, side]
            if to >= 0 and s.owner[to] != 1 + player:
                out[count] = pack(MOVE if s.unit[to] == 0 else ATTACK, tile, to)
                count += 1
        if r.column[tile] == (COLUMNS - 1 if player == 0 else 0):
            out[count] = pack(ATTACK, tile, HERO)
            count += 1
    return count


@kernel
def _price(r, s, player, card):
    return max(r.cost[card] - s.cheaper[player, card], 0)


@kernel
def _pay(r, s, player, card):
    """Move a card from the hand to those that were played."""
    s.mana -= _price(r, s, player, card)
    slot = 0
    while s.hand[player, slot] != card + 1:
        slot += 1
    _lose_card(s, player, slot)


@kernel
def _fight(s, tile, target):
    """Strike a hero, or a unit, which strikes back."""
    s.ready[tile] = 0
    if target == HERO:
        s.hero[2 - s.owner[tile]] -= s.attack[tile]
    else:
        s.health[target] -= max(s.attack[tile] - s.shield[target], 0)
        s.health[tile] -= max(s.attack[target] - s.shield[tile], 0)


@kernel
def _end_turn(s):
    for tile in range(TILES):
        s.ready[tile] = 0
    s.turn += 1
    s.acted = 0
    s.player = 1 - s.player
    _begin_turn(s, s.player)


@kernel
def _begin_turn(s, player):
    """One crystal more, new mana, a card; units wake up, poison and terrain do their work."""
    s.crystals[player] = min(s.crystals[player] + 1, MOST_MANA)
    s.mana = s.crystals[player]
    for tile in range(TILES):
        if s.owner[tile] == 1 + player:
            s.ready[tile] = 1
            s.health[tile] += s.terrain[tile] - s.poison[tile]
            s.poison[tile] = max(s.poison[tile] - 1, 0)
            s.stunned[tile] = max(s.stunned[tile] - 1, 0)
    _draw_card(s, player)


@kernel
def _draw_card(s, player):
    """Take a card into the hand if it has room; an empty deck costs health instead."""
    if s.left[player] == 0:
        s.hero[player] -= 1
    elif s.held[player] < HAND:
        _take_card(s, player)


@kernel
def _take_card(s, player):
    """Move any card of the deck to the hand, and keep the hand sorted."""
    rest = draw(s, s.left[player])
    card = 0
    while rest >= s.deck[player, card]:
        rest -= s.deck[player, card]
        card += 1
    s.deck[player, card] -= 1
    s.left[player] -= 1
    slot = s.held[player]
    while slot > 0 and s.hand[player, slot - 1] < card + 1:
        s.hand[player, slot] = s.hand[player, slot - 1]
        slot -= 1
    s.hand[player, slot] = card + 1
    s.held[player] += 1


@kernel
def _lose_card(s, player, slot):
    """Take a card out of the hand, for everybody to see."""
    s.played[player, s.hand[player, slot] - 1] += 1
    s.held[player] -= 1
    for place in range(slot, s.held[player]):
        s.hand[player, place] = s.hand[player, place + 1]
    s.hand[player, s.held[player]] = 0


@kernel
def _discard(s, player):
    """Throw away any card of the hand."""
    if s.held[player] > 0:
        _lose_card(s, player, draw(s, s.held[player]))


@kernel
def _summon(r, s, player, card, tile):
    """A new unit on an empty tile; it is ready in the next turn."""
    s.unit[tile] = card + 1
    s.owner[tile] = 1 + player
    s.attack[tile] = r.attack[card]
    s.health[tile] = r.health[card]


@kernel
def _carry(s, tile, to):
    """Move a unit to an empty tile."""
    s.unit[to] = s.unit[tile]
    s.owner[to] = s.owner[tile]
    s.attack[to] = s.attack[tile]
    s.health[to] = s.health[tile]
    s.shield[to] = s.shield[tile]
    s.poison[to] = s.poison[tile]
    s.stunned[to] = s.stunned[tile]
    s.ready[to] = s.ready[tile]
    _clear(s, tile)


@kernel
def _clear(s, tile):
    s.unit[tile] = 0
    s.owner[tile] = 0
    s.attack[tile] = 0
    s.health[tile] = 0
    s.shield[tile] = 0
    s.poison[tile] = 0
    s.stunned[tile] = 0
    s.ready[tile] = 0


@kernel
def _bury(s):
    """Units without health leave the board when an action is done."""
    for tile in range(TILES):
        if s.unit[tile] != 0 and s.health[tile] <= 0:
            _clear(s, tile)

'''

APPLY = """
@kernel
def apply(r, s, action):
    kind, source, target = kind_of(action), source_of(action), target_of(action)
    s.log[s.logged] = action
    s.logged += 1
    s.acted += 1
    if kind == PLAY:
        _pay(r, s, s.player, source)
{cast}
    elif kind == MOVE:
        _carry(s, source, target)
        s.ready[target] = 0
    elif kind == ATTACK:
        _fight(s, source, target)
    else:
        _end_turn(s)
    _bury(s)

"""

TAIL = '''
COST = {costs}
AIM = {aims}


def _beside(tile):
    row, column = divmod(tile, COLUMNS)
    near = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return [y * COLUMNS + x if 0 <= y < ROWS and 0 <= x < COLUMNS else -1 for y, x in near]


class CardGame(Game):
    """A card game with {cards} effects."""

    name = "card-game"
    state = State
    constants = Constants
    rules = (start, to_move, legal, apply, score, hide, imagine)
    evaluators = {{"material": material}}
    exact_imagine = False

    def __init__(self):
        super().__init__(
            players=2,
            most_actions=1 + HAND * TILES + 5 * TILES,
            most_steps=MOST_TURNS * (MOST_ACTED + 1),
            scores=(-1.0, 1.0),
            constants={{
                "cost": COST,
                "aim": AIM,
                "attack": [1 + card % 4 for card in range(CARDS)],
                "health": [1 + card % 7 for card in range(CARDS)],
                "row": [tile // COLUMNS for tile in range(TILES)],
                "column": [tile % COLUMNS for tile in range(TILES)],
                "beside": [_beside(tile) for tile in range(TILES)],
            }},
        )
'''

# What an effect begins with, by its aim; {a} to {e} are numbers that vary with the card.
OPENINGS = {
    "FOE": (
        "s.health[tile] -= {b} + {a}",
        "if s.shield[tile] > 0:\n    s.shield[tile] -= 1\nelse:\n    s.health[tile] -= {c}",
        "s.poison[tile] = {b}\ns.health[tile] -= {a}",
        "s.stunned[tile] = {a}\ns.shield[tile] = 0",
        "if s.attack[tile] > {b}:\n    s.attack[tile] -= {b}",
        "if s.health[tile] <= {c}:\n    s.health[tile] = 0\nelse:\n    s.poison[tile] = {a}",
        "s.health[tile] -= {b} + s.played[player, card]",
        "health = s.health[tile]\ns.health[tile] = s.attack[tile] + {a}\ns.attack[tile] = health",
        "s.health[tile] -= {a} + draw(s, {b} + 1)",
        "s.health[tile] -= {b} if r.row[tile] == {d} else {c}",
    ),
    "FRIEND": (
        "s.attack[tile] += {a}\ns.health[tile] += {b}",
        "s.shield[tile] = {a}\ns.poison[tile] = 0",
        "if s.poison[tile] > 0:\n    s.poison[tile] = 0\nelse:\n    s.health[tile] += {c}",
        "s.ready[tile] = 1\ns.attack[tile] += {a}",
        "s.health[tile] += {a} + s.played[player, card]",
        "s.attack[tile] = s.health[tile] + {a}\ns.stunned[tile] = 0",
        "s.hero[player] += {a} + {b}\ns.health[tile] -= {b}",
        "if r.column[tile] == {c}:\n    s.attack[tile] += {b}\ns.shield[tile] = {a}",
    ),
    "FREE": (
        "_summon(r, s, player, card, tile)",
        "_summon(r, s, player, card, tile)\ns.shield[tile] = {a}",
        "_summon(r, s, player, card, tile)\ns.ready[tile] = 1",
        "_summon(r, s, player, card, tile)\ns.attack[tile] += s.played[player, card]",
        "_summon(r, s, player, card, tile)\nif s.turn > {d} + 6:\n    s.health[tile] += {b}",
    ),
    "NOWHERE": (
        "s.hero[1 - player] -= {a}",
        "s.hero[player] += {b}",
        "if s.mana < MOST_MANA - {a}:\n    s.mana += {a}",
        "if s.hero[player] < s.hero[1 - player]:\n    s.hero[player] += {b} + {a}",
        "_draw_card(s, player)",
        "_discard(s, 1 - player)",
    ),
}

# What it ends with. `2 - player` is the owner of the enemy's units, `1 + player` that of one's own.
ENDINGS = (
    "for other in range({d}, TILES, {b} + 1):\n    if s.owner[other] == 2 - player:\n        "
    "s.health[other] -= {a}",
    "for other in range({c}, TILES, {b} + 2):\n    if s.owner[other] == 2 - player and "
    "r.row[other] < {d}:\n        s.health[other] -= {b}",
    "for other in range({d}, TILES, {b} + 1):\n    if s.owner[other] == 1 + player:\n        "
    "s.health[other] += {a}",
    "for other in range({d}, TILES, {c} + 1):\n    if s.attack[other] > {b}:\n        "
    "s.stunned[other] = {a}",
    "for other in range({c}, TILES, {a} + 1):\n    if s.poison[other] > 0:\n        "
    "s.poison[other] += {b}",
    "for side in range({a}, 4):\n    near = r.beside[tile, side]\n    if near >= 0 and "
    "s.owner[near] == 2 - player:"
    "\n        s.health[near] -= {b}",
    "for side in range({a}, 4):\n    near = r.beside[tile, side]\n    if near >= 0 and "
    "s.owner[near] == 1 + player:"
    "\n        s.shield[near] = {a}",
    "for side in range({a}, 4):\n    near = r.beside[tile, side]\n    if near >= 0 and "
    "s.unit[near] == 0:\n        s.terrain[near] = {a}",
    "near = tile - {b}\nwhile near >= 0:\n    if s.owner[near] == 2 - player:\n        "
    "s.poison[near] = {a}\n    near -= {d}",
    "for _ in range({b} + 1):\n    other = draw(s, TILES)\n    if s.owner[other] == 2 - player:\n "
    "       s.health[other] -= {b}",
    "other = draw(s, TILES)\nif s.unit[other] == 0:\n    _summon(r, s, player, card, other)\n    "
    "s.health[other] = {a}",
    "count = 0\nfor other in range({a}, TILES, {b} + 1):\n    if s.owner[other] == 1 + player:\n  "
    "      count += {d}"
    "\ns.hero[player] += count",
    "count = {a}\nfor other in range({d}, TILES, {b} + 1):\n    if s.stunned[other] != 0:\n       "
    " count += 1\ns.hero[1 - player] -= count",
    "for other in range({d}, CARDS, {e} + 9):\n    if s.cheaper[player, other] < {a}:\n        "
    "s.cheaper[player, other] += 1",
    "for _ in range({a}):\n    _draw_card(s, player)\ns.hero[player] -= {a}",
    "if s.left[player] > {e}:\n    _draw_card(s, player)\nelif s.mana < {c}:\n    s.mana += 1",
    "if s.crystals[player] < {c} + 2:\n    s.crystals[player] += 1\nelse:\n    s.hero[1 - player] "
    "-= {b}",
    "event = s.logged - 1\nwhile event > 0 and kind_of(s.log[event]) != ATTACK:\n    event -= 1"
    "\nif event > {e}:\n    s.hero[player] += {b}",
    "if s.turn > {d} + 6 and s.held[1 - player] > {b}:\n    _discard(s, 1 - player)",
)
# These move a unit, so they come last: nothing may be done to the tile that it has left.
MOVING = (
    "to = r.beside[tile, {side}]\nif to >= 0 and s.unit[to] == 0:\n    _carry(s, tile, to)\n    "
    "s.health[to] -= {a}",
    "to = r.beside[tile, {side}]\nwhile to >= 0 and s.unit[to] == 0:\n    _carry(s, tile, to)"
    "\n    tile = to\n    to = r.beside[tile, {side}]",
)
AIMS = ("FOE", "FREE", "FRIEND", "FOE", "NOWHERE", "FREE")


class Effect(NamedTuple):
    """What one card does."""

    card: int
    aim: str
    cost: int
    plan: str  # the lines of its function

    @property
    def name(self) -> str:
        return f"effect_{self.card:03}"

    @property
    def text(self) -> str:
        return (
            f"@kernel\ndef {self.name}(r, s, player, card, "
            f"tile):\n{textwrap.indent(self.plan, '    ')}\n"
        )


def effects() -> list[Effect]:
    """The effects of all cards, no two of them alike."""
    found: dict[str, Effect] = {}
    for card in range(CARDS):
        tries = (_effect(card, attempt) for attempt in itertools.count())
        new = next(each for each in tries if each.plan not in found)
        found[new.plan] = new
    return list(found.values())


def source() -> str:
    """The text of the module."""
    every = effects()
    numbers = {
        "cards": CARDS,
        "costs": tuple(each.cost for each in every),
        "aims": f"({', '.join(each.aim for each in every)})",
    }
    groups = [every[first : first + GROUP] for first in range(0, CARDS, GROUP)]
    casts = [_cast(number, group) for number, group in enumerate(groups)]
    parts = [
        HEAD.format(**numbers),
        *(each.text for each in every),
        *casts,
        _apply(len(groups)),
        TAIL.format(**numbers),
    ]
    return "\n\n".join(part.strip("\n") + "\n" for part in parts)


def write(folder: Path) -> Path:
    """Write the module to a folder of its own below `folder`, named after its content, and
    return its path.
    """
    text = source()
    path = folder / hashlib.blake2b(text.encode(), digest_size=8).hexdigest() / f"{MODULE}.py"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return path


def _effect(card: int, attempt: int) -> Effect:
    def vary(purpose: str, n: int) -> int:
        return zlib.crc32(f"{purpose} {card} {attempt}".encode()) % n

    aim = AIMS[vary("aim", len(AIMS))]
    openings = OPENINGS[aim]
    endings = MOVING if aim in ("FOE", "FRIEND") and vary("moves", 5) == 0 else ENDINGS
    if aim == "NOWHERE":
        endings = tuple(ending for ending in ENDINGS if "tile" not in ending)
    values = {
        name: 1 + vary(name, most)
        for name, most in (("a", 2), ("b", 4), ("c", 6), ("d", 4), ("e", 30))
    }
    text = openings[vary("opening", len(openings))] + "\n" + endings[vary("ending", len(endings))]
    plan = text.format(side=vary("side", 4), **values)
    return Effect(card, aim, 1 + vary("cost", 6), plan)


def _cast(number: int, group: list[Effect]) -> str:
    """A function that chooses among the effects of a group."""
    choices = [(f"card == {each.card}", f"{each.name}(r, s, player, card, tile)") for each in group]
    return f"@kernel\ndef cast_{number:02}(r, s, player, card, tile):\n{_chain(choices, 4)}"


def _apply(groups: int) -> str:
    """The rule, which chooses the group itself: a function between them would have all effects
    compiled once more.
    """
    choices = [
        (f"source < {GROUP * (number + 1)}", f"cast_{number:02}(r, s, s.player, source, target)")
        for number in range(groups)
    ]
    return APPLY.format(cast=_chain(choices, 8))


def _chain(choices: list[tuple[str, str]], indent: int) -> str:
    """`if` and `elif` for every condition and what to do."""
    lines = [
        f"{'elif' if number else 'if'} {condition}:\n    {call}"
        for number, (condition, call) in enumerate(choices)
    ]
    return textwrap.indent("\n".join(lines), " " * indent)
