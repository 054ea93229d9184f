"""Actions in a pawn's city: build, treat, cure, and share knowledge."""

from plyglass.core import kernel
from plyglass.core.bits import count_ones
from plyglass.games.pandemic.cities import COLOURS, PER_COLOUR
from plyglass.games.pandemic.disease import COLOUR_COUNT, ill, remove_cube, remove_cubes
from plyglass.games.pandemic.state import (
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

ALL_CURED = (1 << len(COLOURS)) - 1


@kernel
def can_build(s):
    """Return whether the active player can build a station in their city.

    Building takes the card of the city, unless the player is the operations expert.
    """
    here = s.pawn[s.seat]
    return not s.stations >> here & 1 and (s.hand[s.seat] >> here & 1 or s.role[s.seat] == EXPERT)


@kernel
def removable(s):
    """Return the stations that can be removed for a new one; none if there are unbuilt stations."""
    return s.stations if count_ones(s.stations) >= STATIONS else 0


@kernel
def build(s, city, instead):
    """Put a station on a city.

    `instead` is 1 + the city of the station that is removed, or 0 if no station is removed.
    """
    s.stations |= 1 << city
    if instead > 0:
        s.stations ^= 1 << instead - 1


@kernel
def pay_for_station(s):
    """Discard the card of the active player's city; the operations expert needs no card."""
    if s.role[s.seat] != EXPERT:
        s.hand[s.seat] &= ~(1 << s.pawn[s.seat])


@kernel
def treatable(s):
    """Return the colours with cubes in the active player's city, as a set."""
    here, colours = s.pawn[s.seat], 0
    for colour in range(COLOUR_COUNT):
        colours |= (ill(s, colour) >> here & 1) << colour
    return colours


@kernel
def treat(s, colour):
    """Remove one cube of a colour from the active player's city.

    If the player is the medic or the colour is cured, remove all cubes of the colour there.
    """
    here = s.pawn[s.seat]
    if s.role[s.seat] == MEDIC or s.cured >> colour & 1:
        remove_cubes(s, colour, 1 << here)
    else:
        remove_cube(s, colour, here)


@kernel
def needed(s, seat):
    """Return the number of cards of a colour that a player needs for a cure."""
    return TO_CURE - 1 if s.role[seat] == SCIENTIST else TO_CURE


@kernel
def cards_of(s, seat, colour):
    """Return the cards of a colour in a hand, as bits of the twelve cards of the colour."""
    return s.hand[seat] >> PER_COLOUR * colour & COLOUR


@kernel
def curable(s):
    """Return the colours that the active player can cure now, as a set."""
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
    """Discard cards of a colour, given as bits of its twelve cards, and cure the colour.

    The fourth cure wins the game.
    """
    s.hand[s.seat] ^= cards << PER_COLOUR * colour
    s.cured |= 1 << colour
    s.result = WON if s.cured == ALL_CURED else PLAYING


@kernel
def receivers(r, s):
    """Return the seats of the other players in the active player's city, as a set."""
    others = 0
    for seat in range(r.players):
        others |= (s.pawn[seat] == s.pawn[s.seat]) << seat
    return others & ~(1 << s.seat)


@kernel
def shareable(s, giver):
    """Return the cards that a player can give away: the card of their city.

    The researcher can give any city card.
    """
    return s.hand[giver] & (ALL_CITIES if s.role[giver] == RESEARCHER else 1 << s.pawn[giver])


@kernel
def hand_over(s, giver, receiver, card):
    s.hand[giver] ^= 1 << card
    s.hand[receiver] |= 1 << card


@kernel
def forget_way_back(s):
    """Let the active pawn return to its last city, because its player has done something since."""
    s.last[s.seat] = NOWHERE


@kernel
def may_do_nothing(r, s):
    """Return whether doing nothing is allowed.

    The official rules always allow doing nothing. In the thesis, doing nothing is allowed only if
    nothing can be treated or cured. In addition, the player must not have taken an action in this
    turn, or the pawn must have no last city (the city to which the pawn may not return).
    """
    if not r.restricted:
        return True
    return (s.last[s.seat] == NOWHERE or s.spent == 0) and treatable(s) == 0 and curable(s) == 0
