"""Drawings: one element per shape, self-contained files, and no effect on the match."""

import io
import re
from xml.etree import ElementTree

import pytest
from PIL import Image

import plyglass as pg
from plyglass.core.scene import ROLES, SHAPES, Label, Scene, spots
from plyglass.report.drawing.film import frame_sheet, gif
from plyglass.report.drawing.frames import Frame, Lens, Thought, frames_of_match, frames_of_record
from plyglass.report.drawing.geometry import sheet_of
from plyglass.report.drawing.palette import DARK, LIGHT, THEMED, Palette
from plyglass.report.drawing.picture import png
from plyglass.report.drawing.player import page
from plyglass.report.drawing.svg import parts, svg_file
from tests.core.every_shape import EVERY_SHAPE

SCENE = Scene(2, 2, EVERY_SHAPE, "<title>", ("a & b",))
SPACE = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def filmed():
    agent = pg.agent_from("uct:iterations=5,belief=particles(worlds=10,tries=2)")
    return frames_of_match(pg.game_from("navy"), [agent], Lens(worlds=8), seed=3)


def groups(text):
    root = ElementTree.fromstring(text)
    return next(part for part in root if part.get("class") == "shapes")


def test_svg_has_one_element_for_each_shape_with_its_tip():
    found = groups(svg_file(sheet_of([SCENE])))
    assert len(found) == len(EVERY_SHAPE) == len(SHAPES)
    assert [group.findtext(f"{SPACE}title") or "" for group in found] == [
        shape.tip for shape in EVERY_SHAPE
    ]
    assert all(
        len(group) > bool(shape.tip) for group, shape in zip(found, EVERY_SHAPE, strict=True)
    )


def test_text_of_games_is_escaped():
    text = svg_file(sheet_of([SCENE]))
    assert "&lt;title&gt;" in text
    written = [each.text for each in groups(text).iter(f"{SPACE}text")]
    assert written == ['<"a" & b>', "3", "Gloom", "& Doom", "flies", "2/4"]
    frame = Frame((SCENE,), 0, (("<me>", 1.0), ("you", 0.0)), "<act>", (Thought("<act>", 1.0, 3),))
    assert not re.search("<(me|act|b|i)>", page([frame], "<b>", "<i>").split("<body>")[1])


def test_what_only_takes_clicks_is_not_drawn():
    scene = Scene(2, 2, tuple(spots(2, 2, lambda x, y: f"{x}{y}")))
    assert not sheet_of([scene]).shapes


def test_scenes_stand_side_by_side():
    one, two = sheet_of([SCENE]), sheet_of([SCENE, SCENE], ("below",))
    assert two.width == 2 * one.width
    assert two.height > one.height
    assert len(two.shapes) == 2 * len(one.shapes)
    first, second = (
        two.shapes[0].marks[0].points[0],
        two.shapes[len(EVERY_SHAPE)].marks[0].points[0],
    )
    assert second == (first[0] + one.width, first[1])


def test_every_role_has_a_colour_by_day_and_by_night():
    for palette in (LIGHT, DARK, THEMED):
        assert set(ROLES) | {"paper"} == set(palette.colors)


def test_an_unknown_role_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="no colour for the role 'own'; it has ink"):
        Palette({"ink": "#000000"})["own"]


