"""Runs with match rows written by hand, so every number of a report can be checked."""

from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.settings import Settings
from plyglass.report.run import run_of

WIN, LOSS, DRAW = (1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)  # of the first seat


def row(
    number,
    scores,
    steps=5,
    seconds=0.5,
    iterations=(60.0, 40.0),
    decisions=(3.0, 2.0),
    seat_seconds=(0.3, 0.2),
    **measures,
):
    """A match that was played; what is of the seats is given for both."""
    effort = {f"iterations@{seat}": iterations[seat] for seat in (0, 1)} | {
        f"decisions@{seat}": decisions[seat] for seat in (0, 1)
    }
    return MatchRow(
        number,
        "played",
        -1,
        scores,
        steps,
        f"{number:032x}",
        seconds,
        effort | measures,
        seat_seconds,
    )


def fault(number, status, offender):
    return MatchRow(number, status, offender, (), 2, f"{number:032x}", 0.1)


def three_agents(**changes):
    """Of one deal, the matches are a-b, b-a, a-c, c-a, b-c, c-b."""
    values = {
        "games": ("tic-tac-toe",),
        "agents": {"a": "random", "b": "random", "c": "random"},
        "deals": 1,
        **changes,
    }
    return Settings(**values)


def small_run():
    """a beats b twice and draws one of two with c; b and c win one each, both from the first
    seat.
    """
    scores = (WIN, LOSS, WIN, DRAW, WIN, WIN)
    return run_of(
        three_agents(), [row(number, each, steps=5 + number) for number, each in enumerate(scores)]
    )


def ladder(deals=8, names=("strong", "middle", "weak"), games=("tic-tac-toe", "pig:goal=30")):
    """The earlier of two names wins three of four deals in both games; UCT's budgets fall with
    the names.
    """
    agents = {
        name: f"uct:iterations={budget}" for name, budget in zip(names, (400, 100, 25), strict=True)
    }
    settings = three_agents(games=games, agents=agents, deals=deals)
    matches, rows = 6 * len(games), []
    for number in range(matches * deals):
        first_is_stronger = number % 2 == 0
        upset = (number // matches) % 4 == 3
        rows.append(row(number, WIN if first_is_stronger != upset else LOSS, steps=5 + number % 5))
    return run_of(settings, rows)
