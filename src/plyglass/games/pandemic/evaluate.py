"""The value of a position, from 0 to 1, by the heuristics of section 3.2.3 of the thesis.

The thesis's program computes two of these heuristics in whole numbers, and so departs from the
thesis's text. Each of these two evaluators has a second version, called "as coded", which computes
like the program.
"""

from typing import Any

from plyglass.core import kernel
from plyglass.core.bits import count_ones
from plyglass.core.compile import Function, compose
from plyglass.core.learned import judgement
from plyglass.core.memory import stack_reals
from plyglass.games.pandemic.deeds import cards_of, needed
from plyglass.games.pandemic.disease import COLOUR_COUNT, cubes_of
from plyglass.games.pandemic.features import features, outbreaks_ahead
from plyglass.games.pandemic.state import CUBES, FEATURES, FULL, OUTBREAKS, PLAYING, WON

# The value of a colour: if it is cured; if one hand has all cards for the cure; and added to the
# latter, if the hand's player is at a station or one step from a station.
CURED, HOLDING, AT_STATION, NEXT_TO_STATION = 0.25, 0.15, 0.05, 0.025
# The danger of a full neighbour, of a full city whose card is never drawn again, and of each other
# cube.
CHAINED, BURNT_OUT, CUBE = 0.5, 0.5, 0.25
WORST = 12.0  # the danger that counts as a loss; a full city that can break out adds 1

# `compose` replaces these two for every compound evaluator.
WEIGHT = 0.5
loss: Any = None


@kernel
def subgoals(r, s, player):
    """Return the number of cures found, divided by four."""
    return count_ones(s.cured) / COLOUR_COUNT


@kernel
def preconditions(r, s, player):
    """Return the value of the cures found and of preparations for other cures (algorithm 11)."""
    value = 0.0
    for colour in range(COLOUR_COUNT):
        value += CURED if s.cured >> colour & 1 else _prepared(r, s, colour)
    return value


@kernel
def loss_proximity(r, s, player):
    """Return 1 minus the nearness of a loss: by outbreaks or by cubes, whichever is nearer."""
    worst = s.outbreaks / OUTBREAKS
    for colour in range(COLOUR_COUNT):
        worst = max(worst, cubes_of(s, colour) / CUBES)
    return max(0.0, 1.0 - worst)


@kernel
def loss_proximity_as_coded(r, s, player):
    """Return `loss_proximity` as coded: only outbreaks count, not cubes."""
    return 1.0 - s.outbreaks / OUTBREAKS


@kernel
def informed_loss(r, s, player):
    """Return how far away a loss is, judged by the outbreaks that can follow (algorithm 12)."""
    cards, danger = _drawable(r, s), 0.0
    for colour in range(COLOUR_COUNT):
        full = s.low[colour] & s.high[colour]
        danger += CUBE * (cubes_of(s, colour) - FULL * count_ones(full)) + BURNT_OUT * count_ones(
            full & ~cards
        )
        danger += outbreaks_ahead(r, full, full & cards, CHAINED)
    return max(0.0, 1.0 - danger / WORST)


@kernel
def informed_loss_as_coded(r, s, player):
    """Return `informed_loss` as coded: it counts only full cities whose cards can be drawn."""
    cards, danger = _drawable(r, s), 0
    for colour in range(COLOUR_COUNT):
        danger += count_ones(s.low[colour] & s.high[colour] & cards)
    return max(0.0, 1.0 - danger / WORST)


@kernel
def learned(r, s, player):
    """Return a weighted sum of the features, scaled to 0 to 1, with weights learned from games."""
    if s.result != PLAYING:
        return 1.0 if s.result == WON else 0.0
    values = stack_reals(FEATURES)
    return 0.5 + 0.499 * judgement(values, features(r, s, player, values), r.weights)


@kernel
def _prepared(r, s, colour):
    """Return the value of an uncured colour.

    The value depends on the hand with the largest share of the needed cards. If several hands have
    the largest share, the value depends on the first of them.
    """
    best, holder = 0.0, 0
    for seat in range(r.players):
        share = min(1.0, count_ones(cards_of(s, seat, colour)) / needed(s, seat))
        if share > best:
            best, holder = share, seat
    value = HOLDING * best
    if best == 1.0:
        if s.stations >> s.pawn[holder] & 1:
            value += AT_STATION
        elif s.stations & r.beside[s.pawn[holder]]:
            value += NEXT_TO_STATION
    return value


@kernel
def _drawable(r, s):
    """Return the infection cards that can still be drawn.

    Discarded cards can be drawn only if an epidemic is still to come.
    """
    cards = s.foreseen | (s.discard if s.epidemics < r.epidemics else 0)
    for layer in range(s.top + 1):
        cards |= s.layer[layer]
    return cards


def _compound(r, s, player):
    return WEIGHT * preconditions(r, s, player) + (1.0 - WEIGHT) * loss(r, s, player)


def _compounds() -> dict[str, Function]:
    """Return weighted means of `preconditions` and an evaluator of loss.

    In `compound-2/3`, `preconditions` has the weight 2/3.
    """
    losses = {"": informed_loss, "-as-coded": informed_loss_as_coded}
    losses |= {"-uninformed": loss_proximity, "-uninformed-as-coded": loss_proximity_as_coded}
    weights = {"2/3": 2 / 3, "1/2": 1 / 2, "3/4": 3 / 4}
    return {
        f"compound-{share}{which}": compose(
            _compound, {"preconditions": preconditions, "loss": part}, {"WEIGHT": weight}
        )
        for which, part in losses.items()
        for share, weight in weights.items()
    }


EVALUATORS: dict[str, Function] = {
    **_compounds(),
    "subgoals": subgoals,
    "preconditions": preconditions,
    "loss-proximity": loss_proximity,
    "loss-proximity-as-coded": loss_proximity_as_coded,
    "informed-loss": informed_loss,
    "informed-loss-as-coded": informed_loss_as_coded,
    "learned": learned,
}
