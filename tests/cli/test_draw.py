"""The command that draws a match."""

import io
import os
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from typer.testing import CliRunner

import plyglass as pg
from plyglass.cli import app
from plyglass.core.compile import JIT
from tests.whole.documents import run_document

GAME = ("rocksample:size=3,rocks=2,steps=6", "uct:iterations=20")


def run(*words, code=0):
    done = CliRunner().invoke(app, ["draw", *map(str, words)])
    assert done.exit_code == code, done.output
    return " ".join(done.output.split())


def decisions(seed):
    return len(pg.play(pg.game_from(GAME[0]), [pg.agent_from(GAME[1])], seed=seed).moves)


def test_a_film_is_written(tmp_path):
    assert f"{decisions(4)} decisions of rover" in run(
        *GAME, "--seed", 4, "--out", tmp_path / "run.gif"
    )
    assert Image.open(tmp_path / "run.gif").n_frames == decisions(4) + 1


def test_a_page_is_written_of_a_record(tmp_path):
    match = pg.play(pg.game_from(GAME[0]), [pg.agent_from(GAME[1])], seed=4)
    pg.record_of(match).save(tmp_path / "record.json")
    run(tmp_path / "record.json", "--out", tmp_path / "again.html")
    run(*GAME, "--seed", 4, "--out", tmp_path / "first.html")
    assert (tmp_path / "again.html").read_text() == (tmp_path / "first.html").read_text()
    assert "give the record alone" in run(
        tmp_path / "record.json", "random", "--out", tmp_path / "x.html", code=2
    )


def test_a_page_is_written_with_a_review(tmp_path):
    run("tiger", "uct:iterations=50", "--seed", 1, "--review", "--out", tmp_path / "match.html")
    assert 'class="course"' in (tmp_path / "match.html").read_text()


def test_everybodys_eyes_are_in_one_page(tmp_path):
    game = "skirmish:fog=true,turns=2"
    match = pg.play(pg.game_from(game), [pg.agent_from("random")] * 2, seed=1)
    said = run(
        game,
        "random",
        "random",
        "--seed",
        1,
        "--seat",
        0,
        "--truth",
        "--out",
        tmp_path / "match.html",
    )
    assert f"{len(match.moves)} decisions of all players" in said
    assert "<h1>skirmish</h1>" in (tmp_path / "match.html").read_text()


def test_single_steps_are_drawn_by_day_and_by_night(tmp_path):
    run(*GAME, "--step", 0, "--dark", "--truth", "--out", tmp_path / "board.png")
    image = Image.open(io.BytesIO((tmp_path / "board.png").read_bytes())).convert("RGB")
    assert max(image.getpixel((2, 2))) < 64
    assert image.width > image.height, "the truth stands beside what was seen"
    run(*GAME, "--out", tmp_path / "board.svg")
    assert "the end" in "".join(ElementTree.parse(tmp_path / "board.svg").getroot().itertext())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            (*GAME, "--out", "run.mp4"),
            "Cannot draw 'run.mp4'; the name must end with one of .gif, .html, .png, .svg",
        ),
        (
            (*GAME, "--review", "--out", "run.gif"),
            "Only a page shows a review; end 'run.gif' with .html",
        ),
        ((*GAME, "--step", "99", "--out", "run.png"), "there is no step 99"),
        ((*GAME, "--seat", "2", "--out", "run.html"), "there is no seat 2"),
    ],
)
def test_a_mistake_is_answered_with_a_sentence(tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    assert sentence in run(*words, code=2)
    assert not list(tmp_path.iterdir())


def test_a_game_without_a_scene_is_refused_with_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(pg.games.TicTacToe, "scene", pg.Game.scene)
    words = ("tic-tac-toe", "random", "random", "--out", tmp_path / "run.html")
    assert "tic-tac-toe cannot be drawn" in run(*words, code=2)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_the_document_on_scenes_runs(tmp_path):
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    run_document(Path(__file__).parents[2] / "docs" / "scenes.md", tmp_path, environment)
    assert {path.name for path in tmp_path.iterdir()} >= {
        "rover.html",
        "hunt.gif",
        "fog.png",
        "shells.html",
        "shells.svg",
    }
