"""Tiger as text."""

from typing import Any

DOORS = {-1: "nothing", 0: "left", 1: "right"}


def text(record: Any) -> str:
    left, right = (int(count) for count in record["heard"])
    return "\n".join(
        [
            f"  ┌───┐ ┌───┐    heard just now: {DOORS[int(record['last'])]}",
            f"  │ {_count(left)} │ │ {_count(right)} │    since a door was opened: {left} left, "
            f"{right} right",
            f"  └───┘ └───┘    step {int(record['steps'])}, reward {int(record['reward'])}",
        ]
    )


def _count(hearings: int) -> str:
    return str(hearings) if hearings < 10 else "+"
