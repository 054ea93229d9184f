"""Short notation for positions of Duelyst in tests, and for the positions after an action.

The first player's general is on a3 and faces right, the second player's is on i3. Units are written
`card@cell`, with a star if exhausted and `-2` for two damage: `windblade_adept@b3*-2`. Both players
have nine mana, and there are no springs.
"""

import functools

import numpy as np

from plyglass.core import World, unpack
from plyglass.games.duelyst import Duelyst, state
from plyglass.games.duelyst.cards.catalog import cards, numbers
from plyglass.games.duelyst.cards.decks import both_decks
from plyglass.games.duelyst.cards.vocabulary import FORCEFIELD
from plyglass.games.duelyst.engine.board import CELLS
from plyglass.games.duelyst.view import Position, place

CELL = {place(cell): cell for cell in range(CELLS)}


@functools.cache
def game(**options):
    return Duelyst(**{"springs": False, **options})


def start(decks, seed, **options):
    """A game with any decks, by name or as lists of cards; compiled code is loaded once for all."""
    piles = [deck.cards for deck in both_decks(decks)] if isinstance(decks, str) else decks
    padded = [np.pad(sorted(pile, reverse=True), (0, state.DECK - len(pile))) for pile in piles]
    return game(springs=True, **options).start(
        seed, {"deck": padded, "left": [len(pile) for pile in piles]}
    )


def position(
    own="",
    enemy="",
    hand="",
    *,
    enemy_hand="",
    mana=9,
    deck=None,
    artifacts="",
    enemy_artifacts="",
    player=0,
    older=0,
    **options,
):
    """A position in which `player` is to move and has the `own` units and cards.

    The units of the side `older` came first.
    """
    world = game(**options).start(1)
    world.apply(world.legal()[0])
    world.apply(world.legal()[0])
    row = world.row()
    record = row.view(world.game.state)[0]
    record["turn"], record["player"], record["auras"] = 10 + player, player, 1
    for side in (older, 1 - older):
        army, cards_held, worn = [(own, hand, artifacts), (enemy, enemy_hand, enemy_artifacts)][
            side
        ]
        owner = side ^ player
        record["mana"][owner] = record["most_mana"][owner] = mana
        record["hand"][owner] = np.pad(
            [numbers()[card] for card in cards_held.split()], (0, state.HAND)
        )[: state.HAND]
        if deck is not None:
            pile = sorted((numbers()[card] for card in deck.split()), reverse=True)
            record["deck"][owner] = np.pad(pile, (0, state.DECK - len(pile)))
            record["left"][owner] = len(pile)
        for slot, card in enumerate(worn.split()):
            record["artifact"][owner, slot], record["durability"][owner, slot] = (
                numbers()[card],
                state.DURABILITY,
            )
        for each in army.split():
            _place(world.game.constants_record[0], record, owner, each)
    return World(world.game, row)


def _place(constants, record, owner, text):
    name, _, rest = text.partition("@")
    where, _, damage = rest.replace("*", "").partition("-")
    if name == "general":
        unit = int(record["general"][owner])
        record["at"][record["cell"][unit]] = 0
    else:
        record["units"] += 1
        unit, card = int(record["units"]), numbers()[name]
        record["card"][unit], record["owner"][unit], record["alive"][unit] = card, owner, 1
        record["keywords"][unit] = constants["keywords"][card]
        record["shield"][unit] = bool(constants["keywords"][card] & FORCEFIELD)
        for field in ("attack", "health"):
            record[field][unit] = record[f"base_{field}"][unit] = constants[field][card]
    record["exhausted"][unit], record["damage"][unit] = "*" in rest, int(damage or 0)
    record["cell"][unit] = CELL[where]
    record["at"][CELL[where]] = unit


def changed(world, **fields):
    """The same position with some fields of the record overwritten."""
    row = world.row()
    record = row.view(world.game.state)[0]
    for name, value in fields.items():
        record[name] = value
    return World(world.game, row)


def names(world):
    """All legal actions by name; cards in hand by their ids."""
    return {name_of(world, action): action for action in world.legal()}


def name_of(world, action):
    """The name of an action, with the id of a card in hand."""
    kind, slot, target = unpack(action)
    if kind not in (state.PLAY, state.REPLACE):
        return world.game.action_name(action)
    card = cards()[int(world.record["hand"][world.to_move, slot])]
    if kind == state.REPLACE:
        return f"replace {card.id}"
    everywhere = card.type == "artifact" or (
        card.type == "spell" and not world.game.constants_record[0]["targeted"][numbers()[card.id]]
    )
    return f"play {card.id}" if everywhere else f"play {card.id} {place(target)}"


def act(world, *wanted):
    """Play actions by name: `play tempest`, `play true_strike c3`, `attack b3 c3`, `choose c4`,
    `end turn`.
    """
    for name in wanted:
        actions = names(world)
        assert name in actions, f"{name} is none of {', '.join(actions)}"
        world.apply(actions[name])
        assert not world.record["lost_events"]
    return world


def unit_on(world, where):
    """What is on a cell: `windblade_adept 3/3`, or nothing."""
    unit = int(world.record["at"][CELL[where]])
    if unit == 0:
        return ""
    seen = Position(world.record, world.game.constants_record[0])
    card = cards()[int(world.record["card"][unit])]
    return (
        f"{'general' if card.type == 'general' else card.id} "
        f"{seen.attack(unit)}/{seen.health(unit)}"
    )


def keywords_on(world, where):
    return set(
        Position(world.record, world.game.constants_record[0]).keywords(
            int(world.record["at"][CELL[where]])
        )
    )


def field(world, name, where):
    """A field of the unit on a cell."""
    return int(world.record[name][world.record["at"][CELL[where]]])


def general_health(world, player):
    record = world.record
    return Position(record, world.game.constants_record[0]).health(int(record["general"][player]))


def count_of(world, card, player=None):
    """The number of units of a card."""
    record = world.record
    living = range(1, int(record["units"]) + 1)
    return sum(
        record["card"][unit] == numbers()[card] and player in (None, record["owner"][unit])
        for unit in living
    )


def held(world, player=0):
    """The cards in a player's hand."""
    return [cards()[int(card)].id for card in world.record["hand"][player] if card]


def told(world, expected):
    """Compare a position with what is expected: cells, and whatever else `_seen` knows."""
    for key, value in expected.items():
        seen = _seen(world, key, value)
        assert seen == value, f"{key} is {seen}, not {value}"


def _seen(world, key, value):
    """The meaning of a key: a cell, generals' health, cards, units, keywords, or a field."""
    first, _, rest = key.partition(" ")
    if first in CELL:
        return unit_on(world, first)
    if first in ("own", "enemy"):
        return general_health(world, int(first == "enemy"))
    if first == "hand":
        return held(world) if isinstance(value, list) else len(held(world))
    if first == "count":
        return count_of(world, rest)
    if first == "keywords":  # those that are asked for; an empty list means none at all
        return (
            sorted(keywords_on(world, rest) & set(value))
            if value
            else sorted(keywords_on(world, rest))
        )
    if first == "creep":
        return int(np.count_nonzero(world.record["tile"] == state.CREEP))
    if first == "scattered":  # whether all these cells are empty now
        return not any(unit_on(world, where) for where in rest.split())
    if first == "hurt":
        return int(world.record["damage"].sum())
    if rest:
        return field(world, first, rest)
    if first == "enemy_mana":
        return int(world.record["mana"][1])
    number = world.record[first][0] if world.record[first].shape else world.record[first]
    return number.tolist()
