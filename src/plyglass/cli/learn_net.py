"""`plyglass learn GAME --net FILE`: a net, learned in rounds of games and accepted by play."""

from __future__ import annotations

import shutil
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyglass.cli.output import console, explained, print_json, progress_bar

if TYPE_CHECKING:
    from plyglass.arena.nets.loop import Lesson, Round


def lesson_of(
    variants: list[str], agent: str, against: str, seconds: float, kind: str, how: dict[str, Any]
) -> Lesson:
    """The lesson of a net (what is learned, and how), with defaults for agents and engine."""
    from plyglass.arena.nets.engines import ENGINES, usual_engine
    from plyglass.arena.nets.loop import Lesson, usual_agents
    from plyglass.arena.specs import game_from
    from plyglass.core.refusals import refuse_other

    if len(variants) > 1:
        raise ValueError(f"A net is learned for one game, but {len(variants)} were given.")
    refuse_other("kind", kind, ("world", "view"))
    how = {**how, "engine": how["engine"] or usual_engine()}
    refuse_other("engine", how["engine"], ENGINES)
    usual, opponent = usual_agents(game_from(variants[0]), seconds)
    if agent and not against:
        raise ValueError(
            "With --agent, also give --against, the agent that the first net has to beat."
        )
    return Lesson(
        variants[0],
        agent or usual,
        against or opponent,
        kind="view" if kind == "view" else "world",
        **how,
    )


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
    """Draw the curve if matplotlib is installed; return the files for the closing sentence."""
    try:
        from plyglass.report.net_curve import net_curve
    except RuntimeError:
        return ""
    net_curve(game, curve).write(work)
    return ", curve.svg, curve.png"
