"""Games with one fault each, in chance, contract or compilation, for the check to find.

A faulty game says in which rule the check must find the fault (`caught_by`), and a phrase of the
check's message (`says`).
"""

import math
import random

import numpy as np

from plyglass.core import begin_ply, chance, draw, kernel
from plyglass.core.table import UNTOLD
from tests.core.honest_games import (
    GOAL,
    RACE,
    RUN,
    WALK,
    Race,
    advance,
    arrived_first,
    rules_of,
    runner,
    walk_or_run,
)

# -- faults of luck
# --------------------------------------------------------------------------------------------------


@kernel
def advance_by_stream(r, s, action):
    s.place[s.player] += 1 + int(s.rng >> np.uint64(62))
    s.player = 1 - s.player


class StateFromStream(Race):
    """A die is read from the random stream without drawing."""

    caught_by, says = (
        "apply",
        "depends on luck that was not drawn, or on a count that players cannot know: on 'rng'",
    )
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
def advance_and_begin_a_ply(r, s, action):
    advance(r, s, action)
    begin_ply(s)


class PlyOfItsOwn(Race):
    """A rule begins a ply although the turn passes on by itself."""

    caught_by, says = "apply", "it wrote to the header"
    rules = rules_of(Race, apply=advance_and_begin_a_ply)


@kernel
def advance_and_seed(r, s, action):
    advance(r, s, action)
    s.luck = np.uint64(7)


class LuckWritten(Race):
    """apply sets the chance of the next ply."""

    caught_by, says = "apply", "it wrote to the header"
    rules = rules_of(Race, apply=advance_and_seed)


@kernel
def advance_and_forget_draws(r, s, action):
    advance(r, s, action)
    s.drawn = 0


class DrawsForgotten(Race):
    """apply resets the count of draws, by which planners recognize chance actions."""

    caught_by, says = "apply", "it wrote to the header"
    rules = rules_of(Race, apply=advance_and_forget_draws)


@kernel
def luck_as_score(r, s, player):
    return arrived_first(r, s, player) if runner(r, s) < 0 else int(s.luck >> np.uint64(60)) / 16.0


class ScoreTellsLuck(Race):
    """The score during the game is a forecast that reads future chance."""

    caught_by, says = (
        "score",
        "depends on luck that was not drawn, or on a count that players cannot know: on 'luck'",
    )
    rules = rules_of(Race, score=luck_as_score)


# -- faults of the contract
# -----------------------------------------------------------------------------------------------


@kernel
def advance_with_lead(r, s, action):
    advance(r, s, action)
    s.lead = -1.0 * (s.place[0] - s.place[1])


class NegativeZero(Race):
    """A tie is stored as -0.0, so equal positions have different hashes."""

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
    """An index of -1 is the last one in Python, and other memory in machine code."""

    caught_by, says = "rules", "IndexError: index -1 is outside"
    rules = rules_of(Race, apply=advance_with_neighbour)


@kernel
def line_up_beyond(r, setup, s):
    s.place[2] = 0


class StartOutOfBounds(Race):
    """start counts the runners from 1."""

    caught_by, says = "rules", "IndexError: index 2 is outside"
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
    first = 0
    out[first - 1] = 2
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
    """score ignores its argument `player`."""

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
    """A player to move can be without an action."""

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
    """legal counts how often it is called."""

    caught_by, says = "legal, to_move, score or features", "it changed the state"
    fields = (*RACE, ("asked", np.int64))
    rules = rules_of(Race, legal=choices_counted)


@kernel
def lucky_choices(r, s, out):
    return walk_or_run(r, s, out) - chance(s, (0.5, 0.5))


class LegalDrawsLuck(Race):
    """legal draws whether a player may run."""

    caught_by, says = "legal, to_move, score or features", "it changed the state"
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


# -- compiled rules that differ from interpreted ones
# -----------------------------------------------------------------------


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
    """A product of whole numbers has any length in Python, and is cut in machine code."""

    caught_by, says = "apply", "compiled and interpreted rules disagree"
    fields = (*RACE, ("checksum", np.int64))
    rules = rules_of(Race, apply=advance_with_checksum)


