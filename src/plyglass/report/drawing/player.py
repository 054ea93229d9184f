"""Frames as one page that plays them: it holds all it needs, and asks nothing of any other place.

Names of games, agents and actions are anybody's text and are escaped wherever they appear.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from importlib import resources

from plyglass.report.drawing.frames import Frame, Thought
from plyglass.report.drawing.geometry import sheet_of
from plyglass.report.drawing.palette import DARK, LIGHT, THEMED, Palette
from plyglass.report.drawing.svg import svg_element

SHOWN = 12  # actions of a decision


def page(frames: Sequence[Frame], title: str, lead: str, dark: bool = False) -> str:
    """The text of an HTML file; it is dark on request, or where its reader prefers that."""
    template = resources.files("plyglass.report.drawing").joinpath("player.html").read_text(encoding="utf-8")
    parts = {
        "title": escape(title),
        "lead": escape(lead),
        "theme": "dark" if dark else "auto",
        "light": _variables(LIGHT),
        "dark": _variables(DARK),
        "frames": "\n".join(_frame(frame) for frame in frames),
    }
    return re.sub(r"@(\w+)@", lambda found: parts[found[1]], template)


def _variables(palette: Palette) -> str:
    return " ".join(f"--{role}: {color};" for role, color in palette.colors.items())


def _frame(frame: Frame) -> str:
    drawing = svg_element(sheet_of(frame.scenes), THEMED)
    panel = f'<div class="panel">\n<h2>{escape(frame.heading)}</h2>\n{_facts(frame)}{_table(frame)}</div>'
    return f'<section class="frame">\n{drawing}{panel}\n</section>'


def _facts(frame: Frame) -> str:
    facts = [("score so far", frame.score_line)]
    if frame.health is not None:
        refilled = f", refilled {frame.health.refilled} times" if frame.health.refilled else ""
        facts.append(("belief", f"{frame.health.worlds:,} worlds that count for {frame.health.effective:,.0f}{refilled}"))
    return '<dl class="facts">' + "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts) + "</dl>\n"


def _table(frame: Frame) -> str:
    """What the agent thought of its actions, with a bar each: for its value, or for its visits where there is no value."""
    if not frame.thoughts:
        return ""
    shown = frame.thoughts[:SHOWN]
    rows = "\n".join(_row(thought, share, thought.action == frame.action) for thought, share in zip(shown, _shares(shown), strict=True))
    more = len(frame.thoughts) - len(shown)
    note = f'<p class="note">and {more} more</p>' if more else ""
    return f"<table><thead><tr><th>action</th><th>value</th><th>visits</th></tr></thead><tbody>\n{rows}\n</tbody></table>{note}\n"


def _row(thought: Thought, share: float, played: bool) -> str:
    kind = ' class="played"' if played else ""
    value = "" if thought.value is None else f"{thought.value:.2f}"
    visits = "" if thought.visits is None else f"{thought.visits:,}"
    bar = f'<span class="bar"><i style="width:{100 * share:.0f}%"></i></span>'
    return f"<tr{kind}><td>{escape(thought.action)}{bar}</td><td>{value}</td><td>{visits}</td></tr>"


def _shares(thoughts: Sequence[Thought]) -> list[float]:
    """How far each bar reaches: from the least to the greatest value that is shown, with a little left for the least."""
    values = [thought.value for thought in thoughts]
    known = [value for value in values if value is not None]
    if not known:
        most = max(thought.visits or 0 for thought in thoughts)
        return [(thought.visits or 0) / most for thought in thoughts]
    low, high = min(known), max(known)
    return [0.0 if value is None else 0.04 + 0.96 * (value - low) / (high - low) if high > low else 1.0 for value in values]
