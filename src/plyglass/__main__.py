"""The command `plyglass`."""

import sys


def main() -> None:
    """Run the command line, or say what it needs."""
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401
    except ImportError:
        sys.exit("The command line needs typer and rich: pip install 'plyglass[cli]'")
    from plyglass.cli import app

    app()


if __name__ == "__main__":
    main()
