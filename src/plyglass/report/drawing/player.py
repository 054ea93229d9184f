"""A page that plays the frames of a match: one HTML file that loads no other file.

Most of a board stays the same from frame to frame. So the page contains every element once, and
each board lists the elements that it shows. Names of games, agents and actions may be any text.
These names are escaped wherever they appear.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from importlib import resources

from plyglass.arena.review import Review
from plyglass.core.display import shares
from plyglass.core.scene import Scene
from plyglass.report.drawing import svg
from plyglass.report.drawing.frames import Frame, Thought
from plyglass.report.drawing.geometry import sheet_of
from plyglass.report.drawing.palette import DARK, LIGHT, THEMED, Palette
from plyglass.report.drawing.reviewed import course, facts

Facts = Sequence[tuple[str, str]]
SHOWN = 12  # most actions shown for a decision


def page(
    frames: Sequence[Frame],
    title: str,
    lead: str,
    dark: bool = False,
    review: Review | None = None,
) -> str:
    """The text of an HTML file.

    The page is dark if `dark` is set or the browser prefers dark pages. With a review, the page
    also shows the course of the winning chances, mistakes and luck.
    """
    template = (
        resources.files("plyglass.report.drawing")
        .joinpath("player.html")
        .read_text(encoding="utf-8")
    )
    pieces: dict[str, int] = {}
    judged = {each.ply: facts(review, each) for each in review.plies} if review else {}
    drawn = "\n".join(_frame(frame, pieces, judged.get(frame.ply, [])) for frame in frames)
    parts = {
        "title": escape(title),
        "lead": escape(lead),
        "theme": "dark" if dark else "auto",
        "light": _variables(LIGHT),
        "dark": _variables(DARK),
        "eyes": _eyes(frames[0]),
        "review": _course(frames, review) if review else "",
        "frames": drawn,
        "pieces": "\n".join(pieces),
    }
    return re.sub(r"@(\w+)@", lambda found: parts[found[1]], template)


def _variables(palette: Palette) -> str:
    return " ".join(f"--{role}: {color};" for role, color in palette.colors.items())


def _course(frames: Sequence[Frame], review: Review) -> str:
    """The chances of the player whose board comes first."""
    names = [review.game.player_name(player) for player in range(review.game.players)]
    player = names.index(frames[0].eyes[0]) if frames[0].eyes[0] in names else 0
    return course(review, player, {frame.ply: frame.step for frame in frames})


def _frame(frame: Frame, pieces: dict[str, int], judged: Facts) -> str:
    boards = "\n".join(_board(scene, pieces) for scene in frame.scenes)
    heading = f"<h2>{escape(frame.heading)}</h2>"
    panel = f'<div class="panel">\n{heading}\n{_facts(frame, judged)}{_table(frame)}</div>'
    return f'<section class="frame">\n<div class="boards">\n{boards}</div>{panel}\n</section>'


def _board(scene: Scene, pieces: dict[str, int]) -> str:
    """An empty SVG board that lists the numbers of its elements; new elements join `pieces`."""
    sheet = sheet_of([scene])
    numbers = [
        pieces.setdefault(element, len(pieces))
        for layer in svg.parts(sheet, THEMED)
        for element in layer
    ]
    return f'<svg {svg.frame(sheet)} data-pieces="{" ".join(map(str, numbers))}"></svg>'


def _eyes(frame: Frame) -> str:
    """Buttons that choose one of several scenes, or all scenes."""
    if len(frame.scenes) < 2:
        return ""
    names = ["all", *frame.eyes]
    buttons = [
        f'<button type="button" title="key {key}">{escape(name)}</button>'
        for key, name in enumerate(names)
    ]
    return f'<div id="eyes" role="group" aria-label="through whose eyes">{"".join(buttons)}</div>'


def _facts(frame: Frame, judged: Facts) -> str:
    told = [("score so far", frame.score_line)]
    if frame.health is not None:
        refilled = f", refilled {frame.health.refilled} times" if frame.health.refilled else ""
        told.append(
            (
                "belief",
                f"{frame.health.worlds:,} worlds, effectively "
                f"{frame.health.effective:,.0f}{refilled}",
            )
        )
    return (
        '<dl class="facts">'
        + "".join(
            f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in (*told, *judged)
        )
        + "</dl>\n"
    )


def _table(frame: Frame) -> str:
    """How the agent judged its actions, with bars for their values, or else for their visits."""
    if not frame.thoughts:
        return ""
    shown = frame.thoughts[:SHOWN]
    rows = "\n".join(
        _row(thought, share, thought.action == frame.action)
        for thought, share in zip(shown, _shares(shown), strict=True)
    )
    more = len(frame.thoughts) - len(shown)
    note = f'<p class="note">and {more} more</p>' if more else ""
    head = "<thead><tr><th>action</th><th>value</th><th>visits</th></tr></thead>"
    return f"<table>{head}<tbody>\n{rows}\n</tbody></table>{note}\n"


def _row(thought: Thought, share: float, played: bool) -> str:
    kind = ' class="played"' if played else ""
    value = "" if thought.value is None else f"{thought.value:.2f}"
    visits = "" if thought.visits is None else f"{thought.visits:,}"
    bar = f'<span class="bar"><i style="width:{100 * share:.0f}%"></i></span>'
    return f"<tr{kind}><td>{escape(thought.action)}{bar}</td><td>{value}</td><td>{visits}</td></tr>"


def _shares(thoughts: Sequence[Thought]) -> list[float]:
    """The length of each bar, from short for the lowest value to 1 (full) for the highest."""
    values = [thought.value for thought in thoughts]
    known = [value for value in values if value is not None]
    if not known:
        most = max(thought.visits or 0 for thought in thoughts)
        return [(thought.visits or 0) / most for thought in thoughts]
    return shares(values)
