"""The command `plyglass`."""

import sys
import warnings


def main() -> None:
    """Run the command line, or say what has to be installed for it."""
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401
    except ImportError:
        sys.exit("The command line needs typer and rich: pip install 'plyglass[cli]'")
    from plyglass.cli import app
    from plyglass.cli.output import warn

    # A user reads a sentence, not the line of our code that warns.
    warnings.showwarning = lambda message, *_, **__: warn(str(message))
    app()


if __name__ == "__main__":
    main()
