"""The command `plyglass`."""

import atexit
import gc
import os
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

    # at exit, Python would search all objects for garbage, although the process ends anyway
    atexit.register(gc.freeze)
    # NumPy would start a thread for each core; no command needs the threads, which take CPU time
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    warnings.showwarning = _warn
    app()


def _warn(message: object, *_: object, **__: object) -> None:
    """Print only the message of a warning, without the file and line that caused the warning."""
    from plyglass.cli.output import warn

    warn(str(message))


if __name__ == "__main__":
    main()
