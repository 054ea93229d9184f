"""Two small honest games, and faulty copies of them: each has one fault of its own kind, for the audit to find.

A faulty game says by which rule it must be caught (`caught_by`) and a phrase of what must be said about it (`says`).
"""

import math
import random

import numpy as np

from plyglass.core import Game, chance, draw, kernel, state_dtype
from plyglass.core.compile import plain

UNKNOWN = -1


def rules_of(base=None, **rules):
    """The rules of a game by name, in place of those of `base`; the kernels of this file have names of their own."""
    given = {plain(rule).__name__: rule for rule in base.rules} if base else {}
    for name, rule in rules.items():
        plain(rule).__name__ = name
    return tuple({**given, **rules}.values())


def own_record(game):
    """The record of a faulty game, with an unused field named after it.

    The core composes `step` of a game's rules and finds its machine code on disk by source file and record type: games of one file that
    share a record would get each other's.
    """
    return state_dtype(*game.fields, (game.__name__, np.int8))


# -- High card: an honest game with secrets -------------------------------------------------------------------------------

KEEP, SWAP, STAY, RAISE = range(4)
MOST_CARDS = 100
BETTING, OVER = 2, 4  # turns: both keep or swap their card in secret, then both stay or raise in the open

# card, swapped: what each player holds and whether he swapped it, both secret; low_wins: drawn for all to see before the betting
HIGH_CARD = (
    ("card", np.int8, (2,)), ("swapped", np.int8, (2,)), ("raised", np.int8, (2,)), ("low_wins", np.int8), ("turn", np.int8),
)  # fmt: skip


@kernel
def deal(r, setup, s):
    s.card[0] = draw(s, r.deck)
    s.card[1] = card_left(draw(s, r.deck - 1), s.card[0], UNKNOWN)
    s.low_wins = UNKNOWN


@kernel
def player_at_turn(r, s):
    return -1 if s.turn == OVER else s.turn % 2


@kernel
def two_choices(r, s, out):
    first = KEEP if s.turn < BETTING else STAY
    out[0] = first
    out[1] = first + 1
    return 2


@kernel
def swap_or_bet(r, s, action):
    player = s.turn % 2
    if action == SWAP:
        s.card[player] = card_left(draw(s, r.deck - 2), s.card[0], s.card[1])
        s.swapped[player] = 1
    if action == RAISE:
        s.raised[player] = 1
    s.turn += 1
    if s.turn == BETTING:
        s.low_wins = draw(s, 2)


@kernel
def stake(r, s, player):
    if s.turn < OVER:
        return 0.0
    higher = s.card[player] > s.card[1 - player]
    won = higher if s.low_wins == 0 else not higher
    return (1.0 + s.raised[0] + s.raised[1]) * (1.0 if won else -1.0)


