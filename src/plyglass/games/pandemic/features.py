"""A position in numbers: how far the cures are, what hands and the deck still hold, how near the
losses are, and who is where.

The numbers suit the end of a turn best, before its cards are turned over: that is where evaluators
by these features are asked.
"""

from plyglass.core import kernel
from plyglass.core.bits import count_ones, lowest_one
from plyglass.games.pandemic.board import (
    ACTIONS,
    COLOUR,
    CUBES,
    DRAWS,
    FEATURES,
    FIRST_EVENT,
    HAND_LIMIT,
    OUTBREAKS,
    RESEARCHER,
    STATIONS,
    TO_CURE,
)
from plyglass.games.pandemic.cities import PER_COLOUR
from plyglass.games.pandemic.danger import add_danger
from plyglass.games.pandemic.deeds import cards_of, needed
from plyglass.games.pandemic.disease import COLOUR_COUNT, cubes_of
from plyglass.games.pandemic.travel import NEVER, way, way_to_station

# Where each group of numbers begins.
CURES, MISSING, LATE, PLACE, SHARING, SUPPLY, TIME, HANDS, EVENTS, BOARD, DANGER, REACH = (
    0,
    1,
    6,
    9,
    12,
    15,
    18,
    22,
    25,
    28,
    33,
    41,
)
FAR = 0.35  # how much a move on the way to a meeting takes off what it is worth
ENOUGH = 6.0  # cards of a colour beyond those needed, from where on it does not matter how many


@kernel
def features(r, s, player, values):
    """Write all of them; returns how many there are."""
    for i in range(FEATURES):
        values[i] = 0.0
    values[CURES] = count_ones(s.cured)
    used = 1.0 - s.left / r.cards
    for colour in range(COLOUR_COUNT):
        if not s.cured >> colour & 1:
            _add_colour(r, s, colour, used, values)
    _add_time(s, values)
    _add_hands(r, s, values)
    _add_board(s, values)
    add_danger(r, s, values, DANGER)
    _add_reach(r, s, values)
    return FEATURES


@kernel
def _add_colour(r, s, colour, used, values):
    """A colour that is not cured: how many cards are missing in the best hand, where that is,
    who can help, and what the deck has.
    """
    fewest, holder, held = TO_CURE, 0, 0
    for seat in range(r.players):
        have = count_ones(cards_of(s, seat, colour))
        held += have
        missing = max(0, needed(s, seat) - have)
        if missing < fewest or (missing == fewest and _wait(r, s, seat) < _wait(r, s, holder)):
            fewest, holder = missing, seat
    values[MISSING + min(fewest, 4)] += 1.0
    if fewest <= 2:
        values[LATE + fewest] += used
    if fewest == 0:
        values[PLACE] += way_to_station(r, s, s.pawn[holder])
        values[PLACE + 1] += _wait(r, s, holder)
    else:
        values[PLACE + 2] += way_to_station(r, s, s.pawn[holder]) / (1.0 + fewest)
        _add_sharing(r, s, colour, holder, fewest, values)
    _add_supply(s, colour, fewest, held, values)


@kernel
def _wait(r, s, seat):
    """Turns until a player is on: after a turn, the next one is first."""
    wait = seat - s.seat - 1
    return wait if wait >= 0 else wait + r.players  # as a remainder, without a division


@kernel
def _add_sharing(r, s, colour, holder, missing, values):
    """What others can hand over to who has most of a colour: at the best, in all, and whether
    that is enough.
    """
    best, total = 0.0, 0
    for giver in range(r.players):
        cards = cards_of(s, giver, colour)
        if giver != holder and cards != 0:
            total += count_ones(cards)
            if s.role[giver] == RESEARCHER:
                moves = way(r, s, giver, s.pawn[holder], way_to_station(r, s, s.pawn[holder]))
                gain = min(missing, count_ones(cards)) / (1.0 + FAR * moves)
            else:
                gain = 1.0 / (
                    1.0 + FAR * _meeting(r, s, giver, holder, cards << PER_COLOUR * colour)
                )
            best = max(best, gain)
    values[SHARING] += best / missing
    values[SHARING + 1] += min(total, missing) / missing
    values[SHARING + 2] += total >= missing


