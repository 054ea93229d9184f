"""Frames of a match as pictures, and as a film."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from plyglass.report.drawing.frames import Frame
from plyglass.report.drawing.geometry import Sheet, sheet_of
from plyglass.report.drawing.palette import LIGHT, Palette

if TYPE_CHECKING:
    from PIL import Image

LAST = 4  # the last picture is shown this many times as long as other pictures
COLORS = 128
SAMPLED = 8  # the number of pictures that determine the colours of a film
BAND = 64  # the height in pixels of the band for each colour of the palette


def frame_sheet(frame: Frame) -> Sheet:
    """The scenes of a frame, with the action and the scores below them."""
    return sheet_of(frame.scenes, (f"{frame.heading}   (score {frame.score_line})",))


def gif(frames: Sequence[Frame], palette: Palette = LIGHT, seconds: float = 0.8) -> bytes:
    """The bytes of a looping GIF that shows each frame for `seconds`."""
    from plyglass.report.drawing.picture import png

    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise RuntimeError(
            "Films need Pillow, which comes with matplotlib: pip install 'plyglass[plot]'."
        ) from None
    images = [
        Image.open(io.BytesIO(png(frame_sheet(frame), palette, scale=1.0))).convert("RGB")
        for frame in frames
    ]
    width, height = max(image.width for image in images), max(image.height for image in images)
    pages = [Image.new("RGB", (width, height), palette["paper"]) for _ in images]
    for page, image in zip(pages, images, strict=True):
        page.paste(image)
    common = _common_colors(pages, palette)
    drawn = [page.quantize(palette=common, dither=Image.Dither.NONE) for page in pages]
    durations = [round(1000 * seconds)] * (len(drawn) - 1) + [round(1000 * LAST * seconds)]
    written = io.BytesIO()
    drawn[0].save(
        written,
        format="GIF",
        save_all=True,
        append_images=drawn[1:],
        duration=durations,
        loop=0,
        optimize=True,
    )
    return written.getvalue()


def _common_colors(pages: Sequence[Image.Image], palette: Palette) -> Image.Image:
    """An image whose palette all pictures of a film use.

    With common colours, a film stores only what changes from picture to picture. The image is made
    from some of the pictures. It also has a band for every colour of `palette`, because colours of
    small shapes could otherwise be missing.
    """
    from PIL import Image

    some = pages[:: max(1, len(pages) // SAMPLED)]
    width, height = pages[0].size
    sample = Image.new("RGB", (width, height * len(some) + BAND * len(palette.colors)))
    for number, page in enumerate(some):
        sample.paste(page, (0, height * number))
    for number, color in enumerate(palette.colors.values()):
        top = height * len(some) + BAND * number
        sample.paste(color, (0, top, width, top + BAND))
    return sample.quantize(COLORS, dither=Image.Dither.NONE)