@kernel
def hide_hand(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = UNKNOWN
        s.swapped[1 - viewer] = UNKNOWN


@kernel
def imagine_hand(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = card_left(draw(s, r.deck - 1), s.card[viewer], UNKNOWN)
        imagine_swap(s, 1 - viewer)


@kernel
def imagine_swap(s, player):
    s.swapped[player] = draw(s, 2) if s.turn > player else 0


@kernel
def card_left(index, first, second):
    """The card number `index` of those that are left when `first` and `second` (or UNKNOWN) are taken."""
    for card in range(MOST_CARDS):
        if card != first and card != second:
            if index == 0:
                return card
            index -= 1
    return UNKNOWN


class HighCard(Game):
    """Both hold a card, may swap it in secret, see whether high or low wins, and bet."""

    name = "high-card"
    fields = HIGH_CARD
    constants = np.dtype([("deck", np.int64), ("spare", np.int64)])
    state = state_dtype(*HIGH_CARD)
    rules = rules_of(
        start=deal, to_move=player_at_turn, legal=two_choices, apply=swap_or_bet, score=stake, hide=hide_hand, imagine=imagine_hand
    )

    def __init__(self, deck: int = 4) -> None:
        super().__init__(players=2, most_actions=2, most_steps=OVER, scores=(-3.0, 3.0), constants={"deck": deck, "spare": 0})

    def __init_subclass__(cls) -> None:
        cls.state = own_record(cls)


# -- Race: an honest game without secrets ---------------------------------------------------------------------------------

WALK, RUN = range(2)
GOAL = 8

RACE = (("place", np.int8, (2,)), ("player", np.int8))


@kernel
def line_up(r, setup, s):
    s.player = 0


@kernel
def runner(r, s):
    return -1 if s.place[0] >= GOAL or s.place[1] >= GOAL else s.player


@kernel
def walk_or_run(r, s, out):
    out[0] = WALK
    out[1] = RUN
    return 2


@kernel
def advance(r, s, action):
    s.place[s.player] += 2 if action == WALK else 1 + draw(s, 4)
    s.player = 1 - s.player


@kernel
def arrived_first(r, s, player):
    if s.place[player] >= GOAL:
        return 1.0
    return -1.0 if s.place[1 - player] >= GOAL else 0.0


class Race(Game):
    """Two run along a track: two steps at a walk, or as many as a die says."""

    name = "race"
    fields = RACE
    state = state_dtype(*RACE)
    rules = rules_of(start=line_up, to_move=runner, legal=walk_or_run, apply=advance, score=arrived_first)

    def __init__(self) -> None:
        super().__init__(players=2, most_actions=2, most_steps=2 * GOAL, scores=(-1.0, 1.0))

    def __init_subclass__(cls) -> None:
        cls.state = own_record(cls)


# -- leaks: views that tell what is hidden --------------------------------------------------------------------------------


@kernel
def deal_with_copies(r, setup, s):
    deal(r, setup, s)
    copy_cards(s)


@kernel
def swap_or_bet_with_copies(r, s, action):
    swap_or_bet(r, s, action)
    copy_cards(s)


@kernel
def copy_cards(s):
    s.copy[0] = s.card[0]
    s.copy[1] = s.card[1]


class CopyLeftInView(HighCard):
    """hide erases the card, and leaves a copy of it in another field."""

    caught_by, says = "hide or imagine", "by 'card', cannot be behind"
    fields = (*HIGH_CARD, ("copy", np.int8, (2,)))
    rules = rules_of(HighCard, start=deal_with_copies, apply=swap_or_bet_with_copies)


class CopyLeftInLargeView(CopyLeftInView):
    """hide leaves a copy of the card in a game of so many cards that it cannot be enumerated and no view is met often."""

    caught_by, says = "hide or imagine", "the field 'card' together with 'copy' of the view is imagined with another distribution"

    def __init__(self) -> None:
        super().__init__(deck=MOST_CARDS)


@kernel
def deal_with_sum(r, setup, s):
    deal(r, setup, s)
    s.sum = s.card[0] + s.card[1]


@kernel
def swap_or_bet_with_sum(r, s, action):
    swap_or_bet(r, s, action)
    s.sum = s.card[0] + s.card[1]


class SumLeftInView(HighCard):
    """The view shows the sum of both cards, from which each player can work out the other's."""

    caught_by, says = "hide or imagine", "by 'card', cannot be behind"
    fields = (*HIGH_CARD, ("sum", np.int8))
    rules = rules_of(HighCard, start=deal_with_sum, apply=swap_or_bet_with_sum)


@kernel
def hide_nothing(r, s, viewer):
    pass


class NothingHidden(HighCard):
    """hide erases nothing, while imagine draws the card anew."""

    caught_by, says = "imagine", "would see another 'card'"
    rules = rules_of(HighCard, hide=hide_nothing)


@kernel
def bet_and_note_luck(r, s, action):
    swap_or_bet(r, s, action)
    s.noted = s.luck


class LuckNoted(HighCard):
    """A rule copies the seed of all luck to come into the open."""

    caught_by, says = "apply", "depends on luck that was not drawn, or on what is counted in secret: on 'luck'"
    fields = (*HIGH_CARD, ("noted", np.uint64))
    rules = rules_of(HighCard, apply=bet_and_note_luck)


@kernel
def bet_and_note_draws(r, s, action):
    swap_or_bet(r, s, action)
    s.noted = s.drawn


class DrawsCounted(HighCard):
    """The view counts how often luck was drawn, so that a secret swap is seen."""

    caught_by, says = "apply", "what is counted in secret: on 'drawn'"
    fields = (*HIGH_CARD, ("noted", np.int32))
    rules = rules_of(HighCard, apply=bet_and_note_draws)


@kernel
def bet_and_note_ply(r, s, action):
    swap_or_bet(r, s, action)
    s.noted = s.ply


class PliesCounted(HighCard):
    """The view counts plies, the unseen ones included."""

    caught_by, says = "apply", "what is counted in secret: on 'ply'"
    fields = (*HIGH_CARD, ("noted", np.int32))
    rules = rules_of(HighCard, apply=bet_and_note_ply)


@kernel
def bet_and_count_swaps(r, s, action):
    swap_or_bet(r, s, action)
    s.swaps += action == SWAP


class SwapsCounted(HighCard):
    """A field that hide leaves counts the secret swaps, and imagine takes no heed of it."""

    caught_by, says = "hide or imagine", "by 'swapped', cannot be behind"
    fields = (*HIGH_CARD, ("swaps", np.int8))
    rules = rules_of(HighCard, apply=bet_and_count_swaps)


@kernel
def deal_into_constants(r, setup, s):
    deal(r, setup, s)
    r.spare = s.card[1]


class SecretInConstants(HighCard):
    """start writes a card to the constants, which everybody knows."""

    caught_by, says = "constants", "a rule changed the constants record"
    rules = rules_of(HighCard, start=deal_into_constants)


@kernel
def raise_if_stronger(r, s, out):
    two_choices(r, s, out)
    return 2 if s.turn < BETTING or s.card[s.turn % 2] > s.card[1 - s.turn % 2] else 1


class LegalTellsSecret(HighCard):
    """Who may raise holds the higher card."""

    caught_by, says = "legal", "different choices"
    rules = rules_of(HighCard, legal=raise_if_stronger)


@kernel
def best_first(r, s, out):
    two_choices(r, s, out)
    if s.card[s.turn % 2] > s.card[1 - s.turn % 2]:
        out[0], out[1] = out[1], out[0]
    return 2


class OrderTellsSecret(HighCard):
    """The actions are the same for all hidden cards, but the better one is listed first."""

    caught_by, says = "legal", "the same choices in another order"
    rules = rules_of(HighCard, legal=best_first)


@kernel
def turn_by_card(r, s):
    return -1 if s.turn == OVER else s.card[1] % 2 if s.turn == 1 else s.turn % 2


class TurnTellsSecret(HighCard):
    """Whose turn it is depends on a hidden card."""

    caught_by, says = "hide", "to move, but it is"
    rules = rules_of(HighCard, to_move=turn_by_card)


# -- faults of hide and imagine -------------------------------------------------------------------------------------------


@kernel
def hide_in_code(r, s, viewer):
    if s.turn < OVER:
        s.code[viewer] = s.code[viewer] if s.card[1 - viewer] == UNKNOWN else s.card[1 - viewer] ^ 5
    hide_hand(r, s, viewer)


@kernel
def imagine_by_code(r, s, viewer):
    imagine_hand(r, s, viewer)
    if s.turn < OVER:
        s.card[1 - viewer] = s.code[viewer] ^ 5
        s.code[viewer] = 0


class ImaginePeeks(HighCard):
    """hide leaves the card in a code, and imagine reads it."""

    caught_by, says = "hide", "the field 'card' was erased"
    fields = (*HIGH_CARD, ("code", np.int8, (2,)))
    rules = rules_of(HighCard, hide=hide_in_code, imagine=imagine_by_code)


@kernel
def imagine_high_hand(r, s, viewer):
    if s.turn < OVER:
        better = max(draw(s, r.deck - 1), draw(s, r.deck - 1))
        s.card[1 - viewer] = card_left(better, s.card[viewer], UNKNOWN)
        imagine_swap(s, 1 - viewer)


class ImagineBiased(HighCard):
    """imagine believes in high cards more than they are likely."""

    caught_by, says = "imagine", "away from the posterior"
    rules = rules_of(HighCard, imagine=imagine_high_hand)


class ImagineBiasedInLargeGame(ImagineBiased):
    """imagine believes in high cards in a game of so many cards that it cannot be enumerated and no view is met often."""

    caught_by, says = "hide or imagine", "is imagined with another distribution than it has"

    def __init__(self) -> None:
        super().__init__(deck=MOST_CARDS)


@kernel
def imagine_low_hand(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = card_left(draw(s, r.deck - 2), s.card[viewer], UNKNOWN)
        imagine_swap(s, 1 - viewer)


class ImagineForgets(HighCard):
    """imagine never thinks of the highest card."""

    caught_by, says = "imagine", "possible worlds are never imagined"
    rules = rules_of(HighCard, imagine=imagine_low_hand)


@kernel
def imagine_any_card(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = draw(s, r.deck)
        imagine_swap(s, 1 - viewer)


class ImagineImpossible(HighCard):
    """imagine may give the opponent the very card that the viewer holds."""

    caught_by, says = "hide or imagine", "by 'card', cannot be behind"
    rules = rules_of(HighCard, imagine=imagine_any_card)


@kernel
def imagine_both_hands(r, s, viewer):
    if s.turn < OVER:
        s.card[viewer] = draw(s, r.deck)
    imagine_hand(r, s, viewer)


class ImagineInconsistent(HighCard):
    """imagine also draws the viewer's own card anew, which he sees."""

    caught_by, says = "imagine", "would see another 'card'"
    rules = rules_of(HighCard, imagine=imagine_both_hands)


@kernel
def imagine_by_numpy(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = card_left(int(np.random.random() * (r.deck - 1)), s.card[viewer], UNKNOWN)
        imagine_swap(s, 1 - viewer)


class ImagineByGlobalLuck(HighCard):
    """imagine draws from NumPy's global generator, so that no seed brings a world back."""

    caught_by, says = "imagine", "the same view and seed give another world"
    rules = rules_of(HighCard, imagine=imagine_by_numpy)


@kernel
def imagine_by_stream(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = card_left(int(s.rng >> np.uint64(33)) % (r.deck - 1), s.card[viewer], UNKNOWN)
        imagine_swap(s, 1 - viewer)


class ImagineByStream(HighCard):
    """imagine makes the card of the stream's number without drawing, so that its luck cannot be enumerated."""

    caught_by, says = "imagine", "depends on luck that was not drawn"
    rules = rules_of(HighCard, imagine=imagine_by_stream)


@kernel
def hide_by_turning(r, s, viewer):
    hide_hand(r, s, viewer)
    s.low_wins = 1 - s.low_wins


class HideNotIdempotent(HighCard):
    """hide turns a field around, so that what is hidden twice is another view."""

    caught_by, says = "hide", "once more changes it"
    rules = rules_of(HighCard, hide=hide_by_turning, imagine=imagine_hand)


@kernel
def hide_by_luck(r, s, viewer):
    hide_hand(r, s, viewer)
    if s.turn < OVER:
        s.card[1 - viewer] = draw(s, r.deck)


class HideDrawsLuck(HighCard):
    """hide covers the card with a random one."""

    caught_by, says = "hide", "it draws luck"
    rules = rules_of(HighCard, hide=hide_by_luck)


@kernel
def hide_and_note_draws(r, s, viewer):
    hide_hand(r, s, viewer)
    s.noted = s.drawn


class HideReadsHeader(HighCard):
    """hide writes a number of the header into the view before the core erases it."""

    caught_by, says = "hide", "what is counted in secret: on 'drawn'"
    fields = (*HIGH_CARD, ("noted", np.int32))
    rules = rules_of(HighCard, hide=hide_and_note_draws)


@kernel
def hide_beyond(r, s, viewer):
    hide_hand(r, s, viewer)
    s.card[2 + viewer] = UNKNOWN


class HideOutOfBounds(HighCard):
    """hide writes behind the end of a field."""

    caught_by, says = "rules", "IndexError: index (2,) is outside"
    rules = rules_of(HighCard, hide=hide_beyond)


# -- faults of luck -------------------------------------------------------------------------------------------------------


@kernel
def advance_by_stream(r, s, action):
    s.place[s.player] += 1 + int(s.rng >> np.uint64(62))
    s.player = 1 - s.player


class StateFromStream(Race):
    """A die is made of the stream's number without drawing."""

    caught_by, says = "apply", "depends on luck that was not drawn, or on what is counted in secret: on 'rng'"
    rules = rules_of(Race, apply=advance_by_stream)


@kernel
def advance_by_numpy(r, s, action):
    s.place[s.player] += 1 + int(4 * np.random.random())
    s.player = 1 - s.player


class LuckOfNumPy(Race):
    """A die is thrown by NumPy's global generator."""

    caught_by, says = "apply", "the same seed and actions led to another state"
    rules = rules_of(Race, apply=advance_by_numpy)


@kernel
def advance_by_python(r, s, action):
    s.place[s.player] += 1 + int(4 * random.random())
    s.player = 1 - s.player


class LuckOfPython(Race):
    """A die is thrown by Python's global generator."""

    caught_by, says = "apply", "the same seed and actions led to another state"
    rules = rules_of(Race, apply=advance_by_python)


@kernel
def advance_and_seed(r, s, action):
    advance(r, s, action)
    s.luck = np.uint64(7)


class LuckWritten(Race):
    """apply makes the luck of the next ply to its liking."""

    caught_by, says = "apply", "it wrote to the header"
    rules = rules_of(Race, apply=advance_and_seed)


@kernel
def advance_and_forget_draws(r, s, action):
    advance(r, s, action)
    s.drawn = 0


class DrawsForgotten(Race):
    """apply resets the count of draws, by which planners tell a lucky action from a sure one."""

    caught_by, says = "apply", "it wrote to the header"
    rules = rules_of(Race, apply=advance_and_forget_draws)


@kernel
def luck_as_score(r, s, player):
    return arrived_first(r, s, player) if runner(r, s) < 0 else int(s.luck >> np.uint64(60)) / 16.0


class ScoreTellsLuck(Race):
    """The score on the way is a forecast that reads the luck to come."""

    caught_by, says = "score", "depends on luck that was not drawn, or on what is counted in secret: on 'luck'"
    rules = rules_of(Race, score=luck_as_score)


# -- faults of the contract -----------------------------------------------------------------------------------------------


@kernel
def advance_with_lead(r, s, action):
    advance(r, s, action)
    s.lead = -1.0 * (s.place[0] - s.place[1])


class NegativeZero(Race):
    """A tie is stored as -0.0, so that equal positions have different hashes."""

    caught_by, says = "apply", "'lead' holds NaN or a negative zero"
    fields = (*RACE, ("lead", np.float64))
    rules = rules_of(Race, apply=advance_with_lead)


@kernel
def advance_with_share(r, s, action):
    advance(r, s, action)
    s.share = s.place[0] / s.place[1] if s.place[1] else math.nan


class NaNStored(Race):
    """A share of nothing is stored as NaN."""

    caught_by, says = "apply", "'share' holds NaN or a negative zero"
    fields = (*RACE, ("share", np.float64))
    rules = rules_of(Race, apply=advance_with_share)


@kernel
def advance_with_trail(r, s, action):
    advance(r, s, action)
    s.trail[s.place[1 - s.player]] = 1


class StateOutOfBounds(Race):
    """The trail ends at the goal, but a runner may pass it."""

    caught_by, says = "rules", "IndexError"
    fields = (*RACE, ("trail", np.int8, (GOAL,)))
    rules = rules_of(Race, apply=advance_with_trail)


@kernel
def advance_with_neighbour(r, s, action):
    s.place[s.player - 1] += 1
    s.player = 1 - s.player


class NegativeIndex(Race):
    """An index of -1 means the last one in Python, and memory in front of the field in machine code."""

    caught_by, says = "rules", "IndexError: index (-1,) is outside"
    rules = rules_of(Race, apply=advance_with_neighbour)


@kernel
def line_up_beyond(r, setup, s):
    s.place[2] = 0


class StartOutOfBounds(Race):
    """start counts the runners from 1."""

    caught_by, says = "rules", "IndexError: index (2,) is outside"
    rules = rules_of(Race, start=line_up_beyond)


@kernel
def three_choices(r, s, out):
    for action in range(3):
        out[action] = action
    return 3


class OutOutOfBounds(Race):
    """legal writes more actions than the game declares."""

    caught_by, says = "rules", "IndexError"
    rules = rules_of(Race, legal=three_choices)


@kernel
def choices_with_a_note_in_front(r, s, out):
    out[-1] = 2
    return walk_or_run(r, s, out)


class OutInFront(Race):
    """legal writes in front of its actions, where Python would write behind them."""

    caught_by, says = "legal", "it wrote outside of the 2 actions declared"
    rules = rules_of(Race, legal=choices_with_a_note_in_front)


@kernel
def one_too_many(r, s, out):
    return walk_or_run(r, s, out) + 1


class CountTooHigh(Race):
    """legal says that there are more actions than it wrote."""

    caught_by, says = "legal", "3 actions, but 2 are declared"
    rules = rules_of(Race, legal=one_too_many)


@kernel
def first_runner_arrived(r, s, player):
    return arrived_first(r, s, 0)


class ScoreOfOnePlayer(Race):
    """score takes no heed of whom it is asked for."""

    caught_by, says = "score", "all players had the same score"
    rules = rules_of(Race, score=first_runner_arrived)


@kernel
def double_score(r, s, player):
    return 2.0 * arrived_first(r, s, player)


class ScoreOutOfRange(Race):
    """A win counts 2, but the game declares 1 as the highest score."""

    caught_by, says = "score", "outside of the scores declared"
    rules = rules_of(Race, score=double_score)


@kernel
def undefined_score(r, s, player):
    return arrived_first(r, s, player) if runner(r, s) < 0 else math.nan


class ScoreIsNaN(Race):
    """There is no score until the game is over."""

    caught_by, says = "score", "player 0 has nan"
    rules = rules_of(Race, score=undefined_score)


@kernel
def advance_in_circles(r, s, action):
    s.place[s.player] = (s.place[s.player] + 1 + draw(s, 4)) % GOAL
    s.player = 1 - s.player


class NeverEnds(Race):
    """The track is a circle."""

    caught_by, says = "apply", "goes on after the 16 actions declared"
    rules = rules_of(Race, apply=advance_in_circles)


@kernel
def exhausted(r, s, out):
    return walk_or_run(r, s, out) if s.place[s.player] < GOAL // 2 else 0


class NothingToDo(Race):
    """A player can be without an action while it is his turn."""

    caught_by, says = "legal", "no legal action, but the game is not over"
    rules = rules_of(Race, legal=exhausted)


@kernel
def walk_twice(r, s, out):
    walk_or_run(r, s, out)
    out[1] = WALK
    return 2


class ActionTwice(Race):
    """An action is listed twice."""

    caught_by, says = "legal", "an action is listed twice"
    rules = rules_of(Race, legal=walk_twice)


@kernel
def choices_counted(r, s, out):
    s.asked += 1
    return walk_or_run(r, s, out)


class LegalChangesState(Race):
    """legal counts how often it is asked."""

    caught_by, says = "legal, to_move or score", "it changed the state"
    fields = (*RACE, ("asked", np.int64))
    rules = rules_of(Race, legal=choices_counted)


@kernel
def lucky_choices(r, s, out):
    return walk_or_run(r, s, out) - chance(s, (0.5, 0.5))


class LegalDrawsLuck(Race):
    """Whether one may run is drawn whenever it is asked."""

    caught_by, says = "legal, to_move or score", "it changed the state"
    rules = rules_of(Race, legal=lucky_choices)


@kernel
def third_runner(r, s):
    return 2 if s.place[0] >= GOAL or s.place[1] >= GOAL else s.player


class MoverOutOfRange(Race):
    """When the game is over it is the turn of a player that does not exist."""

    caught_by, says = "to_move", "it says 2, but players are 0 to 1"
    rules = rules_of(Race, to_move=third_runner)


@kernel
def backwards(r, s, out):
    walk_or_run(r, s, out)
    out[1] = -1
    return 2


class NegativeAction(Race):
    """An action is a negative number."""

    caught_by, says = "legal", "-1 is not a packed action"
    rules = rules_of(Race, legal=backwards)


# -- compiled rules that differ from interpreted ones -----------------------------------------------------------------------


@kernel
def advance_with_narrow_sum(r, s, action):
    advance(r, s, action)
    s.sum = np.int8(100) + np.int8(10 * s.place[0])


class NarrowSum(Race):
    """A sum of 8-bit numbers wraps around in NumPy and is widened in machine code."""

    caught_by, says = "apply", "compiled and interpreted rules disagree"
    fields = (*RACE, ("sum", np.int64))
    rules = rules_of(Race, apply=advance_with_narrow_sum)


@kernel
def advance_with_checksum(r, s, action):
    advance(r, s, action)
    s.checksum = (s.checksum + s.place[0] + 1) * 6364136223846793005 // 1000


class WideProduct(Race):
    """A product of whole numbers is as long as it needs to be in Python and is cut in machine code."""

    caught_by, says = "apply", "compiled and interpreted rules disagree"
    fields = (*RACE, ("checksum", np.int64))
    rules = rules_of(Race, apply=advance_with_checksum)


@kernel
def advance_by_name(r, s, action):
    advance(r, s, {WALK: WALK, "run": RUN}.get(action, RUN))


class NotCompilable(Race):
    """A rule uses what only Python has."""

    caught_by, says = "rules", "Numba cannot compile them"
    rules = rules_of(Race, apply=advance_by_name)


FAULTS = tuple(value for value in dict(globals()).values() if isinstance(value, type) and hasattr(value, "caught_by"))
