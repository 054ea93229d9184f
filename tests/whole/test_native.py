"""The package's games and planners run without compilation, and without importing Numba."""

import ast
import importlib
import itertools
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import plyglass
from plyglass.core import library
from plyglass.core.compile import JIT, Kernel

SOURCE = Path(plyglass.__file__).parent

pytestmark = pytest.mark.skipif(
    not JIT or not library._manifest()["games"], reason="the native libraries are not built"
)


def said(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_game_and_its_own_player_start_without_numba(tmp_path):
    found = said(
        """
        import json, sys
        from dataclasses import replace
        import plyglass as pg
        from plyglass.core.compile import compilations
        for name in pg.games.names():
            game = pg.game_from(name)
            agent = replace(pg.agent_from(game.opponent), budget=pg.Budget(seconds=0.02))
            world = game.start(1)
            seat = agent.take_seat(game, world.to_move, 1)
            seat.observe(None, world.hide(world.to_move))
            assert seat.decide().action in world.legal(), name
        print(json.dumps({"numba": "numba" in sys.modules, **compilations()}))
        """,
        PLYGLASS_CACHE=str(tmp_path),
    )
    assert found["compiled"] == 0
    assert not found["numba"]
    assert not list(tmp_path.iterdir())


def test_every_planner_with_every_belief_decides_without_numba(tmp_path):
    found = said(
        """
        import json, sys
        from plyglass.bench.signature import compare, digests
        from plyglass.core.compile import compilations
        changed = compare(dict(digests()))
        print(json.dumps({"changed": changed, "numba": "numba" in sys.modules, **compilations()}))
        """,
        PLYGLASS_CACHE=str(tmp_path),
    )
    assert found["changed"] == []
    assert found["compiled"] == 0, "record the kernels: plyglass build --record"
    assert not found["numba"]


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.skipif(library.processor() != "x86-64-v3", reason="it compares with x86-64-v3")
def test_an_older_processor_gives_the_same_decisions(tmp_path):
    # .ci/run builds only what its machine uses; a wheel holds both
    environment = {**os.environ, "PLYGLASS_BUILD_FOR": ""}
    subprocess.run([sys.executable, "-m", "plyglass.native"], env=environment, check=True)
    found = said(
        """
        import json
        from plyglass.bench.signature import compare, digests
        from plyglass.core.compile import compilations
        print(json.dumps([compare(dict(digests())), compilations()["compiled"]]))
        """,
        PLYGLASS_CACHE=str(tmp_path),
        PLYGLASS_PROCESSOR="x86-64-v2",
    )
    assert found == [[], 0]


def test_libraries_are_built_for_the_processors_that_an_option_names(monkeypatch):
    from plyglass.native import build

    monkeypatch.setenv("PLYGLASS_BUILD_FOR", "host")
    assert build.processors() == (build._host(),)
    parts = build._built()
    name = "connect-four"
    assert build._current(name, parts[name]) == parts[name]
    monkeypatch.setenv("PLYGLASS_BUILD_FOR", "some-other-processor")
    assert build._current(name, parts[name]) is None
    # a manifest names a processor only if all libraries are there for it
    parts[name] = {**parts[name], "digests": {**parts[name]["digests"], "another": "digest"}}
    assert "another" not in build._manifest(parts)["processors"]
    assert build._host() in build._manifest(parts)["processors"]


def test_a_library_is_built_again_only_if_its_functions_mean_something_else(monkeypatch):
    from plyglass.native import build

    monkeypatch.setenv("PLYGLASS_BUILD_FOR", "host")
    part = build._built()["connect-four"]
    edited = {**part, "sources": dict.fromkeys(part["sources"], "another digest")}
    assert build._current("connect-four", edited) == part
    assert build._current("connect-four", {**edited, "meaning": "another meaning"}) is None


def test_rarely_called_kernels_came_compiled_too(tmp_path):
    found = said(
        """
        import json, sys
        import numpy as np
        import plyglass as pg
        from plyglass.beliefs.cloud import add_worlds, pool_for, with_room
        from plyglass.core.actions import kind_of
        from plyglass.core.compile import compilations
        from plyglass.games.duel.view import creature_name
        from plyglass.games.pandemic.tally import tally
        from plyglass.interop.observation import Layout

        game = pg.game_from("connect-four")
        Layout(game).encode(game.start(1).hide(0))
        world = game.start(1)
        pool = pool_for(game, 1)
        add_worlds(game.table, pool, world.row()[None].view(np.uint8), np.ones(1))
        assert int(with_room(game, pool, 8).used[0]) == 1
        tally(pg.game_from("pandemic"), 2, seed=1)
        creature_name(np.uint8(17))
        kind_of(np.int32(1 << 24))
        print(json.dumps({"numba": "numba" in sys.modules, **compilations()}))
        """,
        PLYGLASS_CACHE=str(tmp_path),
    )
    assert found["compiled"] == 0
    assert not found["numba"]


def test_every_kernel_that_python_calls_is_recorded():
    from plyglass.native import signatures

    recorded = signatures.recorded()
    missing = {
        f"{library.label_of(kernel)} in {place}"
        for place, kernel in kernels_called_by_python()
        if library.label_of(kernel) not in recorded
    }
    assert not missing, "plyglass build --record"


def kernels_called_by_python():
    """(module, kernel) for each call of a kernel in a function with types; no kernel has types."""
    for path in sorted(SOURCE.rglob("*.py")):
        name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
        # the loop of `interop.matches` reshapes an array, which needs Numba's runtime
        if path.stem == "__main__" or name == "plyglass.interop.matches":
            continue
        try:
            module = importlib.import_module(name.removesuffix(".__init__"))
        except ModuleNotFoundError:  # an extra that is not installed
            continue
        functions = [
            node
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.FunctionDef) and node.returns is not None
        ]
        for node in itertools.chain.from_iterable(map(ast.walk, functions)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                kernel = getattr(module, node.func.id, None)
                if isinstance(kernel, Kernel):
                    yield name, kernel
