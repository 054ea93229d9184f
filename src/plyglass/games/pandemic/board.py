"""The records of Pandemic, and the words that its rules are written in: cards, roles, kinds of
actions, phases of a turn.

A set of cities or cards is a number with a bit for each. Cards have the numbers of their cities;
then come the events.
"""

import numpy as np

from plyglass.core import state_dtype
from plyglass.core.state import Field
from plyglass.games.pandemic.cities import CITIES, COLOURS, NUMBER, PER_COLOUR

MOST_PLAYERS, MOST_EPIDEMICS = 4, 6
ALL_CITIES = (1 << len(CITIES)) - 1
COLOUR = (1 << PER_COLOUR) - 1  # the cities of the first colour
NOWHERE = 62  # in place of a city: a bit that no set of cities has
NOBODY = -1  # in place of a seat
ATLANTA = NUMBER["Atlanta"]

EVENTS = (
    "Airlift",
    "Government Grant",
    "Quiet Night",
    "Forecast",
    "Resilient Population",
)  # in the order of the actions that play them
FIRST_EVENT = len(CITIES)
ANY_EVENT = (1 << len(EVENTS)) - 1

ROLES = (
    "contingency planner",
    "dispatcher",
    "medic",
    "operations expert",
    "quarantine specialist",
    "researcher",
    "scientist",
)
PLANNER, DISPATCHER, MEDIC, EXPERT, SPECIALIST, RESEARCHER, SCIENTIST = range(len(ROLES))

ACTIONS, DRAWS, HAND_LIMIT, STATIONS = 4, 2, 7, 6  # of a turn; of a turn; of a hand; in the box
CUBES, FULL, OUTBREAKS = (
    24,
    3,
    8,
)  # of a colour in the box; of a colour in a city; with the last of which the game is lost
RATE = (2, 2, 2, 3, 3, 4, 4)  # infection cards a turn, by epidemics so far
TO_CURE = 5  # cards of a colour; a scientist needs one less
FORESEEN = 6  # cards that Forecast shows
MOST_ACTIONS, MOST_DECISIONS = 1024, 640  # at one decision, and of a game: more than there can be
FEATURES = 45  # numbers that describe a position
LAYERS = 20  # one at first, one with each epidemic, and six with each of two uses of Forecast

KINDS = (
    "do nothing", "drive", "direct flight", "charter flight", "shuttle flight", "expert flight",
    "dispatch", "build", "treat", "cure",
    "give", "take", "reclaim", "airlift", "government grant", "quiet night", "forecast",
    "resilient population", "discard", "put back",
    "go on",
)  # fmt: skip
(
    DO_NOTHING, DRIVE, DIRECT, CHARTER, SHUTTLE, FLIGHT, DISPATCH, BUILD, TREAT, CURE,
    GIVE, TAKE, RECLAIM, AIRLIFT, GRANT, QUIET_NIGHT, FORECAST, RESILIENT, DISCARD, PUT_BACK,
    GO_ON,
) = range(len(KINDS))  # fmt: skip

ACTING, DRAWING, INTENSIFYING, INFECTING = range(4)
PLAYING, WON, LOST_BY_OUTBREAKS, LOST_BY_CUBES, LOST_BY_CARDS = range(5)

# Everything is known to everybody: the order of a deck is no part of a position, but luck that is
# drawn when a card is.
POSITION: tuple[Field, ...] = (
    ("low", np.int64, (len(COLOURS),)),  # the cities with 1 or 3 cubes of a colour
    ("high", np.int64, (len(COLOURS),)),  # the cities with 2 or 3
    ("hand", np.int64, (MOST_PLAYERS,)),
    ("deck", np.int64),  # player cards that are not drawn yet, epidemics apart
    (
        "layer",
        np.int64,
        (LAYERS,),
    ),  # the infection deck: sets of cards in unknown order, the top one last
    ("discard", np.int64),  # of the infection deck
    ("foreseen", np.int64),  # infection cards that Forecast shows and that are to be put back
    ("stations", np.int64),
    ("pawn", np.int8, (MOST_PLAYERS,)),
    ("last", np.int8, (MOST_PLAYERS,)),  # the city that a pawn must not go back to, or NOWHERE
    ("role", np.int8, (MOST_PLAYERS,)),
    ("seat_of", np.int8, (len(ROLES),)),  # who has a role, or NOBODY
    ("top", np.int8),  # the layer that infection cards are drawn from
    ("left", np.int8),  # player cards that are not drawn yet, epidemics included
    ("epidemics", np.int8),  # so far
    ("outbreaks", np.int8),
    ("cured", np.int8),  # a set of colours
    ("eradicated", np.int8),
    ("seat", np.int8),  # whose turn it is
    ("phase", np.int8),
    ("spent", np.int8),  # actions of this turn
    ("turned", np.int8),  # cards that were drawn in this phase
    ("ready", np.int8),  # whether nobody wants to play an event before the next card is drawn
    ("quiet", np.int8),  # whether the next infection is skipped
    ("flown", np.int8),  # whether the operations expert has used his flight
    ("kept", np.int8),  # the event on the contingency planner's card, as a set
    ("played", np.int8),  # the events in the discard pile
    ("result", np.int8),
)
State = state_dtype(*POSITION)
Setup = np.dtype([("given", np.int8), *POSITION])  # a position to begin with, where one is given
Constants = np.dtype(
    [
        ("players", np.int64),
        ("epidemics", np.int64),
        ("events", np.int64),  # how many of them there are
        ("dealt", np.int64),  # cards that each player begins with
        (
            "restricted",
            np.int64,
        ),  # whether the rules of document 004 hold, which leave some actions out
        ("as_coded", np.int64),  # whether its program's departures from them do
        ("role", np.int64, (MOST_PLAYERS,)),  # by seat; NOBODY where luck deals them
        ("beside", np.int64, (len(CITIES),)),  # the neighbours of a city
        ("population", np.int64, (len(CITIES),)),
        ("rate", np.int64, (MOST_EPIDEMICS + 1,)),
        (
            "pile",
            np.int64,
            (64,),
        ),  # which of the piles, with an epidemic each, is on top, by cards left
        ("pile_left", np.int64, (64,)),  # cards left in that pile
        ("cards", np.int64),  # player cards when the hands are dealt, epidemics included
        ("distance", np.int64, (len(CITIES), len(CITIES))),  # drives from one city to another
        (
            "weights",
            np.float64,
            (FEATURES + 1,),
        ),  # of the features, and one alone, for the evaluator that is learned
    ]
)


def piles(cards: int, epidemics: int) -> tuple[np.ndarray, np.ndarray]:
    """(the pile on top, the cards left in it), by cards left, where `cards` without epidemics
    are split as evenly as can be.
    """
    sizes = [cards // epidemics + (pile < cards % epidemics) + 1 for pile in range(epidemics)]
    numbers, rests = np.full(64, epidemics), np.zeros(64, np.int64)
    left = sum(sizes)
    for pile, size in enumerate(sizes):
        for rest in range(size, 0, -1):
            numbers[left], rests[left] = pile, rest
            left -= 1
    return numbers, rests
