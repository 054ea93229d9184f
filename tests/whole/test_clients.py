"""Games in other languages play whole matches against a server, by rules that equal ours."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.actions import unpack
from plyglass.core.compile import JIT
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP
from plyglass.core.state import filled, new_states
from plyglass.core.world import World
from plyglass.games.duel.state import END
from plyglass.serve import protocol, work
from plyglass.serve.catalogue import Catalogue
from plyglass.serve.client import fields
from plyglass.serve.settings import Settings
from tests.sizes import sized
from tests.whole.documents import run_document
from tests.whole.servers import serving

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
SETTINGS = """
[games]
duel = "duel"
[levels.duel]
easy = "uct:iterations=50"
"""
STRICT = [
    "-O1", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror",
    "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
]  # fmt: skip
LIBRARIES = ("curl/curl.h", "cjson/cJSON.h")
SEEDS = range(1, 1 + sized(2, 20))  # the agent has the second seat, then the first
MATCHES = sized(15, 2000)  # without a server
DEAL = [0] * 3 + [1] * 4 + [0]  # who draws


@pytest.fixture(scope="module")
def dice(tmp_path_factory):
    """What the commands of the page about C++ print, and the folder with its files."""
    if not shutil.which("g++") or not JIT:
        pytest.skip("there is no compiler for C++, or kernels are interpreted")
    folder = tmp_path_factory.mktemp("cpp")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    page, skip = ROOT / "docs" / "rules-in-cpp.md", ("plyglass serve",)
    return run_document(page, folder, {**os.environ, "PATH": path}, skip), folder


def test_a_game_in_cpp_keeps_the_contract_and_a_planner_of_ours_wins_it(dice):
    (_, checked, played), _ = dice
    assert "FAILED" not in checked
    assert "imagined worlds are as likely as true ones (compared exactly)" in checked
    won = re.search(r"won (\d+), drew 0 and lost \d+ of 20 games", " ".join(played.split()))
    assert int(won[1]) >= 13


def test_a_game_in_cpp_is_hosted_and_decided_where_it_harms_nobody(dice):
    """In this process, which has its own copy of the rules, as a worker has."""
    _, folder = dice
    file, settings = folder / "liars_dice.py", folder / "serve.toml"
    settings.write_text(settings.read_text().replace('"liars_dice.py"', f'"{file}"'))
    alone = Settings.read(settings)
    other = replace(alone, games={**alone.games, "tic-tac-toe": "tic-tac-toe"})
    start = protocol.Start(game="liars-dice", seats=["me", "level:easy"]).model_dump()
    for each in (alone, other):
        found = answered(each, {**start, "kind": "start"})
        assert len(found["position"]["actions"]) == 12
    view = {"die": [3, 0], "bid": 0, "player": 0, "winner": 0}

    def decided(settings, view, trusted):
        asked = protocol.Decide(
            game="liars-dice", seat=0, seed=1, agent="level:easy",
            history=[{"own": None, "view": view}], budget={"iterations": 50},
        )  # fmt: skip
        job = {**asked.model_dump(), "kind": "decide", "trusted": trusted}
        found = answered(settings, job)
        return found.get("best") or found["code"]

    assert decided(alone, view, True) in range(1, 13)
    assert decided(alone, view, False) == "unchecked-game"
    assert decided(other, view, True) == "unchecked-game"
    assert decided(alone, {**view, "die": [3, 4]}, True) == "shows-hidden"
    assert decided(alone, {**view, "die": [100, 0]}, True) == "range"


def answered(settings, job):
    """The answer of a worker to a job, in this process."""
    rights = {"expert": False, "grant": 5.0, "left": 30.0, "kept": False}
    return work.answer(Catalogue(settings), {**rights, **job}, print, lambda: False)[1]


def command_of(program):
    """The line of the page that calls a program."""
    return re.search(rf"^{program} .*", PAGE, re.MULTILINE)[0]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("clients"), settings=SETTINGS) as found:
        found.wait()
        yield found


@pytest.fixture(scope="module")
def in_c(tmp_path_factory):
    """The client in C, compiled with every warning as an error and with sanitizers."""
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    include = "".join(f"#include <{name}>\n" for name in LIBRARIES)
    probe = ["cc", "-E", "-x", "c", "-"]
    if subprocess.run(probe, input=include.encode(), capture_output=True, check=False).returncode:
        pytest.skip(
            "libcurl or cJSON is missing: apt-get install libcurl4-openssl-dev libcjson-dev"
        )
    program = tmp_path_factory.mktemp("c") / "play"
    _, *words = command_of("cc").split()
    words[words.index("play")] = program
    subprocess.run(["cc", *words, *STRICT], cwd=ROOT, check=True)
    return [program]


@pytest.fixture(scope="module")
def in_javascript():
    if not shutil.which("node"):
        pytest.skip("Node is not installed")
    program, file, _ = command_of("node").split()
    return [program, ROOT / file]


@pytest.mark.parametrize("language", ["in_javascript", "in_c"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_of_a_client_is_a_match_by_our_rules(language, seed, server, request, tmp_path):
    client = request.getfixturevalue(language)
    log = tmp_path / "log"
    url = f"http://127.0.0.1:{server.port}"
    done = subprocess.run(
        [*client, url, str(seed), log], capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    played, scores = replayed(log.read_text().splitlines())
    assert played >= 10
    winner = "agent" if scores[seed % 2] > 0 else "simple player"
    assert done.stdout.endswith(f"The {winner} wins.\n")


def test_a_problem_ends_a_client_with_its_sentence(server, in_javascript, in_c):
    """Here the server does not know the path."""
    for client in (in_javascript, in_c):
        done = subprocess.run(
            [*client, f"http://127.0.0.1:{server.port}/nowhere"],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        assert "Not Found" in done.stderr


@pytest.mark.parametrize("language", ["javascript", "c"])
def test_random_matches_of_the_rules_of_a_client_are_matches_by_ours(language, tmp_path):
    """Without a server, so many more positions than agents lead to are compared."""
    if not shutil.which("node" if language == "javascript" else "cc"):
        pytest.skip(f"nothing here runs programs in {language}")
    program = ["node", HERE / "random_duel.mjs"]
    if language == "c":
        rules, program = ROOT / "examples" / "clients" / "c", [tmp_path / "random_duel"]
        sources = [HERE / "random_duel.c", rules / "duel.c", f"-I{rules}"]
        subprocess.run(["cc", "-std=c11", *STRICT, "-o", *program, *sources], check=True)
    done = subprocess.run([*program, str(MATCHES)], capture_output=True, text=True, check=True)
    match = []
    ended = 0
    for line in done.stdout.splitlines():
        match.append(line)
        if line.startswith('{"scores"'):
            replayed(match)
            match, ended = [], ended + 1
    assert ended == MATCHES


def replayed(log):
    """Play a client's log by our rules, with the cards that it drew; return actions and scores."""
    first, *lines, last = map(json.loads, log)
    game = pg.games.Duel()
    row = new_states(1, game.state)[0]
    setup = filled(game.setup, game.default_setup())
    decks = np.full((2, 6), 2)
    with_cards(
        row, game, zip(DEAL, first["cards"], strict=True), decks,
        lambda: game.verbs.start(
            game.table, setup.ctypes.data, row.ctypes.data, np.uint64(0)
        ),
    )  # fmt: skip
    world = World(game, row)
    assert [fields(world.hide(seat)) for seat in (0, 1)] == first["views"]
    for line in lines:
        player, action = world.to_move, line["action"]
        assert player == line["player"]
        assert sorted(world.legal()) == sorted(line["legal"])
        drawer = 1 - player if unpack(action)[0] == END else player
        row, decks = world.row(), world.record["deck"].astype(int)
        with_cards(
            row, game, [(drawer, card) for card in line["cards"]], decks,
            lambda row=row, player=player, action=action: game.verbs.step(
                game.table, row.ctypes.data, player, action
            ),
        )  # fmt: skip
        world = World(game, row)
        assert [fields(world.hide(seat)) for seat in (0, 1)] == line["views"]
    assert world.over
    assert world.scores == last["scores"]
    return len(lines), world.scores


def with_cards(row, game, cards, decks, run):
    """Run a rule with a tape that dictates who draws which card."""
    digits = []
    for player, card in cards:
        digits.append(int((decks[player][:card] > 0).sum()))
        decks[player][card] -= 1
    tape = np.zeros(TAPE_HEAD + TAPE_STEP * (len(digits) + 1), np.int64)
    tape[1] = len(digits) + 1
    tape[TAPE_HEAD : TAPE_HEAD + TAPE_STEP * len(digits) : TAPE_STEP] = digits
    header = row.view(game.state)
    header["tape"] = tape.ctypes.data
    run()
    header["tape"] = 0
    assert tape[0] == len(digits), "the client drew another number of cards"
