"""Whether an input was dealt with: it is accepted, or refused in a sentence by Plyglass itself."""

from __future__ import annotations

import traceback
import warnings
from pathlib import Path

import plyglass as pg
from tests.fuzz.entries import Believed, Entry

TOP = str(Path(pg.__file__).parent)
REFUSALS = (ValueError, TypeError, RuntimeError, pg.RecordMismatch)
"""What the command line turns into a sentence."""


def flaw_of(entry: Entry, data: bytes, folder: Path) -> str:
    """What went wrong with an input; empty if nothing did."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            entry.read(data, folder)
    except Believed as error:
        return f"believed: {error}"
    except (MemoryError, OSError):
        return ""  # the command line says so in a sentence
    except REFUSALS as error:
        return _flaw_of_refusal(error)
    except Exception as error:
        return f"traceback: {''.join(traceback.format_exception(error)[-6:])}"
    return ""


def _flaw_of_refusal(error: Exception) -> str:
    """What is wrong with a refusal: it must be a sentence, made by Plyglass, that can be shown."""
    text, frames = str(error), traceback.extract_tb(error.__traceback__)
    if not frames[-1].filename.startswith(TOP):
        place = next(each for each in reversed(frames) if each.filename.startswith(TOP))
        where = f"{Path(place.filename).name}:{place.lineno}"
        return f"no sentence of ours: {type(error).__name__}: {text[:200]} (below {where})"
    if not text.rstrip().endswith((".", ".)", '."', ".'")):
        return f"no sentence: {type(error).__name__}: {text[:200]} ({frames[-1].filename})"
    if len(text) > 100_000:
        return f"an error of {len(text):,} characters: {text[:100]}"
    return ""
