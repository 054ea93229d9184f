"""The agent `auto` and `plyglass choose`."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import plyglass as pg
from plyglass.arena.auto import pick as picks_module
from plyglass.arena.auto import sizes
from plyglass.arena.auto.pick import class_of, forget, pick, picks, remember, remembered
from plyglass.arena.auto.profile import profile_of
from plyglass.arena.auto.rules import RULES, Case
from plyglass.arena.auto.sizes import USUAL, filled, sized
from plyglass.arena.auto.trial import meet, points_of_deal
from plyglass.arena.specs import is_auto, player_from, resolved, text_of_agent
from plyglass.arena.tournament.settings import Settings
from plyglass.cli import app
from tests.sizes import sized as by_time

HERE = Path(__file__).parent
LIARS_DICE, HARVEST = f"{HERE / 'liars_dice.py'}", f"{HERE / 'harvest.py'}"
ITERATIONS = pg.Budget(iterations=50)


@pytest.fixture(autouse=True)
def own_memory(monkeypatch, tmp_path):
    """No test reads or writes the picks of this machine."""
    monkeypatch.setattr(picks_module, "root", lambda: tmp_path)
    forget()
    yield
    forget()


def first_rule(name, budget=ITERATIONS):
    game = pg.game_from(name)  # compiling a user's rules takes longer than running them as Python
    case = Case(profile_of(game.interpreted() if name.endswith(".py") else game), budget)
    return next(rule for rule in RULES if rule.fits(case))


PROFILES = {
    "tic-tac-toe": {"players": 2, "hidden": 0.0, "chance": 0.0, "deals": False, "turn": 1.0},
    "kuhn-poker": {"hidden": 1.0, "unseen": 0.0, "chance": 0.0, "deals": True, "most_choices": 2},
    "tiger": {"players": 1, "rules": ("prefer",), "turn": 1.0},
}


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_says_what_the_rules_of_a_game_are_like(name):
    profile = profile_of(pg.game_from(name))
    assert {field: getattr(profile, field) for field in PROFILES[name]} == PROFILES[name]
    assert profile == profile_of(pg.game_from(name))


def test_a_profile_tells_hidden_information_from_a_rule_that_hides_nothing():
    open_field, fog = (profile_of(pg.game_from(f"skirmish:fog={fog}")) for fog in ("false", "true"))
    assert open_field.hidden == 0.0
    assert fog.hidden > 0.2
    assert open_field.turn > 1.8
    assert open_field.evaluators == ("material",)


def test_a_profile_sees_unseen_actions_chance_and_small_games():
    assert profile_of(pg.game_from("phantom-tic-tac-toe")).unseen > 0.3
    assert profile_of(pg.game_from("pig")).chance > 0.3
    assert 1e5 < profile_of(pg.game_from("tic-tac-toe")).size < 2e6  # 549,945 action sequences


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("tic-tac-toe", "expectiminimax"),
        ("connect-four", "uct"),
        ("kuhn-poker", "so-ismcts"),
        ("leduc-poker", "so-ismcts"),
        ("phantom-tic-tac-toe", "mo-ismcts"),
        ("skirmish", "uct"),
        ("skirmish:fog=true", "mo-ismcts"),
        ("tiger", "pomcp"),
        (LIARS_DICE, "so-ismcts"),
        (HARVEST, "uct"),
    ],
)
def test_rules_pick_a_planner_by_the_profile(name, rule):
    assert first_rule(name).name == rule


def test_games_of_the_package_have_opponents_whose_strength_was_measured():
    assert not [name for name in pg.games.names() if is_auto(pg.games.find(name).opponent)]
    assert profile_of(pg.game_from("kuhn-poker")).own == ""  # plain UCT recommends nothing


def test_the_opponent_of_a_game_is_picked_unless_there_is_less_time_than_it_needs():
    own = replace(profile_of(pg.game_from("kuhn-poker")), own="uct:trees=2,seconds=0.2")
    assert RULES[0].fits(Case(own, pg.Budget(seconds=0.2)))
    assert not RULES[0].fits(Case(own, pg.Budget(seconds=0.1)))
    assert RULES[0].fits(Case(own, pg.Budget(iterations=10)))


def test_searches_explore_less_where_scores_use_little_of_their_range():
    profile = profile_of(pg.game_from("connect-four"))
    assert profile.spread > 0.4
    assert Case(profile, ITERATIONS).exploration == ""
    assert Case(replace(profile, spread=0.05), ITERATIONS).exploration == "exploration=0.07,"
    assert Case(profile_of(pg.game_from("kuhn-poker")), ITERATIONS).only_dealt
    assert not Case(profile_of(pg.game_from("leduc-poker")), ITERATIONS).only_dealt


@pytest.mark.parametrize("name", ["kuhn-poker", "tiger", "pig", "skirmish:fog=true"])
def test_every_rule_that_fits_gives_a_reason_and_an_agent_that_plays(name):
    game = pg.game_from(name)
    found = list(picks(game, pg.Budget(iterations=8)))
    assert len(found) >= 2
    assert len({each.agent for each in found}) == len(found)
    for each in found:
        assert each.why.endswith(".")
        assert "{" not in each.agent
    world = game.start(1)
    seat = pg.agent_from(found[0].agent).take_seat(game, world.to_move, 1)
    seat.observe(None, world.hide(world.to_move))
    assert seat.decide().action in world.legal()


def test_sizes_grow_with_the_time_and_need_no_clock_with_iterations():
    game = pg.game_from("skirmish:fog=true")
    text = "plan-tournament:plans={plans},worlds={worlds},turns=2"
    few, many = (
        pg.agent_from(sized(game, text, pg.Budget(seconds=seconds))).planner
        for seconds in (0.0005, 0.1)
    )
    assert few.plans * few.worlds < many.plans * many.worlds
    assert sized(game, text, ITERATIONS) == filled(text, USUAL)


def test_auto_becomes_a_real_agent_that_a_record_names_and_verifies():
    game = pg.game_from("kuhn-poker")
    agent = pg.agent_from("auto:seconds=0.002", game)
    assert text_of_agent(agent) == "so-ismcts:exploration=0.3,seconds=0.002"
    match = pg.play(game, [agent, pg.agent_from("random")], seed=3)
    record = pg.record_of(match)
    assert record.players[0] == "so-ismcts:exploration=0.3,seconds=0.002"
    forget()
    pg.verify(record)


def test_auto_needs_a_game_and_takes_only_a_budget():
    game = pg.game_from("kuhn-poker")
    with pytest.raises(ValueError, match="stands for another agent in each game"):
        pg.agent_from("auto")
    with pytest.raises(ValueError, match="auto has no parameter 'trees'"):
        pg.agent_from("auto:trees=3", game)
    assert pg.agent_from("auto", game).budget == pg.Budget(seconds=0.5)
    assert player_from("auto:turn_seconds=1", game).budget == pg.Budget(turn_seconds=1)
    assert pg.agent_from("auto:remembers=turn,iterations=9", game).remembers == "turn"
    assert resolved("uct:iterations=5", game) == "uct:iterations=5"


def test_settings_of_a_tournament_hold_the_actual_agent():
    agents = {"auto": "auto:iterations=20", "uct": "uct:iterations=20"}
    settings = Settings(("kuhn-poker",), agents)
    assert settings.agents["auto"] == "so-ismcts:exploration=0.3,iterations=20"
    assert "auto:" not in settings.canonical
    assert Settings.from_canonical(settings.canonical).run_id == settings.run_id
    with pytest.raises(ValueError, match="one tournament for each game"):
        Settings(("kuhn-poker", "pig"), agents)


def test_without_a_trial_sizes_are_the_same_on_every_machine(monkeypatch):
    monkeypatch.setattr(sizes, "_largest", lambda *_: pytest.fail("a trial was made"))
    game = pg.game_from("skirmish:fog=true")
    found = pg.agent_from("auto:seconds=0.01", game, timed=False)
    assert found.belief.worlds == sizes.USUAL["particles"]
    assert found.budget == pg.Budget(seconds=0.01)
    with pytest.raises(pytest.fail.Exception):
        pg.agent_from("auto:seconds=0.01", game)


def test_a_pick_is_remembered_by_game_parameters_and_class_of_budget(tmp_path):
    game = pg.game_from("kuhn-poker")
    first = pick(game, pg.Budget(seconds=0.01))
    remember(game, pg.Budget(seconds=0.01), replace(first, agent="uct:seconds=0.01"))
    forget()  # what is on disk remains
    assert pick(game, pg.Budget(seconds=0.011)).agent == "uct:seconds=0.011"
    assert class_of(pg.Budget(seconds=0.011)) == class_of(pg.Budget(seconds=0.01))
    assert pick(game, pg.Budget(seconds=0.1)).agent == "so-ismcts:exploration=0.3,seconds=0.1"
    poker = pg.game_from("leduc-poker")  # it names a player with 2,000 iterations
    assert pick(poker, pg.Budget(iterations=100)).agent.startswith("so-ismcts:")
    assert pick(poker, pg.Budget(iterations=5000)).agent.startswith("mo-ismcts:")
    other = pg.game_from("skirmish:fog=true"), pg.game_from("skirmish:fog=false")
    assert picks_module.key_of(other[0], ITERATIONS) != picks_module.key_of(other[1], ITERATIONS)
    for file in (tmp_path / "auto").glob("*.json"):
        file.write_text("{")
    forget()
    assert remembered(game, pg.Budget(seconds=0.01)) is None


def test_choose_plays_the_pick_against_alternatives_and_remembers_the_winner():
    game, told = pg.game_from("kuhn-poker"), []
    found = pg.choose(game, seconds=0.0005, minutes=0.01, told=lambda *result: told.append(result))
    assert len(found.picks) == 3
    assert len(found.meetings) == 2
    assert found.spec == found.meetings[-1].winner
    assert found.why.endswith(f"against {found.meetings[-1].second}.")
    assert told[-1][0] == pytest.approx(1.0)
    assert text_of_agent(found.agent) == found.spec
    again = pg.choose(game, seconds=0.0005)
    assert (again.spec, again.why, again.meetings) == (found.spec, found.why, ())
    assert resolved("auto:seconds=0.0005", game) == found.spec


def test_a_meeting_finds_the_stronger_agent():
    game = pg.game_from("connect-four")
    meeting = meet(game, "uct:iterations=150", "random", 5.0, deals=by_time(12, 50))
    assert meeting.points > 0.8
    assert meeting.games == 2 * meeting.deals
    assert meeting.low <= meeting.points <= meeting.high


def test_agents_meet_alone_where_there_is_no_opponent():
    game = pg.game_from("tiger")
    agents = pg.agent_from("pomcp:iterations=200"), pg.agent_from("random")
    points = [points_of_deal(game, agents, seed)[0] for seed in range(by_time(6, 50))]
    assert sum(points) / len(points) > 0.5
    assert points_of_deal(game, (agents[1], agents[1]), 1) == [0.5]


def test_three_players_are_compared_by_seat():
    game = pg.game_from(str(HERE / "three_players.py"))
    random, strong = pg.agent_from("random"), pg.agent_from("uct:iterations=200")
    assert points_of_deal(game, (random, random), 4) == [0.5, 0.5, 0.5]
    points = [each for seed in range(12) for each in points_of_deal(game, (strong, random), seed)]
    assert sum(points) / len(points) > 0.55
    found = pg.choose(game, seconds=0.001, minutes=0.005)
    assert found.meetings
    assert found.meetings[0].games == 3 * found.meetings[0].deals


@pytest.mark.nightly
@pytest.mark.parametrize("name", [LIARS_DICE, HARVEST])
def test_a_users_game_has_an_opponent_without_another_line(name):
    game = pg.game_from(name)
    assert game.opponent == "auto:seconds=0.5"
    agent = pg.agent_from("auto:iterations=100", game)
    points = [points_of_deal(game, (agent, pg.agent_from("random")), seed) for seed in range(4)]
    assert sum(map(sum, points)) >= 6


def test_the_command_explains_and_chooses():
    def run(*options):
        done = CliRunner().invoke(app, ["choose", "kuhn-poker", *options])
        assert done.exit_code == 0, done.output
        return done.stdout

    told = run("--seconds", "0.003", "--explain")
    assert "first by the rules: so-ismcts:exploration=0.3,seconds=0.003" in told
    found = json.loads(run("--seconds", "0.0005", "--minutes", "0.005", "--again", "--json"))
    assert found["agent"] in {each["agent"] for each in found["picks"]}
    assert found["profile"]["hidden"] == 1.0
