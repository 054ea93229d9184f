"""The driver of a tournament gives missing matches to workers, stores rows, and stops the run.

A runner delivers every result at least once. The store counts no result twice. No result is lost,
because the driver plays every match of the schedule that the store lacks.
"""

from __future__ import annotations

import itertools
import warnings
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from plyglass.arena.code_version import code_of, described
from plyglass.arena.runners.protocol import Chunk, Lost, Played, Runner
from plyglass.arena.store import Damage, Store, open_store
from plyglass.arena.tournament.live_table import RunningTable
from plyglass.arena.tournament.match_row import MatchRow, TableDigest, digest_of_actions
from plyglass.arena.tournament.row_check import checked_rows
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings, kept_key
from plyglass.arena.tournament.stopping import Stopping

CHUNK_SECONDS = 0.5  # so little is lost with a worker, but few chunks need to be sent
MOST_IN_CHUNK = 1000
MOST_TRIES = 3


@dataclass
class Progress:
    """The progress of a tournament.

    Attributes:
        total, stored: the number of matches in the schedule, and the number of stored matches.
        lost: the number of chunks that died with their worker; their matches are played again.
        quarantined: the numbers of the matches that killed their worker in every try.
        damage: the damage that the store found when the run began.
        test: the state of the stopping rule, in words.
        table: the results of every agent so far, computed on request.
        codes: the number of stored matches by the version of the code that played them (see
            `arena.code_version`).
    """

    total: int
    table: RunningTable
    stored: int = 0
    lost: int = 0
    quarantined: list[int] = field(default_factory=list)
    damage: list[Damage] = field(default_factory=list)
    test: str = ""
    codes: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Outcome:
    """How a tournament ended.

    Attributes:
        counted: the number of matches that count for the result.
        decision: the reason why the tournament ended, in words.
        digest: one digest over the rows that count.
        quarantined: the numbers of the counted matches that killed their worker in every try.
        void: the numbers of the counted matches in which the rules failed.
    """

    counted: int
    decision: str
    digest: str
    quarantined: tuple[int, ...]
    void: tuple[int, ...] = ()


def open_run(path: str | Path, settings: Settings) -> Store:
    """Open the store of a run.

    A new store keeps the settings, and the run's secret key if the run has one.
    """
    return open_store(path, settings.run_id, settings.sealed().canonical)


class MixedCode(UserWarning):
    """Matches of one table were played by different code."""


class VoidMatch(UserWarning):
    """The rules of a game failed in a match."""


