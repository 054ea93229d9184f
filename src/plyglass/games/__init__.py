"""Plyglass's games, one folder each.

A new game needs no registration, because Plyglass finds every folder that has a `rules.py`.
Plyglass imports a game when its class, such as `plyglass.games.ConnectFour`, is first used.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyglass.extensions import current_name, find_class, module_of_file

if TYPE_CHECKING:
    from plyglass.core.game import Game

FORMER: dict[str, str] = {}  # maps a game's former name to its present name
# For each other library whose games Plyglass can play, the class that wraps such a game. The class
# is imported only when such a game is used, because the import needs the library.
LIBRARIES = {"spiel": "plyglass.interop.spiel_in@SpielGame"}
_HERE = Path(__file__).parent


def names() -> list[str]:
    """Return the names of all games that come with Plyglass."""
    return [*_names()]


@functools.cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(path.parent.name.replace("_", "-") for path in _HERE.glob("*/rules.py")))


def summary(name: str) -> str:
    """Return one line that describes a game.

    For a game that comes with Plyglass, the line is read from the file without importing the game.
    """
    if name in _names():
        text = (_folder(name) / "__init__.py").read_text()  # the file begins with its docstring
        return text.partition('"""')[2].partition("\n")[0].removesuffix('"""')
    return (inspect.getdoc(find(name)) or "").partition("\n")[0]


def readme(name: str) -> str:
    """Return the README of a game that comes with Plyglass, or another game's docstrings."""
    if name in _names():
        return (_folder(name) / "README.md").read_text()
    cls = find(name)
    about = (inspect.getdoc(inspect.getmodule(cls)), inspect.getdoc(cls))
    return "\n\n".join(dict.fromkeys(filter(None, about)))


def find(name: str) -> type[Game]:
    """Return the class of a game.

    `name` is the name of a game that comes with Plyglass or with an installed package, the path of
    a file that defines exactly one game, or `file.py@Class`.
    """
    name = current_name("game", name, FORMER)
    if name in _names():
        return _only_game(importlib.import_module(f"plyglass.games.{_folder(name).name}"), name)
    if name.endswith(".py"):
        return _only_game(module_of_file(Path(name)), name)
    found: type[Game] = find_class("game", LIBRARIES.get(name, name), names())
    return found


def _folder(name: str) -> Path:
    return _HERE / name.replace("-", "_")


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
            f"{name} defines {len(found)} subclasses of Game, but a file of a game must define "
            f"exactly one. To choose one of several subclasses, write {name}@Class."
        )
    return found[0]


def __getattr__(name: str) -> Any:
    folder = next((each for each in _names() if each.replace("-", "") == name.lower()), None)
    if folder is None:
        raise AttributeError(f"plyglass.games has no game {name!r}")
    return find(folder)
