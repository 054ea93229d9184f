"""The search space of a tuning, as text and for Optuna.

As text, a parameter and its values are `exploration=0.1..2.0`, `trees=1..8` or `reuse=true|false`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyglass.arena.specs import agent_from, is_own_player, player_from, text_of_agent
from plyglass.core.seeds import derive

Value = float | int | str


@dataclass(frozen=True)
class Range:
    """Numbers from `low` to `high`; integers if both are integers."""

    low: float | int
    high: float | int

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(
                f"A range goes from a number to a larger one, not from {self.low} to {self.high}."
            )

    @property
    def first(self) -> Value:
        return self.low


@dataclass(frozen=True)
class Choice:
    """One of several texts."""

    options: tuple[str, ...]

    @property
    def first(self) -> Value:
        return self.options[0]


Space = Mapping[str, Range | Choice]


def space_from(texts: list[str]) -> Space:
    """Return the search space that the texts describe."""
    if not texts:
        raise ValueError(
            "There is nothing to tune; give a parameter, such as --parameter exploration=0.1..2.0."
        )
    space: dict[str, Range | Choice] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals or not values:
            raise ValueError(
                f"{text!r} is not of the form parameter=low..high or parameter=one|other."
            )
        space[name.strip().replace("-", "_")] = _values(values, text)
    return space


def _values(values: str, text: str) -> Range | Choice:
    low, dots, high = values.partition("..")
    if not dots:
        return Choice(tuple(each.strip() for each in values.split("|")))
    try:
        return Range(_number(low), _number(high))
    except ValueError as error:
        raise ValueError(f"{text!r} is not a range of numbers: {error}") from None


def _number(text: str) -> float | int:
    try:
        return int(text)
    except ValueError:
        return float(text)


def with_parameters(agent: str, values: Mapping[str, Value]) -> str:
    """Return the text of an agent with other values for some parameters."""
    changed = (
        agent
        + (":" if ":" not in agent else ",")
        + ",".join(f"{name}={value}" for name, value in values.items())
    )
    if is_own_player(agent):
        player_from(changed)
        return changed
    return text_of_agent(agent_from(changed))


BATCH = 4
"""The number of trials in a batch: Optuna proposes them together, and they are played together."""


def optuna() -> Any:
    """Return the library Optuna, which is loaded only when it is needed."""
    try:
        import optuna
    except ImportError as error:
        raise RuntimeError("Tuning needs Optuna: pip install 'plyglass[tune]'.") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


class Trials:
    """The trials of one search, which Optuna proposes (ask and tell) and a journal file keeps.

    Trials come in batches of a fixed size, and the sampler of each batch has its own seed. So the
    next trials depend only on the seed, the finished trials and the other trials of the same batch.
    The next trials never depend on time or on the runner. An interrupted run resumes as if it had
    never stopped, and any number of workers finds the same result.
    """

    def __init__(self, journal: Path, name: str, space: Space, seed: int) -> None:
        self._optuna, self._seed = optuna(), seed
        self._distributions = {
            parameter: self._distribution(values) for parameter, values in space.items()
        }
        backend = self._optuna.storages.journal.JournalFileBackend(str(journal))
        storage = self._optuna.storages.JournalStorage(backend)
        self._study = self._optuna.create_study(
            study_name=name, storage=storage, direction="maximize", load_if_exists=True
        )

    def told(self) -> list[tuple[dict[str, Value], float]]:
        """Return (parameter values, result) of every finished trial, in order."""
        return [(trial.params, trial.value) for trial in self._in_state("COMPLETE")]

    def batch(self) -> list[Any]:
        """Return the trials to play next. An interrupted batch is returned again, unchanged."""
        done, open_ones = self._in_state("COMPLETE"), self._in_state("RUNNING")
        begun = len(done) % BATCH
        if begun:  # stopped after some results: Optuna has proposed the whole batch
            return done[-begun:] + open_ones
        for trial in open_ones:  # stopped before the first result: Optuna proposes the batch again
            self._study.tell(trial.number, state=self._optuna.trial.TrialState.FAIL)
        for place in range(BATCH):
            self._study.sampler = self._sampler(len(done) + place)
            self._study.ask(self._distributions)
        return self._in_state("RUNNING")

    def tell(self, batch: list[Any], worth: list[float]) -> None:
        """Tell Optuna the result of each trial of a batch."""
        for trial, value in zip(batch, worth, strict=True):
            self._study.tell(trial.number, value, skip_if_finished=True)

    def _in_state(self, state: str) -> list[Any]:
        found: list[Any] = self._study.get_trials(
            deepcopy=False, states=(self._optuna.trial.TrialState[state],)
        )
        return found

    def _sampler(self, number: int) -> Any:
        """Return a sampler that rates unfinished trials as bad, so the trials of a batch differ."""
        return self._optuna.samplers.TPESampler(
            seed=derive(self._seed, number) % 2**32, constant_liar=True
        )

    def _distribution(self, values: Any) -> Any:
        kinds = self._optuna.distributions
        if not isinstance(values, Range):
            return kinds.CategoricalDistribution(values.options)
        whole = isinstance(values.low, int) and isinstance(values.high, int)
        return (kinds.IntDistribution if whole else kinds.FloatDistribution)(
            values.low, values.high
        )
