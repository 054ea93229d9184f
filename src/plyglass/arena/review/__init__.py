"""Reviews of recorded matches: which decisions cost how much, and why another action is better.

Everything is judged from the views of the player who decided, so nobody is blamed for what they
could not know.
"""

from __future__ import annotations

from plyglass.arena.review.continuation import ReviewCancelled
from plyglass.arena.review.counterfactual import Why, why
from plyglass.arena.review.match_review import Review, Reviewed, review

__all__ = ["Review", "ReviewCancelled", "Reviewed", "Why", "review", "why"]
