"""Which values to try next: Optuna's ask and tell, in batches of a fixed size.

What is asked depends on the seed, the trials told so far and those asked beside it, never on time
or on who plays: every trial has a sampler of its own seed. So a run that was stopped goes on as if
it had not been, and one worker and many find the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plyglass.arena.tuning.space import Range, Space, Value
from plyglass.core.seeds import derive

BATCH = 4


def optuna() -> Any:
    """The library, loaded when it is needed."""
    try:
        import optuna
    except ImportError as error:
        raise RuntimeError("Tuning needs Optuna: pip install 'plyglass[tune]'.") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


class Trials:
    """The trials of one search, kept in a journal file."""

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
        """(values, what they were worth) of every finished trial, in their order."""
        return [(trial.params, trial.value) for trial in self._in_state("COMPLETE")]

    def batch(self) -> list[Any]:
        """The trials to play next; those of a batch that was cut short are the same again."""
        done, open_ones = self._in_state("COMPLETE"), self._in_state("RUNNING")
        begun = len(done) % BATCH
        if begun:  # it was stopped while it told: all of the batch had been asked
            return done[-begun:] + open_ones
        for trial in (
            open_ones
        ):  # it was stopped before: nothing of the batch is known, and the same is asked again
            self._study.tell(trial.number, state=self._optuna.trial.TrialState.FAIL)
        for place in range(BATCH):
            self._study.sampler = self._sampler(len(done) + place)
            self._study.ask(self._distributions)
        return self._in_state("RUNNING")

    def tell(self, batch: list[Any], worth: list[float]) -> None:
        """Say what each trial of a batch was worth."""
        for trial, value in zip(batch, worth, strict=True):
            self._study.tell(trial.number, value, skip_if_finished=True)

    def _in_state(self, state: str) -> list[Any]:
        found: list[Any] = self._study.get_trials(
            deepcopy=False, states=(self._optuna.trial.TrialState[state],)
        )
        return found

    def _sampler(self, number: int) -> Any:
        """Trials asked beside each other are kept apart by supposing that those still open do
        badly.
        """
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
