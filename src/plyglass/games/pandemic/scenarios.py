"""Positions worth studying, from which a match can start.

`--start plyglass.games.pandemic.scenarios:researchers_turn` starts a match from such a position.
"""

from plyglass.core import World
from plyglass.games.pandemic import Pandemic

CUBES = {
    "blue": {"New York": 1, "London": 2, "Essen": 1},
    "yellow": {"Lima": 1, "Lagos": 2, "Miami": 1},
    "black": {"Delhi": 2, "Cairo": 1, "Moscow": 1},
    "red": {"Tokyo": 2, "Manila": 1, "Sydney": 1},
}
PLAYED = (
    "Montreal",
    "London",
    "Los Angeles",
    "Mexico City",
    "Lagos",
    "Kinshasa",
    "Cairo",
    "Tehran",
    "Mumbai",
    "Sydney",
)
# The cities whose infection cards were drawn since the epidemic.
INFECTED = ("London", "Lagos", "Delhi", "Tokyo", "Manila", "Cairo")
INFECTED_BEFORE = (
    "New York",
    "Essen",
    "Lima",
    "Miami",
    "Moscow",
    "Sydney",
    "Mumbai",
    "Seoul",
    "Algiers",
    "Santiago",
)


def researchers_turn(game: Pandemic, seed: int) -> World:
    """Return the position of figure 13 of the thesis, where one turn prepares two cures.

    The turn consists of a government grant and four actions. The thesis gives only the players'
    relative places and the cards that change hands. We chose the cities and everything else.

    - The researcher is far from the other players, and has no card to fly to them. The researcher
      has a blue card and three red cards.
    - The scientist is at a station, with three blue cards and the government grant.
    - The medic is in a city beside the scientist's, with two red cards.

    The position is in the seventh turn, after one epidemic.
    """
    return game.start(
        seed,
        game.scenario(
            turn="researcher",
            pawns={"researcher": "Johannesburg", "scientist": "Atlanta", "medic": "Chicago"},
            hands={
                "researcher": ["Paris", "Osaka", "Taipei", "Bangkok"],
                "scientist": ["Milan", "Essen", "Madrid", "Government Grant"],
                "medic": ["Seoul", "Beijing"],
            },
            cubes=CUBES,
            epidemics=1,
            played=PLAYED,
            infected=INFECTED,
            layers=[INFECTED_BEFORE],
        ),
    )
