"""Games, one folder each. A new folder is found by itself; `plyglass.games.ConnectFour` imports
it when it is asked for.
"""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plyglass.core.game import Game

_HERE = Path(__file__).parent


def names() -> list[str]:
    """The names of all games in the package."""
    return sorted(path.parent.name.replace("_", "-") for path in _HERE.glob("*/rules.py"))


def summary(name: str) -> str:
    """One line about a game, read without importing it."""
    return (
        ast.get_docstring(ast.parse((_folder(name) / "__init__.py").read_text())) or ""
    ).partition("\n")[0]


def readme(name: str) -> str:
    """The rules of a game, as text."""
    return (_folder(name) / "README.md").read_text()


def find(name: str) -> type[Game]:
    """The class of a game: by its name, or by the path of a Python file that defines one."""
    if name.endswith(".py"):
        return _only_game(module_of_file(Path(name)), name)
    if name not in names():
        raise ValueError(
            f"There is no game {name!r}; there are {', '.join(names())}, or give the path of a "
            "Python file that defines one."
        )
    return _only_game(importlib.import_module(f"plyglass.games.{_folder(name).name}"), name)


def _folder(name: str) -> Path:
    return _HERE / name.replace("-", "_")


def module_of_file(path: Path) -> Any:
    """The module in a Python file of a user."""
    if not path.is_file():
        raise ValueError(f"There is no file {path}.")
    sys.path.insert(
        0, str(path.resolve().parent)
    )  # a game in several files imports its neighbours, as a script would
    module = importlib.import_module(path.stem)
    if Path(module.__file__ or "").resolve() != path.resolve():
        raise ValueError(f"{path} has the name of another module, {module.__file__}; rename it.")
    return module


def _only_game(module: Any, name: str) -> type[Game]:
    from plyglass.core.game import Game

    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__
    ]
    found = [each for each in classes if issubclass(each, Game)]
    if len(found) != 1:
        raise ValueError(
            f"{name} defines {len(found)} games; a file that is given as a game defines exactly "
            "one subclass of Game."
        )
    return found[0]


def __getattr__(name: str) -> Any:
    folder = next((each for each in names() if each.replace("-", "") == name.lower()), None)
    if folder is None:
        raise AttributeError(f"plyglass.games has no game {name!r}")
    return find(folder)