class Tournament:
    """One run of a tournament. A later run with the same store resumes this run.

    With `only`, the run plays just the matches among the named agents, and leaves all other matches
    to a later run. With `deals`, the run plays only the first `deals` deals.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        runner: Runner,
        chunk: int | None = None,
        only: Collection[str] = (),
        deals: int | None = None,
    ) -> None:
        self._settings, self._store, self._runner = settings, store, runner
        self._schedule = Schedule(settings)
        self._stopping = Stopping(settings)
        self._fixed_chunk = chunk
        self._only, self._deals = frozenset(only), deals
        self._pace = 0.0  # mean seconds of a match so far
        self._timed = 0
        self._alone: deque[int] = deque()
        self._again: deque[int] = deque()
        self._missing: Iterator[int] = iter(())
        self._tries: Counter[int] = Counter()
        self._told: set[str] = set()
        self._code = code_of(settings.canonical)
        self.progress = Progress(len(self._schedule), RunningTable(settings))

    def run(
        self,
        on_progress: Callable[[Progress], None] | None = None,
        on_warning: Callable[[str], None] | None = None,
    ) -> Outcome:
        """Play all missing matches.

        `on_progress` is called after every event. `on_warning` is called with a sentence. Without
        `on_warning`, the sentence becomes a Python warning.
        """
        self._take_up(
            on_warning or (lambda sentence: warnings.warn(sentence, MixedCode, stacklevel=3))
        )
        for event in self._runner.events(self._settings.canonical, self._next_chunk):
            rows = event.rows if isinstance(event, Played) else tuple(self._given_up(event))
            if new := self._store.add(rows):
                self.progress.stored += new
                self.progress.codes[rows[0].code] += new  # one worker plays a chunk
                self.progress.table.add(rows)
            self._test(rows)
            if isinstance(event, Played):
                self._tell(event, on_warning)
                self._timed += len(rows)
                self._pace += (event.seconds - self._pace * len(rows)) / self._timed
            if on_progress:
                on_progress(self.progress)
        return self.outcome()

    def _tell(self, event: Played, tell: Callable[[str], None] | None) -> None:
        """Warn about faults, once for each agent and once for each game.

        Without `tell`, only faults of rules cause a warning; the table counts faults of agents.
        """
        for each in event.told:
            if each.about in self._told:
                continue
            self._told.add(each.about)
            if tell:
                tell(f"{each.about}: {each.why}")
            elif each.row.status == "void":
                warnings.warn(f"{each.about}: {each.why}", VoidMatch, stacklevel=4)

    def _take_up(self, warn: Callable[[str], None]) -> None:
        """Count the stored matches and find the missing ones."""
        self.progress.damage = self._store.check()
        self._settings = replace(self._settings, key=kept_key(self._store.settings))
        stored = self._store.numbers()
        for row in checked_rows(self._settings, self._store.rows(), "The store"):
            self.progress.codes[row.code] += 1
            self.progress.table.add((row,))
            self._test((row,))
        self.progress.stored = len(stored)
        missing = filter(self._wanted, stored.missing(len(self._schedule)))
        first = tuple(itertools.islice(missing, 1))
        self._missing = itertools.chain(first, missing)
        others = Counter(
            {code: count for code, count in self.progress.codes.items() if code != self._code}
        )
        if others and first and self._stopping.end is None:
            warn(
                f"{others.total():,} of the stored matches were played by {described(others)}, "
                f"but this is plyglass {self._code}. One table now mixes both; the report says how "
                "many matches each played. To avoid that, play all matches again in another folder "
                "(--out), or resume with the former code."
            )

    def _wanted(self, number: int) -> bool:
        fixture = self._schedule[number]
        if self._deals is not None and fixture.deal >= self._deals:
            return False
        return not self._only or self._only.issuperset(fixture.agents)

    def _test(self, rows: Sequence[MatchRow]) -> None:
        """Pass rows to the stopping rule."""
        for row in rows:
            self._stopping.add(row)
        self.progress.test = self._stopping.state

    def outcome(self) -> Outcome:
        """Return the result of the stored matches, up to the decision of the stopping rule."""
        table, counted, given_up, void = TableDigest(), 0, [], []
        for row in self.counted_rows():
            table.add(row)
            counted += 1
            if row.status == "quarantined":
                given_up.append(row.number)
            elif row.status == "void":
                void.append(row.number)
        return Outcome(counted, self._stopping.decision, table.text, tuple(given_up), tuple(void))

    def counted_rows(self) -> Iterator[MatchRow]:
        """Return the rows that count, in order.

        Rows after the decision of the stopping rule do not count.
        With `only` or `deals`, the method returns only the rows of these agents or deals.
        """
        end = self._stopping.end
        return (
            row
            for row in self._store.rows()
            if (end is None or row.number < end) and self._wanted(row.number)
        )

    def _next_chunk(self) -> Chunk | None:
        """Return the matches to play next: first lost matches, then missing matches.

        The result is None if no match is left, or if the stopping rule has decided.
        """
        if self._stopping.end is not None:
            return None
        if self._alone:
            return (self._alone.popleft(),)
        again = tuple(self._again.popleft() for _ in range(min(self._size(), len(self._again))))
        return again or tuple(itertools.islice(self._missing, self._size())) or None

    def _size(self) -> int:
        """Return the number of matches that take about `CHUNK_SECONDS`, at the speed so far."""
        if self._fixed_chunk is not None:
            return self._fixed_chunk
        if self._pace <= 0.0:
            return 1
        return int(min(MOST_IN_CHUNK, max(1.0, CHUNK_SECONDS / self._pace)))

    def _given_up(self, lost: Lost) -> Iterator[MatchRow]:
        """Handle a chunk that died; yield the row of a match that is not tried again.

        The match in progress counts as the cause. This match is played again in a chunk of its own,
        until it has had `MOST_TRIES` tries. If a seat is known to have hung, the match is not
        played again. The other matches are played again. If the match in progress is unknown, each
        match is played in a chunk of its own.
        """
        self.progress.lost += 1
        blamed = lost.running if lost.running in lost.numbers else None
        if blamed is None:
            self._alone.extend(lost.numbers)
            return
        self._again.extend(number for number in lost.numbers if number != blamed)
        self._tries[blamed] += 1
        if lost.hung and lost.seat >= 0:
            yield MatchRow(blamed, "hung", lost.seat, (), 0, digest_of_actions(()), code=self._code)
        elif self._tries[blamed] >= MOST_TRIES:
            self.progress.quarantined.append(blamed)
            yield MatchRow(
                blamed, "quarantined", lost.seat, (), 0, digest_of_actions(()), code=self._code
            )
        else:
            self._alone.append(blamed)
