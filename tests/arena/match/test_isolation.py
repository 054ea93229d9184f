"""Secret seeds and isolated players: guessing, remembering and reading files gain nothing."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

import plyglass as pg
from plyglass.arena.match import sandbox
from plyglass.arena.match.agent import is_foreign
from plyglass.arena.match.isolation import (
    IsolatedSeat,
    IsolationFailed,
    decision_from,
    is_foreign_text,
)
from plyglass.arena.match.match import AgentFault
from plyglass.arena.runners import Serial
from plyglass.arena.tournament.driver import Tournament, open_run
from plyglass.arena.tournament.settings import Settings
from plyglass.core.compile import JIT
from plyglass.core.seeds import derive, derive_secret, is_secret, new_secret
from tests.arena.match import attacks

ATTACKS = str(Path(attacks.__file__).resolve())
GAME = "tiger:steps=4"
closed = pytest.mark.skipif(not sandbox.available(), reason="this system cannot close a sandbox")
compiled = pytest.mark.skipif(not JIT, reason="a process of its own compiles nothing here")


def scores(tmp_path, attack, *, isolate, deals=6, trials=1):
    """The scores of a tournament of one attack, by number."""
    settings = Settings(
        (GAME,), {"attack": attack}, deals=deals, trials=trials, isolate=isolate, key="5eed" * 16
    )
    with open_run(tmp_path / "run.sqlite", settings) as store:
        tournament = Tournament(settings, store, Serial())
        tournament.run()
        rows = list(tournament.counted_rows())
        assert {row.status for row in rows} <= {"played", "crashed"}
        return [row.scores[0] if row.scores else 0.0 for row in rows]


def test_seeds_of_public_roots_are_those_of_records_made_so_far():
    assert derive(7, 1) == 4042502035264064771
    assert derive(derive(0, 0, 3), 0, 0) == 5529765097780337151


def test_a_secret_root_gives_seeds_that_say_nothing_about_each_other():
    root = new_secret()
    assert is_secret(root)
    assert is_secret(derive_secret(root, 1))
    assert derive(root, 1) == derive(root, 1)
    assert len({derive(root, 1), derive(root, 2), derive(root, 1, 0), derive(root + 1, 1)}) == 4
    assert not is_secret(derive(root, 1))
    assert not is_secret(2**64 - 1)


def test_guessing_the_seed_gains_nothing_in_a_match():
    game = pg.game_from(GAME)
    for seed in range(20):
        match = pg.play(game, [attacks.Guessing()], seed=seed)
        assert match.scores == (-4.0,)
        assert is_secret(match.seed)
    again = pg.play(game, [attacks.Guessing()], seed=match.seed)
    assert again.seed == match.seed
    assert again.end == match.end


def test_guessing_the_seed_gains_nothing_in_a_tournament(tmp_path):
    settings = Settings((GAME,), {"attack": f"{ATTACKS}@Guessing"}, deals=20)
    with open_run(tmp_path / "run.sqlite", settings) as store:
        tournament = Tournament(settings, store, Serial())
        tournament.run()
        assert {row.scores for row in tournament.counted_rows()} == {(-4.0,)}
        digest = tournament.outcome().digest
    with open_run(tmp_path / "run.sqlite", settings) as store:
        kept = Settings.from_canonical(store.settings)
    assert kept.run_id == settings.run_id
    with open_run(tmp_path / "again.sqlite", kept) as store:  # whoever has the key can repeat it
        assert Tournament(kept, store, Serial()).run().digest == digest


def test_matches_of_our_own_agents_keep_their_public_seeds():
    match = pg.play(pg.game_from(GAME), [pg.agent_from("uct:iterations=10")], seed=3)
    assert match.seed == 3
    settings = Settings((GAME,), {"a": "uct:iterations=10", "b": "random"})
    assert settings.sealed() is settings


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("uct:iterations=5", False),
        ("pimc:worlds=5,inner=expectiminimax(depth=3)", False),
        ("my_player.py@Mine", True),
        ("uct:belief=my_belief.py@Hunch", True),
    ],
)
def test_a_text_tells_whether_its_code_is_ours(text, foreign):
    assert is_foreign_text(text) == foreign


def test_a_false_name_does_not_make_a_class_ours():
    liar = type("UCT", (), {"cheats": False})
    liar.__module__ = "plyglass.planners.uct"
    assert is_foreign(liar())
    assert is_foreign(pg.Isolated("random"))
    assert not is_foreign(pg.agent_from("pimc:worlds=5,inner=expectiminimax(depth=3)"))


@pytest.mark.parametrize("attack", ["Walking", "Opening"])
def test_foreign_code_beside_the_match_can_know_the_truth(tmp_path, attack):
    """What isolation is for: without it, these attacks succeed."""
    given = f":store={tmp_path / 'run.sqlite'}" if attack == "Opening" else ""
    assert min(scores(tmp_path, f"{ATTACKS}@{attack}{given}", isolate=False)) == 40.0


def test_foreign_code_beside_the_match_can_remember(tmp_path):
    found = scores(tmp_path, f"{ATTACKS}@Remembering", isolate=False, trials=2)
    assert set(found[1::2]) == {7.0}


@compiled
@closed
@pytest.mark.parametrize("attack", ["Walking", "Opening"])
def test_an_isolated_player_learns_nothing(tmp_path, attack):
    given = f":store={tmp_path / 'run.sqlite'}" if attack == "Opening" else ""
    found = scores(tmp_path, f"{ATTACKS}@{attack}{given}", isolate=True, deals=1)
    assert max(found) <= 0.0


@compiled
@closed
def test_an_isolated_player_remembers_nothing(tmp_path):
    found = scores(tmp_path, f"{ATTACKS}@Remembering", isolate=True, deals=1, trials=2)
    assert found == [-103.0, -103.0]


@compiled
def test_an_isolated_agent_decides_as_it_does_beside_the_match(tmp_path):
    planner = tmp_path / "own_planner.py"
    planner.write_text("from plyglass.planners.uct import UCT\nclass Own(UCT):\n    pass\n")
    game, text = pg.game_from("leduc-poker"), f"{planner}@Own:iterations=50"
    other = pg.agent_from("uct:iterations=50")
    seed = new_secret()
    apart = pg.play(game, [pg.Isolated(text), other], seed=seed)
    beside = pg.play(game, [pg.agent_from(text), other], seed=seed)
    assert apart.actions == beside.actions
    assert [each.values for each in apart.decisions] == [each.values for each in beside.decisions]


@compiled
def test_an_error_of_an_isolated_player_is_told(tmp_path):
    broken = tmp_path / "broken_player.py"
    broken.write_text(
        "class Broken:\n"
        "    cheats = False\n"
        "    def take_seat(self, game, seat, seed):\n"
        "        return self\n"
        "    def observe(self, own_action, view):\n"
        "        print('not an answer')\n"
        "    def decide(self):\n"
        "        raise LookupError('no idea')\n"
    )
    with pytest.raises(AgentFault, match="raised an error") as fault:
        pg.play(pg.game_from(GAME), [pg.Isolated(f"{broken}@Broken")])
    assert "LookupError: no idea" in str(fault.value.__cause__)


@compiled
def test_the_process_of_a_seat_ends_with_the_seat():
    seat = IsolatedSeat("random", pg.game_from(GAME), 0, 1)
    running = seat._process._running
    del seat
    deadline = time.monotonic() + 10
    while running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert running.poll() is not None


@compiled
@closed
def test_the_sandbox_keeps_from_files_processes_and_connections(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the tiger is left")
    tried = subprocess.run(
        [sys.executable, "-c", TRIES, str(secret), str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(tried.stdout) == dict.fromkeys(
        ("read", "write", "parent", "signal", "connect"), "PermissionError"
    ) | {"import": "fine"}


TRIES = """
import json, os, socket, sys
from plyglass.arena.match import sandbox
from plyglass.arena.match.agent import is_foreign
sandbox.close("uct")
def tried(action):
    try:
        action()
    except Exception as error:
        return type(error).__name__
    return "fine"
print(json.dumps({
    "read": tried(lambda: open(sys.argv[1])),
    "write": tried(lambda: open(sys.argv[2] + "/new", "w")),
    "parent": tried(lambda: open(f"/proc/{os.getppid()}/mem", "rb")),
    "signal": tried(lambda: os.kill(os.getppid(), 0)),
    "connect": tried(lambda: socket.create_connection(("127.0.0.1", 9), 1)),
    "import": tried(lambda: __import__("colorsys")),
}))
"""


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"action": 1},
        {"action": "1", "actions": [1]},
        {"action": True, "actions": [1]},
        {"action": 1, "actions": [1], "values": ["high"]},
        {"action": 1, "actions": [1], "values": [float("nan")]},
        {"action": 1, "actions": [1], "iterations": 1.5},
        {"action": 1, "actions": [1], "line": [1]},
    ],
)
def test_an_answer_that_is_no_decision_is_refused(answer):
    with pytest.raises(IsolationFailed, match="is not a decision"):
        decision_from(answer)


def test_a_short_key_is_refused():
    with pytest.raises(ValueError, match="key must be empty or more than 64 bits"):
        Settings((GAME,), {"a": "random"}, key="abc")