@kernel
def recommend_a_jump(r, s, out):
    out[0] = WALK + RUN + 1
    return 1


class IllegalAdvice(Race):
    """An action is recommended that is not legal."""

    caught_by, says = "prefer", "not all legal or some twice"
    rules = rules_of(Race, prefer=recommend_a_jump)


class DescribedRace(Race):
    """A race with features, for faults of the rule `features`."""

    def __init__(self) -> None:
        super().__init__()
        self.most_features = 2


@kernel
def one_place_too_many(r, s, player, values):
    for i in range(3):
        values[i] = s.place[player]
    return 2


class FeatureOutside(DescribedRace):
    """More features are written than declared."""

    caught_by, says = "rules", "IndexError"
    rules = rules_of(Race, features=one_place_too_many)


@kernel
def three_counted(r, s, player, values):
    values[0] = s.place[player]
    return 3


class FeaturesCountedWrong(DescribedRace):
    """More features are counted than declared."""

    caught_by, says = "features", "it says that it wrote 3 numbers, but 1 to 2 are declared"
    rules = rules_of(Race, features=three_counted)


@kernel
def infinite_lead(r, s, player, values):
    values[0] = math.inf if s.place[player] > s.place[1 - player] else 0.0
    return 1


class InfiniteFeature(DescribedRace):
    """A feature is infinite."""

    caught_by, says = "features", "has [inf]"
    rules = rules_of(Race, features=infinite_lead)


@kernel
def narrow_place(r, s, player, values):
    values[0] = np.int8(100) + np.int8(10 * s.place[player])
    return 1


class NarrowFeature(DescribedRace):
    """A feature is a sum that wraps around in NumPy and is widened in machine code."""

    caught_by, says = "features", "compiled and interpreted rules disagree"
    rules = rules_of(Race, features=narrow_place)


@kernel
def draw_early(r, s, action):
    advance(r, s, action)
    return action


class LuckBeforeLuck(Race):
    """after draws chance, though it must stop before that."""

    caught_by, says = "after", f"it draws luck for {RUN}"
    rules = rules_of(Race, after=draw_early)


@kernel
def deny_luck(r, s, action):
    s.place[s.player] += 2
    s.player = 1 - s.player
    return 0


class LuckDenied(Race):
    """after says that an action draws no chance, but it does."""

    caught_by, says = "after", f"it says 0 for {RUN}, but `apply` draws some luck"
    rules = rules_of(Race, after=deny_luck)


@kernel
def walk_too_far(r, s, action):
    if action == WALK:
        s.place[s.player] += 3
        s.player = 1 - s.player
    return action


class OtherThanApplied(Race):
    """after leads to another position than apply does."""

    caught_by, says = "after", f"{WALK} ends in another position than by `apply`"
    rules = rules_of(Race, after=walk_too_far)


@kernel
def advance_by_one_of_two_dice(r, s, action):
    s.place[s.player] += 1 + draw(s, 2) if action == WALK else 3 + draw(s, 2)
    s.player = 1 - s.player


@kernel
def forget_the_die(r, s, action):
    return 1


class DieForgotten(Race):
    """Two actions are equal before chance, but chance then tells them apart."""

    caught_by, says = (
        "after",
        f"{RUN} leaves the same position as another action, but the same luck then leads",
    )
    rules = rules_of(Race, apply=advance_by_one_of_two_dice, after=forget_the_die)


@kernel
def move_and_tell_nothing(r, s, action):
    s.place[s.player] += 1
    return UNTOLD


class ToldAfterAll(Race):
    """after says that it cannot tell, but changes the state."""

    caught_by, says = "after", f"{WALK} ends in another position than by `apply`"
    rules = rules_of(Race, after=move_and_tell_nothing)


@kernel
def advance_by_name(r, s, action):
    advance(r, s, {WALK: WALK, "run": RUN}.get(action, RUN))


class NotCompilable(Race):
    """A rule uses what only Python has."""

    caught_by, says = "apply", "compiled code cannot make a Python dict"
    rules = rules_of(Race, apply=advance_by_name)
