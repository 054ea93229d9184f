"""The code behind a recorded result: which parts decide it, and what changes its digest."""

import json
import subprocess

import pytest
from typer import Typer
from typer.testing import CliRunner

from plyglass.cli.reproduce import reproduce as command
from plyglass.experiments import provenance, recorded, reproduction
from plyglass.experiments.provenance import Code, code_of_settings, digests_of
from plyglass.experiments.study import artifact_named, artifacts

app = Typer()
app.command()(command)
SOURCE = '''"""About."""

def twice(a):
    """Twice a."""
    return f"{a + a}"  # not three times
'''
SAME = '''"""About something else."""
# a comment
def twice(a):

    """In other words.
    Over two lines."""
    return f"{a + a}"
'''


def digest(folder, text):
    file = folder / "planners" / "one.py"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return digests_of([file], folder)


def test_words_do_not_change_a_digest_and_code_does(tmp_path):
    before = digest(tmp_path, SOURCE)
    assert set(before) == {"planners/one"}
    assert digest(tmp_path, SAME) == before
    for change in (("a + a", "a + a + a"), ("def twice", "def thrice"), ("return", "return 1,")):
        assert digest(tmp_path, SOURCE.replace(*change)) != before
    assert digest(tmp_path, SOURCE + "if twice(1):\n    pass\nx = 1\n") != digest(
        tmp_path, SOURCE + "if twice(1):\n    pass\n    x = 1\n"
    )


def test_strings_that_are_values_count(tmp_path):
    assert digest(tmp_path, 'NAME = "a"\n') != digest(tmp_path, 'NAME = "b"\n')
    assert digest(tmp_path, '("a")\n') != digest(tmp_path, '("b")\n')
    assert digest(tmp_path, '"a".join(x)\n') != digest(tmp_path, '"b".join(x)\n')


def test_game_planners_and_beliefs_decide_and_pictures_do_not():
    parts = code_of_settings(artifact_named("fog-of-war/stronger").tournament()).parts
    assert {"games/tubstap", "planners/pimc", "planners/plan_tournament"} <= set(parts)
    assert {"beliefs/tracks", "search/mcts", "core"} <= set(parts)
    assert "beliefs/exact" not in parts
    assert not {part for part in parts if part.startswith("games/")} - {"games/tubstap"}
    files = provenance.files_of_game(artifact_named_game("tubstap"))
    assert not [file for file in files if "picture" in file]
    assert [file for file in files if file.endswith("weights.json")]


def artifact_named_game(name):
    from plyglass.arena.specs import game_from

    return game_from(name)


def test_every_recorded_result_names_its_commit_and_the_parts_that_decide_it():
    for artifact in artifacts():
        path = recorded.path_of(artifact)
        if path.is_file():
            code = json.loads(path.read_text())["code"]
            assert code["commit"], artifact.name
            assert any(part.startswith(("games/", "experiments/")) for part in code["parts"])


def test_a_commit_has_its_edits(tmp_path, monkeypatch):
    def git(*words):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True, capture_output=True)

    file = tmp_path / "match.py"
    file.write_text("1\n")
    git("init", "-q")
    git("add", ".")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "One")
    monkeypatch.setattr(provenance, "TOP", tmp_path)
    monkeypatch.setattr(provenance, "MATCH", file)
    for edit, ending in (("1\n", ""), ("2\n", "+edits")):
        file.write_text(edit)
        provenance._git.cache_clear()
        commit = provenance.commit_of([file])
        assert (commit[12:], len(commit) >= 12) == (ending, True)
    provenance._git.cache_clear()
    monkeypatch.setattr(provenance, "TOP", tmp_path / "none")
    assert provenance.commit_of([file]) == ""
    provenance._git.cache_clear()


@pytest.fixture
def known(monkeypatch):
    """A recorded result whose code is that of today, and a way to change the code."""
    name = "fog-of-war/stronger"
    artifact = artifact_named(name)
    done = recorded.recorded(artifact)
    now = reproduction.code_now(artifact)
    monkeypatch.setattr(recorded, "recorded", lambda given: replaced(done, now))

    def change(parts):
        monkeypatch.setattr(recorded, "code_now", lambda given: Code("new", parts))

    return name, now, change


def replaced(done, code):
    from dataclasses import replace

    return replace(done, code=Code("abcdef123456", code.parts))


def shown(name, tmp_path):
    done = CliRunner().invoke(app, [name, "--recorded", "--out", str(tmp_path), "--json"])
    assert done.exit_code == 0
    return " ".join(done.stderr.split())


def test_recorded_says_which_code_has_changed_since(known, tmp_path):
    name, now, change = known
    assert "has changed" not in shown(name, tmp_path)
    change({**now.parts, "games/tubstap": "other"})
    words = shown(name, tmp_path)
    assert (
        f"Code that decides {name} has changed since it was recorded at commit abcdef123456: "
        "games/tubstap. Play it again" in words
    )
    assert "Its agents have time limits." in words


def test_recorded_says_that_the_code_is_unknown():
    artifact = artifact_named("fog-of-war/stronger")
    done = replaced(recorded.recorded(artifact), Code())
    assert recorded.remarks(done) == ["Which code played fog-of-war/stronger is not recorded."]
