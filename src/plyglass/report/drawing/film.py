"""Frames as one picture each, and as a film."""

from __future__ import annotations

import io
from collections.abc import Sequence

from plyglass.report.drawing.frames import Frame
from plyglass.report.drawing.geometry import Sheet, sheet_of
from plyglass.report.drawing.palette import LIGHT, Palette

LAST = 4  # times as long as others the last picture of a film stays
COLORS = 128


def frame_sheet(frame: Frame) -> Sheet:
    """The scenes of a frame, and below them what was done and the scores."""
    return sheet_of(frame.scenes, (f"{frame.heading}   (score {frame.score_line})",))


def gif(frames: Sequence[Frame], palette: Palette = LIGHT, seconds: float = 0.8) -> bytes:
    """The bytes of a GIF file that shows each frame for so long, again and again."""
    from plyglass.report.drawing.picture import png

    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise RuntimeError("Films need Pillow, which comes with matplotlib: pip install 'plyglass[plot]'.") from None
    images = [Image.open(io.BytesIO(png(frame_sheet(frame), palette, scale=1.0))).convert("RGB") for frame in frames]
    width, height = max(image.width for image in images), max(image.height for image in images)
    pages = [Image.new("RGB", (width, height), palette["paper"]) for _ in images]
    for page, image in zip(pages, images, strict=True):
        page.paste(image)
    drawn = [page.quantize(COLORS, dither=Image.Dither.NONE) for page in pages]
    durations = [round(1000 * seconds)] * (len(drawn) - 1) + [round(1000 * LAST * seconds)]
    written = io.BytesIO()
    drawn[0].save(written, format="GIF", save_all=True, append_images=drawn[1:], duration=durations, loop=0, optimize=False)
    return written.getvalue()
