"""The package as a whole: public names, golden playthroughs, layers of files."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import plyglass as pg
from plyglass.core.playthrough import playthrough

SOURCE = Path(pg.__file__).parent


def test_public_names_are_those_that_exist():
    assert sorted(pg.__all__) == sorted({*pg._MODULE_OF, "games"})
    for name in pg.__all__:
        assert getattr(pg, name) is not None
    assert set(pg.__all__) <= set(dir(pg))


def test_every_game_is_complete():
    for name in pg.games.names():
        folder = SOURCE / "games" / name.replace("-", "_")
        for file in ("rules.py", "view.py", "README.md", "playthrough.txt"):
            assert (folder / file).is_file(), f"{name} has no {file}"
        assert (folder / "playthrough.txt").read_text(encoding="utf-8") == playthrough(
            pg.game_from(name)
        )


def test_only_one_file_compiles_and_only_one_calls_through_the_table():
    compiling = [
        path
        for path in SOURCE.rglob("*.py")
        if "njit(" in path.read_text() or "cfunc(" in path.read_text()
    ]
    assert compiling == []
    making = [
        path.name
        for path in SOURCE.rglob("*.py")
        if "CPUDispatcher" in path.read_text() or "CFunc(" in path.read_text()
    ]
    assert sorted(making) == ["jit.py", "module.py"]
    calling = [path.name for path in SOURCE.rglob("*.py") if "call_int(table" in path.read_text()]
    assert calling == ["verbs.py"]


def test_nothing_is_unpickled_or_evaluated():
    for path in SOURCE.rglob("*.py"):
        text = path.read_text()
        for word in ("import pickle", "cloudpickle", "eval(", "exec("):
            assert word not in text.replace("exec_module(", ""), f"{path} uses {word}"


def test_the_build_hook_builds_its_own_sources(monkeypatch, tmp_path):
    class Hook(dict):  # `BuildHookInterface[Any]`, without hatchling
        root = str(tmp_path)

    interface = ModuleType("hatchling.builders.hooks.plugin.interface")
    interface.BuildHookInterface = type(
        "Generic", (), {"__class_getitem__": lambda cls, kind: Hook}
    )
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    hook = SOURCE.parents[1] / "hatch_build.py"
    spec = importlib.util.spec_from_file_location("hatch_build", hook)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    native = tmp_path / "src" / "plyglass" / "native"
    native.mkdir(parents=True)
    (native.parent / "__init__.py").write_text("")
    (native / "__init__.py").write_text("")
    (native / "__main__.py").write_text(f"open({str(tmp_path / 'built')!r}, 'w').write(__name__)")
    monkeypatch.setenv("CC", "cc")
    monkeypatch.delenv("PLYGLASS_PURE", raising=False)
    # pip may take a folder off the path that PYTHONPATH gives
    monkeypatch.setenv("PYTHONPATH", "")
    module.NativeHook().initialize("standard", {"artifacts": []})
    assert (tmp_path / "built").read_text() == "__main__"
