"""Games, planners and beliefs of other people: in files, and in packages with entry points."""

import json
import subprocess
import sys
import textwrap
from dataclasses import replace

import pytest

import plyglass as pg
from plyglass.arena.audit import glass_wall
from plyglass.arena.code_version import _sources_of_package, code_of
from plyglass.arena.match.agent import Agent
from plyglass.arena.specs import (
    agent_from,
    belief_from,
    game_from,
    is_own_player,
    player_from,
    text_of_agent,
    text_of_game,
)
from plyglass.arena.tournament.settings import Settings
from plyglass.extensions import offered

OWN = '''
from dataclasses import dataclass
from typing import ClassVar

import plyglass as pg
from plyglass.beliefs.fresh import LiveFresh
from plyglass.planners.random import RandomSearch


@dataclass(frozen=True)
class Part:
    """How far it looks."""

    depth: int = 1
    wide: bool = False

    name: ClassVar[str] = "part"


@dataclass(frozen=True)
class Cautious:
    """Plays at random, carefully."""

    look: Part = Part(depth=2)
    inner: pg.UCT = pg.UCT()
    worlds: int = 3

    name: ClassVar[str] = "cautious"
    moved: ClassVar[dict[str, str]] = {"depth": "look.depth", "wide": "look.wide", "n": "worlds"}

    def begin(self, game, seat, belief, seed):
        return RandomSearch(seed)


@dataclass(frozen=True)
class Hunch:
    """Believes what the view allows."""

    worlds: int = 10

    name: ClassVar[str] = "hunch"
    cheats: ClassVar[bool] = False

    def begin(self, game, seat, seed):
        return LiveFresh(game, seat, seed)


@pg.kernel
def mine(r, s, player):
    return 0.5


class MyDuel(pg.games.Duel):
    """A duel that is judged in another way."""

    evaluators = {**pg.games.Duel.evaluators, "mine": mine}


class Sitting:
    cheats = False

    def __init__(self, patience=1):
        self.patience = patience

    def take_seat(self, game, seat, seed):
        return self


class Nothing:
    pass


@dataclass(frozen=True)
class Nameless:
    def begin(self, game, seat, belief, seed):
        return None


@dataclass(frozen=True)
class Wanting:
    depth: int

    name: ClassVar[str] = "wanting"

    def begin(self, game, seat, belief, seed):
        return None
'''


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The path of a file with a planner, a belief, a game and a player."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    name = f"own_{tmp_path.name.replace('-', '_')}"  # modules are imported once a process
    (tmp_path / f"{name}.py").write_text(OWN)
    return f"{name}.py"


def installed(folder, name, entries, code=None):
    """A package as installers leave it: a module, and metadata with entry points."""
    (folder / f"{name.replace('-', '_')}.py").write_text(OWN if code is None else code)
    metadata = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(textwrap.dedent(entries))


# -- in a file


def test_a_planner_of_ones_own_is_an_agent_with_parameters_a_belief_and_a_budget(own):
    text = f"{own}@Cautious:worlds=5,belief={own}@Hunch(worlds=7),iterations=9"
    agent = agent_from(text)
    assert (agent.planner.worlds, agent.belief.worlds) == (5, 7)
    assert agent.budget == pg.Budget(iterations=9)
    assert text_of_agent(agent) == text
    assert player_from(text) == agent
    assert not is_own_player(text)


def test_a_planner_of_ones_own_stands_within_another(own):
    text = f"representative-moves:inner={own}@Cautious(worlds=4),iterations=1"
    assert text_of_agent(agent_from(text)) == text
    with pytest.raises(ValueError, match="inner=uct or inner=expectiminimax"):
        agent_from(f"pimc:inner={own}@Cautious")


def test_a_class_that_takes_a_seat_is_a_player_of_its_own(own):
    text = f"{own}@Sitting:patience=3"
    assert is_own_player(text)
    assert player_from(text).patience == 3


def test_a_match_with_them_is_recorded_and_verified(own):
    game = game_from(f"{own}:health=4")
    agents = [agent_from(f"{own}@Cautious:belief={own}@Hunch,iterations=2"), pg.Agent(pg.Random())]
    record = pg.record_of(pg.play(game, agents, seed=3))
    assert record.players[0] == f"{own}@Cautious:belief={own}@Hunch,iterations=2"
    assert record.game.startswith(f"{own}@MyDuel:")
    with pytest.raises(ValueError, match="Records and stores are data"):
        pg.verify(record)
    with pytest.raises(ValueError, match="has code of its own; give all players"):
        pg.verify(record, game)
    assert pg.verify(record, game, [agents[0], None]) == ()


