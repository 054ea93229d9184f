"""This module finds games, planners and beliefs in a user's file or in an installed package.

A class in a file is named by the path of the file, as in `my_planner.py@Cautious`. A class in an
importable module is named by the module, as in `my_package.planners@Cautious`. A package can also
give its classes short names through entry points:

    [project.entry-points."plyglass.planners"]
    cautious = "my_package.planners:Cautious"

The groups are `plyglass.games`, `plyglass.planners` and `plyglass.beliefs`. A class is imported
only when it is needed. Importing this module imports neither Numba nor `importlib.metadata`.

A record or a store may not name code in any of these ways; `plyglass.trust` refuses such names.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import sys
import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from plyglass.trust import refuse_as_data

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Kind = Literal["game", "planner", "belief"]

# The parameters that `begin` must have besides `self`, for each kind of class with a `begin`.
_BEGIN = {"planner": ("game", "seat", "belief", "seed"), "belief": ("game", "seat", "seed")}


@dataclass(frozen=True)
class Offer:
    """A class that an installed package provides through an entry point."""

    kind: Kind
    name: str
    package: str
    entry: EntryPoint

    def load(self) -> Any:
        """Load and return the class.

        Raise an error if the class cannot be loaded, or if its kind or name is wrong.
        """
        where = f"the entry point {self.name} of the package {self.package}"
        refuse_as_data(self.name)
        try:
            found = self.entry.load()
        except Exception as error:
            raise ValueError(
                f"Cannot load {where} ({self.entry.value}): {type(error).__name__}: {error}"
            ) from error
        refuse_other_class(self.kind, found, where)
        if found.name != self.name:
            raise ValueError(
                f"{where[0].upper()}{where[1:]} names the {self.kind} {found.name!r}; give the "
                "entry point and the class the same name."
            )
        return found


def find_class(kind: Kind, name: str, own: Collection[str]) -> Any:
    """Return the class with this name, which is not one of Plyglass's own classes.

    The name is `file.py@Class`, `package.module@Class`, or the name of a package's entry point.
    `own` lists the names of Plyglass's own classes, for the error message.
    """
    if "@" in name:
        found = class_at(name)
        refuse_other_class(kind, found, name)
        return found
    offers = [each for each in offered(kind) if each.name == name]
    if len(offers) == 1:
        return offers[0].load()
    if offers:
        packages = " and ".join(each.package for each in offers)
        raise ValueError(
            f"The packages {packages} both offer a {kind} {name!r}; uninstall one of them."
        )
    known = ", ".join(sorted({*own, *(each.name for each in offered(kind))}))
    if name.endswith(".py"):
        raise ValueError(f"{name} is a file; name the {kind} in it, as {name}@Class.")
    raise ValueError(
        f"There is no {kind} {name!r}; there are {known}. You can also name a class of your own as "
        "file.py@Class."
    )


def current_name(kind: Kind, name: str, former: Mapping[str, str]) -> str:
    """Return the current name of a planner or belief; warn if `name` is a former name."""
    if name not in former:
        return name
    warnings.warn(
        f"The {kind} {name!r} is now called {former[name]!r}; use the new name.",
        FutureWarning,
        stacklevel=2,
    )
    return former[name]


def offered(kind: Kind) -> tuple[Offer, ...]:
    """Return all classes of this kind that installed packages provide, sorted by name."""
    return _offered(kind, tuple(sys.path))


def refused(kind: Kind, own: Collection[str]) -> dict[Offer, str]:
    """Return the packages' classes whose names are already taken, each with an explanation."""
    found, names = {}, [each.name for each in offered(kind)]
    for each in offered(kind):
        if each.name in own:
            found[each] = (
                f"The package {each.package} offers a {kind} {each.name!r}, but Plyglass has one "
                "of that name; the package has to rename it."
            )
        elif names.count(each.name) > 1:
            found[each] = (
                f"The package {each.package} offers a {kind} {each.name!r}, but so does another "
                "package; uninstall one of them."
            )
    return found


@functools.lru_cache(maxsize=12)
def _offered(kind: Kind, path: tuple[str, ...]) -> tuple[Offer, ...]:
    if not _some_package_offers(path):
        return ()
    from importlib.metadata import entry_points

    found = {
        Offer(kind, entry.name, entry.dist.name if entry.dist else "", entry)
        for entry in entry_points(group=f"plyglass.{kind}s")
    }
    return tuple(sorted(found, key=lambda each: (each.name, each.package)))


