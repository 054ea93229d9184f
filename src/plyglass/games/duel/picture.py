"""Duel as a scene: both heroes, their creatures as cards, and the viewer's hand below."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from plyglass.core.actions import unpack
from plyglass.core.scene import (
    Card,
    Disc,
    Imagined,
    Label,
    Path,
    Polygon,
    Region,
    Ring,
    Role,
    Scene,
    Shape,
    block,
    named,
)
from plyglass.games.duel.state import (
    ATTACK,
    BOLT,
    CARDS,
    END,
    MOST_BOARD,
    NOBODY,
    READY,
    SUMMON,
    card_of,
    health_of,
)
from plyglass.games.duel.view import creature_name
from plyglass.games.pieces import state_line

WIDTH, HEIGHT = 9, 11
WIDE, HIGH = 1.7, 2.0  # size of a creature's card
SMALL = 1.4  # width of a card in hand
DOES = ("", "{} damage", "draw {}", "heal {}")  # what a card does, by its effect
REGIONS = (
    Region("board", 0, 0, WIDTH, HEIGHT - 2.5),
    Region("hand", 0, HEIGHT - 2.5, WIDTH, 2.5),
)


def scene(record: Any, constants: Any, viewer: int, imagined: Imagined | None) -> Scene:
    """Return the table as the viewer sees it; a scene of the truth also shows the enemy's hand."""
    enemy, true = 1 - viewer, imagined is not None and imagined.true
    shown = imagined.worlds[0] if imagined is not None and imagined.true else record
    middle = ((0.3, 4.25), (WIDTH - 0.3, 4.25))
    shapes: list[Shape] = [
        *(
            Polygon(block(part.x, part.y, part.width, part.height), role="board")
            for part in REGIONS
        ),
        Path(middle, True, width=0.04, role="muted", opacity=0.5),
        *_hero(shown, constants, enemy, 0.85, "enemy"),
        *_creatures(shown, enemy, 2.0, "enemy"),
        *_creatures(shown, viewer, 4.5, "own"),
        *_hero(shown, constants, viewer, 7.5, "own"),
        *_hand(shown, viewer, HEIGHT - 2.3),
        *_enemy_hand(shown, enemy, imagined),
    ]
    title = "Duel" if true else f"Duel, player {viewer + 1}"
    return Scene(WIDTH, HEIGHT, tuple(shapes), title, (_state(record),), regions=REGIONS)


def action_path(action: int) -> tuple[str, ...]:
    """Return the card or creature to click, and then the target of the action if it has one."""
    kind, source, target = unpack(action)
    if kind == END:
        return ()
    if kind == ATTACK:
        return creature_key(source, True), target_key(target)
    card = hand_key(source)
    return (card, target_key(target)) if CARDS[source].effect == BOLT else (card,)


def hand_key(card: int) -> str:
    return f"hand {CARDS[card].name}"


def creature_key(creature: int, own: bool) -> str:
    """Return the key of a creature; equal creatures on a side share one key."""
    rest = "" if creature & READY or not own else ", tired"
    return f"{'own' if own else 'enemy'} {creature_name(creature)}{rest}"


def target_key(target: int) -> str:
    return "enemy hero" if target == NOBODY else creature_key(target, False)


def _state(record: Any) -> str:
    over = not (record["hero"] > 0).all()
    return state_line(int(record["hero"].argmax()) + 1 if over else 0, int(record["player"]))


def _hero(record: Any, constants: Any, player: int, y: float, role: Role) -> Iterator[Shape]:
    """Yield a hero with health, crystals and the number of cards left."""
    health, key = int(record["hero"][player]), f"{role} hero"
    tip = f"player {player + 1}: {health} of {int(constants['health'])} health"
    yield from named(
        [
            Disc(0.95, y, 0.62, role=role, tip=tip),
            Disc(0.95, y, 0.52, role="grid", tip=tip),
            Label(0.95, y, str(health), 0.6, role=role, tip=tip),
        ],
        key,
        key,
    )
    yield Label(2.7, y - 0.28, f"player {player + 1}", 0.36, role=role, tip=tip)
    crystals = int(record["crystals"][player])
    mana = int(record["mana"]) if record["player"] == player else 0
    for crystal in range(crystals):
        yield Disc(
            2.0 + 0.36 * crystal,
            y + 0.25,
            0.14,
            role="sea",
            opacity=1.0 if crystal < mana else 0.3,
            tip=f"{mana} of {crystals} mana left",
        )
    hidden = int(record["held"][player]) - int(record["hand"][player].sum())
    deck = int(record["deck"][player].sum()) - hidden
    tip = f"{deck} cards left in the deck"
    yield Polygon(block(WIDTH - 1.0, y - 0.5, 0.7, 0.95), role=role, opacity=0.6, tip=tip)
    yield Label(WIDTH - 0.65, y, str(deck), 0.42, role="grid", tip=tip)


