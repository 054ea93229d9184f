"""Features of a position: cures, hands, deck, danger of a loss, and places of pawns.

Searches evaluate positions at the end of a turn, before the turn's cards are turned over. The
features are meant for these positions.
"""

from plyglass.core import kernel
from plyglass.core.bits import count_ones, lowest_one
from plyglass.games.pandemic.cities import PER_COLOUR
from plyglass.games.pandemic.deeds import cards_of, needed
from plyglass.games.pandemic.disease import COLOUR_COUNT, cubes_of, protected
from plyglass.games.pandemic.state import (
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

# The index of the first feature of each group.
CURES, MISSING, LATE, PLACE, SHARING, SUPPLY = 0, 1, 6, 9, 12, 15
TIME, HANDS, EVENTS, BOARD, DANGER, REACH = 18, 22, 25, 28, 33, 41
FAR = 0.35  # a gift that needs m moves to meet counts 1 / (1 + FAR * m)
ENOUGH = 6.0  # spare cards of a colour that count; more do not matter
CHAIN = 0.7  # danger that a full neighbour of a full city adds; the full city itself adds 1
NEVER = 99  # a number of moves larger than any real one


@kernel
def features(r, s, player, values):
    """Write all features to `values` and return their number."""
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
    """Add the features of an uncured colour.

    The features describe the hand that misses the fewest cards of the colour. They are its missing
    cards, the place of its player, the cards that other players can give, and the supply in the
    deck.
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
    """Return the number of turns between the end of this turn and the player's next turn."""
    wait = seat - s.seat - 1
    return wait if wait >= 0 else wait + r.players  # `wait` modulo `players`, without a division


@kernel
def _add_sharing(r, s, colour, holder, missing, values):
    """Add what other players can give to the player with the best hand.

    The features are the best gift by a single player, the cards of all other players, and whether
    these cards suffice.
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
    """Return how many moves two players need to meet in the nearest city of the given cards."""
    best = NEVER
    while cards != 0:
        city = lowest_one(cards)
        station = way_to_station(r, s, city)
        best = min(best, way(r, s, giver, city, station) + way(r, s, receiver, city, station))
        cards &= cards - 1
    return best


@kernel
def _add_supply(s, colour, missing, held, values):
    """Add the supply of a colour.

    The features are whether too few cards are left, the spare cards, and the missing cards relative
    to the colour's cards in the deck.
    """
    drawn = count_ones(s.deck >> PER_COLOUR * colour & COLOUR)
    spare = drawn + held - TO_CURE
    values[SUPPLY] += spare < 0
    values[SUPPLY + 1] += min(max(spare, 0), ENOUGH) / ENOUGH
    values[SUPPLY + 2] += missing / (1.0 + drawn)


@kernel
def _add_time(s, values):
    """Add the player cards left, missing cures per turn left, and whether few cards are left."""
    values[TIME] = s.left / 48.0
    values[TIME + 1] = (COLOUR_COUNT - count_ones(s.cured)) / (1.0 + s.left / 2.0)
    values[TIME + 2] = min(s.left, 10) / 10.0
    values[TIME + 3] = s.left < 4


@kernel
def _add_hands(r, s, values):
    """Add the cards that will have to be discarded soon, and the cards of cured colours."""
    for seat in range(r.players):
        size = count_ones(s.hand[seat])
        values[HANDS] += max(0, size + (DRAWS if seat == s.seat else 0) - HAND_LIMIT)
        values[HANDS + 1] += max(0, size + DRAWS - HAND_LIMIT)
        for colour in range(COLOUR_COUNT):
            if s.cured >> colour & 1:
                values[HANDS + 2] += count_ones(cards_of(s, seat, colour))


@kernel
def _add_board(s, values):
    """Add the events in hands, outbreaks, cubes, and stations."""
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
    """Add the moves to stations and to cities with two or three cubes, and eradicated colours."""
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


@kernel
def add_danger(r, s, values, at):
    """Add eight features of cities near an outbreak, by the probability that their cards are drawn.

    - Cards drawn in this turn: full cities, and cities with two cubes.
    - Cards in the top set of the deck: full cities, cities with two cubes, and cities with one
      cube.
    - Cards on the discard pile: full cities, and cities with two cubes.
    - All full cities, unweighted.
    """
    rate = r.rate[s.epidemics]
    now = 0.0 if s.quiet else rate / max(count_ones(s.layer[s.top]), rate)
    again = (
        epidemic_soon(r, s)
        * r.rate[min(s.epidemics + 1, r.epidemics)]
        / (count_ones(s.discard) + 1.0)
    )
    for colour in range(COLOUR_COUNT):
        if not s.eradicated >> colour & 1:
            _add_danger_of(r, s, colour, now, again, values, at)


@kernel
def _add_danger_of(r, s, colour, now, again, values, at):
    """Add the danger of one colour.

    In this turn, a card of the top set is drawn with probability `now`. A discarded card is drawn
    only after an epidemic, with probability `again`. A protected city is in no danger this turn.
    """
    own, safe = COLOUR << PER_COLOUR * colour, protected(r, s, colour)
    top, discarded = s.layer[s.top] & own & ~safe, s.discard & own
    full, two, one = (
        s.low[colour] & s.high[colour],
        s.high[colour] & ~s.low[colour],
        s.low[colour] & ~s.high[colour],
    )
    open_full, returned = full & ~safe, discarded & ~safe
    outbreaks = outbreaks_ahead(r, open_full, full & top, CHAIN)
    values[at] += now * outbreaks + again * outbreaks_ahead(r, open_full, full & returned, CHAIN)
    values[at + 1] += now * count_ones(two & top) + again * count_ones(two & returned)
    share = 1.0 / (1.0 + count_ones(s.layer[s.top]))
    values[at + 2] += share * outbreaks
    values[at + 3] += share * count_ones(two & top)
    values[at + 4] += share * count_ones(one & top)
    if s.epidemics < r.epidemics:
        share = 1.0 / (1.0 + count_ones(s.discard))
        values[at + 5] += share * count_ones(full & discarded)
        values[at + 6] += share * count_ones(two & discarded)
    values[at + 7] += count_ones(full)


@kernel
def epidemic_soon(r, s):
    """Return the probability of an epidemic among the player cards of this turn."""
    if s.left < DRAWS:
        return 0.0
    chance, none = 0.0, 1.0
    for drawn in range(DRAWS):
        left = s.left - drawn
        share = 1.0 / r.pile_left[left] if r.pile[left] == s.epidemics else 0.0
        chance += none * share
        none *= 1.0 - share
    return chance


@kernel
def outbreaks_ahead(r, full, ready, chained):
    """Return the danger of cities in `ready`: each counts 1, plus `chained` per full neighbour."""
    danger = 1.0 * count_ones(ready)
    while ready != 0:
        danger += chained * count_ones(r.beside[lowest_one(ready)] & full)
        ready &= ready - 1
    return danger


@kernel
def way_to_station(r, s, city):
    """Return the number of drives from a city to the nearest station."""
    stations, best = s.stations, NEVER
    while stations != 0:
        best = min(best, r.distance[city, lowest_one(stations)])
        stations &= stations - 1
    return best


@kernel
def way(r, s, pawn, city, city_to_station):
    """Return the number of moves of a pawn to a city, by drives and at most one shuttle flight."""
    direct = r.distance[s.pawn[pawn], city]
    return (
        direct
        if direct <= 2
        else min(direct, way_to_station(r, s, s.pawn[pawn]) + 1 + city_to_station)
    )
