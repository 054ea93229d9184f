"""What the starter AI is told about cards, from `intents.json`."""

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Advice(NamedTuple):
    """What playing a card is good for, in the words of abilities, and how it is used otherwise."""

    intents: tuple[Mapping[str, Any], ...] = ()
    style: str = ""
    spared_with: str = ""  # a card beside which this one is not attacked


def advice_for(card: str) -> Advice:
    """What the starter AI knows of a card, by its id."""
    return all_advice().get(card, Advice())


@functools.cache
def all_advice() -> Mapping[str, Advice]:
    entries = json.loads(Path(__file__).with_name("intents.json").read_text(encoding="utf-8"))
    return {card: Advice(**entry) for card, entry in entries.items()}
