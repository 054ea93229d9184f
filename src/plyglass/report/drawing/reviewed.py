"""A match's review on a page: the course of the chances, and the facts about each decision."""

from __future__ import annotations

from html import escape

from plyglass.arena.review import Review
from plyglass.arena.review.match_review import LEAST_SHOWN, Reviewed

WIDTH, HEIGHT, EDGE = 1000.0, 120.0, 10.0


def course(review: Review, player: int, frame_of: dict[int, int]) -> str:
    """The chances of a player as a line, with a dot for each mark, and sentences below it.

    `frame_of` gives the number of each decision's frame. A click on a dot shows that frame.
    """
    last = max(max(frame_of.values(), default=0), 1)
    points = [
        (each, EDGE + (WIDTH - 2 * EDGE) * frame_of[each.ply] / last, _height(chance))
        for each in review.plies
        if (chance := review.chance_of(each, player)) is not None and each.ply in frame_of
    ]
    name = escape(review.game.player_name(player))
    line = " ".join(f"{x:.1f},{y:.1f}" for _, x, y in points)
    dots = "".join(_dot(review, each, x, y, frame_of[each.ply]) for each, x, y in points)
    return (
        f'<figure class="course"><figcaption>The chances of {name}</figcaption>'
        f'<svg viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" preserveAspectRatio="none" role="img" '
        f'aria-label="The chances of {name} during the match" data-last="{last}">'
        f'<line class="even" x1="0" x2="{WIDTH:.0f}" y1="{_height(0.5)}" y2="{_height(0.5)}"/>'
        f'<polyline points="{line}"/><line id="now" y1="0" y2="{HEIGHT:.0f}"/></svg>'
        f'<div class="dots">{dots}</div></figure>\n'
        f'<p class="lead">{escape(" ".join(review.sentences()))}</p>\n'
    )


def _height(chance: float) -> float:
    return round(EDGE + (HEIGHT - 2 * EDGE) * (1 - chance), 1)


def _dot(review: Review, each: Reviewed, x: float, y: float, frame: int) -> str:
    """A button for a mark, placed in per cent, because the graph is stretched."""
    if not each.mark:
        return ""
    player, action = review.game.player_name(each.player), review.game.action_name(each.action)
    words = escape(f"{player}: {action} {each.mark}", quote=True)
    worst = ' class="worst"' if each.mark == "??" else ""
    place = f"left:{100 * x / WIDTH:.2f}%;top:{100 * y / HEIGHT:.1f}%"
    return (
        f'<button type="button"{worst} data-frame="{frame}" title="{words}" aria-label="{words}" '
        f'style="{place}"></button>'
    )


def facts(review: Review, each: Reviewed) -> list[tuple[str, str]]:
    """What the review says about one decision."""
    name = review.game.action_name
    found = []
    if each.chance is not None:
        found.append(("mover's chance", f"{100 * each.chance:.0f} of 100"))
    if each.mark:
        better = f"{name(each.best)} was better by {100 * each.regret:.0f} points"
        if each.low is not None and each.high is not None:
            better += f" (99 %: {100 * each.low:.0f} to {100 * each.high:.0f})"
        found.append((f"mistake {each.mark}", better))
    if each.luck is not None and abs(each.luck) >= LEAST_SHOWN:
        found.append(("luck", f"{100 * each.luck:+.0f} points"))
    return found
