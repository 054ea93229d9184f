"""Changed inputs at every entry: no traceback, no hang, no crash, no edited file believed.

The inputs are a function of a seed and a number. The nightly seed is the day, and is printed.
The folder `kept` has inputs that once went wrong, and a nightly run adds each new one.
"""

import datetime
import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.fuzz.entries import ENTRIES
from tests.fuzz.judge import flaw_of
from tests.sizes import NIGHTLY, sized

ROOT, KEPT = Path(__file__).parents[2], Path(__file__).parent / "kept"
SEED = sized(29, datetime.date.today().toordinal())  # each night has other inputs
INPUTS = sized(130, 13_000)  # test_grammar.py makes the other 70 and 7,000
BATCH = 1000  # inputs of one process, which is started anew after it
HANG = 10.0  # CPU seconds of one input
STILL = 120.0  # seconds without a sign of life; other programs may have the processor
START = 600.0  # seconds until everything is compiled


def run(first, last):
    """Read inputs in a process; return what went wrong, each with its number."""
    command = [sys.executable, "-m", "tests.fuzz.worker", str(SEED), str(first), str(last)]
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")))
    found, number, rest = [], None, b""
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
    ) as process:
        used, since = _cpu_seconds(process.pid), time.monotonic()
        while True:
            if not select.select([process.stdout], [], [], 1.0)[0]:
                busy, idle = _cpu_seconds(process.pid) - used, time.monotonic() - since
                if (number is not None and busy > HANG) or idle > (
                    START if number is None else STILL
                ):
                    process.kill()
                    flaw = f"hang: no end after {busy:.0f} CPU seconds and {idle:.0f} s"
                    return [*found, {"number": number, "flaw": flaw}]
                continue
            used, since = _cpu_seconds(process.pid), time.monotonic()
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                break
            *lines, rest = (rest + piece).split(b"\n")
            for line in map(json.loads, lines):
                number = line.get("number", number)
                if "flaw" in line:
                    found.append(line)
                if "done" in line:
                    return found
    return [*found, {"number": number, "flaw": f"crash: exit code {process.wait()}"}]


def _cpu_seconds(pid):
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return times.user + times.system


def run_all(total):
    """Read all inputs, and go on after a hang or a crash."""
    found, first = [], 0
    while first < total:
        last = min(total, first + BATCH)
        new = run(first, last)
        for each in new:
            print(each.get("number"), each["flaw"], flush=True)
        found += new
        ended = [each for each in new if each["flaw"].startswith(("hang", "crash"))]
        if ended and ended[0]["number"] is None:
            break
        first = ended[0]["number"] + 1 if ended else last
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="pipes cannot be waited for there")
def test_no_changed_input_gets_through():
    began = time.monotonic()
    found = run_all(INPUTS)
    for each in found:
        if NIGHTLY and "data" in each:
            KEPT.mkdir(exist_ok=True)
            name = f"{each['entry'].replace(' ', '-')}-{each['number']}"
            (KEPT / name).write_bytes(bytes.fromhex(each["data"]))
    print(f"\nseed {SEED}: {INPUTS:,} inputs, {len(found)} flaws, {time.monotonic() - began:.0f} s")
    assert not found, "\n".join(f"{each['number']}: {each['flaw'][:2000]}" for each in found[:20])


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A folder for every entry, with its true inputs."""
    made = {entry.name: tmp_path_factory.mktemp("entry") for entry in ENTRIES}
    for entry in ENTRIES:
        entry.seeds(made[entry.name])
    return made


@pytest.mark.parametrize("file", sorted(KEPT.glob("*-*")), ids=lambda file: file.name)
def test_an_input_that_once_went_wrong_does_not_any_more(file, folders):
    name = file.name.rpartition("-")[0].replace("-", " ")
    entry = next(each for each in ENTRIES if each.name == name)
    assert flaw_of(entry, file.read_bytes(), folders[name]) == ""
