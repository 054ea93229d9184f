"""Kills this process at a step of a write, to show that what is on disk then is enough to go on."""

import os

from plyglass.arena.store import write_steps

KILLED = 86
"""The exit status of a process that died at a step."""


def arm(step, times=1):
    """Die, without any clean-up, when the step is reached for the given time."""
    left = times

    def reached(name):
        nonlocal left
        left -= name == step
        if left <= 0:
            os._exit(KILLED)

    write_steps.reached = reached
