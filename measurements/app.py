"""Measure the app in a real browser: its size, its first paint, and its work for each frame.

    python measurements/app.py                 # measures all, writes measurements/data/app.json
    python measurements/app.py frames --clicks 20
    python measurements/app.py nothing --python /tmp/empty/bin/python

`size` is the compressed JavaScript. `paint` is the time to the first contentful paint from a warm
server, with an empty cache of the browser. `frames` traces the page while turns of Pandemic are
played. The work of a frame is everything that the main thread did since the previous frame. It is
measured in CPU time (`cpu`) and in elapsed time (`wall`), which is longer if other programs use the
processor. `drawn` counts all frames on the screen, including frames in which only the compositor
moved something. `main` counts the frames that the main thread made. Needs Chromium, Playwright and
the built app.

`nothing` starts `plyglass serve` once for each game, with an empty cache, and measures the seconds
from the command to the person's first move in the browser. A new run is stored in addition to the
earlier runs. `--python` is the interpreter of an environment in which the wheel is installed with
`[serve]`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.app import hands  # noqa: E402

OUT = ROOT / "measurements/data/app.json"
BUILT = ROOT / "src/plyglass/serve/app"
PORT = 8765
LOADS = 10  # first paints
TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel",
          "devtools.timeline.frame", "disabled-by-default-devtools.timeline.frame"]  # fmt: skip
SHOWN = 1.2  # seconds after a click, in which all that it changes has come to rest
Work = tuple[float, float]
MAIN = "BeginMainThreadFrame"  # the event of a frame that the main thread makes
FRAMES = {"drawn": "DrawFrame", "main": MAIN}


def from_nothing(
    browser: Browser, python: str, before: dict[str, list[float]]
) -> dict[str, list[float]]:
    """Seconds from the command to the first move in the browser, for each game and run."""
    names = subprocess.run(
        [python, "-c", "import plyglass as pg; print(*pg.games.names())"],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    found = {name: [*before.get(name, [])] for name in names}
    for game in names:
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            with served(python, folder) as url:
                page, choice = opened(browser), hands.seeded(game)
                hands.begin(page, url, game)
                assert hands.act(page, choice)
                found[game].append(rounded(time.monotonic() - began))
                page.context.close()
        print(f"{game:20} {found[game][-1]:6.1f} s", flush=True)
    return found


def size() -> dict[str, int]:
    """The bytes of the JavaScript, compressed and uncompressed."""
    files = [each.read_bytes() for each in BUILT.glob("assets/*.js")]
    return {"compressed": sum(len(gzip.compress(each)) for each in files),
            "bytes": sum(map(len, files))}  # fmt: skip


@contextmanager
def served(python: str = sys.executable, cache: str = "") -> Iterator[str]:
    """The address of a server in a separate process, once the server listens."""
    url = f"http://127.0.0.1:{PORT}"
    command = [python, "-m", "plyglass", "serve", "--no-browser", "--port", str(PORT)]
    environment = os.environ | ({"PLYGLASS_CACHE": cache, "HOME": cache} if cache else {})
    server = subprocess.Popen(command, env=environment, cwd=cache or None)
    try:
        while True:
            try:
                urllib.request.urlopen(f"{url}/healthz")
                break
            except OSError:  # it does not listen yet
                time.sleep(0.05)
        yield url
    finally:
        server.terminate()
        server.wait()


def warm(url: str) -> None:
    """Wait until a server knows its games."""
    while not json.load(urllib.request.urlopen(f"{url}/v1/games")):
        time.sleep(0.1)


def opened(browser: Browser) -> Page:
    """A new page with an empty cache, in which moves are animated."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, reduced_motion="no-preference"
    )
    page = context.new_page()
    page.set_default_timeout(120_000)
    return page


def paint(browser: Browser, url: str) -> dict[str, Any]:
    """Milliseconds to the first contentful paint, and to the first tile with its picture."""
    warm(url)
    paints, tiles = [], []
    for _ in range(LOADS):
        page = opened(browser)
        page.goto(url)
        page.wait_for_selector(".tile .picture")
        tiles.append(page.evaluate("performance.now()"))
        script = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        paints.append(page.evaluate(script))
        page.context.close()
    return {"loads": LOADS, "first_paint_ms": rounded(statistics.median(paints)),
            "slowest_ms": rounded(max(paints)),
            "first_tile_ms": rounded(statistics.median(tiles))}  # fmt: skip


