"""Two small honest games; those in `planted_leaks` and `planted_faults` are made from them."""

import numpy as np

from plyglass.core import Game, draw, kernel, state_dtype
from plyglass.core.compile import plain

UNKNOWN = -1


def rules_of(base=None, **rules):
    """The rules of `base` with some replaced; a kernel is renamed to the rule that it replaces."""
    given = {plain(rule).__name__: rule for rule in base.rules} if base else {}
    for name, rule in rules.items():
        plain(rule).__name__ = name
    return tuple({**given, **rules}.values())


# -- High card: an honest game with secrets
# -------------------------------------------------------------------------------

KEEP, SWAP, STAY, RAISE = range(4)
MOST_CARDS = 100
BETTING, OVER = (
    2,
    4,
)  # turns: both keep or swap their card in secret, then both stay or raise in the open

# card, swapped: what each player holds and whether he swapped it, both secret; low_wins: drawn for
# all to see before the betting
HIGH_CARD = (
    ("card", np.int8, (2,)), ("swapped", np.int8, (2,)), ("raised", np.int8, (2,)),
    ("low_wins", np.int8), ("turn", np.int8),
)  # fmt: skip


@kernel
def deal(r, setup, s):
    s.card[0] = draw(s, r.deck)
    s.card[1] = card_left(draw(s, r.deck - 1), s.card[0], UNKNOWN)
    s.low_wins = UNKNOWN


@kernel
def player_at_turn(r, s):
    return -1 if s.turn == OVER else s.turn % 2


@kernel
def two_choices(r, s, out):
    first = KEEP if s.turn < BETTING else STAY
    out[0] = first
    out[1] = first + 1
    return 2


@kernel
def swap_or_bet(r, s, action):
    player = s.turn % 2
    if action == SWAP:
        s.card[player] = card_left(draw(s, r.deck - 2), s.card[0], s.card[1])
        s.swapped[player] = 1
    if action == RAISE:
        s.raised[player] = 1
    s.turn += 1
    if s.turn == BETTING:
        s.low_wins = draw(s, 2)


@kernel
def stake(r, s, player):
    if s.turn < OVER:
        return 0.0
    higher = s.card[player] > s.card[1 - player]
    won = higher if s.low_wins == 0 else not higher
    return (1.0 + s.raised[0] + s.raised[1]) * (1.0 if won else -1.0)


@kernel
def hide_hand(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = UNKNOWN
        s.swapped[1 - viewer] = UNKNOWN


@kernel
def imagine_hand(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = card_left(draw(s, r.deck - 1), s.card[viewer], UNKNOWN)
        imagine_swap(s, 1 - viewer)


@kernel
def imagine_swap(s, player):
    s.swapped[player] = draw(s, 2) if s.turn > player else 0


@kernel
def card_left(index, first, second):
    """The card number `index` of the cards that are neither `first` nor `second`."""
    for card in range(MOST_CARDS):
        if card != first and card != second:
            if index == 0:
                return card
            index -= 1
    return UNKNOWN


class HighCard(Game):
    """Both hold a card, may swap it in secret, see whether high or low wins, and bet."""

    name = "high-card"
    fields = HIGH_CARD
    constants = np.dtype([("deck", np.int64), ("spare", np.int64)])
    state = state_dtype(*HIGH_CARD)
    rules = rules_of(
        start=deal,
        to_move=player_at_turn,
        legal=two_choices,
        apply=swap_or_bet,
        score=stake,
        hide=hide_hand,
        imagine=imagine_hand,
    )

    def __init__(self, deck: int = 4) -> None:
        super().__init__(
            players=2,
            most_actions=2,
            most_steps=OVER,
            scores=(-3.0, 3.0),
            constants={"deck": deck, "spare": 0},
        )

    def __init_subclass__(cls) -> None:
        cls.state = state_dtype(*cls.fields)


# -- Race: an honest game without secrets
# ---------------------------------------------------------------------------------

WALK, RUN = range(2)
GOAL = 8

RACE = (("place", np.int8, (2,)), ("player", np.int8))


@kernel
def line_up(r, setup, s):
    s.player = 0


@kernel
def runner(r, s):
    return -1 if s.place[0] >= GOAL or s.place[1] >= GOAL else s.player


@kernel
def walk_or_run(r, s, out):
    out[0] = WALK
    out[1] = RUN
    return 2


@kernel
def advance(r, s, action):
    s.place[s.player] += 2 if action == WALK else 1 + draw(s, 4)
    s.player = 1 - s.player


@kernel
def arrived_first(r, s, player):
    if s.place[player] >= GOAL:
        return 1.0
    return -1.0 if s.place[1 - player] >= GOAL else 0.0


class Race(Game):
    """Two run along a track: two steps at a walk, or as many as a die says."""

    name = "race"
    fields = RACE
    state = state_dtype(*RACE)
    rules = rules_of(
        start=line_up, to_move=runner, legal=walk_or_run, apply=advance, score=arrived_first
    )

    def __init__(self) -> None:
        super().__init__(players=2, most_actions=2, most_steps=2 * GOAL, scores=(-1.0, 1.0))

    def __init_subclass__(cls) -> None:
        cls.state = state_dtype(*cls.fields)
