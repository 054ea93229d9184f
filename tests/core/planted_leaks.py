"""Games that leak, or imagine wrongly, with one fault each, for the check to find.

A faulty game says in which rule the check must find the fault (`caught_by`), and a phrase of the
check's message (`says`).
"""

from typing import ClassVar

import numpy as np

from plyglass.core import draw, kernel
from tests.core.honest_games import (
    BETTING,
    HIGH_CARD,
    MOST_CARDS,
    OVER,
    SWAP,
    UNKNOWN,
    HighCard,
    card_left,
    deal,
    hide_hand,
    imagine_hand,
    imagine_swap,
    rules_of,
    swap_or_bet,
    two_choices,
)

# -- leaks: views that tell what is hidden
# --------------------------------------------------------------------------------


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
    """hide leaves a copy of the card, in a game that is too large to enumerate."""

    caught_by, says = (
        "hide or imagine",
        "the field 'card' together with 'copy' of the view is imagined with another distribution",
    )

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

    caught_by, says = "hide", "it leaves 'card' in the view of player 0"
    rules = rules_of(HighCard, hide=hide_nothing)


@kernel
def bet_and_note_luck(r, s, action):
    swap_or_bet(r, s, action)
    s.noted = s.luck


class LuckNoted(HighCard):
    """A rule copies the seed of all future chance into a visible field."""

    caught_by, says = (
        "apply",
        "depends on luck that was not drawn, or on a count that players cannot know: on 'luck'",
    )
    fields = (*HIGH_CARD, ("noted", np.uint64))
    rules = rules_of(HighCard, apply=bet_and_note_luck)


@kernel
def bet_and_note_draws(r, s, action):
    swap_or_bet(r, s, action)
    s.noted = s.drawn


class DrawsCounted(HighCard):
    """The view counts how often chance was drawn, so a secret swap shows."""

    caught_by, says = "apply", "on a count that players cannot know: on 'drawn'"
    fields = (*HIGH_CARD, ("noted", np.int32))
    rules = rules_of(HighCard, apply=bet_and_note_draws)


@kernel
def bet_and_note_ply(r, s, action):
    swap_or_bet(r, s, action)
    s.noted = s.ply


class PliesCounted(HighCard):
    """The view counts plies, the unseen ones included."""

    caught_by, says = "apply", "on a count that players cannot know: on 'ply'"
    fields = (*HIGH_CARD, ("noted", np.int32))
    rules = rules_of(HighCard, apply=bet_and_note_ply)


@kernel
def bet_and_count_swaps(r, s, action):
    swap_or_bet(r, s, action)
    s.swaps += action == SWAP


class SwapsCounted(HighCard):
    """A visible field counts the secret swaps, and imagine ignores it."""

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
    """Only the player with the higher card may raise."""

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


# -- faults of hide and imagine
# -------------------------------------------------------------------------------------------


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
    """imagine draws high cards too often."""

    caught_by, says = "imagine", "away from the posterior"
    rules = rules_of(HighCard, imagine=imagine_high_hand)


class ImagineBiasedInLargeGame(ImagineBiased):
    """imagine draws high cards too often, in a game that is too large to enumerate."""

    caught_by, says = "hide or imagine", "is imagined with another distribution than it has"

    def __init__(self) -> None:
        super().__init__(deck=MOST_CARDS)


