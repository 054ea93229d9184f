"""Functions that a user might write: measures and start positions."""

import time

import numpy as np

from plyglass.core.world import World


def free_cells(decision, view):
    """Of a decision: how many actions its player sees."""
    assert view.viewer == view.to_move
    return len(view.legal())


def seconds_told(decision):
    return decision.seconds


def clock_of_match(match):
    return sum(move.seconds + move.decision.seconds for move in match.moves)


def only_first_seat(decision, player):
    return 7 if player == 0 else None


def actions_of_seats(match):
    """Of a match: how often each seat played each of two cells."""
    return [
        {
            f"cell {cell}": sum(move.action == cell for move in match.moves if move.player == seat)
            for cell in (0, 3)
        }
        for seat in range(match.game.players)
    ]


def marks_made(match):
    """Of a match: something that only the game knows, here at its end."""
    return sum(int(marks).bit_count() for marks in match.end.record["marks"])


def one_for_three(match):
    return [1, 2, 3]


def not_a_number(decision):
    return float("nan")


def broken(decision):
    raise KeyError("depth")


def strange(decision, opponent):
    return 0


def three_plies(game, seed):
    """A position after three random moves."""
    world = game.start(seed)
    choose = np.random.default_rng(seed)
    for _ in range(3):
        world.apply(int(choose.choice(world.legal())))
    return world


def one_cell_left(game, seed):
    """Tic-tac-toe with one cell left, which wins for the first seat."""
    world = game.start(seed)
    for cell in (0, 1, 2, 3, 5, 4, 7, 6):
        world.apply(cell)
    return world


def same_dice(game, seed):
    """The same position, luck included, whatever the seed."""
    return game.start(1)


def finished(game, seed):
    world = game.start(seed)
    while not world.over:
        world.apply(world.legal()[0])
    return world


def nothing(game, seed):
    return None


def other_game(game, seed):
    from plyglass import games

    return World(games.Pig(), games.Pig().start(0).row())


class Late:
    """Takes the first action after a nap that its budget does not allow."""

    cheats = False

    def __init__(self, nap: float = 0.05, budget: str = "seconds"):
        from plyglass import Budget

        self.nap = nap
        self.budget = {
            "seconds": Budget(seconds=0.01),
            "turn": Budget(turn_seconds=0.01),
            "iterations": Budget(iterations=1),
        }[budget]

    def take_seat(self, game, seat, seed):
        return self

    def observe(self, own_action, view):
        self.view = view

    def decide(self):
        from plyglass import Decision

        time.sleep(self.nap)
        actions = tuple(self.view.legal())
        return Decision(actions[0], actions)
