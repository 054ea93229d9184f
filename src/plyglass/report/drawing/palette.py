"""The colour of each role of a scene, in a light and a dark palette.

The colours of sides and meanings are from Okabe and Ito (2008). The dark palette has lighter
versions of these colours. Colour-blind readers can tell the colours apart. Still, no game should
distinguish two things by colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PAPER = "paper"  # the page around a board, which is not a role of a scene


@dataclass(frozen=True)
class Palette:
    """A colour for every role."""

    colors: Mapping[str, str]

    def __getitem__(self, role: str) -> str:
        if role not in self.colors:
            raise ValueError(
                f"The palette has no colour for the role {role!r}; it has {', '.join(self.colors)}."
            )
        return self.colors[role]


LIGHT = Palette(
    {
        PAPER: "#ffffff", "board": "#f2f5f7", "water": "#dfecf5", "fog": "#d3dae0",
        "grid": "#ffffff",
        "plain": "#edf2df", "sea": "#4f9bcb", "forest": "#4f8a4b", "mountain": "#8a7357",
        "road": "#cdb98f",
        "own": "#0072b2", "ally": "#009e73", "enemy": "#c44e00", "neutral": "#7c8894",
        "ghost": "#98a2ac",
        "red": "#bf3427", "blue": "#0b63a5",
        "good": "#0072b2", "bad": "#d55e00", "heat": "#b0307f", "danger": "#d62f00",
        "sight": "#2b8cc4", "goal": "#f0c64a",
        "ink": "#1c2127", "muted": "#66727d",
    }
)  # fmt: skip
DARK = Palette(
    {
        PAPER: "#14181c", "board": "#2a323a", "water": "#1d3040", "fog": "#1d2227",
        "grid": "#14181c",
        "plain": "#39442f", "sea": "#3f86b5", "forest": "#63a75c", "mountain": "#a78d6c",
        "road": "#8f7d57",
        "own": "#4aa8e0", "ally": "#2dc29a", "enemy": "#f0803a", "neutral": "#8d99a5",
        "ghost": "#6b7680",
        "red": "#f2766a", "blue": "#58aeea",
        "good": "#4aa8e0", "bad": "#f0803a", "heat": "#e05fae", "danger": "#ff6a3d",
        "sight": "#7cc4ee", "goal": "#c9a227",
        "ink": "#e9edf1", "muted": "#9aa6b2",
    }
)  # fmt: skip
THEMED = Palette({role: f"var(--{role})" for role in LIGHT.colors})
"""A palette for pages whose style sheets define the colours as variables."""
