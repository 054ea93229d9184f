"""The disk cache: never stale, private, and it can be turned off."""

import importlib
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from plyglass.core import cache
from plyglass.core.compile import JIT

GAME = """
    import numpy as np
    import plyglass as pg
    from tariff import price

    State = pg.state_dtype(("total", np.int32), ("count", np.int8))

    @pg.kernel
    def start(r, setup, s):
        s.total = 0

    @pg.kernel
    def to_move(r, s):
        return -1 if s.count == 3 else 0

    @pg.kernel
    def legal(r, s, out):
        out[0] = 0
        return 1

    @pg.kernel
    def apply(r, s, action):
        s.total += price(s.count)
        s.count += 1

    @pg.kernel
    def score(r, s, player):
        return s.total / 1000.0

    class Shop(pg.Game):
        name = "shop"
        state = State
        rules = (start, to_move, legal, apply, score)

        def __init__(self):
            super().__init__(players=1, most_actions=1, most_steps=3, scores=(0.0, 1.0))
"""
TARIFF = """
    import plyglass as pg
    from rate import RATE

    @pg.kernel
    def price(count):
        return RATE * (count + 1)
"""
RUN = """
    import json, time
    import plyglass as pg
    from plyglass.core.compile import compilations
    world = pg.game_from("shop.py").start(1)
    for _ in range(3):
        world.apply(0)
    print(json.dumps({"score": world.scores[0], **compilations()}))
"""


@pytest.fixture
def shop(tmp_path):
    for name, text in {
        "shop.py": GAME,
        "tariff.py": TARIFF,
        "rate.py": "RATE = 10\n",
        "run.py": RUN,
    }.items():
        (tmp_path / name).write_text(textwrap.dedent(text))
    return tmp_path


def run(folder, **environment):
    settings = {
        **os.environ,
        "PLYGLASS_CACHE": str(folder / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "run.py"],
        cwd=folder,
        env=settings,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_an_edited_callee_gives_the_new_result_and_a_restored_one_the_old_uncompiled(
    shop,
):
    first = run(shop)
    assert first["score"] == 0.06
    assert first["compiled"] > 0
    assert run(shop)["compiled"] == 0

    (shop / "tariff.py").write_text(textwrap.dedent(TARIFF).replace("count + 1", "count + 2"))
    assert run(shop)["score"] == 0.09

    (shop / "tariff.py").write_text(textwrap.dedent(TARIFF))
    again = run(shop)
    assert again["score"] == 0.06
    assert again["compiled"] == 0


def test_an_edited_constant_two_files_away_gives_the_new_result(shop):
    assert run(shop)["score"] == 0.06
    (shop / "rate.py").write_text("RATE = 20\n")
    assert run(shop)["score"] == 0.12


def test_the_cache_is_its_users_alone(shop):
    run(shop)
    folders = [path for path in (shop / "cache").rglob("*") if path.is_dir()]
    assert folders
    assert all(path.stat().st_mode & 0o077 == 0 for path in [shop / "cache", *folders])


def test_the_cache_can_be_turned_off(shop):
    result = run(shop, PLYGLASS_CACHE="0")
    assert result["score"] == 0.06
    assert not list(shop.rglob("*.nbi"))


def test_other_projects_keep_their_own_cache(shop):
    (shop / "foreign.py").write_text(
        "import numba\n\n@numba.njit(cache=True)\ndef twice(x):\n    return 2 * x\n"
    )
    (shop / "run.py").write_text(
        "import plyglass.core\nimport foreign\nassert foreign.twice(2) == 4\nprint('{}')\n"
    )
    run(shop)
    assert list((shop / "__pycache__").glob("foreign.twice*.nbi"))


def test_bounds_checked_code_is_cached_apart(shop):
    assert run(shop)["compiled"] > 0
    assert run(shop, NUMBA_BOUNDSCHECK="1")["compiled"] > 0
    assert run(shop)["compiled"] == 0


def test_a_module_that_moved_within_the_package_is_compiled_anew(tmp_path, monkeypatch):
    # Compiled code asks for the module it was compiled in, which is gone.
    monkeypatch.setattr(cache, "PACKAGE", tmp_path)
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "rules.py").write_text("x = 1\n")
    assert cache._digest((str(tmp_path / "old" / "rules.py"),)) != cache._digest(
        (str(tmp_path / "new" / "rules.py"),)
    )


