"""What a pawn can do where it is: build, treat, cure, and share knowledge."""

from plyglass.core import kernel
from plyglass.core.bits import count_ones
from plyglass.games.pandemic.board import (
    ALL_CITIES,
    COLOUR,
    EXPERT,
    MEDIC,
    NOWHERE,
    PLAYING,
    RESEARCHER,
    SCIENTIST,
    STATIONS,
    TO_CURE,
    WON,
)
from plyglass.games.pandemic.cities import COLOURS, PER_COLOUR
from plyglass.games.pandemic.disease import COLOUR_COUNT, ill, remove_cube, remove_cubes

ALL_CURED = (1 << len(COLOURS)) - 1


@kernel
def can_build(s):
    """Whether whose turn it is can build a station: with the card of the city, or as operations
    expert without.
    """
    here = s.pawn[s.seat]
    return not s.stations >> here & 1 and (s.hand[s.seat] >> here & 1 or s.role[s.seat] == EXPERT)


@kernel
def removable(s):
    """The stations of which one has to go when another is built: none while there are some in
    the box.
    """
    return s.stations if count_ones(s.stations) >= STATIONS else 0


@kernel
def build(s, city, instead):
    """Put a station on a city; `instead` is the one that goes for it + 1, or 0."""
    s.stations |= 1 << city
    if instead > 0:
        s.stations ^= 1 << instead - 1


@kernel
def pay_for_station(s):
    """The operations expert builds without a card."""
    if s.role[s.seat] != EXPERT:
        s.hand[s.seat] &= ~(1 << s.pawn[s.seat])


@kernel
def treatable(s):
    """The colours in the city of whose turn it is, as a set."""
    here, colours = s.pawn[s.seat], 0
    for colour in range(COLOUR_COUNT):
        colours |= (ill(s, colour) >> here & 1) << colour
    return colours


@kernel
def treat(s, colour):
    """One cube off the city, or all if the medic does it or the colour is cured."""
    here = s.pawn[s.seat]
    if s.role[s.seat] == MEDIC or s.cured >> colour & 1:
        remove_cubes(s, colour, 1 << here)
    else:
        remove_cube(s, colour, here)


@kernel
def needed(s, seat):
    """The cards of a colour that a player needs for a cure."""
    return TO_CURE - 1 if s.role[seat] == SCIENTIST else TO_CURE


@kernel
def cards_of(s, seat, colour):
    """The cards of a colour in a hand, as a set of twelve."""
    return s.hand[seat] >> PER_COLOUR * colour & COLOUR


@kernel
def curable(s):
    """The colours that whose turn it is can cure here and now."""
    colours = 0
    if s.stations >> s.pawn[s.seat] & 1:
        for colour in range(COLOUR_COUNT):
            if not s.cured >> colour & 1 and count_ones(cards_of(s, s.seat, colour)) >= needed(
                s, s.seat
            ):
                colours |= 1 << colour
    return colours


@kernel
def cure(s, colour, cards):
    """Throw away cards of a colour, given as a set of twelve, and cure it; the game is won with
    the fourth cure.
    """
    s.hand[s.seat] ^= cards << PER_COLOUR * colour
    s.cured |= 1 << colour
    s.result = WON if s.cured == ALL_CURED else PLAYING


@kernel
def receivers(r, s):
    """The seats of the others in the city of whose turn it is."""
    others = 0
    for seat in range(r.players):
        others |= (s.pawn[seat] == s.pawn[s.seat]) << seat
    return others & ~(1 << s.seat)


@kernel
def shareable(s, giver):
    """The cards that a player can hand over to others in his city: the card of the city; the
    researcher any city.
    """
    return s.hand[giver] & (ALL_CITIES if s.role[giver] == RESEARCHER else 1 << s.pawn[giver])


@kernel
def hand_over(s, giver, receiver, card):
    s.hand[giver] ^= 1 << card
    s.hand[receiver] |= 1 << card


@kernel
def forget_way_back(s):
    """Something was done: the active pawn may go back where it came from."""
    s.last[s.seat] = NOWHERE


@kernel
def may_do_nothing(r, s):
    """Always; by document 004 only where nothing can be treated or cured, at the start of a turn
    or after something was done.
    """
    if not r.restricted:
        return True
    return (s.last[s.seat] == NOWHERE or s.spent == 0) and treatable(s) == 0 and curable(s) == 0
