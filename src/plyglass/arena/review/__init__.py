"""Reviews of recorded matches: how much each decision cost, and why another action is better.

Every decision is judged from the views of the player who decided, so no player is blamed for not
knowing hidden information.
"""

from __future__ import annotations

from plyglass.arena.review.continuation import ReviewCancelled
from plyglass.arena.review.counterfactual import Why, why
from plyglass.arena.review.match_review import Review, Reviewed, review

__all__ = ["Review", "ReviewCancelled", "Reviewed", "Why", "review", "why"]
