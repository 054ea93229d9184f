"""The actions worth a thought: all but flights and events to cities where nothing is to be done,
and cards that nobody needs.
"""

from plyglass.core import kernel, kind_of, target_of
from plyglass.games.pandemic.board import AIRLIFT, CHARTER, FLIGHT, GIVE, GRANT, TAKE
from plyglass.games.pandemic.choices import list_all
from plyglass.games.pandemic.cities import PER_COLOUR
from plyglass.games.pandemic.disease import COLOUR_COUNT
from plyglass.games.pandemic.moves import peopled


@kernel
def prefer(r, s, out):
    """Of the legal actions those that are worth a thought: flights to pawns, stations and cities
    with two cubes, airlifts only to those with three; grants where a pawn is; cards of colours that
    are not cured.
    """
    pawns, two, three, kept = peopled(r, s), 0, 0, 0
    for colour in range(COLOUR_COUNT):
        two, three = two | s.high[colour], three | s.low[colour] & s.high[colour]
    for i in range(list_all(r, s, out)):
        action = out[i]
        kind, target = kind_of(action), target_of(action)
        if kind in (CHARTER, FLIGHT):
            worth_it = (pawns | s.stations | two) >> target & 1
        elif kind == AIRLIFT:
            worth_it = (pawns | s.stations | three) >> target & 1
        elif kind == GRANT:
            worth_it = pawns >> target & 1
        elif kind in (GIVE, TAKE):
            worth_it = ~s.cured >> target // PER_COLOUR & 1
        else:
            worth_it = 1
        out[kept] = action
        kept += worth_it
    return kept
