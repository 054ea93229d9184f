"""Games with wrong probabilities in `imagine` and no other fault; the check must find each.

Every game is larger than what the check enumerates. The docstring of a class says what is wrong.
`NIM` has wrong versions of the tutorial's game, as replacements in its text.
"""

from plyglass.core import chance, draw, kernel
from plyglass.games.leduc_poker import LeducPoker
from plyglass.games.leduc_poker import rules as leduc
from plyglass.games.phantom_tic_tac_toe import PhantomTicTacToe
from plyglass.games.phantom_tic_tac_toe import rules as phantom
from plyglass.games.rocksample import RockSample
from tests.core.honest_games import (
    MOST_CARDS,
    OVER,
    UNKNOWN,
    HighCard,
    card_left,
    imagine_swap,
    rules_of,
)


class Large(HighCard):
    """High card with 100 cards."""

    def __init__(self, deck: int = MOST_CARDS) -> None:
        super().__init__(deck)


@kernel
def swap_by_card(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = card_left(draw(s, r.deck - 1), s.card[viewer], UNKNOWN)
        s.swapped[1 - viewer] = s.card[1 - viewer] % 2 if s.turn > 1 - viewer else 0


class SwapByCard(Large):
    """Whether the other swapped follows from their card: each is right alone, not together."""

    rules = rules_of(HighCard, imagine=swap_by_card)


@kernel
def swap_too_seldom(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = card_left(draw(s, r.deck - 1), s.card[viewer], UNKNOWN)
        s.swapped[1 - viewer] = 1 if s.turn > 1 - viewer and draw(s, 5) < 2 else 0


class SwapTooSeldom(Large):
    """The other swapped in 2 of 5 worlds, not in 1 of 2."""

    rules = rules_of(HighCard, imagine=swap_too_seldom)


@kernel
def any_card(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = draw(s, r.deck)
        imagine_swap(s, 1 - viewer)


class AnyCard(Large):
    """In 1 of 100 worlds, both hold the same card."""

    rules = rules_of(HighCard, imagine=any_card)


@kernel
def no_highest_card(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = card_left(draw(s, r.deck - 2), s.card[viewer], UNKNOWN)
        imagine_swap(s, 1 - viewer)


class NoHighestCard(Large):
    """One card of 100 is never drawn."""

    rules = rules_of(HighCard, imagine=no_highest_card)


@kernel
def any_rock(r, s, viewer):
    for rock in range(r.rocks):
        if not s.collected[rock]:
            s.value[rock] = draw(s, 2)


class OddsIgnored(RockSample):
    """Rocks are good or bad with equal odds, whatever the sensor said."""

    rules = rules_of(RockSample, imagine=any_rock)


@kernel
def rocks_alike(r, s, viewer):
    place = draw(s, 1000)
    for rock in range(r.rocks):
        if not s.collected[rock]:
            s.value[rock] = 1 if place < 1000 * s.odds[rock, 1] else 0


class RocksAlike(RockSample):
    """One draw decides on all rocks: each rock has its odds, but rocks are not independent."""

    rules = rules_of(RockSample, imagine=rocks_alike)


@kernel
def some_rock_is_bad(r, s, viewer):
    good = 0
    for rock in range(r.rocks):
        if not s.collected[rock]:
            s.value[rock] = chance(s, s.odds[rock])
        good += s.value[rock]
    if good == r.rocks and not s.collected[0]:
        s.value[0] = 0


class NeverAllGood(RockSample):
    """The world in which all rocks are good is never drawn."""

    rules = rules_of(RockSample, imagine=some_rock_is_bad)


@kernel
def marks_anywhere(r, s, viewer):
    """As the rules imagine, but the other's marks may already make a line."""
    if s.winner == 0:
        pending = 0 if s.player == viewer else 1
        turns = phantom._size(s.marks[viewer]) + viewer
        failed = phantom.failed_tries(s, viewer, turns, phantom.CELLS + pending)
        s.known[1 - viewer] = phantom._any_set(s, 0, s.marks[viewer], failed)
        cells = s.known[viewer]
        while phantom._size(cells) < turns - pending:
            cell = draw(s, phantom.CELLS)
            if not s.marks[viewer] >> cell & 1:
                cells |= 1 << cell
        s.marks[1 - viewer] = cells


class LinesAllowed(PhantomTicTacToe):
    """The other's marks may make a line, although the game would be over."""

    rules = rules_of(PhantomTicTacToe, imagine=marks_anywhere)


@kernel
def nothing_tried(r, s, viewer):
    if s.winner == 0:
        pending = 0 if s.player == viewer else 1
        turns = phantom._size(s.marks[viewer]) + viewer
        s.known[1 - viewer] = 0
        most = phantom.FULL ^ s.marks[viewer]
        s.marks[1 - viewer] = phantom._any_set(s, s.known[viewer], most, turns - pending)


class NothingTried(PhantomTicTacToe):
    """The other has never hit one of the viewer's marks."""

    rules = rules_of(PhantomTicTacToe, imagine=nothing_tried)


@kernel
def ranks_alike(r, s, viewer):
    """Draw a rank, then a free card of it, although ranks have one or two cards left."""
    if s.card[1 - viewer] == leduc.UNKNOWN:
        while s.card[1 - viewer] == leduc.UNKNOWN:
            card = draw(s, 3) * leduc.SUITS
            for suit in range(leduc.SUITS):
                if card + suit != s.card[viewer] and card + suit != s.public:
                    s.card[1 - viewer] = card + suit


class RanksAlike(LeducPoker):
    """Every rank is equally likely, although fewer cards are left of some."""

    rules = rules_of(LeducPoker, imagine=ranks_alike)


WRONG = (
    SwapByCard, SwapTooSeldom, AnyCard, NoHighestCard, OddsIgnored, RocksAlike, NeverAllGood,
    LinesAllowed, NothingTried, RanksAlike,
)  # fmt: skip

POSSIBLE = "possible += s.taken_by[chip] != 1 + viewer"
FILLED = "if s.taken_by[chip] != 1 + viewer:"

# what is replaced in the tutorial's file, and by what
NIM = {
    "only chips in the heap": {POSSIBLE: "possible += chip < s.heap", FILLED: "if chip < s.heap:"},
    "chips that the viewer took, too": {POSSIBLE: "possible += 1", FILLED: "if True:"},
    "low chips too often": {
        "place = pg.draw(s, possible)": "place = min(pg.draw(s, possible), pg.draw(s, possible))"
    },
    "the lowest chip never": {
        "place = pg.draw(s, possible)": "place = pg.draw(s, possible)\n"
        "    place = 1 if place == 0 and possible > 1 else place"
    },
}
FORGOTTEN = {"s.poison[1 - viewer] = 0": "pass"}
