"""Tune an agent: candidates play an opponent on the same deals; the best plays the original."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plyglass.arena.runners import runner_named
from plyglass.arena.specs import game_from, player_from, resolved
from plyglass.arena.tournament.driver import Tournament, open_run
from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.referee import Referee
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tuning.space import BATCH, Space, Trials, Value, with_parameters
from plyglass.core.seeds import derive
from plyglass.stats.pairs import interval_of_means, interval_of_rate

# The purposes of a seed. The search and the confirmation never share a deal.
SEARCH, CONFIRM, SAMPLE = 0, 1, 2
FILE = "tuned.toml"


@dataclass(frozen=True)
class Tuning:
    """A search for parameters.

    Attributes:
        game: the game as text.
        agent: the agent to tune, as text.
        opponent: the candidates' opponent, as text; None in a game for one player.
        space: the parameters and their values.
        trials: the number of candidates, rounded up to whole batches.
        games: the number of games that each candidate plays.
        confirm: the number of games in the confirmation.
        seed: the random seed.
    """

    game: str
    agent: str
    opponent: str | None
    space: Space
    trials: int = 20
    games: int = 100
    confirm: int = 400
    seed: int = 0

    def __post_init__(self) -> None:
        game = game_from(self.game)
        players = game.players
        object.__setattr__(self, "agent", resolved(self.agent, game))
        if players > 2 or (players == 2) != (self.opponent is not None):
            needed = {1: "give no opponent", 2: "give one opponent"}.get(
                players, "tuning is for one or two players"
            )
            raise ValueError(f"{self.game} is for {players} players; {needed}.")
        if min(self.trials, self.games, self.confirm) < 1:
            raise ValueError(
                "trials, games and confirm must each be at least 1, not "
                f"{self.trials}, {self.games} and {self.confirm}."
            )
        if self.opponent is not None:
            object.__setattr__(self, "opponent", resolved(self.opponent, game))
            player_from(self.opponent)
        with_parameters(self.agent, {name: values.first for name, values in self.space.items()})

    @property
    def name(self) -> str:
        """The name of the search. It omits `trials`, so more trials continue the same search."""
        space = {name: str(values) for name, values in self.space.items()}
        text = json.dumps([self.game, self.agent, self.opponent, space, self.games, self.seed])
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def settings(self, agents: Mapping[str, str], games: int, purpose: int) -> Settings:
        """Return a tournament of the first agent against all others, or of each agent alone."""
        seed = derive(self.seed, purpose) >> 1  # TOML's integers have a sign
        return Settings(
            (self.game,), agents, "gauntlet", -(-games // game_from(self.game).players), seed
        )


@dataclass(frozen=True)
class Tuned:
    """What a search found.

    Attributes:
        agent: the best candidate, as text.
        parameters: the best candidate's values of the tuned parameters.
        worth: the best candidate's points per game in the search; without an opponent, its mean
            score. Both are biased upwards.
        settings: the settings file of the confirmation, for `plyglass tournament`.
        rate, low, high, games: the points per game of the best candidate against the original in
            the confirmation, with a 95 % interval and the number of games. In a game without an
            opponent, `rate` is the difference of the two mean scores on the same deals.
        tried: (agent, result) of every trial.
    """

    agent: str
    parameters: Mapping[str, Value]
    worth: float
    settings: Path
    rate: float
    low: float | None
    high: float | None
    games: int
    tried: Sequence[tuple[str, float]] = field(repr=False)


def tune(
    tuning: Tuning,
    folder: Path,
    *,
    runner: str = "serial",
    workers: int = 1,
    on_batch: Callable[[int, float], None] | None = None,
) -> Tuned:
    """Start or resume a search in a folder.

    `on_batch` is called with the number of finished trials and the best result so far.
    """
    folder.mkdir(parents=True, exist_ok=True)
    trials = Trials(
        folder / "trials.journal", tuning.name, tuning.space, derive(tuning.seed, SAMPLE)
    )
    wanted = -(-tuning.trials // BATCH) * BATCH
    while len(trials.told()) < wanted:
        batch = trials.batch()
        candidates = [with_parameters(tuning.agent, trial.params) for trial in batch]
        trials.tell(batch, _worth(tuning, candidates, folder, runner, workers))
        if on_batch:
            on_batch(len(trials.told()), max(worth for _, worth in trials.told()))
    told = trials.told()[:wanted]
    parameters, worth = max(told, key=lambda each: each[1])  # the first of equals
    best = with_parameters(tuning.agent, parameters)
    settings = tuning.settings({"tuned": best, "original": tuning.agent}, tuning.confirm, CONFIRM)
    rows = _play(settings, folder, runner, workers)
    rate, low, high = _confirmation(settings, rows)
    tried = [(with_parameters(tuning.agent, values), value) for values, value in told]
    return Tuned(
        best, parameters, worth, _write(settings, folder / FILE), rate, low, high, len(rows), tried
    )


def _worth(
    tuning: Tuning, candidates: Sequence[str], folder: Path, runner: str, workers: int
) -> list[float]:
    """Return each candidate's mean result per game: points against the opponent, or its score."""
    names = [f"candidate-{place}" for place in range(len(candidates))]
    agents = dict(zip(names, candidates, strict=True))
    if tuning.opponent is not None:
        agents = {"opponent": tuning.opponent, **agents}
    settings = tuning.settings(agents, tuning.games, SEARCH)
    pairs = _by_pair(settings, _play(settings, folder, runner, workers))
    means = []
    for name in names:
        values = [value for pair in pairs[name].values() for value in pair]
        means.append(sum(values) / len(values) if values else float("-inf"))
    return means


def _confirmation(
    settings: Settings, rows: Sequence[MatchRow]
) -> tuple[float, float | None, float | None]:
    pairs = _by_pair(settings, rows)
    if _counts_points(settings):
        return interval_of_rate(list(pairs["tuned"].values()))
    tuned, original = (
        [value for pair in pairs[name].values() for value in pair] for name in ("tuned", "original")
    )
    return interval_of_means([[one - other] for one, other in zip(tuned, original, strict=True)])


def _by_pair(settings: Settings, rows: Sequence[MatchRow]) -> dict[str, dict[int, list[float]]]:
    """Return the points or scores of every agent, by pair."""
    points, found = _counts_points(settings), defaultdict[str, dict[int, list[float]]](dict)
    for result in Referee(settings).results(rows):
        for seat, agent in enumerate(result.agents):
            found[agent].setdefault(result.pair, []).append(
                result.points(seat) if points else result.scores[seat]
            )
    return found


def _counts_points(settings: Settings) -> bool:
    game = game_from(settings.games[0])
    return game.players > 1 and not game.cooperative


def _play(settings: Settings, folder: Path, runner: str, workers: int) -> list[MatchRow]:
    with open_run(folder / f"{settings.run_id}.sqlite", settings) as store:
        tournament = Tournament(
            settings, store, runner_named(runner, workers, settings.match_seconds)
        )
        tournament.run()
        return list(tournament.counted_rows())


def _write(settings: Settings, path: Path) -> Path:
    """Write the settings as TOML, with strings as JSON, which TOML also accepts."""
    lines = [
        f"# plyglass tournament {path.name}: the tuned agent against the original on fresh deals",
        f"games = {json.dumps(settings.games)}",
        f'meeting = "{settings.meeting}"',
        f"deals = {settings.deals}",
        f"seed = {settings.seed}",
        "",
        "[agents]",
    ]
    lines += [f"{name} = {json.dumps(text)}" for name, text in settings.agents.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
