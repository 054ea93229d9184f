"""Named points at which a test can kill the process, to show that what is on disk then is enough to
go on.

The environment variable PLYGLASS_CRASH_AT names the point, `mid-write`, or the time it is passed,
`mid-write:3` for the third. The points of the stores, in the order a write passes them:

    before-write              nothing has been written mid-write                 half of the rows
    inserted and not committed, or half of a shard's temporary file written mid-rename
    the temporary file is complete, but has not its name yet after-rename              the shard has
    its name, but is not in the manifest mid-manifest              half of the new manifest's
    temporary file written mid-manifest-rename       the new manifest is complete, but has not its
    name yet written-not-acknowledged  all is written, but `add` has not returned mid-merge
    the merged shard is in the manifest, but the shards it replaces are still there mid-salvage
    half of the sound rows of a damaged database copied mid-repair                the damaged
    database is set aside, but the repaired one has not its name yet
"""

from __future__ import annotations

import os

KILLED = 86
"""The exit status of a process that died at a crash point."""

_name, _, _time = os.environ.get("PLYGLASS_CRASH_AT", "").partition(":")
_armed: str | None = _name or None
_left = int(_time or 1)


def arm(name: str | None, time: int = 1) -> None:
    """Die when the point is passed for the given time, as the environment variable does; None
    disarms.
    """
    global _armed, _left
    _armed, _left = name, time


def crash_at(name: str) -> None:
    """Die here, without any clean-up, if this point is armed."""
    global _left
    if _armed is None or name != _armed:
        return
    _left -= 1
    if _left <= 0:
        os._exit(KILLED)