@kernel
def _meeting(r, s, giver, receiver, cards):
    """The moves that two players need to meet in a city whose card is to be handed over, the
    nearest of several.
    """
    best = NEVER
    while cards != 0:
        city = lowest_one(cards)
        station = way_to_station(r, s, city)
        best = min(best, way(r, s, giver, city, station) + way(r, s, receiver, city, station))
        cards &= cards - 1
    return best


@kernel
def _add_supply(s, colour, missing, held, values):
    """What the deck has of a colour: whether it can be too little, how much there is to spare,
    and the share that is needed.
    """
    drawn = count_ones(s.deck >> PER_COLOUR * colour & COLOUR)
    spare = drawn + held - TO_CURE
    values[SUPPLY] += spare < 0
    values[SUPPLY + 1] += min(max(spare, 0), ENOUGH) / ENOUGH
    values[SUPPLY + 2] += missing / (1.0 + drawn)


@kernel
def _add_time(s, values):
    """Player cards left, what each cure still to be found can have of them, and whether the end
    is near.
    """
    values[TIME] = s.left / 48.0
    values[TIME + 1] = (COLOUR_COUNT - count_ones(s.cured)) / (1.0 + s.left / 2.0)
    values[TIME + 2] = min(s.left, 10) / 10.0
    values[TIME + 3] = s.left < 4


@kernel
def _add_hands(r, s, values):
    """Cards that have to be thrown away soon, cards for cures, and cards for travel."""
    for seat in range(r.players):
        size = count_ones(s.hand[seat])
        values[HANDS] += max(0, size + (DRAWS if seat == s.seat else 0) - HAND_LIMIT)
        values[HANDS + 1] += max(0, size + DRAWS - HAND_LIMIT)
        for colour in range(COLOUR_COUNT):
            if s.cured >> colour & 1:
                values[HANDS + 2] += count_ones(cards_of(s, seat, colour))


@kernel
def _add_board(s, values):
    """Events in hands, outbreaks, cubes, and stations."""
    cards = 0
    for seat in range(len(s.hand)):
        cards |= s.hand[seat]
    for event in range(3):
        values[EVENTS + event] = cards >> FIRST_EVENT + event & 1
    outbreaks, cubes, worst = s.outbreaks / OUTBREAKS, 0, 0.0
    for colour in range(COLOUR_COUNT):
        count = cubes_of(s, colour)
        cubes += count
        share = count / CUBES
        worst += share * share * share * share
    values[BOARD], values[BOARD + 1] = outbreaks, outbreaks * outbreaks
    values[BOARD + 2], values[BOARD + 3] = cubes / (COLOUR_COUNT * CUBES), worst
    values[BOARD + 4] = count_ones(s.stations) / STATIONS


@kernel
def _add_reach(r, s, values):
    """How far pawns are from cities with two or more cubes and from stations, and which colours
    cannot come back.
    """
    ill = 0
    for colour in range(COLOUR_COUNT):
        ill |= s.high[colour]
    while ill != 0:
        city = lowest_one(ill)
        ill &= ill - 1
        nearest, soonest, station = NEVER, NEVER, way_to_station(r, s, city)
        for seat in range(r.players):
            moves = way(r, s, seat, city, station)
            nearest, soonest = (
                min(nearest, moves),
                min(soonest, moves + ACTIONS * _wait(r, s, seat)),
            )
        values[REACH] += nearest / 10.0
        values[REACH + 1] += soonest / 10.0
    for seat in range(r.players):
        values[REACH + 2] += way_to_station(r, s, s.pawn[seat]) / 10.0
    values[REACH + 3] = count_ones(s.eradicated)
