"""The terminal as a person has it: undo, save and resume in Duelyst and Pandemic."""

import os
import re
import sys

import pexpect
import pytest

import plyglass as pg
from plyglass.core.compile import JIT

PROMPT, LEFT = r"for help\): ", "You left the game"
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

pytestmark = pytest.mark.skipif(not JIT, reason="too long for interpreted code")


class Terminal:
    """A game in a pseudo-terminal of 100 columns, without colours."""

    def __init__(self, *words):
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "plyglass", "play", *map(str, words)],
            encoding="utf-8",
            timeout=240,
            dimensions=(60, 100),
            env={**os.environ, "NO_COLOR": "1", "TERM": "xterm"},
        )

    def screen(self, until=PROMPT):
        """What was printed until the next prompt, without codes."""
        self.child.expect(until)
        return CODES.sub("", self.child.before).replace("\r\n", "\n")

    def type(self, line, until=PROMPT):
        self.child.sendline(line)
        return self.screen(until)

    def leave(self):
        self.type("q", LEFT)
        self.child.expect(pexpect.EOF)
        self.child.close()
        assert self.child.exitstatus == 0


def board(screen):
    """The last framed view of a screen."""
    frames = re.findall(r"╭─.*?╰─+╯", screen, re.DOTALL)
    return re.sub(r"[╭╰].*", "", frames[-1])


def test_duelyst_is_taken_back_saved_and_resumed(tmp_path):
    saved = tmp_path / "game.json"
    game = Terminal("duelyst", "medium", "--seed", "7")
    assert "against the medium level" in game.screen()
    first = game.type("keep")  # a part of the only such name
    assert "You play keep all." in first
    moved = game.type("move c3")
    assert board(moved) != board(first)
    back = game.type("u")
    assert "unrated, 1 action taken back" in back
    assert board(back) == board(first)
    game.type("move c3")
    told = game.type("end")
    assert "player 2 plays Silverguard Knight" in told, "what is public is told"
    assert "The file also has what is hidden" in game.type(f"s {saved}")
    game.leave()
    record = pg.Record.load(saved)
    assert (record.over, record.undone, record.resumed) == (False, 1, (2,))
    again = Terminal(saved)
    assert board(again.screen()) == board(told)
    across = again.type("u 2")  # over the turn of the opponent
    assert "unrated, 3 actions taken back" in across
    assert board(across) == board(first)
    again.leave()


def test_pandemic_is_taken_back_saved_and_resumed(tmp_path):
    saved = tmp_path / "game.json"
    game = Terminal("pandemic", "--seed", "7", "--save", saved)
    first = game.screen()
    assert max(map(len, first.splitlines())) <= 100
    assert "Atlanta⌂" in board(first)
    choices = game.type("?")
    assert "Your 168 actions" in choices
    assert "player 3: drive (3): to Chicago, Washington, Miami" in choices
    assert len(choices.splitlines()) < 50
    moved = game.type("3 drive chi")
    assert "△Chicago③" in board(moved)
    assert board(game.type("undo")) == board(first)
    assert board(game.type("r")) == board(first)
    moved = game.type("3 drive chi")
    game.leave()
    assert not pg.Record.load(saved).over
    again = Terminal(saved)
    assert board(again.screen()) == board(moved)
    assert "unrated, 2 actions taken back" in again.type("u")
    again.leave()
