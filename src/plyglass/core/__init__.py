"""The core: games, their records and compiled rules, chance, worlds and views."""

from plyglass.core.actions import kind_of, pack, source_of, target_of, unpack
from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import begin_ply, chance, draw
from plyglass.core.state import state_dtype
from plyglass.core.table import SharedLibrary
from plyglass.core.world import IllegalAction, View, World

__all__ = [
    "Game", "IllegalAction", "SharedLibrary", "View", "World",
    "begin_ply", "chance", "draw", "kernel", "kind_of", "pack", "source_of", "state_dtype",
    "target_of", "unpack",
]  # fmt: skip