def test_files_of_one_installed_package_are_watched_together(tmp_path, monkeypatch):
    for name, text in (
        ("watched/__init__.py", ""),
        ("watched/rules.py", "from watched import sizes\nimport unwatched\n"),
        ("watched/sizes.py", "SIZE = 3\n"),
        ("unwatched.py", ""),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(cache, "LIBRARIES", (f"{os.path.realpath(tmp_path)}{os.sep}",))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("watched.rules")
    files = cache.closure(os.path.realpath(tmp_path / "watched/rules.py"))
    assert {Path(file).name for file in files} == {"rules.py", "sizes.py", "__init__.py"}


def test_libraries_beside_those_of_the_interpreter_are_not_watched(tmp_path, monkeypatch):
    """A tool that builds a wheel installs what it needs in a folder of its own."""
    installed = tmp_path / "build-env" / "site-packages"
    installed.mkdir(parents=True)
    (installed / "unwatched_elsewhere.py").write_text("")
    (tmp_path / "watched_rules.py").write_text("import unwatched_elsewhere\n")
    monkeypatch.syspath_prepend(installed)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(cache, "LIBRARIES", cache._library_folders())
    importlib.import_module("watched_rules")
    rules = os.path.realpath(tmp_path / "watched_rules.py")
    assert cache.closure(rules) == {rules}


UNWRITABLE = """
import resource, sys
from plyglass.core import kernel, library
if sys.argv[1] == "full":
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

@kernel
def twice(number):
    return 2 * number

assert twice(21) == 42 and twice(0.5) == 1.0
library.keep(library.cache.root() / "own" / "code.o", b"x" * 1000)
"""


@pytest.mark.skipif(sys.platform != "linux" or not JIT, reason="limits of Linux")
@pytest.mark.parametrize("kind", ["file", "missing", "full"])
def test_where_the_cache_cannot_be_written_code_is_compiled_in_memory(kind, tmp_path):
    (tmp_path / "unwritable.py").write_text(UNWRITABLE)
    (tmp_path / "file").touch()
    place = {"file": tmp_path / "file", "missing": "/proc/nothing", "full": tmp_path / "cache"}
    done = subprocess.run(
        [sys.executable, str(tmp_path / "unwritable.py"), kind],
        env={**os.environ, "PLYGLASS_CACHE": str(place[kind])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Compiled code cannot be kept in") == 1
    assert "Set PLYGLASS_CACHE to a folder" in done.stderr
    assert not [each for each in (tmp_path / "cache").rglob("*") if each.suffix in (".o", ".nbc")]


@pytest.mark.skipif(not JIT, reason="nothing is cached")
def test_a_damaged_file_of_a_kernel_is_made_anew(tmp_path):
    (tmp_path / "twice.py").write_text(
        "import plyglass as pg\n\n@pg.kernel\ndef twice(x):\n    return 2 * x\n\nprint(twice(21))\n"
        "from plyglass.core.compile import compilations\nprint(compilations()['compiled'])\n"
    )

    def run():
        environment = {**os.environ, "PLYGLASS_CACHE": str(tmp_path / "cache")}
        command = [sys.executable, "twice.py"]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.split()

    assert run() == ["42", "1"]
    assert run() == ["42", "0"]
    for kind in ("nbi", "nbc"):
        (file,) = (tmp_path / "cache").rglob(f"*.{kind}")
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 4
        file.write_bytes(content)
        assert run() == ["42", "1"]
        assert run() == ["42", "0"]
