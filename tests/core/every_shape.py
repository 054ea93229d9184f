"""One shape of every kind, with text that must be escaped."""

from plyglass.core import scene as shapes

EVERY_SHAPE = (
    shapes.Tile(0, 1, 0.25, role="heat", opacity=0.5, tip="a quarter"),
    shapes.Disc(0.5, 0.5, role="own"),
    shapes.Polygon(shapes.star(1.5, 1.5), role="danger"),
    shapes.Path(((0.5, 0.5), (1.5, 0.5), (1.5, 1.5)), True, True, role="ally"),
    shapes.Ring(0, 0, 2, 2, role="sight"),
    shapes.Label(1.5, 0.5, '<"a" & b>', role="ink"),
    shapes.Bar(1.5, 0.9, 0.3, role="good"),
    shapes.Card(0, 1, 1, 1, "Gloom & Doom", "3", "2/4", "flies", role="own", key="a", thing="b"),
)
