"""The named steps of a write, as hooks for tests that kill the process at a step.

| step | what is on disk |
|---|---|
| before-write | nothing of the new rows |
| mid-write | half of the rows, not committed, or half of a shard's temporary file |
| mid-rename | a complete temporary file that does not have its name yet |
| after-rename | a shard with its name that the manifest does not list yet |
| mid-manifest | half of the new manifest's temporary file |
| mid-manifest-rename | a complete new manifest that does not have its name yet |
| written-not-acknowledged | everything, but `add` has not returned |
| mid-merge | the merged shard, listed in the manifest, and the shards that it replaces |
| mid-salvage | a copy of half of the sound rows of a damaged database |
| mid-repair | the repaired database without its name; the damaged database is set aside |
"""

from __future__ import annotations


def reached(step: str) -> None:
    """Do nothing. A test replaces this function to see what a dying process leaves on disk."""
