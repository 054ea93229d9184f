"""Which match a number stands for. A match is a pure function of (settings, number), so workers can
die, repeat and finish in any order.

Deals come first in the order of numbers: every prefix of the schedule is as balanced as it can be,
and a run that stops early has played each meeting about as often as any other.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

from plyglass.arena.specs import game_from
from plyglass.arena.tournament.settings import Settings
from plyglass.core.seeds import derive


@dataclass(frozen=True)
class Fixture:
    """One match of a schedule.

    Attributes:
        number: its place in the schedule.
        game: the index of the game.
        deal: which deal; matches with the same game and deal begin with the same position.
        trial: which trial of it; matches with the same game, deal and trial have the same luck.
        agents: the names of the agents, by seat.
        pair: matches of one pair are the same deal and meeting, with the seats in every order and
            in all trials; the pair is the unit of statistics.
        root: the seed of the tournament.
    """

    number: int
    game: int
    deal: int
    trial: int
    agents: tuple[str, ...]
    pair: int
    root: int

    @property
    def deal_seed(self) -> int:
        """Where the first position comes from; derived only when a match is played, not whenever
        its row is looked up.
        """
        return derive(self.root, self.game, self.deal)

    @property
    def seed(self) -> int:
        """Where the match takes all other luck from. The first trial goes on with that of the
        deal, as if it were the only one.
        """
        return derive(self.root, self.game, self.deal, self.trial) if self.trial else self.deal_seed


class Schedule:
    """All matches of a tournament, by number."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def _one_deal(self) -> list[tuple[int, int, tuple[str, ...]]]:
        """(game, pair within the deal, agents by seat) of every match of one trial of a deal."""
        found, pair = [], 0
        for game, text in enumerate(self._settings.games):
            for meeting in self._meetings(game_from(text).players):
                found += [(game, pair, order) for order in _rotations(meeting)]
                pair += 1
        return found

    def __len__(self) -> int:
        return len(self._one_deal) * self._settings.deals * self._settings.trials

    def __getitem__(self, number: int) -> Fixture:
        played, place = divmod(number, len(self._one_deal))
        deal, trial = divmod(played, self._settings.trials)
        if not 0 <= deal < self._settings.deals:
            raise IndexError(f"There is no match {number}; the schedule has {len(self)}.")
        game, pair, agents = self._one_deal[place]
        pairs = self._one_deal[-1][1] + 1
        return Fixture(number, game, deal, trial, agents, deal * pairs + pair, self._settings.seed)

    def _meetings(self, players: int) -> list[tuple[str, ...]]:
        """Who meets whom, in seats of the first order."""
        names = tuple(self._settings.agents)
        if len(names) < players:
            raise ValueError(
                f"A game for {players} needs as many agents, but there are {len(names)}."
            )
        if players == 1:
            return [(name,) for name in names]
        if self._settings.meeting == "gauntlet":
            return [
                (names[0], *others) for others in itertools.combinations(names[1:], players - 1)
            ]
        if self._settings.meeting == "pairs":
            return [
                names[start : start + players]
                for start in range(0, len(names) - players + 1, players)
            ]
        return list(itertools.combinations(names, players))


def _rotations(meeting: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The meeting with everybody once in every seat."""
    return [meeting[turn:] + meeting[:turn] for turn in range(len(meeting))]