@functools.lru_cache(maxsize=4)
def _some_package_offers(path: tuple[str, ...]) -> bool:
    """Return whether an installed package may provide games, planners or beliefs.

    Searching the packages' entry point files is faster than importing `importlib.metadata`.
    """
    for folder in map(Path, path):
        if folder.is_file():  # an archive, which only `importlib.metadata` can read
            return True
        for pattern in ("*.dist-info/entry_points.txt", "*.egg-info/entry_points.txt"):
            if any(b"[plyglass." in file.read_bytes() for file in folder.glob(pattern)):
                return True
    return False


def class_at(text: str) -> Any:
    """Return the class that `text` names, such as `file.py@Class` or `package.module@Class`."""
    refuse_as_data(text)
    place, _, name = text.rpartition("@")
    if not place or place.startswith("."):
        raise ValueError(f"{text!r} names no file; write file.py@Class or package.module@Class.")
    if place.endswith(".py"):
        module = module_of_file(Path(place))
    else:
        try:
            module = importlib.import_module(place)
        except ImportError as error:
            raise ValueError(f"Cannot import the module {place!r}: {error}.") from error
    if not inspect.isclass(getattr(module, name, None)):
        raise ValueError(f"{place} has no class {name!r}.")
    return getattr(module, name)


def module_of_file(path: Path) -> Any:
    """Return the module in a user's Python file."""
    refuse_as_data(path)
    if not path.is_file():
        raise ValueError(f"There is no file {path}.")
    for suffix in EXTENSION_SUFFIXES:
        if (library := path.with_name(path.stem + suffix)).is_file():
            raise ValueError(
                f"Python would import {library.name} in place of {path}; rename the library, for "
                f"example to lib{library.name}."
            )
    folder = str(path.resolve().parent)
    if folder not in sys.path:  # a file imports its neighbours, as a script would
        sys.path.insert(0, folder)
    module = importlib.import_module(path.stem)
    if Path(module.__file__ or "").resolve() != path.resolve():
        raise ValueError(f"{path} has the name of another module, {module.__file__}; rename it.")
    return module


def name_of_class(kind: Kind, cls: Any, own: Collection[str]) -> str:
    """Return a name by which the class can be loaded.

    This is the class's own name, or a name that ends with `@Class`. If no name can load the class,
    for example because it is defined in a function, return the class's own name.
    """
    if cls.__module__.partition(".")[0] == "plyglass" or "." in cls.__qualname__:
        return str(cls.name)
    value = f"{cls.__module__}:{cls.__qualname__}"
    if cls.name not in own and any(
        each.name == cls.name and each.entry.value == value for each in offered(kind)
    ):
        return str(cls.name)
    if "." in cls.__module__:
        return f"{cls.__module__}@{cls.__qualname__}"
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return f"{_short(file)}@{cls.__qualname__}" if file else str(cls.name)


def _short(file: str) -> str:
    """Return the file's path, relative to the working directory if the file is inside it."""
    whole, here = os.path.realpath(file), os.path.realpath(Path.cwd()) + os.sep
    return whole.removeprefix(here)


def refuse_other_class(kind: Kind, cls: Any, where: str) -> None:
    """Raise an error if a class is not of the given kind: a game, planner or belief."""
    if kind == "game":
        from plyglass.core.game import Game

        if not (isinstance(cls, type) and issubclass(cls, Game)):
            raise ValueError(f"{where} is no game; a game is a subclass of plyglass.Game.")
        return
    needed, begin = _BEGIN[kind], getattr(cls, "begin", None)
    given = tuple(inspect.signature(begin).parameters)[1:] if callable(begin) else None
    if given is None or len(given) != len(needed):
        has = "has no method begin" if given is None else f"has begin({', '.join(given)})"
        raise ValueError(f"{where} is no {kind}: it {has}; it needs begin({', '.join(needed)}).")
    if not getattr(cls, "name", ""):
        raise ValueError(
            f"{where} has no name; give the class a name, such as "
            f'name: ClassVar[str] = "{cls.__name__.lower()}".'
        )
    if kind == "belief" and getattr(cls, "cheats", None) not in (True, False):
        raise ValueError(
            f"{where} does not say whether it cheats; give the class cheats: ClassVar[bool] = "
            "False."
        )
    try:
        cls()
    except TypeError as error:
        raise ValueError(f"{where} needs a default for every parameter: {error}.") from error
