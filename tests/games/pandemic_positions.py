"""Positions of Pandemic in the words of the naive twin, and random positions."""

import numpy as np

from plyglass.core import unpack
from plyglass.games.pandemic import state
from plyglass.games.pandemic.cities import COLOURS
from tests.games.naive_pandemic_board import NAMES, ORDER

CARDS = sorted(ORDER, key=ORDER.get)
PHASES = ("act", "draw", "intensify", "infect")
RESULTS = ("", "won", "outbreaks", "cubes", "no cards")
COUNTS = ("epidemics", "outbreaks", "seat", "spent", "turned", "quiet", "flown")


def names(cards):
    return {CARDS[number] for number in range(len(CARDS)) if int(cards) >> number & 1}


def events(cards):
    return names(int(cards) << state.FIRST_EVENT)


def in_words(action):
    """An action of the game as the twin writes it."""
    kind, source, target = unpack(action)
    word = state.KINDS[kind]
    if word == "treat":
        return word, 0, COLOURS[target]
    if word == "cure":
        return word, COLOURS[source], frozenset(names(target << 12 * source))
    if word in ("build", "government grant"):
        return word, NAMES[source - 1] if source else None, NAMES[target]
    if word == "reclaim":
        return word, 0, state.EVENTS[target]
    if word == "expert flight":
        return word, NAMES[source], NAMES[target]
    return (
        (word, source, CARDS[target])
        if word not in ("do nothing", "quiet night", "forecast", "go on")
        else (word, 0, 0)
    )


def cubes(record, colour, city):
    return (int(record["low"][colour]) >> city & 1) + 2 * (int(record["high"][colour]) >> city & 1)


def position_of(world):
    """A position of the game in the twin's words."""
    r, players = world.record, world.game.parameters["players"]
    return {
        "cubes": {
            (NAMES[city], colour): count
            for c, colour in enumerate(COLOURS)
            for city in range(48)
            if (count := cubes(r, c, city))
        },
        "hands": [names(hand) for hand in r["hand"][:players]],
        "deck": names(r["deck"]),
        "stack": [names(layer) for layer in r["layer"][: r["top"] + 1] if layer],
        "discard": names(r["discard"]),
        "foreseen": names(r["foreseen"]),
        "stations": names(r["stations"]),
        "pawns": [NAMES[city] for city in r["pawn"][:players]],
        "last": [None if city == state.NOWHERE else NAMES[city] for city in r["last"][:players]],
        "roles": [state.ROLES[role] for role in r["role"][:players]],
        "left": int(r["left"]),
        "cured": {colour for c, colour in enumerate(COLOURS) if r["cured"] >> c & 1},
        "eradicated": {colour for c, colour in enumerate(COLOURS) if r["eradicated"] >> c & 1},
        "kept": events(r["kept"]),
        "played": events(r["played"]),
        "phase": PHASES[r["phase"]],
        "result": RESULTS[r["result"]],
        **{name: int(r[name]) for name in (*COUNTS, "ply", "rng")},
    }


def any_position(game, pick):
    """The setup of a random position.

    It has cures, many stations, full hands, old infection cards and few cards left.
    """
    constants, roles = (
        game.constants_record[0],
        game.parameters["roles"].replace("-", " ").split("+"),
    )
    left = pick.randrange(1, 1 + pick.choice((4, int(np.flatnonzero(constants["pile"] == 0)[-1]))))
    epidemics = int(constants["pile"][left])
    if left < 63 and constants["pile"][left + 1] == epidemics and pick.random() < 0.5:
        epidemics += 1  # the pile is begun, so its epidemic may be out
    drawn = pick.sample(
        CARDS[: 48 + constants["events"]],
        48 + int(constants["events"] - left + constants["epidemics"]) - epidemics,
    )
    if pick.random() < 0.5:
        drawn.sort(key=ORDER.get)  # a hand then has cards of one colour
    hands = {role: [drawn.pop() for _ in range(pick.randrange(8)) if drawn] for role in roles}
    cured, ill = pick.sample(COLOURS, pick.choice((0, 1, 2, 3, 3))), {}
    for c, colour in enumerate(COLOURS):
        own = pick.sample(NAMES[12 * c : 12 * c + 12], pick.randrange(3 if colour in cured else 8))
        strange = pick.sample(NAMES, pick.randrange(3))
        ill[colour] = {city: pick.choice((1, 2, 3)) for city in own} | dict.fromkeys(strange, 1)
    infection, infected = pick.sample(NAMES, 48), pick.choice((5, 10, 20, 46))
    return game.scenario(
        turn=pick.choice(roles),
        pawns={role: pick.choice(NAMES[: pick.choice((4, 48))]) for role in roles},
        hands=hands,
        cubes=ill,
        stations=pick.sample(NAMES[: pick.choice((8, 48))], pick.randrange(1, 7)),
        cured=cured,
        outbreaks=pick.randrange(4),
        epidemics=epidemics,
        played=drawn,
        infected=infection[:infected],
        layers=[infection[20:25], infection[25:26]][: pick.randrange(3)] if infected <= 20 else [],
        spent=pick.randrange(4),
    )
