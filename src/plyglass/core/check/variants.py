"""Variants of a game that are small enough to be examined exactly.

Most games have sizes among their parameters, such as the number of chips, cards or cells. The same
rules with smaller sizes often have few enough positions to enumerate. Not every size gives a valid
game. So a variant counts only if its interpreted rules keep their contract. The variant with the
smallest sizes that a game accepts never counts.
"""

from __future__ import annotations

from collections.abc import Callable

from plyglass.core.check.contract import contract
from plyglass.core.game import Game
from plyglass.core.table import SharedLibrary

GAMES = 2  # random games by which the contract of a variant is examined
MOST_GROWTH = 12  # how many sizes are tried, from the smallest

Sizes = dict[str, int]


def small_variants(game: Game, is_small: Callable[[Game], bool]) -> list[Game]:
    """The largest variants that are small enough.

    First, all integer parameters grow together from the smallest values that the game accepts. Then
    each parameter grows alone, from the last variant that was small enough.
    """
    if isinstance(game.rules, SharedLibrary):
        return []
    sizes = {
        name: value for name, value in game.parameters.items() if type(value) is int and value > 1
    }
    least = {name: _least(game, name, value) for name, value in sizes.items()}

    def together(growth: int) -> Sizes:
        return {name: min(value, least[name] + growth) for name, value in sizes.items()}

    base = _grown(game, together, sizes, is_small)
    if base is None:
        return []
    found = [game.variant(base)]
    for name in sizes:

        def alone(growth: int, name: str = name) -> Sizes:
            return {**base, name: base[name] + growth}

        grown = _grown(game, alone, sizes, is_small)
        found += [game.variant(grown)] if grown else []
    return found


def _grown(
    game: Game,
    sizes_at: Callable[[int], Sizes],
    most: Sizes,
    is_small: Callable[[Game], bool],
) -> Sizes | None:
    """Grow the sizes step by step; return the last sizes with a valid, small variant, or None."""
    found = None
    for growth in range(1, MOST_GROWTH):
        sizes = sizes_at(growth)
        if sizes == most or any(sizes[name] > most[name] for name in sizes):
            break
        variant = _sound(game, sizes)
        if variant is not None:
            if not is_small(variant):
                break
            found = sizes
    return found


def _least(game: Game, name: str, value: int) -> int:
    """The smallest value of a parameter that the game accepts."""
    smaller = range(1, min(value, MOST_GROWTH))
    return next((each for each in smaller if _made(game, {name: each})), value)


def _made(game: Game, parameters: Sizes) -> Game | None:
    try:
        return game.variant(parameters)
    except (ValueError, TypeError, IndexError, KeyError, ArithmeticError):
        return None  # a game refuses parameters by one of these errors


def _sound(game: Game, sizes: Sizes) -> Game | None:
    """The variant with these sizes; None if it cannot be made or its rules break their contract."""
    variant = _made(game, sizes)
    if variant is None or any(contract(variant.interpreted(), GAMES, 0)):
        return None
    return variant
