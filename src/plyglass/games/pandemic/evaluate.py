"""The value of a position, from 0 to 1: the heuristics of the thesis, section 3.2.3.

Its program computes two of them in whole numbers and so loses most of what the text describes.
Those versions are called "as coded".
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

CURED, HOLDING, AT_STATION, NEXT_TO_STATION = 0.25, 0.15, 0.05, 0.025  # what a colour is worth
# The danger of a full neighbour, of a full city that is never drawn again, and of any other cube.
CHAINED, BURNT_OUT, CUBE = 0.5, 0.5, 0.25
WORST = 12.0  # the danger that counts as a loss, in full cities that can break out

# `compose` replaces these two for every compound evaluator.
WEIGHT = 0.5
loss: Any = None


@kernel
def subgoals(r, s, player):
    """The share of cures."""
    return count_ones(s.cured) / COLOUR_COUNT


@kernel
def preconditions(r, s, player):
    """Cures, and progress towards the others: cards, and a station near them (algorithm 11)."""
    value = 0.0
    for colour in range(COLOUR_COUNT):
        value += CURED if s.cured >> colour & 1 else _prepared(r, s, colour)
    return value


@kernel
def loss_proximity(r, s, player):
    """How far away a loss is, by outbreaks and by the cubes of the worst colour."""
    worst = s.outbreaks / OUTBREAKS
    for colour in range(COLOUR_COUNT):
        worst = max(worst, cubes_of(s, colour) / CUBES)
    return max(0.0, 1.0 - worst)


@kernel
def loss_proximity_as_coded(r, s, player):
    """The version as coded, in which cubes do not count."""
    return 1.0 - s.outbreaks / OUTBREAKS


@kernel
def informed_loss(r, s, player):
    """How far away a loss is, by the outbreaks that can follow (algorithm 12)."""
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
    """The version as coded, in which only full cities count, without their neighbours."""
    cards, danger = _drawable(r, s), 0
    for colour in range(COLOUR_COUNT):
        danger += count_ones(s.low[colour] & s.high[colour] & cards)
    return max(0.0, 1.0 - danger / WORST)


@kernel
def learned(r, s, player):
    """A weighted sum of the features, with weights learned from games."""
    if s.result != PLAYING:
        return 1.0 if s.result == WON else 0.0
    values = stack_reals(FEATURES)
    return 0.5 + 0.499 * judgement(values, features(r, s, player, values), r.weights)


@kernel
def _prepared(r, s, colour):
    """The value of the hand with the largest share of the needed cards, the first among equals."""
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
    """The infection cards that can still be drawn; discarded ones return only with an epidemic."""
    cards = s.foreseen | (s.discard if s.epidemics < r.epidemics else 0)
    for layer in range(s.top + 1):
        cards |= s.layer[layer]
    return cards


def _compound(r, s, player):
    return WEIGHT * preconditions(r, s, player) + (1.0 - WEIGHT) * loss(r, s, player)


def _compounds() -> dict[str, Function]:
    """Weighted sums of preconditions and a loss; `compound-2/3` weights them two to one."""
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
