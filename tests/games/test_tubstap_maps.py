"""The maps that come with TUBSTAP, and the format of map files."""

from collections import Counter

import pytest

from plyglass.games.tubstap import Tubstap
from plyglass.games.tubstap.tbsmap import FOLDER, load, names, parsed, written
from plyglass.games.tubstap.units import CANNON, INFANTRY, KINDS, TERRAIN
from tests.games.naive_tubstap import MARKS, POWER, cost
from tests.games.tubstap_maps import drawn

LARGE = [name for name in names() if name != "sandbox"]
PLAIN = written(drawn(["...", "...", "..."], "P10@a1", "I10@c3"))


def counts(terrain, side=0):
    return Counter((MARKS[unit.kind], unit.health) for unit in terrain.units if unit.side == side)


@pytest.mark.parametrize("name", names())
def test_a_map_is_the_same_for_both_sides(name):
    terrain = load(name)
    turned = terrain.turned()
    assert turned.rows == terrain.rows
    assert sorted(turned.units) == sorted(terrain.units)


def test_there_are_maps_of_many_sizes_and_armies():
    maps = [load(name) for name in LARGE]
    assert len(maps) >= 12
    assert all(min(each.width, each.height) >= 8 for each in maps)
    assert {(each.width, each.height) for each in maps} >= {(8, 8), (10, 10), (12, 10), (15, 15)}
    assert {len(each.units) // 2 for each in maps} >= {4, 5, 6, 7, 8, 9, 10}
    assert sum({CANNON, INFANTRY} <= {unit.kind for unit in each.units} for each in maps) >= 4
    assert len({(each.rows, each.units) for each in maps}) == len(maps)


def test_crossroads_is_like_the_map_of_the_paper():
    terrain = load("crossroads")
    assert (terrain.width, terrain.height, terrain.turns, terrain.threshold) == (8, 8, 50, 1)
    assert (
        counts(terrain)
        == counts(terrain, 1)
        == {("A", 5): 1, ("F", 5): 1, ("R", 10): 4, ("P", 10): 2}
    )
    assert Tubstap().parameters["map"] == "crossroads"


def reached(terrain, unit):
    """All places that a unit can get to if nobody is in its way."""
    land, edge = (
        {place: TERRAIN[number].name for place, number in terrain.places()},
        [(unit.x, unit.y)],
    )
    found = set(edge)
    while edge:
        x, y = edge.pop()
        new = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} - found
        edge += (
            open_ := [place for place in new if cost(MARKS[unit.kind], land.get(place, "no entry"))]
        )
        found.update(open_)
    return found


@pytest.mark.parametrize("name", names())
def test_every_unit_gets_to_the_other_side_or_has_a_job(name):
    """It gets within range of an enemy that it can hurt, or such an enemy gets within its range."""
    terrain = load(name)
    for unit in terrain.units:
        kind = KINDS[unit.kind]
        prey = [
            other
            for other in terrain.units
            if other.side != unit.side and POWER[kind.mark].get(MARKS[other.kind])
        ]
        own = reached(terrain, unit)
        meets = any(
            kind.nearest <= abs(a - x) + abs(b - y) <= kind.farthest
            for other in prey
            for x, y in reached(terrain, other)
            for a, b in own
        )
        assert meets, f"{kind.name} at {unit.x + 1},{unit.y + 1} has nothing to do"


@pytest.mark.parametrize("name", names())
def test_files_are_written_as_they_are_read(name):
    text = (FOLDER / f"{name}.tbsmap").read_text(encoding="utf-8")
    assert written(load(name)) == text
    assert parsed(text).comment


def test_a_file_of_ones_own_is_a_map(tmp_path):
    path = tmp_path / "mine.tbsmap"
    path.write_text(PLAIN)
    game = Tubstap(map=str(path))
    assert (game.map.width, game.map.height) == (3, 3)
    assert game.variant({"fog": False}).map == game.map


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_files_of_the_platform_come_in_several_encodings(tmp_path, encoding):
    path = tmp_path / "japanese.tbsmap"
    path.write_bytes(
        PLAIN.replace("MAPCOM[]", "MAPCOM[地図]").replace("\n", "\r\n").encode(encoding)
    )
    assert load(str(path)).comment == "地図"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("SIZEX[5];", "", "has 0 items SIZEX"),
        ("TURNLIMIT[50];", "TURNLIMIT[fifty];", "line 2: 'fifty' in TURNLIMIT"),
        ("TURNLIMIT[50]", "TURNLIMIT[0]", "TURNLIMIT is 1 to 10000"),
        (
            "SIZEX[5]",
            "SIZEX[19]",
            "1 to 15 columns and rows within its border; SIZEX and SIZEY make it 17 x 3",
        ),
        ("SIZEX[5]", "SIZEX[6]", "line 8: 5 cells in a row, but SIZEX says 6"),
        ("SIZEY[5]", "SIZEY[6]", "5 rows MAP.*but SIZEY says 6"),
        ("MAP[0,1,1,1,0]", "MAP[0,1,9,1,0]", "line 9: terrain has a number from 0 to 6, not 9"),
        ("MAP[0,1,1,1,0]", "MAP[1,1,1,1,0]", "line 9: the border of a map is 0"),
        ("MAP[0,0,0,0,0]", "MAP[0,0,1,0,0]", "line 8: the border of a map is 0"),
        (
            "MAP[0,1,1,1,0]",
            "MAP[0,2,1,1,0]",
            "line 6: the panzer at 1,1 cannot be there: the terrain is sea",
        ),
        (
            "UNIT[1,1,panzer",
            "UNIT[4,1,panzer",
            "line 6: the panzer at 4,1 is not on the board, whose columns go from 1 to 3",
        ),
        ("UNIT[1,1,panzer", "UNIT[3,3,panzer", "line 7: the infantry at 3,3 shares its cell"),
        ("panzer", "tank", "line 6: there is no unit 'tank'; choose from fighter"),
        ("panzer,0,10,0", "panzer,0,11,0", "line 6: side is 0 .* health 1 to 10"),
        ("panzer,0,10,0", "panzer,0,10", "line 6: a unit is UNIT"),
        ("panzer,0,10,0", "panzer,1,10,0", "has 0 units of red, but UNITNUMRED says 1"),
        ("UNITNUMRED[1]", "UNITNUMRED[2]", "has 1 units of red, but UNITNUMRED says 2"),
        ("AUTHOR[];", "AUTHOR[;", "line 4: .* is not an item"),
        ("MAPCOM[];", "MAPCOM[] hello;", "line 5: 'MAPCOM.* is not an item"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_line(old, new, says):
    assert old in PLAIN
    with pytest.raises(ValueError, match=says):
        parsed(PLAIN.replace(old, new, 1))
