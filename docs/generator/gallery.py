"""Makes the pages of the gallery: `python docs/generator/gallery.py [GAME...]`.

Each page is a whole match with its review. Agents have budgets in iterations, so the same command
makes the same page again.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import plyglass as pg
from plyglass.report.drawing.frames import Lens, frames_of_match
from plyglass.report.drawing.player import page

FOLDER = Path(__file__).resolve().parents[1] / "gallery"
MOST_BYTES = 1_100_000  # of a page
PAIRS = 32  # worlds in which two actions are compared, as in the app


@dataclass(frozen=True)
class Example:
    """A match, with its players, its reviewer, and the agents that continue after two actions."""

    players: tuple[str, ...]
    seed: int
    reviewer: str
    play_on: str
    lens: Lens


TEAM = Lens(0, 100)
BOTH = Lens(None, 100)
EXAMPLES = {
    "duelyst": Example(
        ("plan-tournament:plans=12,turns=2,worlds=4,turn=turn(beam=8,ranked=completed,draws=16,"
         "room=8192),simulation=simulation(replies=2),evaluator=learned,"
         "belief=tracks(others=archetypes),iterations=256", "policy:policy=starter"),
        2, "greedy:evaluator=learned,iterations=8,belief=tracks(others=archetypes)",
        "policy:policy=starter", BOTH,
    ),
    "pandemic": Example(
        ("whole-turns:evaluator=learned,iterations=10000",),
        2, "whole-turns:evaluator=learned,iterations=10000", "policy:policy=default", TEAM,
    ),
    "tubstap": Example(
        ("plan-tournament:plans=8,worlds=4,turn=turn(beam=8),evaluator=learned,belief=tracks,"
         "iterations=32", "policy:policy=attack-80"),
        2, "greedy:evaluator=learned,iterations=16,belief=tracks", "policy:policy=attack-80", BOTH,
    ),
    "trading-cards": Example(
        ("greedy:evaluator=learned,iterations=100", "greedy:evaluator=balance,iterations=20"),
        5, "uct:iterations=300", "random", BOTH,
    ),
    "navy": Example(
        ("hindsight:costs=true,iterations=100000,belief=particles(worlds=300)",),
        7, "so-ismcts:iterations=2000,belief=particles(worlds=300)",
        "policy:policy=reactive-clockwise", Lens(0, 100, truth=True),
    ),
}  # fmt: skip


def made(name: str, example: Example) -> str:
    """The page of one example."""
    game = pg.game_from(name)
    players = [pg.agent_from(text, game) for text in example.players]
    match, frames = frames_of_match(game, players, example.lens, seed=example.seed)
    review = pg.review(
        pg.record_of(match),
        game=game,
        agent=pg.agent_from(example.reviewer, game),
        play_on=pg.agent_from(example.play_on, game),
        pairs=PAIRS,
        told=lambda done, count: print(f"\r{name}: {done} of {count} decisions", end=""),
    )
    against = " against ".join(example.players)
    lead = f"{name}, played by {against} with seed {example.seed}, reviewed by {example.reviewer}"
    return page(frames, name, lead, review=review)


def main(names: list[str]) -> None:
    """Write the pages, and refuse one that is too large for the repository."""
    for name in names or list(EXAMPLES):
        began = time.monotonic()
        text = made(name, EXAMPLES[name])
        (FOLDER / f"{name}.html").write_text(text, encoding="utf-8")
        print(f", {len(text.encode()) / 1000:.0f} kB, {time.monotonic() - began:.0f} s")
        if len(text.encode()) > MOST_BYTES:
            raise SystemExit(f"The page of {name} has more than {MOST_BYTES} bytes.")


if __name__ == "__main__":
    main(sys.argv[1:])
