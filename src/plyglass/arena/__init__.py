"""The arena: matches between agents, their records, tournaments and audits."""

from plyglass.arena.match.agent import Agent, Player, Seat
from plyglass.arena.match.match import Match, Move, play
from plyglass.arena.match.record import Record, RecordMismatch, record_of, replay, verify
from plyglass.arena.specs import agent_from, game_from

__all__ = [
    "Agent", "Match", "Move", "Player", "Record", "RecordMismatch", "Seat",
    "agent_from", "game_from", "play", "record_of", "replay", "verify",
]  # fmt: skip
