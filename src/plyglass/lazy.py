"""Names that are imported when they are first used, so a program imports only what it needs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


class Lazily(Mapping[str, T]):
    """A mapping from names to objects, each of which is imported when it is first used.

    `places` maps each name to the object's place, in the form `package.module:Name`.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> T:
        found: T = named(self._places[name])
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def modules(self) -> dict[str, str]:
        """The module that defines each object, by the object's own name in that module."""
        parts = (place.partition(":") for place in self._places.values())
        return {name: module for module, _, name in parts}


def named(reference: str) -> Any:
    """The object that a reference such as `plyglass.search.mcts.tree:NODE` names."""
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)


def attributes(module: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` for a module that offers names from other modules.

    `modules` maps each name to the module that defines the name.
    """

    def find(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        value = named(f"{modules[name]}:{name}")
        setattr(sys.modules[module], name, value)
        return value

    return find
