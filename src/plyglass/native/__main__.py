"""`python -m plyglass.native` builds all libraries; it imports less than `plyglass build`."""

import os

from plyglass.native.build import build_all


def main() -> None:
    """Build every library that is missing or out of date."""
    built = build_all(lambda line: print(line, flush=True), os.cpu_count() or 1)
    print(f"{built} libraries built; the others were up to date")


if __name__ == "__main__":  # worker processes import this module, too
    main()
