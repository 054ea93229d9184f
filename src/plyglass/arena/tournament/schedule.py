"""The schedule says which match belongs to each match number.

A match is a pure function of settings and number, so workers can die, repeat matches and finish in
any order. All matches of a deal come before the matches of the next deal. So every prefix of the
schedule is balanced: a run that stops early has played each meeting (each group of agents) about
equally often.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property

from plyglass.arena.tournament.settings import Settings
from plyglass.core.seeds import derive, derive_secret

MOST_MEETINGS = 10**6


@dataclass(frozen=True)
class Fixture:
    """One match of a schedule.

    Attributes:
        number: the match's index in the schedule.
        game: the index of the game.
        deal: the number of the deal. Matches with the same game and deal start from the same
            position.
        trial: the number of the trial. Matches with the same game, deal and trial have the same
            chance.
        agents: the names of the agents, by seat.
        pair: the number of the pair, which is the unit of statistics. A pair consists of all
            matches of one meeting on one deal, with the seats in every order and in all trials.
        root: the seed of the tournament.
        key: the secret of the run, or 0 if its seeds are public.
    """

    number: int
    game: int
    deal: int
    trial: int
    agents: tuple[str, ...]
    pair: int
    root: int
    key: int = 0

    @property
    def deal_seed(self) -> int:
        """The seed of the start position.

        The seed is derived only on demand, because looking up a match row does not need the seed.
        """
        return self._derived(self.game, self.deal)

    @property
    def seed(self) -> int:
        """The seed of the match; in the first trial, this is the seed of the deal."""
        return self._derived(self.game, self.deal, self.trial) if self.trial else self.deal_seed

    def _derived(self, *path: int) -> int:
        return derive_secret(self.key, self.root, *path) if self.key else derive(self.root, *path)


class Schedule:
    """All matches of a tournament, by number."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._key = int(settings.key or "0", 16)

    @cached_property
    def _one_deal(self) -> list[tuple[int, int, tuple[str, ...]]]:
        """The matches of one deal in a trial: (game, pair within the deal, agents by seat)."""
        found, pair = [], 0
        for game, text in enumerate(self._settings.games):
            for meeting in self._meetings(self._settings.game(text).players):
                found += [(game, pair, order) for order in _rotations(meeting)]
                pair += 1
        return found

    def __len__(self) -> int:
        return len(self._one_deal) * self._settings.deals * self._settings.trials

    def __getitem__(self, number: int) -> Fixture:
        played, place = divmod(number, len(self._one_deal))
        deal, trial = divmod(played, self._settings.trials)
        if not 0 <= deal < self._settings.deals:
            raise IndexError(f"There is no match {number}; the schedule has 0 to {len(self) - 1}.")
        game, pair, agents = self._one_deal[place]
        pairs = self._one_deal[-1][1] + 1
        root = self._settings.seed
        return Fixture(number, game, deal, trial, agents, deal * pairs + pair, root, self._key)

    def _meetings(self, players: int) -> list[tuple[str, ...]]:
        """Return the agents of every meeting, in the first seat order of the meeting."""
        names = tuple(self._settings.agents)
        if len(names) < players:
            raise ValueError(
                f"The game is for {players} players, but the tournament has {len(names)} agents; "
                "add agents."
            )
        count = math.comb(len(names), players)
        if count > MOST_MEETINGS:
            raise ValueError(
                f"{len(names)} agents have {count:,} meetings of {players} players on every deal; "
                f"at most {MOST_MEETINGS:,} are allowed."
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
    """Return seat orders of a meeting in which every agent takes every seat once."""
    return [meeting[turn:] + meeting[:turn] for turn in range(len(meeting))]
