"""Kills this process during a write, to show that a run can continue from the files on disk."""

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
