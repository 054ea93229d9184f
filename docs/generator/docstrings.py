"""Adds to each planner and belief what its module says: source, needs, limits, differences."""

from __future__ import annotations

import re
from typing import Any

import griffe

HEADS = re.compile(
    r"(?:^|(?<=\. )|(?<=\.\n))(Needs|Cannot|Differs from [\w ]+ in|Beyond [\w ]+):", re.MULTILINE
)
PACKAGES = ("plyglass.planners.", "plyglass.beliefs.")


class ModuleSayings(griffe.Extension):
    """Puts the module's docstring in front of the parameters of each planner and belief."""

    def on_class(self, *, cls: griffe.Class, **kwargs: Any) -> None:
        """Combine the docstring of a planner or belief with that of its module."""
        known = cls.path.startswith(PACKAGES) and "begin" in cls.members
        if not (known and cls.docstring and cls.parent and cls.parent.docstring):
            return
        summary, _, rest = cls.docstring.value.partition("\n")
        parameters = rest.replace("Attributes:", "Parameters:")  # the same in a dataclass
        about = _as_markdown(cls.parent.docstring.value)
        cls.docstring.value = f"{summary}\n\n{about}\n{parameters}"


def _as_markdown(text: str) -> str:
    """A docstring without its summary, with bold heads and a blank line before each list."""
    _, _, rest = text.partition("\n\n")
    bold = HEADS.sub(r"\n\n**\1:**", rest.strip())
    return re.sub(r"(?m)^(?![-\s])(.+)\n(?=- )", r"\1\n\n", bold)
