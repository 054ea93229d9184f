"""Does the vocabulary of a game contain every action that is ever legal?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

from plyglass.core.check.finding import Finding, Note
from plyglass.core.check.walk import positions
from plyglass.core.game import Game

POSITIONS = 500  # positions of each random game, 10,000 in all by default
INTERPRETED = 20  # positions of each random game, if rules run as Python


def vocabulary(game: Game, games: int, seed: int) -> Iterator[Finding | Note]:
    """Compare the legal actions of random play with `Game.vocabulary`.

    A game that does not override the default may have actions outside the vocabulary. Such a game
    has no vocabulary, and adapters number the legal actions of each position instead.
    """
    words = list(game.vocabulary())
    if any(left >= right for left, right in pairwise(words)):
        advice = "return the actions sorted, each once"
        yield Finding("vocabulary", "its actions are not in rising order", advice)
        return
    known, declared = set(words), type(game).vocabulary is not Game.vocabulary
    most = games * (POSITIONS if game.compiled else INTERPRETED)
    for probe in islice(positions(game, most, seed), most):
        legal = probe.legal() if probe.to_move() >= 0 else []
        unknown = [action for action in legal if action not in known]
        if unknown and declared:
            name = game.action_name(unknown[0])
            yield probe.finding(
                "vocabulary",
                f"it lacks the legal action {name!r} ({unknown[0]})",
                "return every action that can ever be legal",
            )
            return
        if unknown:
            yield Note(
                "it has none: actions are not the numbers below most_actions, and the game does "
                "not override `vocabulary`"
            )
            return
