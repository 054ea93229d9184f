"""The rules of `auto`: which planner and belief fit a profile, in order.

The first rule that fits gives the pick. Later rules that also fit give the alternatives, which
`choose` lets play against the pick. Exploratory matches in Liar's Dice and Harvest
(`measurements/auto_users.py`) led to two decisions. First, searches explore less if scores use
little of their range, or if only the deal is hidden. Second, plans are not judged by the score
alone. `docs/auto.md` reports the picks' results in these games. In Liar's Dice, the report includes
some deals that also led to a rule. Matches in Skirmish (`measurements/auto_grid.py`) led to a third
decision: the pick plans whole turns only if the game has a learned evaluator.

A rule's agent is a text with placeholders for sizes: {plans}, {worlds} and {particles}. The module
`sizes` fills in numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyglass.arena.auto.profile import Profile
from plyglass.arena.specs import LIMITS, agent_from
from plyglass.search.interface import Budget

LONG_TURN = 1.8  # from this many actions per turn on, whole turns are planned
WIDE_TURN = 2e4  # above this many action sequences in a turn, only a beam is kept
FORETELLS = 0.3  # from this correlation on, the score so far judges positions
UNSEEN = 0.05  # from this share of unseen actions on, every player gets a tree
POSITIONS_PER_SECOND = 2e6  # the speed of expectiminimax
NARROW = 0.6  # below this share of the full spread of scores, searches explore less
USUAL_SECONDS = 0.5  # the time that rules assume for a budget of iterations
EXPLORATION, FULL_SPREAD = 0.7, 0.5  # the default exploration, and the score spread that it suits
DEALT = 0.3  # exploration where only the deal is hidden
LEARNED = "learned"  # the evaluator that a game learned by play


@dataclass(frozen=True)
class Case:
    """A game's profile and a budget, for which the rules choose an agent."""

    profile: Profile
    budget: Budget

    @property
    def seconds(self) -> float:
        return self.budget.limit or USUAL_SECONDS

    @property
    def long_turns(self) -> bool:
        return self.profile.turn >= LONG_TURN

    @property
    def judge(self) -> str:
        """The evaluator to use, by name.

        A learned evaluator comes first, then the first evaluator that the game names. A game
        without evaluators uses "score" if its score predicts the result. Otherwise, the name is
        empty.
        """
        offered = self.profile.evaluators
        if offered:
            return LEARNED if LEARNED in offered else offered[0]
        return "score" if self.profile.foretells >= FORETELLS else ""

    @property
    def learned_turns(self) -> bool:
        """Whether turns are long and the game has an evaluator that was learned by play."""
        return self.long_turns and LEARNED in self.profile.evaluators

    @property
    def exploration(self) -> str:
        """The parameter `exploration` as text with a comma, or "" for the planner's default."""
        share = self.profile.spread / FULL_SPREAD
        if self.profile.discount != 1.0 or not share:
            return ""
        if share < NARROW:
            return f"exploration={float(f'{EXPLORATION * share:.1g}')},"
        return f"exploration={DEALT}," if self.only_dealt else ""

    @property
    def only_dealt(self) -> bool:
        """Whether only the deal is hidden and every action is seen, as in poker or Liar's Dice."""
        profile = self.profile
        dealt = profile.deals and profile.hidden > 0 and not profile.chance
        return dealt and profile.opposed and profile.unseen < UNSEEN

    @property
    def belief(self) -> str:
        """The belief that fits the profile, as a text with placeholders for sizes."""
        profile = self.profile
        if not profile.hidden:
            return "fresh"
        if profile.trackers:
            return "tracks"
        if profile.unseen or profile.chance or profile.players == 1:
            return "particles(worlds={particles})"
        return "fresh"

    @property
    def why_belief(self) -> str:
        """The reason for the belief, in a sentence."""
        beliefs = {
            "tracks": "The game tracks what is hidden, so the belief uses tracks.",
            "particles(worlds={particles})": "Earlier views tell more than the last one, so "
            "particles remember all views.",
        }
        if not self.profile.hidden:
            return ""
        return beliefs.get(
            self.belief,
            "The current view tells all that can be known, so worlds are drawn from it.",
        )


@dataclass(frozen=True)
class Rule:
    """One rule: the cases that the rule fits, and the agent that it chooses for them.

    Attributes:
        name: the planner that the rule is about, in words.
        fits: returns whether the rule applies to a case.
        agent: the agent, as text without a budget.
        why: the reason, in a sentence.
    """

    name: str
    fits: Callable[[Case], bool]
    agent: Callable[[Case], str]
    why: Callable[[Case], str]


def own_fits(own: str, budget: Budget) -> bool:
    """Return whether a game names an opponent whose own budget is not above the given budget.

    Budgets of different kinds cannot be compared, so a budget of another kind always fits.
    """
    if not own:
        return False
    usual = ((getattr(agent_from(own).budget, each), getattr(budget, each)) for each in LIMITS)
    return all(given >= named for named, given in usual if named and given)


def _is_small(case: Case) -> bool:
    profile = case.profile
    known = not profile.hidden and not profile.chance
    return known and profile.size <= POSITIONS_PER_SECOND * case.seconds


