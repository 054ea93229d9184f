"""Bear as text."""

from typing import Any

from plyglass.games.bear import rules

SPECIES = {rules.UNKNOWN: "a bear", rules.BLACK: "a black bear", rules.GRIZZLY: "a grizzly bear"}
ATTEMPTS = {rules.CLIMB: "climb the tree", rules.INTIMIDATE: "intimidate it"}
ANSWERS = {rules.ATTACK: "It attacked.", rules.LEAVE: "It left."}


def text(record: Any) -> str:
    lines = [f"Before you stands {SPECIES[int(record['species'])]}, behind you a tree."]
    if record["tried"] != rules.NOTHING:
        lines.append(
            f"You tried to {ATTEMPTS[int(record['tried'])]} and "
            f"{'managed' if record['succeeded'] else 'failed'}."
        )
    if record["answer"] != rules.NOTHING:
        lines.append(ANSWERS[int(record["answer"])])
    return "\n".join(lines)
