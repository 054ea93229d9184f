"""`plyglass serve`: agents and hosted matches over HTTP."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plyglass.cli.output import console, explained

if TYPE_CHECKING:
    from plyglass.serve.settings import Settings


Keys = Annotated[
    Path | None,
    typer.Option(
        help="File of the keys that encrypt tickets. Replicas share the file; a missing file is "
        "made. Without this option, tickets are valid until the server stops."
    ),
]
Store = Annotated[
    str,
    typer.Option(
        help="Database that keeps matches: sqlite:FILE or postgresql://...; none if empty."
    ),
]
Decide = Annotated[
    bool,
    typer.Option(
        "--decide",
        help="Without --config: also answer /v1/decide, for games that run elsewhere. Rules then "
        "check every array index, so they are compiled at the first start.",
    ),
]


def serve(
    config: Annotated[
        Path | None, typer.Option(help="TOML file with games, levels, tokens and hosts.")
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen at.")] = 8008,
    workers: Annotated[
        int, typer.Option(help="Worker processes; by default the number of processors minus one.")
    ] = 0,
    keys: Keys = None,
    store: Store = "",
    metrics_port: Annotated[
        int, typer.Option(help="Port for /metrics, for Prometheus; 0 for none.")
    ] = 0,
    runs: Annotated[
        Path | None, typer.Option(help="Folder of tournaments whose standings are shown.")
    ] = None,
    decide: Decide = False,
    browser: Annotated[
        bool, typer.Option(help="Open the app in a browser, unless the server asks for tokens.")
    ] = True,
) -> None:
    """Serve agents and matches over HTTP, and open the app in a browser."""
    with explained():
        _refuse_without_extra()
        from plyglass.serve.app import app_for
        from plyglass.serve.run import run
        from plyglass.serve.tickets import Seal

        settings = _settings(config, decide, host)
        count = workers or max(1, (os.cpu_count() or 2) - 1)
        metrics = (host, metrics_port) if metrics_port else None
        app = app_for(settings, count, Seal.of_file(keys), store, metrics, runs)
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{port}/"
        console.print(f"Serving {', '.join(settings.games)} at {address}", soft_wrap=True)
        run(app, host, port, address if browser and not settings.tokens else "")


def _refuse_without_extra() -> None:
    try:
        import plyglass.serve.app
        import plyglass.serve.run  # noqa: F401
    except ImportError as error:
        raise ValueError(
            f"A server needs {error.name}, which is not installed; install plyglass[serve]."
        ) from None


def _settings(config: Path | None, decide: bool, host: str) -> Settings:
    """The settings of a server; refuses unsafe settings, and unknown games and levels."""
    from plyglass.serve.catalogue import Catalogue
    from plyglass.serve.run import refuse_open_door
    from plyglass.serve.settings import Settings

    if config:
        settings = Settings.read(config)
    else:
        settings = Settings() if decide else Settings.for_people()
    refuse_open_door(settings, host)
    Catalogue(settings)  # refuses unknown games and levels before any worker starts
    return settings