def _tournament(case: Case) -> str:
    """Return Plan Tournament with the parts that the game allows."""
    profile = case.profile
    wide = profile.choices**profile.turn > WIDE_TURN
    turn = [
        "beam=8,ranked=completed" if wide else "",
        "actions=preferred" if wide and "prefer" in profile.rules else "",
    ]
    parts = [
        "plan-tournament:plans={plans},worlds={worlds},turns=2",
        f"evaluator={case.judge}",
        "sources=2" if profile.hidden else "",
        f"turn=turn({','.join(filter(None, turn))})" if any(turn) else "",
        "simulation=simulation(answers=4)" if "after" in profile.rules and profile.chance else "",
        f"belief={case.belief}",
    ]
    return ",".join(filter(None, parts))


def _has_two_sides(case: Case) -> bool:
    profile = case.profile
    return not profile.hidden and profile.discount == 1.0 and profile.players == 2


def _minimax(case: Case) -> str:
    pruned = _has_two_sides(case) and case.profile.opposed
    return f"expectiminimax:pruning={'alpha-beta' if pruned else 'none'}"


def _trees(case: Case) -> str:
    return f"trees=8,belief={case.belief}" if case.profile.hidden else "belief=fresh"


def _pomcp(case: Case) -> str:
    prior = "prior=prior(actions=preferred)," if "prefer" in case.profile.rules else ""
    return f"pomcp:{prior}belief={case.belief}"


RULES = (
    Rule(
        "the game's own opponent",
        lambda case: own_fits(case.profile.own, case.budget),
        lambda case: case.profile.own,
        lambda case: "The game names its own opponent.",
    ),
    Rule(
        "pomcp",
        lambda case: case.profile.players == 1 and case.profile.hidden > 0,
        _pomcp,
        lambda case: "One player acts in a world that is partly hidden.",
    ),
    Rule(
        "expectiminimax",
        _is_small,
        _minimax,
        lambda case: (
            f"The game is small (about {case.profile.size:.0e} action sequences), so a "
            "search can reach its end."
        ),
    ),
    Rule(
        "plan-tournament",
        lambda case: case.learned_turns,
        _tournament,
        lambda case: (
            f"A turn has {case.profile.turn:.1f} actions, and the evaluator "
            f"{case.judge} can judge its result."
        ),
    ),
    Rule(
        "whole-turns",
        lambda case: _has_two_sides(case) and case.learned_turns,
        lambda case: f"whole-turns:depth=4,evaluator={case.judge}",
        lambda case: (
            f"Nothing is hidden, a turn has {case.profile.turn:.1f} actions, and "
            f"the evaluator {case.judge} can judge its result."
        ),
    ),
    Rule(
        "one-ply-mcts",
        lambda case: case.learned_turns,
        lambda case: f"one-ply-mcts:evaluator={case.judge},belief={case.belief}",
        lambda case: (
            f"A turn has {case.profile.turn:.1f} actions, and the evaluator "
            f"{case.judge} can judge its end."
        ),
    ),
    Rule(
        "mo-ismcts",
        lambda case: case.profile.opposed and case.profile.unseen >= UNSEEN,
        lambda case: f"mo-ismcts:{case.exploration}belief={case.belief}",
        lambda case: (
            f"Actions are unseen in {case.profile.unseen:.0%} of positions, so every "
            "player gets a tree of what they saw."
        ),
    ),
    Rule(
        "so-ismcts",
        lambda case: case.profile.hidden > 0,
        lambda case: f"so-ismcts:{case.exploration}belief={case.belief}",
        lambda case: (
            "Something is hidden, so one tree of what the player saw serves all possible worlds."
        ),
    ),
    Rule(
        "uct",
        lambda case: not case.profile.hidden,
        lambda case: f"uct:{case.exploration}belief=fresh",
        lambda case: "Nothing is hidden, and UCT needs nothing but the rules.",
    ),
    Rule(
        "uct with an evaluator",
        lambda case: bool(case.profile.evaluators) and case.profile.discount == 1.0,
        lambda case: f"uct:playout=playout(turns=3,evaluator={case.judge}),{_trees(case)}",
        lambda case: f"The evaluator {case.judge} can judge playouts that are cut off.",
    ),
    Rule(
        "hindsight",
        lambda case: case.profile.players == 1 and case.profile.hidden + case.profile.chance > 0,
        lambda case: f"hindsight:worlds={{worlds}},belief={case.belief}",
        lambda case: "One player can plan in sampled worlds whose chance is known.",
    ),
    Rule(
        "determinized-uct",
        lambda case: case.profile.chance > 0 and not case.profile.hidden,
        lambda case: "determinized-uct",
        lambda case: (
            f"Chance takes part in {case.profile.chance:.0%} of actions, so one tree "
            "shares a few histories of chance."
        ),
    ),
    Rule(
        "plan-tournament by another evaluator",
        lambda case: case.long_turns and case.judge not in ("", LEARNED),
        _tournament,
        lambda case: (
            f"A turn has {case.profile.turn:.1f} actions, and "
            + (
                "the score so far foretells the result."
                if case.judge == "score"
                else f"the evaluator {case.judge} can judge its result."
            )
        ),
    ),
    Rule(
        "bs-mcts",
        lambda case: case.profile.hidden > 0 and case.profile.opposed,
        lambda case: f"bs-mcts:{case.exploration}belief={case.belief}",
        lambda case: "Something is hidden, and opponents can be predicted.",
    ),
    Rule(
        "uct in several worlds",
        lambda case: case.profile.hidden > 0,
        lambda case: f"uct:{_trees(case)}",
        lambda case: "UCT can search a few possible worlds.",
    ),
    Rule(
        "uct that explores less",
        lambda case: not case.profile.hidden,
        lambda case: "uct:exploration=0.3",
        lambda case: "UCT with little exploration looks further ahead.",
    ),
)
"""All rules; the first that fits is the pick."""
