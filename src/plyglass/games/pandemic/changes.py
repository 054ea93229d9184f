"""Random events between two positions of Pandemic: cards drawn, epidemics and infections."""

from collections.abc import Iterator
from typing import Any

from plyglass.games.pandemic.cities import CITIES, COLOURS
from plyglass.games.pandemic.view import CARDS, cubes_in, members, seat_name


def events(before: Any, after: Any, players: int) -> list[str]:
    """Return sentences about everything that happened besides the chosen action."""
    return [
        *_drawn(before, after, players),
        *_epidemic(before, after),
        *_infected(before, after),
        *_outbreaks(before, after),
        *_cures(before, after),
    ]


def _drawn(before: Any, after: Any, players: int) -> Iterator[str]:
    held = 0
    for seat in range(players):
        held |= int(before["hand"][seat])
    for seat in range(players):
        new = members(int(after["hand"][seat]) & ~held)
        if new and after["left"] < before["left"]:
            yield f"{seat_name(after, seat)} draws {', '.join(CARDS[card] for card in new)}"


def _epidemic(before: Any, after: Any) -> Iterator[str]:
    if after["epidemics"] > before["epidemics"]:
        yield f"an epidemic, number {int(after['epidemics'])}"


def _infected(before: Any, after: Any) -> Iterator[str]:
    """Return sentences about cities that got cubes, with the number of new cubes."""
    found = [
        f"{CITIES[city].name} +{more} {COLOURS[colour]} (now {now})"
        for colour in range(len(COLOURS))
        for city in range(len(CITIES))
        if (now := cubes_in(after, colour, city))
        and (more := now - cubes_in(before, colour, city)) > 0
    ]
    if found:
        yield f"infected: {', '.join(found)}"


def _outbreaks(before: Any, after: Any) -> Iterator[str]:
    more = int(after["outbreaks"]) - int(before["outbreaks"])
    if more > 0:
        count = "an outbreak" if more == 1 else f"{more} outbreaks"
        yield f"{count}, {int(after['outbreaks'])} so far"


def _cures(before: Any, after: Any) -> Iterator[str]:
    for colour, name in enumerate(COLOURS):
        if (int(after["eradicated"]) & ~int(before["eradicated"])) >> colour & 1:
            yield f"{name} is eradicated"
        elif (int(after["cured"]) & ~int(before["cured"])) >> colour & 1:
            yield f"{name} is cured"