def frames(browser: Browser, url: str, clicks: int) -> dict[str, Any]:
    """The work of each frame after clicks in Pandemic: pawns move, cards are drawn, cubes appear.

    Between a click and the end of its trace, the script sends the page no other command.
    """
    warm(url)
    page, choice = opened(browser), hands.seeded("frames")
    hands.begin(page, url, "pandemic")
    work: dict[str, list[Work]] = {kind: [] for kind in FRAMES}
    for _ in range(clicks):
        page.wait_for_selector(hands.READY)
        place = None
        while place is None:
            place = hands.spot(hands.aim(page, choice)[0])
        browser.start_tracing(page=page, categories=TRACED)
        page.mouse.click(*place)
        time.sleep(SHOWN)
        events = json.loads(browser.stop_tracing())["traceEvents"]
        for kind, name in FRAMES.items():
            work[kind] += work_of_frames(events, name)
    done = hands.own_actions(page)
    page.context.close()
    return {"clicks": clicks, "actions": done} | {
        kind: summary(each) for kind, each in work.items()
    }


def summary(work: list[Work]) -> dict[str, Any]:
    """How many frames there were, and quantiles of their work."""
    return {"frames": len(work)} | {
        f"{clock}_p{percent}_ms": rounded(quantile(sorted(each[place] for each in work), percent))
        for place, clock in enumerate(("cpu", "wall"))
        for percent in (50, 95, 99)
    }


def work_of_frames(events: list[dict[str, Any]], name: str) -> list[Work]:
    """The work of the main thread of the page before each frame."""
    (main,) = {(each["pid"], each["tid"]) for each in events if each["name"] == MAIN}
    tasks = sorted(
        (
            each
            for each in events
            if each["ph"] == "X" and (each["pid"], each["tid"]) == main and each.get("dur")
        ),
        key=lambda each: (each["ts"], -each["dur"]),
    )
    whole, end = [], 0.0
    for task in tasks:
        if task["ts"] >= end:  # others are parts of a task
            whole.append(task)
            end = task["ts"] + task["dur"]
    marks = sorted(each["ts"] for each in events if each["name"] == name and each["pid"] == main[0])
    found, place = [], 0
    for mark in marks:
        cpu = wall = 0.0
        while place < len(whole) and whole[place]["ts"] <= mark:
            cpu += whole[place].get("tdur", whole[place]["dur"]) / 1000
            wall += whole[place]["dur"] / 1000
            place += 1
        found.append((cpu, wall))
    return found


def quantile(ordered: list[float], percent: int) -> float:
    """The value that the given percentage of all values does not exceed."""
    return ordered[min(len(ordered) - 1, percent * len(ordered) // 100)]


def rounded(value: float) -> float:
    return round(value, 2)


def main() -> None:
    """Run the requested measurements, and add their results to the earlier results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", default=["size", "paint", "frames"])
    parser.add_argument("--clicks", type=int, default=60, help="traced clicks")
    parser.add_argument("--python", default=sys.executable, help="where the wheel is installed")
    asked = parser.parse_args()
    kept = json.loads(OUT.read_text(encoding="utf-8")) if OUT.is_file() else {}
    path = shutil.which("chromium")
    if "size" in asked.what:
        kept["size"] = size()
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=["--no-sandbox"])
        kept["browser"] = f"Chromium {browser.version}"
        if "nothing" in asked.what:
            before = kept.get("seconds_from_nothing", {})
            kept["seconds_from_nothing"] = from_nothing(browser, asked.python, before)
        if {"paint", "frames"} & set(asked.what):
            with served() as url:
                if "paint" in asked.what:
                    kept["paint"] = paint(browser, url)
                if "frames" in asked.what:
                    kept["frames"] = frames(browser, url, asked.clicks)
        browser.close()
    OUT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(kept, indent=1))


if __name__ == "__main__":
    main()
