"""A match in a notebook: the page that plays the match, inside a frame."""

from __future__ import annotations

from html import escape

from plyglass.arena.match.match import Match
from plyglass.report.drawing.frames import frames_of_moves
from plyglass.report.drawing.player import page

HEIGHT = 620  # pixels
MOST_BOARDS = 250  # boards to draw; each takes up to 30 ms
MOST = 2_000_000  # characters of the page, which a notebook stores with every output


def player(match: Match) -> str:
    """The HTML of the frame. Empty if the game cannot be drawn, or the page would be very long."""
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
