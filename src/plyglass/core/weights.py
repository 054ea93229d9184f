"""This module reads the weights of a learned evaluator, which `core.learned` applies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from plyglass.trust import refuse_as_data

MOST_BYTES = 10_000_000


def read_weights(path: str, own: Path, features: int) -> list[float]:
    """Read one weight per feature, and a constant term.

    The weights come from `path`, a file that `plyglass learn` wrote. If `path` is empty, the
    weights come from the game's `own` file. If this file does not exist yet, all
    weights are 0.
    """
    if path:
        refuse_as_data(path)
    file = Path(path) if path else own
    if not path and not file.exists():
        return [0.0] * (features + 1)
    found = _weights_in(file)
    if len(found) != features + 1:
        raise ValueError(
            f"{file} has {len(found)} weights, but this game has {features} features and needs "
            f"{features + 1}; learn them again with `plyglass learn`."
        )
    return [float(weight) for weight in found]


def _weights_in(file: Path) -> list[Any]:
    if not file.is_file():
        raise ValueError(f"There is no file {file} of weights; `plyglass learn` writes one.")
    if file.stat().st_size > MOST_BYTES:
        raise ValueError(f"{file} is no file of weights: it has more than {MOST_BYTES:,} bytes.")
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file} is not valid JSON: {error}.") from None
    found = content.get("weights") if isinstance(content, dict) else None
    if not isinstance(found, list) or not all(map(_is_number, found)):
        raise ValueError(
            f'{file} needs "weights", a list of finite numbers, as `plyglass learn` writes it.'
        )
    return found


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and -1e300 < value < 1e300
