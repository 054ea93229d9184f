"""The state, setup and constants of Pandemic, and the vocabulary of its rules.

A set of cities or cards is an integer with one bit per member. A city card has the number of its
city; event cards follow the city cards.
"""

import numpy as np

from plyglass.core import state_dtype
from plyglass.core.state import Field
from plyglass.games.pandemic.cities import CITIES, COLOURS, NUMBER, PER_COLOUR

MOST_PLAYERS, MOST_EPIDEMICS = 4, 6
ALL_CITIES = (1 << len(CITIES)) - 1
COLOUR = (1 << PER_COLOUR) - 1  # the set of cities of the first colour
NOWHERE = 62  # in place of a city: a bit that no set of cities has
NOBODY = -1  # in place of a seat
ATLANTA = NUMBER["Atlanta"]

# Events are in the order of the actions that play them.
EVENTS = (
    "Airlift",
    "Government Grant",
    "Quiet Night",
    "Forecast",
    "Resilient Population",
)
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

ACTIONS, DRAWS = 4, 2  # actions and player cards per turn
HAND_LIMIT, STATIONS = 7, 6  # most cards in a hand, and number of stations in the game
CUBES, FULL = 24, 3  # cubes of each colour in the game, and in a full city
OUTBREAKS = 8  # the number of outbreaks that loses the game
RATE = (2, 2, 2, 3, 3, 4, 4)  # infection cards per turn, by the number of epidemics so far
TO_CURE = 5  # cards of a colour that a cure takes; a scientist needs one less
FORESEEN = 6  # cards that Forecast shows
MOST_ACTIONS, MOST_DECISIONS = 1024, 640  # upper bounds: actions per decision, decisions per game
FEATURES = 45  # number of features of a position (features.py)
LAYERS = 20  # most parts: one at first, one per epidemic, and six for each of two uses of Forecast

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

# Nothing is hidden. A deck is a set without an order: chance decides which card is drawn.
POSITION: tuple[Field, ...] = (
    ("low", np.int64, (len(COLOURS),)),  # the cities with 1 or 3 cubes of a colour
    ("high", np.int64, (len(COLOURS),)),  # the cities with 2 or 3 cubes of a colour
    ("hand", np.int64, (MOST_PLAYERS,)),
    ("deck", np.int64),  # player cards not drawn yet, without epidemics
    ("layer", np.int64, (LAYERS,)),  # the infection deck: unordered sets of cards, top set last
    ("discard", np.int64),  # the discard pile of the infection deck
    ("foreseen", np.int64),  # infection cards that Forecast shows, to be put back
    ("stations", np.int64),
    ("pawn", np.int8, (MOST_PLAYERS,)),
    ("last", np.int8, (MOST_PLAYERS,)),  # the city to which a pawn must not return, or NOWHERE
    ("role", np.int8, (MOST_PLAYERS,)),
    ("seat_of", np.int8, (len(ROLES),)),  # the seat with a role, or NOBODY
    ("top", np.int8),  # the layer from which infection cards are drawn
    ("left", np.int8),  # number of player cards not drawn yet, with epidemics
    ("epidemics", np.int8),  # number of epidemics so far
    ("outbreaks", np.int8),
    ("cured", np.int8),  # the cured colours, as a set
    ("eradicated", np.int8),
    ("seat", np.int8),  # the active player
    ("phase", np.int8),
    ("spent", np.int8),  # number of actions taken in this turn
    ("turned", np.int8),  # number of cards drawn in this phase
    ("ready", np.int8),  # whether the team has declined to play an event before the next card
    ("quiet", np.int8),  # whether the next infection is skipped
    ("flown", np.int8),  # whether the operations expert has used their flight
    ("kept", np.int8),  # the event on the contingency planner's card, as a set
    ("played", np.int8),  # the events in the discard pile, as a set
    ("result", np.int8),
)
State = state_dtype(*POSITION)
Setup = np.dtype([("given", np.int8), *POSITION])  # `given`: whether to start from this position
Constants = np.dtype(
    [
        ("players", np.int64),
        ("epidemics", np.int64),
        ("events", np.int64),  # number of events in the game
        ("dealt", np.int64),  # number of cards that each player starts with
        ("restricted", np.int64),  # whether the thesis's rules hold, which have fewer actions
        ("as_coded", np.int64),  # whether the rules are those of the thesis's program
        ("role", np.int64, (MOST_PLAYERS,)),  # by seat; NOBODY if chance deals the roles
        ("beside", np.int64, (len(CITIES),)),  # the neighbours of a city
        ("population", np.int64, (len(CITIES),)),
        ("rate", np.int64, (MOST_EPIDEMICS + 1,)),
        ("pile", np.int64, (64,)),  # the number of the top pile, by player cards left
        ("pile_left", np.int64, (64,)),  # the cards left in the top pile, by player cards left
        ("cards", np.int64),  # player cards in the deck after the hands are dealt, with epidemics
        ("distance", np.int64, (len(CITIES), len(CITIES))),  # drives from one city to another
        ("weights", np.float64, (FEATURES + 1,)),  # for the evaluator "learned"; the bias is last
    ]
)
