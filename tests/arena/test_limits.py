"""Numbers, lengths and depths of texts have limits, and a refusal names the limit."""

import json
import math
from dataclasses import fields, is_dataclass, replace

import pytest

import plyglass as pg
from plyglass import beliefs, planners
from plyglass.arena.limits import shown
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.games.duelyst.cards import decks
from plyglass.games.tubstap import tbsmap


def nested(depth, inner="random"):
    return "pimc:inner=" + "pimc(inner=" * depth + inner + ")" * depth


AGENTS = [
    ("uct:iterations=1e18", "at most 10,000,000,000 as iterations, not 1e\\+18"),
    ("uct:iterations=1000000000000000000", "at most 10,000,000,000 as iterations"),
    ("uct:iterations=nan", "as iterations, not nan"),
    ("uct:iterations=inf", "as iterations, not inf"),
    ("uct:iterations=2.5", "a whole number as iterations, not '2.5'"),
    ("uct:iterations=" + "9" * 5000, "at most 10,000,000,000 as iterations"),
    ("uct:iterations=-1e18", "at most 10,000,000,000 as iterations"),
    ("uct:seconds=1e9", "at most 1,000,000 as seconds"),
    ("uct:trees=1e9", "at most 1,000,000 as trees"),
    ("uct:belief=particles(worlds=1e9)", "at most 1,000,000 as worlds"),
    ("uct:playout.turns=1e18", "at most 1,000,000 as turns"),
    ("uct:model=game(size=1e18)", "at most 1,000,000,000 as size"),
    (nested(1000), "at most 10,000 are allowed"),
    (nested(500), "more than 20 deep"),
    ("uct:" + "(" * 1000, "more than 20 deep"),
    ("uct:a=" + "x" * 20_000, "20,006 characters; at most 10,000"),
    ("random:a\x1b=1", "does not print"),
]


@pytest.mark.parametrize(("text", "message"), AGENTS, ids=[text[:30] for text, _ in AGENTS])
def test_the_text_of_an_agent_has_limits(text, message):
    with pytest.raises(ValueError, match=message):
        pg.agent_from(text)


def test_a_whole_number_may_be_written_with_an_exponent():
    assert pg.agent_from("uct:iterations=1e3") == pg.agent_from("uct:iterations=1000")


@pytest.mark.parametrize(
    "text",
    ["skirmish:size=10000", "battleship:size=1e9", "navy:size=99999999999999999999", "pig:goal=nan",
     "dark-hex:size=10000", "pig:goal=None", "connect-four:connect=-1e300",
     "tic-tac-toe:" + "a=1," * 5000, "rocksample:rocks=1e18"],
)  # fmt: skip
def test_the_text_of_a_game_has_limits(text):
    with pytest.raises(ValueError, match=r"not|allowed|no parameter"):
        pg.game_from(text)


def test_a_map_of_ten_thousand_rows_is_refused_at_once(tmp_path):
    row = "MAP[" + ",".join(["1"] * 10_002) + "];\n"
    file = tmp_path / "large.tbsmap"
    file.write_text("SIZEX[10002];SIZEY[10002];\n" + row * 1000)
    with pytest.raises(ValueError, match="more than 100,000 bytes"):
        tbsmap.load(str(file))
    items = "SIZEX[10002];SIZEY[10002];" + "A[];" * 15_000
    with pytest.raises(ValueError, match="must have exactly one"):
        tbsmap.parsed(items)
    for number in ("9" * 5000, "-" + "9" * 5000, "٣"):
        with pytest.raises(ValueError, match="not a whole number"):
            tbsmap.parsed(f"SIZEX[{number}];")


@pytest.mark.parametrize(
    "cards",
    [{"a": "x"}, {"a": None}, {"a": 10**30}, {"a": [1]}, {"a": True}, [], None, "[" * 100_000],
)
def test_a_deck_of_anything_is_refused_in_a_sentence(tmp_path, cards):
    text = cards if isinstance(cards, str) else json.dumps({"general": "x", "cards": cards})
    (tmp_path / "deck.json").write_text(text)
    with pytest.raises(ValueError, match="deck"):
        decks.load(str(tmp_path / "deck.json"))