@kernel
def imagine_low_hand(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = card_left(draw(s, r.deck - 2), s.card[viewer], UNKNOWN)
        imagine_swap(s, 1 - viewer)


class ImagineForgets(HighCard):
    """imagine never draws the highest card."""

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
    """imagine also redraws the viewer's own card, which the viewer sees."""

    caught_by, says = "imagine", "would see another 'card'"
    rules = rules_of(HighCard, imagine=imagine_both_hands)


@kernel
def imagine_by_numpy(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = card_left(
            int(np.random.random() * (r.deck - 1)), s.card[viewer], UNKNOWN
        )
        imagine_swap(s, 1 - viewer)


class ImagineByGlobalLuck(HighCard):
    """imagine draws from NumPy's global generator, so no seed gives the same world again."""

    caught_by, says = "imagine", "the same view and seed give another world"
    rules = rules_of(HighCard, imagine=imagine_by_numpy)


@kernel
def imagine_by_stream(r, s, viewer):
    if s.turn < OVER:
        s.card[1 - viewer] = card_left(
            int(s.rng >> np.uint64(33)) % (r.deck - 1), s.card[viewer], UNKNOWN
        )
        imagine_swap(s, 1 - viewer)


class ImagineByStream(HighCard):
    """imagine reads the card from the stream without drawing, so it cannot be enumerated."""

    caught_by, says = "imagine", "depends on luck that was not drawn"
    rules = rules_of(HighCard, imagine=imagine_by_stream)


@kernel
def hide_by_turning(r, s, viewer):
    hide_hand(r, s, viewer)
    s.low_wins = 1 - s.low_wins


class HideNotIdempotent(HighCard):
    """hide flips a field, so hiding twice gives another view."""

    caught_by, says = "hide", "again changes the view"
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

    caught_by, says = "hide", "on a count that players cannot know: on 'drawn'"
    fields = (*HIGH_CARD, ("noted", np.int32))
    rules = rules_of(HighCard, hide=hide_and_note_draws)


@kernel
def hide_beyond(r, s, viewer):
    hide_hand(r, s, viewer)
    s.card[2 + viewer] = UNKNOWN


class HideOutOfBounds(HighCard):
    """hide writes behind the end of a field."""

    caught_by, says = "rules", "IndexError: index 2 is outside"
    rules = rules_of(HighCard, hide=hide_beyond)


# -- faults of tracks: what is known of hidden things from view to view, and worlds placed by it
# -------------------------------


@kernel
def place_hand(r, s, viewer, tracks):
    imagine_hand(r, s, viewer)
    return tracks[0]


@kernel
def know_little(r, s, seen, viewer, tracks):
    tracks[0] = 1.0
    return 0


class TrackedCard(HighCard):
    """An honest game with a tracker."""

    rules = rules_of(HighCard, place=place_hand)
    trackers: ClassVar = {"random": know_little}

    def __init__(self) -> None:
        super(HighCard, self).__init__(
            players=2,
            most_actions=2,
            most_steps=OVER,
            scores=(-3.0, 3.0),
            most_tracks=1,
            constants={"deck": 4, "spare": 0},
        )


@kernel
def place_own_hand(r, s, viewer, tracks):
    imagine_hand(r, s, viewer)
    s.card[viewer] = card_left(0, s.card[0], s.card[1])
    return 1.0


class PlacedInSight(TrackedCard):
    """A placed world has another card in the viewer's own hand."""

    caught_by, says = "place", "would see another position in the world placed by 'random'"
    rules = rules_of(HighCard, place=place_own_hand)


@kernel
def place_for_less_than_nothing(r, s, viewer, tracks):
    imagine_hand(r, s, viewer)
    return -1.0


class NegativeWeight(TrackedCard):
    """A placed world has a negative weight."""

    caught_by, says = "place", "a world has the weight -1.0"
    rules = rules_of(HighCard, place=place_for_less_than_nothing)


@kernel
def know_too_much(r, s, seen, viewer, tracks):
    tracks[0] = 1.0
    tracks[1] = 1.0
    return 0


class TooManyTracks(TrackedCard):
    """A tracker keeps more numbers than the game has declared."""

    caught_by, says = "trackers", "'random' wrote outside of the 1 numbers declared"
    trackers: ClassVar = {"random": know_too_much}


@kernel
def know_and_change(r, s, seen, viewer, tracks):
    tracks[0] = 1.0
    seen.raised[viewer] = 1
    return 0


class ViewChangedByTracker(TrackedCard):
    """A tracker writes to the view."""

    caught_by, says = "trackers", "'random' changed what was seen"
    trackers: ClassVar = {"random": know_and_change}


@kernel
def know_no_number(r, s, seen, viewer, tracks):
    tracks[0] = np.inf
    return 0


class TracksWithoutEnd(TrackedCard):
    """A tracker keeps NaN."""

    caught_by, says = "trackers", "'random' keeps numbers that are infinite or NaN"
    trackers: ClassVar = {"random": know_no_number}