def _creatures(record: Any, player: int, y: float, role: Role) -> Iterator[Shape]:
    """Yield a side's creatures, with a ring around each creature that can attack."""
    row = [int(one) for one in record["board"][player] if one != NOBODY]
    left, met = (WIDTH - (WIDE + 0.3) * MOST_BOARD) / 2 + 0.15, Counter[int]()
    for number, one in enumerate(row):
        kind, x = CARDS[card_of(one)], left + (WIDE + 0.3) * number
        met[card_of(one)] += 1
        ready = bool(one & READY)
        pale = 0.6 if role == "own" and not ready and record["player"] == player else 1.0
        tip = f"{creature_name(one)} of player {player + 1}{', ready' if ready else ''}"
        stats = f"{kind.power}/{health_of(one)}"
        face = Card(x, y, WIDE, HIGH, kind.name, "", stats, role=role, opacity=pale, tip=tip)
        rim = Ring(x - 0.1, y - 0.1, WIDE + 0.2, HIGH + 0.2, role="goal", tip=tip)
        thing = f"{kind.name} {met[card_of(one)]} of player {player + 1}"
        yield from named([face, *([rim] if ready else [])], creature_key(one, role == "own"), thing)


def _hand(record: Any, player: int, y: float) -> Iterator[Shape]:
    """Yield the kinds of cards in a hand, each with its number of copies."""
    kinds = [card for card, count in enumerate(record["hand"][player]) if count]
    for number, card in enumerate(kinds):
        kind, count = CARDS[card], int(record["hand"][player][card])
        stats = f"{kind.power}/{kind.health}" if kind.effect == SUMMON else ""
        does = DOES[kind.effect].format(kind.power)
        dear = record["player"] != player or kind.cost > record["mana"]
        x = 0.15 + number * (SMALL + 0.06)
        tip = f"{count} {kind.name} in hand, {kind.cost} mana{f': {does}' if does else ''}"
        face = Card(
            x, y, SMALL, HIGH, kind.name, str(kind.cost), stats, does,
            role="own", opacity=0.55 if dear else 1.0, tip=tip,
        )  # fmt: skip
        copies = [Label(x + SMALL - 0.28, y + 0.25, f"x{count}", 0.28, role="ink", tip=tip)]
        yield from named([face, *(copies if count > 1 else [])], hand_key(card), hand_key(card))


def _enemy_hand(record: Any, player: int, imagined: Imagined | None) -> Iterator[Shape]:
    """Yield the enemy's cards: face up if seen, otherwise backs with the names of likely cards."""
    held, left = int(record["held"][player]), 4.3
    seen = [card for card, count in enumerate(record["hand"][player]) for _ in range(int(count))]
    guessed: list[tuple[str, float]] = []
    if imagined is not None and not seen:
        expected = imagined.expected(imagined.worlds["hand"][:, player])
        likely = sorted(range(len(CARDS)), key=lambda card: -expected[card])
        guessed = [(CARDS[card].name, float(expected[card])) for card in likely if expected[card]]
    step = min(0.85, 3.5 / max(held, 1))
    for number in range(held):
        x = left + step * number
        if seen:
            name = CARDS[seen[number]].name
            yield Card(x, 0.3, 0.82, 1.1, name, role="enemy", tip=f"{name} in the enemy's hand")
            continue
        yield Polygon(
            block(x, 0.3, 0.75, 1.05), role="enemy", opacity=0.7, tip="a card that is not seen"
        )
        yield Label(x + 0.37, 0.85, "?", 0.5, role="grid")
    for number, (name, count) in enumerate(guessed[:4]):
        tip = f"{count:.2f} {name} in the enemy's hand, by what is believed"
        yield Label(1.2 + 2.1 * number, 1.72, f"{name} {count:.2f}", 0.28, role="heat", tip=tip)
