"""The house style of figures: palette, sizes, and a heading with subject and number of games.

Colours are from Okabe and Ito (2008); colour-blind readers can tell them apart. This module does
not change matplotlib's global state: it does not use pyplot, opens no windows, and applies its
settings only while a figure is made.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

try:
    import matplotlib as mpl
except ModuleNotFoundError:
    raise RuntimeError("Figures need matplotlib: pip install 'plyglass[plot]'.") from None
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.textpath import TextPath

INK, MUTED, FAINT, PAPER = "#1c2127", "#5f6b76", "#d9dee3", "#ffffff"
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5c00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DIVERGING = LinearSegmentedColormap.from_list(
    "plyglass", ("#b24700", "#e8945a", "#f6f3ef", "#6aaed6", "#00558c")
)

HEAD = 0.72  # inches above the axes for a title and a subtitle of one line each
FONT = "DejaVu Sans"
TITLE = FontProperties(family=FONT, size=12.5, weight="bold")
SUBTITLE = FontProperties(family=FONT, size=9)
WIDTH, MARGIN = 7.2, 0.12
POINTS = 72  # points per inch

SETTINGS: dict[Any, Any] = {
    "font.family": FONT, "font.size": 10, "axes.labelsize": 10, "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "text.color": INK, "axes.labelcolor": INK, "xtick.color": MUTED, "ytick.color": MUTED,
    "xtick.labelcolor": INK, "ytick.labelcolor": INK,
    "axes.edgecolor": MUTED, "axes.linewidth": 0.8, "axes.spines.top": False,
    "axes.spines.right": False, "axes.axisbelow": True,
    "axes.grid": False, "grid.color": FAINT, "grid.linewidth": 0.8, "xtick.major.size": 3,
    "ytick.major.size": 0,
    "figure.facecolor": PAPER, "axes.facecolor": "none", "legend.frameon": False,
    "svg.fonttype": "path",
}  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """A finished figure.

    Attributes:
        name: the name of the figure's files.
        title: the subject of the figure.
        subtitle: the number of games, and the kind of interval.
        caption: a text that explains the figure and is printed outside of the figure.
        figure: the matplotlib figure.
    """

    name: str
    title: str
    subtitle: str
    caption: str
    figure: Figure

    def __post_init__(self) -> None:
        """Fix the layout, which matplotlib would otherwise change slightly with every file."""
        self.figure.draw_without_rendering()
        self.figure.set_layout_engine("none")

    def svg(self) -> str:
        """The figure as SVG; equal figures give equal text."""
        text = io.StringIO()
        with mpl.rc_context({"svg.fonttype": "path", "svg.hashsalt": self.name}):
            self.figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        return text.getvalue()

    def write(self, folder: Path) -> list[Path]:
        """Write SVG and PNG into a folder."""
        vector, raster = folder / f"{self.name}.svg", folder / f"{self.name}.png"
        vector.write_text(self.svg(), encoding="utf-8")
        self.figure.savefig(raster, format="png", dpi=140, metadata={"Software": None})
        return [vector, raster]


@contextmanager
def house_style() -> Iterator[None]:
    """A context in which figures have the house style."""
    with mpl.rc_context():
        mpl.rcParams.update(mpl.rcParamsDefault)
        mpl.rcParams.update(SETTINGS)
        yield


def sheet(
    title: str,
    subtitle: str,
    height: float,
    columns: int = 1,
    width: float = WIDTH,
    share_y: bool = False,
) -> tuple[Figure, list[Axes]]:
    """A figure with a heading, and axes side by side below the heading.

    `height` is the height of the axes, in inches.
    """
    title, lower = _in_lines(title, TITLE, width)
    subtitle, lowest = _in_lines(subtitle, SUBTITLE, width)
    head = HEAD + lower + lowest
    whole = height + head
    figure = Figure(figsize=(width, whole))
    figure.set_layout_engine(
        ConstrainedLayoutEngine(
            rect=(0, 0, 1, 1 - head / whole), w_pad=0.08, h_pad=0.06, wspace=0.06
        )
    )
    left = MARGIN / width
    figure.text(left, 1 - MARGIN / whole, plain(title), font=TITLE, va="top", in_layout=False)
    figure.text(
        left,
        1 - (0.42 + lower) / whole,
        plain(subtitle),
        font=SUBTITLE,
        color=MUTED,
        va="top",
        in_layout=False,
    )
    axes = figure.subplots(1, columns, sharey=share_y, squeeze=False)
    return figure, list(axes[0])


def _in_lines(text: str, font: FontProperties, width: float) -> tuple[str, float]:
    """A heading wrapped to the width, and the height of the lines after the first, in inches."""
    room, needed = (
        0.97 * (width - 2 * MARGIN),
        TextPath((0, 0), plain(text), prop=font).get_extents().width / POINTS,
    )
    lines = wrap(text, int(len(text) * room / needed)) if needed > room else [text]
    return "\n".join(lines), 1.25 * font.get_size_in_points() / POINTS * (len(lines) - 1)


def plain(text: str) -> str:
    """A name with its dollar signs escaped, because they would begin a formula."""
    return text.replace("$", r"\$")


def interval_line(
    axes: Axes,
    place: float,
    low: float | None,
    value: float,
    high: float | None,
    color: str,
    marker: str = "o",
) -> None:
    """A dot with its horizontal interval."""
    if low is not None and high is not None:
        axes.plot(
            [low, high],
            [place, place],
            color=color,
            linewidth=1.6,
            marker="|",
            markersize=8,
            markeredgewidth=1.6,
        )
    axes.plot([value], [place], marker=marker, color=color, markersize=5.5, linestyle="none")


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Write names on the left of the axes, the first on top, each with a faint horizontal line."""
    axes.set_yticks(range(len(names)), [plain(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y")


def readable_on(shade: tuple[float, float, float, float]) -> str:
    """Near-white or near-black, whichever contrasts more with a colour (by WCAG 2)."""
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in shade[:3]
    ]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#fdfdfd" if 1.03 / (luminance + 0.05) > (luminance + 0.05) / 0.06 else "#14181c"
