"""Bear as text and as a scene."""

from typing import Any

from plyglass.core.scene import (
    Disc,
    Imagined,
    Label,
    Polygon,
    Role,
    Scene,
    Shape,
    block,
    named,
    regular,
)
from plyglass.games.bear import rules
from plyglass.games.pieces import believed, table

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


def scene(record: Any, imagined: Imagined | None) -> Scene:
    """Return the hiker between the bear and a tree; a bear of unknown species is grey."""
    true = imagined is not None and imagined.true
    species = int((imagined.worlds[0] if imagined is not None and true else record)["species"])
    tried, left = int(record["tried"]), record["answer"] == rules.LEAVE
    up = tried == rules.CLIMB and bool(record["succeeded"])
    shapes: list[Shape] = [
        table(10, 6, "plain"),
        Polygon(block(0, 4.9, 10, 1.1), role="forest", opacity=0.3),
        *named(_woods(), "woods"),
        *named(_tree(8.3, 4.9), "tree"),
        *named(_bear(1.5 if left else 3.2, 4.9, species), "bear", "bear"),
        *named(_hiker(8.3 if up else 6.2, 2.6 if up else 4.9), "hiker", "hiker"),
    ]
    if imagined is not None and species == rules.UNKNOWN:
        shapes += believed(imagined, imagined.worlds["species"], ("black", "grizzly"), 2.2, 0.7)
    return Scene(10, 6, tuple(shapes), "Bear", tuple(text(record).splitlines()))


def action_path(action: int) -> tuple[str, ...]:
    """Return the key to click: tree or bear for the hiker, hiker or woods for the bear."""
    return (("tree", "bear", "hiker", "woods")[action],)


def _woods() -> list[Shape]:
    return [
        shape
        for x, y, size in ((0.5, 4.7, 0.8), (1.2, 5.0, 0.7), (0.4, 5.4, 0.6))
        for shape in _fir(x, y, size, "the woods")
    ]


def _fir(x: float, y: float, size: float, tip: str) -> list[Shape]:
    return [
        Polygon(block(x - 0.1 * size, y - 0.4 * size, 0.2 * size, 0.5 * size), role="mountain"),
        *(
            Polygon(regular(x, y - rise * size, 3, width * size), role="forest", tip=tip)
            for rise, width in ((0.7, 0.75), (1.15, 0.6), (1.55, 0.45))
        ),
    ]


def _tree(x: float, y: float) -> list[Shape]:
    tip = "climb the tree"
    leaves = ((0.0, -3.6, 0.9), (-0.7, -3.1, 0.7), (0.7, -3.1, 0.7), (0.0, -2.8, 0.75))
    return [
        Polygon(block(x - 0.22, y - 2.6, 0.44, 2.6), role="mountain", tip=tip),
        *(
            Disc(x + across, y + down, radius, role="forest", tip=tip)
            for across, down, radius in leaves
        ),
    ]


def _bear(x: float, y: float, species: int) -> list[Shape]:
    """Return a bear, with a hump for a grizzly, or grey with a question mark if unknown."""
    role: Role = ("muted", "mountain", "ghost")[species]
    tip = SPECIES[species]
    legs = [
        Polygon(block(x + leg, y - 0.7, 0.32, 0.7), role=role, tip=tip)
        for leg in (-0.95, -0.45, 0.15, 0.65)
    ]
    hump = [Disc(x + 0.45, y - 1.75, 0.45, role=role, tip=tip)] if species == rules.GRIZZLY else []
    return [
        *legs,
        *hump,
        Disc(x - 0.4, y - 1.1, 0.72, role=role, tip=tip),
        Disc(x + 0.4, y - 1.15, 0.75, role=role, tip=tip),
        Disc(x + 1.05, y - 1.95, 0.16, role=role, tip=tip),
        Disc(x + 1.45, y - 1.95, 0.16, role=role, tip=tip),
        Disc(x + 1.25, y - 1.55, 0.46, role=role, tip=tip),
        Disc(x + 1.6, y - 1.45, 0.18, role="road", tip=tip),
        Disc(x + 1.35, y - 1.65, 0.06, role="grid", tip=tip),
        *([Label(x, y - 1.15, "?", 0.9, role="grid", tip=tip)] if species < 0 else []),
        Label(x, y + 0.35, SPECIES[species].removeprefix("a "), 0.32, role="ink", tip=tip),
    ]


def _hiker(x: float, y: float) -> list[Shape]:
    tip = "the hiker"
    return [
        Polygon(block(x - 0.2, y - 0.6, 0.16, 0.6), role="own", tip=tip),
        Polygon(block(x + 0.04, y - 0.6, 0.16, 0.6), role="own", tip=tip),
        Polygon(block(x - 0.28, y - 1.3, 0.56, 0.75), role="own", tip=tip),
        Polygon(block(x + 0.22, y - 1.25, 0.26, 0.55), role="goal", tip=tip),
        Disc(x, y - 1.55, 0.24, role="road", tip=tip),
    ]
