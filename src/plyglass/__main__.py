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

    # Python would look for garbage among all objects, although the process is about to end
    atexit.register(gc.freeze)
    # NumPy would start a thread for each core, which takes CPU time, and no command needs them
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    warnings.showwarning = _warn
    app()


def _warn(message: object, *_: object, **__: object) -> None:
    """Print only the message of a warning, without its place in the code."""
    from plyglass.cli.output import warn

    warn(str(message))


if __name__ == "__main__":
    main()
