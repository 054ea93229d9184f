"""Options that people can choose before a match: game parameters with a few values each.

The values are listed here, so a server can let anybody choose among them. A game that is not
listed has no options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from plyglass.core.game import Game

Value = int | str
Options = Mapping[str, tuple[Value, ...]]

FACTIONS = ("lyonar", "songhai", "vetruvian", "abyssian", "magmar", "vanar")
OPTIONS: dict[str, Options] = {
    "connect-four": {"connect": (4, 3, 5)},
    "duel": {"open_hands": (False, True), "health": (10, 6, 15)},
    "duelyst": {"decks": tuple("+".join(each) for each in product(FACTIONS, repeat=2))},
    "navy": {"submarines": ("free", "sticky", "mixed"), "cargo": (4, 2, 6)},
    "pandemic": {"players": (3, 2, 4), "epidemics": (4, 5, 6)},
    "pig": {"goal": (100, 50)},
    "skirmish": {"size": (4, 3, 5), "fog": (False, True)},
    "trading-cards": {"health": (50, 30), "hand": (5, 4)},
    "tubstap": {
        "map": (
            "crossroads", "airfield", "archipelago", "delta", "duelists", "gates", "highlands",
            "isthmus", "plains", "ridge", "riverbend", "sandbox", "siege", "woods",
        ),
        "fog": (True, False),
    },
}  # fmt: skip
"""The options of each game, by the game's name; an option's first value is its default."""


def options_of(game: Game) -> Options:
    """Return the options of a game that comes with Plyglass; all other games have none."""
    known = type(game).__module__.startswith("plyglass.games.")
    return OPTIONS.get(game.name, {}) if known else {}


def written(value: Value) -> str:
    """Return a value as text in lower case, as people type it."""
    return str(value).lower()


def chosen(game: Game, text: str) -> dict[str, Value]:
    """Return the parameters that a text such as `map=plains,fog=false` chooses.

    The text may name only the game's options, each at most once, with one of the option's values.
    """
    options, found = options_of(game), {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name not in options or name in found:
            raise ValueError(
                f"{game.name} has no option {name[:50]!r}, or the option was given twice. The "
                f"options of the game are: {', '.join(options) or 'none'}."
            )
        fitting = [each for each in options[name] if written(each) == value]
        if not fitting:
            raise ValueError(
                f"The option {name} of {game.name} is one of "
                f"{', '.join(map(written, options[name]))}, not {value[:50]!r}."
            )
        found[name] = fitting[0]
    return found


def combinations(game: Game) -> Iterator[dict[str, Value]]:
    """Yield every combination of values for the options of a game."""
    options = options_of(game)
    for values in product(*options.values()):
        yield dict(zip(options, values, strict=True))
