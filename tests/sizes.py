"""How large a test is: small enough for every change, or its full size at night."""

import os

NIGHTLY = os.environ.get("NIGHTLY") == "1"


def sized(usual, full):
    """`usual` in CI, `full` in the nightly set."""
    return full if NIGHTLY else usual