SETTINGS = [
    ("deals = 1000000000000000000", "at most 1,000,000,000 as deals"),
    ("deals = 0", "deals must be at least 1"),
    ("trials = 99999999999", "at most 1,000,000 as trials"),
    ("match_seconds = nan", "as match_seconds, not nan"),
    ("match_seconds = inf", "as match_seconds, not inf"),
    ("seed = -1", "seed must be from 0"),
    ("overrun_seconds = nan", "as overrun_seconds"),
    ("stop = {rule = 'sprt', elo0 = nan}", "as elo0"),
    ("facts = {}", "no setting 'facts'"),
    ("trusted = true", "no setting 'trusted'"),
    ("measures = [1]", "must be text"),
    ("stop = " + "[" * 5000, "nest too deep|not valid TOML"),
    ('start = "a\\u001bb"', "does not print"),
]


@pytest.mark.parametrize(("line", "message"), SETTINGS, ids=[line[:30] for line, _ in SETTINGS])
def test_settings_have_limits(tmp_path, line, message):
    text = f"games = ['tic-tac-toe']\n{line}\n[agents]\na = 'random'\nb = 'random'\n"
    (tmp_path / "settings.toml").write_text(text)
    with pytest.raises((ValueError, TypeError), match=message):
        Settings.load(tmp_path / "settings.toml")


def test_a_schedule_of_too_many_meetings_is_refused():
    agents = {f"agent {number}": "random" for number in range(1000)}
    schedule = Schedule(Settings(("tic-tac-toe",), agents))
    assert len(schedule) == 999_000 * 50
    with pytest.raises(ValueError, match="41,417,124,750 meetings of 4 players"):
        schedule._meetings(4)  # no game of Plyglass has four opponents
    with pytest.raises(ValueError, match="at most 1000 agents"):
        Settings(("tic-tac-toe",), {**agents, "one more": "random"})


def test_an_error_never_quotes_more_than_a_line():
    assert shown(10**5000) == "a number of 5001 digits"
    assert len(shown("x" * 10_000)) <= 60


def numbers(part, trail=()):
    """The paths of all numbers among the parameters of a planner or a belief."""
    for each in fields(part):
        value = getattr(part, each.name)
        if is_dataclass(value):
            yield from numbers(value, (*trail, each.name))
        elif type(value) in (int, float):
            yield (*trail, each.name)


def changed(part, trail, value):
    name, *rest = trail
    return replace(part, **{name: changed(getattr(part, name), rest, value) if rest else value})


PARTS = [
    (find(name)(), trail)
    for found, find in ((planners.PLANNERS, planners.find), (beliefs.BELIEFS, beliefs.find))
    for name in found
    for trail in numbers(find(name)())
]


@pytest.mark.parametrize(
    ("part", "trail"), PARTS, ids=[f"{part.name}-{'.'.join(trail)}" for part, trail in PARTS]
)
def test_impossible_numbers_from_python_are_refused_before_a_match(part, trail):
    """0 either is refused or can be played with; a crash would end the tests."""

    def agent(value):
        made = changed(part, trail, value)
        options = {"planner" if part.name in planners.PLANNERS else "belief": made}
        return pg.Agent(**{"planner": pg.UCT(), **options}, budget=pg.Budget(iterations=3))

    whole = isinstance(value_of(part, trail), int)
    for value in (-1, -(10**9), math.nan, None, "3") if whole else (math.nan, None, "3"):
        with pytest.raises((ValueError, TypeError)):
            agent(value).take_seat(pg.games.KuhnPoker(), 0, 1)
    try:
        seat = agent(0).take_seat(pg.games.KuhnPoker(), 0, 1)
    except ValueError as error:
        assert str(error).endswith(".")
        return
    world = pg.games.KuhnPoker().start(3)
    if agent(0).cheats:
        seat.reveal(world.copy())
    seat.observe(None, world.hide(0))
    assert seat.decide().action in world.legal()


def value_of(part, trail):
    for name in trail:
        part = getattr(part, name)
    return part
