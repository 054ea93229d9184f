"""The games of Plyglass, one folder each.

Plyglass finds a new folder by itself. A game is imported when its class, such as
`plyglass.games.ConnectFour`, is first used.
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
# The class that wraps the games of another library, by the name of the library. The class is
# imported only when a game of this library is named, because it needs the library.
LIBRARIES = {"spiel": "plyglass.interop.spiel_in@SpielGame"}
_HERE = Path(__file__).parent


def names() -> list[str]:
    """Return the names of all games that come with Plyglass."""
    return [*_names()]


@functools.cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(path.parent.name.replace("_", "-") for path in _HERE.glob("*/rules.py")))


def summary(name: str) -> str:
    """Return a line that describes a game; a game of Plyglass need not be imported."""
    if name in _names():
        text = (_folder(name) / "__init__.py").read_text()  # the file begins with its docstring
        return text.partition('"""')[2].partition("\n")[0].removesuffix('"""')
    return (inspect.getdoc(find(name)) or "").partition("\n")[0]


def readme(name: str) -> str:
    """Return the rules of a game, as text."""
    if name in _names():
        return (_folder(name) / "README.md").read_text()
    cls = find(name)
    about = (inspect.getdoc(inspect.getmodule(cls)), inspect.getdoc(cls))
    return "\n\n".join(dict.fromkeys(filter(None, about)))


def find(name: str) -> type[Game]:
    """Return the class of a game.

    `name` is a game of Plyglass, a game of an installed package, the path of a file that defines
    one game, or `file.py@Class`.
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
            f"{name} defines {len(found)} games; a file that is given as a game defines exactly "
            f"one subclass of Game. Choose one of several as {name}@Class."
        )
    return found[0]


def __getattr__(name: str) -> Any:
    folder = next((each for each in _names() if each.replace("-", "") == name.lower()), None)
    if folder is None:
        raise AttributeError(f"plyglass.games has no game {name!r}")
    return find(folder)
