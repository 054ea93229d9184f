"""The command `plyglass`."""

import sys
import warnings


def main() -> None:
    """Run the command line; if a library is missing, say how to install it."""
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401
    except ImportError:
        sys.exit("The command line needs typer and rich: pip install 'plyglass[cli]'")
    from plyglass.cli import app

    warnings.showwarning = _warn
    app()


def _warn(message: object, *_: object, **__: object) -> None:
    """Print only the message of a warning, without its place in the code."""
    from plyglass.cli.output import warn

    warn(str(message))


if __name__ == "__main__":
    main()