def test_a_game_of_ours_is_given_another_evaluator(own):
    game = game_from(own)
    assert game.evaluator("mine") != 0
    assert set(game.evaluators) == {*pg.games.Duel.evaluators, "mine"}
    assert type(game_from(text_of_game(game))) is type(game)
    assert text_of_agent(agent_from("greedy:evaluator=mine")).startswith("greedy:evaluator=mine")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{own}@Nothing", "is neither a planner, which has a method begin, nor a player"),
        ("{own}@Missing", "has no class 'Missing'"),
        ("{own}@Nameless", "has no name; give the class a name"),
        ("{own}@Wanting", "needs a default for every parameter: .*'depth'"),
        ("{own}@Hunch", r"is no planner: it has begin\(game, seat, seed\); it needs begin\(game, "),
        ("{own}@Cautious:length=3", "has no parameter 'length'; it has look, inner, worlds"),
        ("{own}", "is a file; name the planner in it, as .*@Class"),
        ("nowhere.py@Cautious", "There is no file nowhere.py"),
        ("no_such_module@Cautious", "Cannot import the module 'no_such_module'"),
        ("uct:belief={own}@Cautious", "is no belief: it has begin"),
        ("uct:belief={own}@Nothing", "is no belief: it has no method begin"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(own, text, says):
    with pytest.raises(ValueError, match=says):
        player_from(text.format(own=own))


def test_an_edit_of_a_planner_or_a_belief_is_another_code(own, tmp_path):
    (tmp_path / own.replace(".py", "_belief.py")).write_text(OWN)
    agent = f"pimc:belief={own.replace('.py', '_belief.py')}@Hunch"
    settings = Settings(games=("kuhn-poker",), agents={"a": "random", "b": agent}, deals=1)
    plain = replace(settings, agents={"a": "random", "b": "pimc"})
    found = code_of(settings.canonical)
    (tmp_path / own.replace(".py", "_belief.py")).write_text(OWN + "# edited\n")
    code_of.cache_clear()
    assert len({found, code_of(settings.canonical), code_of(plain.canonical)}) == 3


def test_the_code_of_a_game_that_extends_ours_has_both_files(own):
    agents = {"a": "random", "b": "random"}
    codes = [code_of(Settings(games=(game,), agents=agents).canonical) for game in (own, "duel")]
    assert codes[0] != codes[1]
    sources = {name for name, _ in _sources_of_package(Settings(games=(own,), agents=agents))}
    assert "games/duel/rules.py" in sources


# -- parameters and names of former versions


def test_a_parameter_that_moved_into_a_part_is_read_with_a_warning(own):
    old = f"{own}@Cautious:depth=5,worlds=1,iterations=2"
    with pytest.warns(FutureWarning, match=r"write look=part\(depth=5\) instead of depth=5\."):
        agent = agent_from(old)
    assert agent.planner.look.depth == 5
    new = text_of_agent(agent)
    assert new == f"{own}@Cautious:look=part(depth=5),worlds=1,iterations=2"
    assert agent_from(new) == agent


def test_several_old_names_go_into_one_part_and_beside_what_it_has(own):
    with pytest.warns(FutureWarning, match=r"look=part\(wide=true,depth=5\),worlds=4"):
        agent = agent_from(f"{own}@Cautious:look=part(wide=true),depth=5,n=4")
    assert (agent.planner.look.depth, agent.planner.look.wide, agent.planner.worlds) == (5, True, 4)


def test_what_is_not_given_of_a_part_is_as_the_planner_has_it(own):
    agent = agent_from(f"{own}@Cautious:look=part(wide=true)")
    assert agent.planner.look.depth == 2
    assert "look=part(wide=true)," in text_of_agent(agent)


def test_former_names_are_read_with_a_warning(monkeypatch):
    from plyglass import beliefs, planners

    monkeypatch.setitem(planners.FORMER, "tree-search", "uct")
    monkeypatch.setitem(beliefs.FORMER, "now", "fresh")
    monkeypatch.setitem(pg.games.FORMER, "hearts", "duel")
    with pytest.warns(FutureWarning, match="The planner 'tree-search' is now called 'uct'"):
        assert agent_from("tree-search:trees=2").planner == pg.UCT(trees=2)
    with pytest.warns(FutureWarning, match="The belief 'now' is now called 'fresh'"):
        assert belief_from("now") == pg.Fresh()
    with pytest.warns(FutureWarning, match="The game 'hearts' is now called 'duel'"):
        assert game_from("hearts:health=4").parameters["health"] == 4


# -- in a package

ENTRIES = """
    [plyglass.planners]
    cautious = demo_games:Cautious

    [plyglass.beliefs]
    hunch = demo_games:Hunch

    [plyglass.games]
    duel = demo_games:MyDuel
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    installed(tmp_path, "demo-games", ENTRIES)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("demo_games", None)


def test_a_package_offers_classes_by_name(package):
    text = "cautious:worlds=5,belief=hunch(worlds=7),iterations=9"
    agent = agent_from(text)
    assert isinstance(agent, Agent)
    assert text_of_agent(agent) == text
    assert [each.package for each in offered("planner")] == ["demo-games"]


def test_our_names_win(package):
    assert game_from("duel").evaluators == pg.games.Duel.evaluators


def test_two_packages_with_one_name_are_refused(package):
    installed(package, "other-games", "[plyglass.planners]\ncautious = other_games:Cautious\n")
    with pytest.raises(ValueError, match="demo-games and other-games both offer a planner"):
        agent_from("cautious")


@pytest.mark.parametrize(
    ("value", "code", "says"),
    [
        ("broken_games:Cautious", "raise OSError('no disk')", "OSError: no disk"),
        ("broken_games:Missing", "", "AttributeError"),
        ("broken_games:Nothing", None, "is no planner: it has no method begin"),
        ("broken_games:Cautious", None, "names the planner 'cautious'; give the entry point"),
    ],
)
def test_a_broken_package_says_why(tmp_path, monkeypatch, value, code, says):
    installed(tmp_path, "broken-games", f"[plyglass.planners]\nbroken = {value}\n", code)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        with pytest.raises(ValueError, match=says) as raised:
            agent_from("broken")
        assert "package broken-games" in str(raised.value)
    finally:
        sys.modules.pop("broken_games", None)


def run(*words, path):
    command = [sys.executable, "-W", "error", "-m", "plyglass", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=path)


def test_lists_name_the_package_and_survive_a_broken_one(package):
    installed(package, "broken", "[plyglass.beliefs]\nfaulty = broken:Missing\n", "")
    games = run("games", path=package)
    assert "demo-games offers a game 'duel', but Plyglass has one" in " ".join(games.stderr.split())
    planners = json.loads(run("planners", "--json", path=package).stdout)
    assert planners["cautious"] == "Plays at random, carefully. (from demo-games)"
    beliefs = run("beliefs", path=package)
    assert "hunch" in beliefs.stdout
    assert "Cannot load the entry point faulty" in " ".join(beliefs.stderr.split())
    assert "carefully" in run("planners", "cautious", path=package).stdout


def test_the_wall_asks_packages_too(package):
    installed(package, "broken", "[plyglass.beliefs]\nfaulty = broken:Missing\n", "")
    assert {each.name for each in offered("belief")} == {"hunch", "faulty"}
    names = [belief.name for belief in glass_wall.honest_beliefs()]
    assert names == ["fresh", "particles", "tracks", "exact", "hunch"]
    assert "cautious" in [planner.name for planner in glass_wall.all_planners()]


def test_help_imports_neither_numba_nor_packages():
    code = (
        "import sys\nfrom plyglass.cli import app\ntry: app(['--help'])\nexcept SystemExit: pass\n"
        "assert not {'numba', 'numpy', 'importlib.metadata'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_a_library_that_python_would_import_instead_of_a_file_is_named(tmp_path):
    """A game's library beside its file, under the same name: Python prefers the library."""
    file = tmp_path / "my_dice.py"
    file.write_text("")
    file.with_suffix(".so").write_bytes(b"")
    with pytest.raises(ValueError, match=r"rename the library, for example to libmy_dice\.so"):
        game_from(str(file))
