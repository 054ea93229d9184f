"""`python -m plyglass.native`: build all libraries, even if the command line is not installed."""

import os

from plyglass.native.build import build_all


def main() -> None:
    """Build every library that is missing or out of date."""
    built = build_all(lambda line: print(line, flush=True), os.cpu_count() or 1)
    print(f"{built} libraries built; the others were up to date")


if __name__ == "__main__":  # processes that build a library import this module
    main()
