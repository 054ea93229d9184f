"""The arena: matches between agents, their records, tournaments and audits.

The module of each name is imported when the name is first used.
"""

from typing import TYPE_CHECKING

from plyglass.lazy import attributes

if TYPE_CHECKING:
    from plyglass.arena.match.agent import Agent, Player, Seat
    from plyglass.arena.match.match import Match, Move, play
    from plyglass.arena.match.record import Record, RecordMismatch, record_of, replay, verify
    from plyglass.arena.specs import agent_from, game_from

_HOME = {
    "plyglass.arena.match.agent": ("Agent", "Player", "Seat"),
    "plyglass.arena.match.match": ("Match", "Move", "play"),
    "plyglass.arena.match.record": ("Record", "RecordMismatch", "record_of", "replay", "verify"),
    "plyglass.arena.specs": ("agent_from", "game_from"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}
__getattr__ = attributes(__name__, _MODULE_OF)

__all__ = [
    "Agent", "Match", "Move", "Player", "Record", "RecordMismatch", "Seat",
    "agent_from", "game_from", "play", "record_of", "replay", "verify",
]  # fmt: skip
