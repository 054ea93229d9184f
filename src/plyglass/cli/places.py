"""`plyglass beliefs --places`: how well beliefs know the places of hidden things."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyglass.cli.output import console, explained, print_json, table

if TYPE_CHECKING:
    from plyglass.report.whereabouts import Whereabouts


def where(
    game: str, beliefs: list[str], games: int, seed: int, play: str, out: Path | None, as_json: bool
) -> None:
    """Print the probability that beliefs give to true places, by turns since the last sighting."""
    with explained():
        from plyglass.arena.specs import belief_from, game_from
        from plyglass.report.whereabouts import whereabouts

        found = whereabouts(
            game_from(game), {text: belief_from(text) for text in beliefs}, games, seed, play
        )
        said = {text: _numbers(each) for text, each in found.items()}
        numbers = {"game": game, "play": play, "games": games, "seed": seed, "beliefs": said}
        files = _write(found, numbers, out) if out else []
    if as_json:
        return print_json({**numbers, "files": [str(file) for file in files]})
    return _print(found, files)


def write_numbers(numbers: Mapping[str, Any], out: Path, title: str) -> Path:
    """Write numbers as JSON into a folder; the file is named after the title."""
    out.mkdir(parents=True, exist_ok=True)
    file = out / f"{re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')}.json"
    file.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")
    return file


def _numbers(found: Whereabouts) -> dict[str, Any]:
    return {
        "mean": round(found.mean, 6),
        "brier": round(found.brier, 6),
        "missed": round(found.missed, 6),
        "refilled": found.refilled,
        "questions": len(found.predicted),
        "by_age": [
            f"{age}: {mean:.4f} +- {1.96 * error:.4f} of {count}"
            for age, (mean, error, count) in found.by_age().items()
        ],
        "bins": [f"{each.predicted:.4f}: {each.rate:.4f} of {each.count}" for each in found.bins()],
    }


def _write(found: Mapping[str, Whereabouts], numbers: Mapping[str, Any], out: Path) -> list[Path]:
    from plyglass.report.belief_figures import whereabouts_picture

    file = write_numbers(numbers, out, f"places {numbers['game']} {numbers['play']}")
    title = f"Where hidden things are, in {numbers['game']}"
    played = "at random" if numbers["play"] == "random" else f"by {numbers['play']}"
    subtitle = (
        f"{numbers['games']:,} games played {played}, measured before every turn; bands are 95 % "
        "intervals over games"
    )
    return [file, *whereabouts_picture(found, title, subtitle, file.stem).write(out)]


def _print(found: Mapping[str, Whereabouts], files: list[Path]) -> None:
    from plyglass.report.whereabouts import OLDEST

    listing = table("seen", *found)
    ages = [each.by_age() for each in found.values()]
    for age in sorted({age for each in ages for age in each}):
        listing.add_row(
            f"{age} turns ago{' or more' if age == OLDEST else ''}",
            *(f"{each[age][0]:.3f}" if age in each else "" for each in ages),
        )
    listing.add_row("mean", *(f"{each.mean:.3f}" for each in found.values()))
    listing.add_row("Brier score", *(f"{each.brier:.4f}" for each in found.values()))
    listing.add_row("ruled out", *(f"{each.missed:.2%}" for each in found.values()))
    console.print(listing)
    for file in files:
        console.print(str(file), markup=False, soft_wrap=True)
