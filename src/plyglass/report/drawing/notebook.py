"""A match in a notebook: the page that plays it, inside a frame."""

from __future__ import annotations

from html import escape

from plyglass.arena.match.match import Match
from plyglass.report.drawing.frames import frames_of_moves
from plyglass.report.drawing.player import page

HEIGHT = 620  # pixels
MOST_BOARDS = 250  # that are drawn, which takes up to 30 ms for each
MOST = 2_000_000  # characters; a notebook stores them with every output


def player(match: Match) -> str:
    """The frame; empty if the game cannot be drawn, or if the page would be very long."""
    try:
        frames = frames_of_moves(match, MOST_BOARDS)
    except NotImplementedError:
        return ""
    if frames is None:
        return ""
    lead = f"{match.game!r}, seed {match.seed}"
    inside = escape(page(frames, match.game.name, lead))
    if len(inside) > MOST:
        return ""
    look = f"width:100%;height:{HEIGHT}px;border:0"
    return f'<iframe srcdoc="{inside}" style="{look}" title="{escape(lead)}"></iframe>'
