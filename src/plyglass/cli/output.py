"""The output of commands: tables for people, JSON for programs, one sentence for an error."""

from __future__ import annotations

import contextlib
import functools
import inspect
import json
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from plyglass.stats.pairs import Tally


def visible(text: str) -> str:
    """Return a text with its control characters escaped, so they cannot control a terminal."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in "\n\t" else sign.encode("unicode_escape").decode()
        for sign in text
    )


class SafeConsole(Console):
    """A console that escapes control characters, because names and errors come from files."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print objects; control characters in texts are escaped."""
        super().print(
            *(visible(each) if isinstance(each, str) else each for each in objects), **options
        )


class Listing(Table):
    """A table of plain texts, which are never read as markup. A cell of type `Text` has a style."""

    def add_row(self, *cells: Any, **options: Any) -> None:
        """Add a row of texts."""
        super().add_row(
            *(Text(visible(each)) if isinstance(each, str) else each for each in cells), **options
        )


console = SafeConsole(highlight=False)
errors = SafeConsole(stderr=True, highlight=False)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
GAME = "A game: name, name:parameter=value,... or the path of a Python file."
LONGEST = 4000  # characters of an error
BAR_SECONDS = 0.1  # seconds between two updates of a progress bar
STOPPED = 130  # exit code after Ctrl-C, as is usual in shells
OWN_GAME = (
    "The game of the record, if it is not part of Plyglass: my_game.py or name:parameter=value,..."
)
OWN_PLAYERS = (
    "A player for each seat of the record, in order: a player with code of its own, or - for a "
    "player of Plyglass or a person."
)
AGENTS = "An agent for each player, as planner:parameter=value,..., or auto:seconds=0.1."
SEED = "Random seed."
RUNNER = "Where matches are played: in this process, in worker processes or on Ray."
WORKERS = "Number of matches played in parallel."
UNCHECKED = "Do not check the rules of a game from a file before it is played."
HANG = (
    "Seconds without a step, in addition to the agents' time budgets, after which a game counts as "
    "hung; by default 120."
)
RESULTS = "Folder of the results. The same command resumes a run that was stopped."


def print_json(value: Any) -> None:
    """Print one JSON value on standard output."""
    typer.echo(json.dumps(value))


def summary_of(thing: object) -> str:
    """The first line of a class's docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def table(*columns: str, title: str | Text | None = None) -> Listing:
    """An empty table in the style of all commands."""
    heading = Text(visible(title), style="italic") if isinstance(title, str) else title
    made = Listing(
        title=heading, box=None, header_style="bold", title_justify="left", pad_edge=False
    )
    for number, column in enumerate(columns):
        made.add_column(Text(visible(column)), justify="left" if number == 0 else "right")
    return made


class Show(Protocol):
    """Updates a progress bar: how much is done, a note, and the total if it has changed."""

    def __call__(self, done: float, says: str = "", total: float | None = None) -> None: ...


@contextlib.contextmanager
def progress_bar(total: float | None) -> Iterator[Show]:
    """Show a progress bar on standard error, and remove it at the end.

    The bar appears only in a terminal.
    """
    if not errors.is_terminal:
        yield lambda done, says="", total=None: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(24),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=errors, transient=True) as bar:
        task = bar.add_task("", total=total)

        def show(done: float, says: str = "", total: float | None = None) -> None:
            bar.update(task, completed=done, description=says, total=total)

        yield show


class Pace:
    """Limits how often progress is shown: often for a bar, seldom for lines without a terminal."""

    def __init__(self, line_seconds: float) -> None:
        self._pause = BAR_SECONDS if errors.is_terminal else line_seconds
        self._shown = time.monotonic()

    def due(self) -> bool:
        """Whether to show progress now."""
        now = time.monotonic()
        if now - self._shown < self._pause:
            return False
        self._shown = now
        return True


@contextlib.contextmanager
def resumable(stopped: Callable[[], str] = lambda: "Stopped.") -> Iterator[None]:
    """For a command that can resume its work: turn Ctrl-C into a sentence and an exit code."""
    try:
        yield
    except KeyboardInterrupt:
        errors.print(f"{stopped()} The same command resumes.")
        raise typer.Exit(STOPPED) from None


@contextlib.contextmanager
def compile_bar() -> Iterator[None]:
    """Show a progress bar if the block compiles code, for as long as it compiles."""
    from plyglass.core.library import Step, followed_by

    with contextlib.ExitStack() as stack:
        bars: list[Show] = []

        def follow(step: Step) -> None:
            if not bars:
                bars.append(stack.enter_context(progress_bar(step.total)))
            last = f", {step.last:.0f} s the last time" if step.last else ""
            bars[0](step.done, f"compiling {step.game}{last}: {step.name}", step.total)

        with followed_by(follow):
            yield


def rated(agent: str, tally: Tally) -> str:
    """An agent's rate so far, with its interval."""
    rate, low, high = tally.interval()
    return f"{agent} {rate:.0%} ({low:.0%}-{high:.0%})"


@functools.cache
def warn(sentence: str) -> None:
    """Print a warning on standard error; a repeated sentence is printed once."""
    errors.print(f"[yellow]warning:[/] {escape(sentence)}", soft_wrap=True)


def check_rules(games: Iterable[str], unchecked: bool) -> None:
    """Refuse a user's own games if their rules are faulty, unless `unchecked`."""
    from plyglass.arena.first_pass import refuse_faulty_rules

    for text in () if unchecked else games:
        refuse_faulty_rules(text, lambda sentence: errors.print(escape(sentence), style="dim"))


@contextlib.contextmanager
def explained() -> Iterator[None]:
    """Turn a mistake of the user into one sentence and exit code 2."""
    try:
        yield
    except typer.Exit:
        raise
    except MemoryError:
        errors.print("[red]error:[/red] There is not enough memory for these numbers.")
        raise typer.Exit(2) from None
    except (ValueError, TypeError, RuntimeError, OSError) as error:
        errors.print(f"[red]error:[/red] {escape(_cut(str(error)))}")
        raise typer.Exit(2) from None


def _cut(sentence: str) -> str:
    """Shorten an error that quotes a long text, so the error fits on a screen."""
    return sentence if len(sentence) <= LONGEST else f"{sentence[:LONGEST]}..."