def test_a_picture_has_the_colours_of_its_palette():
    for palette in (LIGHT, DARK):
        image = Image.open(io.BytesIO(png(sheet_of([Scene(1, 1)]), palette, scale=1.0))).convert(
            "RGB"
        )
        middle = image.getpixel((image.width // 2, image.height // 2))
        assert "#{:02x}{:02x}{:02x}".format(*middle) == palette["board"]
        assert "#{:02x}{:02x}{:02x}".format(*image.getpixel((1, 1))) == palette["paper"]


def test_a_film_has_a_frame_for_each_decision_and_one_for_the_end(filmed):
    match, frames = filmed
    assert len(frames) == len(match.moves) + 1 > 5
    assert [frame.step for frame in frames] == list(range(len(frames)))
    assert [frame.action for frame in frames] == [
        *(match.game.action_name(action) for action in match.actions),
        "",
    ]
    assert [score for _, score in frames[-1].scores] == list(match.scores)
    film = gif(frames)
    assert Image.open(io.BytesIO(film)).n_frames == len(frames)
    assert len(film) < 60_000 * len(frames), "a film of 30 steps should stay below 2 MB"


def test_frames_say_what_the_agent_thought(filmed):
    match, frames = filmed
    for frame, decision in zip(frames, match.decisions, strict=False):
        assert {thought.action: thought.value for thought in frame.thoughts} == dict(
            zip(map(match.game.action_name, decision.actions), decision.values, strict=True)
        )
        visits = [thought.visits for thought in frame.thoughts]
        assert visits == sorted(visits, reverse=True)
        assert frame.health == decision.health


@pytest.mark.parametrize("belief", ["fresh", "particles(worlds=50)", "exact", "truth"])
def test_looking_on_changes_no_decision(belief):
    game = pg.game_from("rocksample:size=3,rocks=3,steps=12")
    agent = pg.agent_from(f"uct:iterations=40,trees=4,belief={belief}")
    alone = pg.play(game, [agent], seed=5)
    for worlds in (0, 1, 30):
        watched, _ = frames_of_match(game, [agent], Lens(worlds=worlds), seed=5)
        assert watched.decisions == alone.decisions


def test_a_record_gives_the_frames_of_its_match():
    game, agents = (
        pg.game_from("skirmish:fog=true,turns=2"),
        [pg.agent_from("greedy:iterations=2,belief=particles(worlds=10)")] * 2,
    )
    for seat in range(2):
        match, frames = frames_of_match(game, agents, Lens(seat, truth=True), seed=2)
        assert len(frames) == 1 + sum(move.player == seat for move in match.moves)
        assert all("the truth" in frame.scenes[1].title for frame in frames)
        again, replayed = frames_of_record(pg.record_of(match), Lens(seat, truth=True))
        assert replayed == frames
        assert again.actions == match.actions


def test_a_page_shows_the_review_of_its_match():
    """A second player who lets the first complete a column is marked, on the page as well."""
    game = pg.game_from("tic-tac-toe")
    uct = pg.agent_from("uct:iterations=400")
    match, frames = frames_of_match(game, [uct, pg.agent_from("random")], Lens(None), seed=2)
    review = pg.review(pg.record_of(match), agent=uct, play_on=uct, pairs=16)
    marked = [each for each in review.plies if each.mark]
    assert marked
    text = page(frames, "reviewed", "", review=review)
    dots = re.findall(r'data-frame="(\d+)" title="([^"]*)"', text)
    assert [int(frame) for frame, _ in dots] == [each.ply for each in marked]
    assert all(
        game.action_name(each.action) in title
        for each, (_, title) in zip(marked, dots, strict=True)
    )
    points = re.search(r'<polyline points="([^"]*)"/><line id="now"', text)[1].split()
    assert len(points) == len(review.plies)
    first = review.plies[0]
    assert f"<dd>{100 * first.chance:.0f} of 100</dd>" in text
    assert f"<dt>mistake {marked[0].mark}</dt>" in text
    assert "lost" in text
    assert "lost" not in page(frames, "alone", "").split("<body>")[1]


def test_a_team_that_sees_the_same_has_one_board():
    game = pg.game_from("tic-tac-toe")
    random = [pg.agent_from("random")] * 2
    _, frames = frames_of_match(game, random, Lens(None), seed=2)
    assert {len(frame.scenes) for frame in frames} == {1}
    fog = pg.game_from("phantom-tic-tac-toe")
    _, frames = frames_of_match(fog, random, Lens(None), seed=2)
    assert {len(frame.scenes) for frame in frames} == {2}


def test_the_page_holds_all_it_needs(filmed):
    _, frames = filmed
    text = page(frames, "Navy", "played by uct")
    assert text.count('<section class="frame">') == len(frames) == text.count("<svg ")
    assert not re.search(
        r"https?:|//\w|\bsrc=|\bhref=|url\(|@import|fetch\(|XMLHttpRequest|@\w+@", text
    )
    for word in ("ArrowLeft", "ArrowRight", 'type="range"', "Play", "speed"):
        assert word in text
    for frame in frames:
        assert frame.heading in text
    assert "worlds, effectively" in text
    assert 'data-theme="dark"' in page(frames, "Navy", "", dark=True)


def test_bars_reach_from_the_least_to_the_greatest_value():
    thoughts = (
        Thought("a", 3.0, 5),
        Thought("b", None, 0),
        Thought("c", -1.0, 1),
        Thought("d", 1.0, 1),
    )
    text = page([Frame((SCENE,), 0, (("you", 0.0),), "a", thoughts)], "", "")
    assert re.findall(r"width:(\d+)%", text.split("<body>")[1]) == ["100", "0", "4", "52"]
    by_visits = (Thought("a", None, 4), Thought("b", None, 1))
    text = page([Frame((SCENE,), 0, (("you", 0.0),), "a", by_visits)], "", "")
    assert re.findall(r"width:(\d+)%", text.split("<body>")[1]) == ["100", "25"]


def test_the_line_below_a_picture_says_what_was_done():
    alone = Frame((SCENE,), 3, (("you", 1.5),), "north")
    assert frame_sheet(alone).writing[-1].text.split("   ") == ["Step 3: north", "(score 1.5)"]
    both = Frame((SCENE,), 4, (("you", 1.5), ("she", -1.5)))
    assert frame_sheet(both).writing[-1].text.split("   ") == [
        "Step 4: the end",
        "(score you 1.5, she -1.5)",
    ]


def test_everybody_and_the_truth_can_be_looked_at_together():
    game, agents = (
        pg.game_from("skirmish:fog=true,turns=2"),
        [pg.agent_from("uct:iterations=5,belief=particles(worlds=10)")] * 2,
    )
    match, frames = frames_of_match(game, agents, Lens(None, truth=True), seed=2)
    assert match.decisions == pg.play(game, agents, seed=2).decisions
    assert [frame.action for frame in frames] == [
        *(game.action_name(action) for action in match.actions),
        "",
    ]
    assert [frame.mover for frame in frames] == [
        *(game.player_name(move.player) for move in match.moves),
        "",
    ]
    assert frames[0].heading == f"Step 0: south, {frames[0].action}"
    for seat in range(2):
        _, alone = frames_of_match(game, agents, Lens(seat), seed=2)
        own = [
            frame.scenes[seat] for frame in frames if frame.mover in (game.player_name(seat), "")
        ]
        assert own == [frame.scenes[0] for frame in alone], (
            "a seat sees and believes what it does when it is looked at alone"
        )
    text = page(frames, "Skirmish", "")
    assert re.findall(r'<button type="button" title="key (\d)">([^<]*)<', text) == [
        ("0", "all"), ("1", "south"), ("2", "north"), ("3", "the truth")
    ]  # fmt: skip
    assert text.count("<svg ") == 3 * len(frames)


def test_what_others_do_is_drawn_on_the_truth_alone():
    class Drawn(pg.games.Skirmish):
        def action_shapes(self, action):
            return (Label(0.5, 0.5, "done", role="ink"),)

    agents = [pg.Agent(pg.Random())] * 2
    _, frames = frames_of_match(Drawn(fog=True, turns=2), agents, Lens(None, truth=True), seed=2)
    for frame in frames:
        drawn = [
            name
            for name, scene in zip(frame.eyes, frame.scenes, strict=True)
            if Label(0.5, 0.5, "done", role="ink") in scene.shapes
        ]
        assert drawn == ([frame.mover, "the truth"] if frame.action else [])


def test_a_page_has_every_element_once_and_boards_are_made_of_them(filmed):
    _, frames = filmed
    text = page(frames, "Navy", "")
    assert "eyes" not in re.findall(r'id="(\w+)"', text), "there is nothing to choose"
    pieces = text.split('<template id="pieces"><svg>\n')[1].split("\n</svg>")[0].split("\n")
    assert len(pieces) == len(set(pieces))
    for frame, numbers in zip(frames, re.findall(r'data-pieces="([\d ]+)"', text), strict=True):
        layers = parts(sheet_of(frame.scenes), THEMED)
        assert [pieces[int(number)] for number in numbers.split()] == [
            element for layer in layers for element in layer
        ]


def test_a_seat_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="there is no seat 3 to watch"):
        frames_of_match(pg.game_from("skirmish"), [pg.Agent(pg.Random())] * 2, Lens(seat=2))
    with pytest.raises(ValueError, match="needs 2 players, but 1 were given"):
        frames_of_match(pg.game_from("skirmish"), [pg.Agent(pg.Random())])
