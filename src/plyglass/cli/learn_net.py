"""`plyglass learn GAME --net FILE`: a net, learned in rounds of games and accepted by play."""

from __future__ import annotations

import shutil
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from plyglass.cli.output import console, explained, print_json, progress_bar

if TYPE_CHECKING:
    from plyglass.arena.nets.loop import Lesson, Round


def learn_net(
    lesson: Lesson, out: Path, work: Path, *, workers: int, runner: str, as_json: bool
) -> None:
    """Run a lesson, and copy the last accepted net to `out`."""
    from plyglass.arena.nets import loop

    with explained(), progress_bar(lesson.rounds) as show:
        done = 0

        def told(text: str) -> None:
            nonlocal done
            if text.startswith("Round "):
                done += 1
            show(done, text)

        curve, accepted = loop.learn_net(lesson, work, workers=workers, runner=runner, told=told)
    if accepted is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(accepted, out)
    drawn = _drawn(lesson.game, curve, work)
    if as_json:
        return print_json({"accepted": accepted is not None, "curve": [*map(asdict, curve)]})
    for point in curve:
        console.print(loop.described(point), markup=False)
    size = sum(each.stat().st_size for each in work.iterdir()) / 1e6
    console.print(f"{work} has {size:.0f} MB: games, nets, curve.csv{drawn}.", markup=False)
    if accepted is None:
        return console.print(
            f"No net was accepted, so {out} was not written. Give more --games or --rounds; the "
            f"last net is {work / f'round-{len(curve)}.npz'}.",
            markup=False,
        )
    name = lesson.agent.format(f"net({out})")
    return console.print(f"Written: {out}. Play with it as {name}", markup=False)


def _drawn(game: str, curve: list[Round], work: Path) -> str:
    """Draw the curve, if matplotlib is installed; say so in words."""
    try:
        from plyglass.report.net_curve import net_curve
    except RuntimeError:
        return ""
    net_curve(game, curve).write(work)
    return ", curve.svg, curve.png"
