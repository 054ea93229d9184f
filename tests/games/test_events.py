"""The events that people see between two of their views, and the lists of their actions."""

import random

import numpy as np
import pytest

import plyglass as pg
from plyglass.cli.choices import Choices
from plyglass.games.duelyst.cards.catalog import cards

GAMES = ["duel", "kuhn-poker", "navy", "pandemic", "skirmish:fog=true", "trading-cards", "tubstap"]


def walk(game, seed, plies):
    """Views of every player before and after random actions, with who acted."""
    world, chance = game.start(seed), random.Random(seed)
    for _ in range(plies):
        if world.over:
            return
        before = [world.hide(player) for player in range(game.players)]
        mover, action = world.to_move, chance.choice(world.legal())
        world.apply(action)
        yield mover, action, before, [world.hide(player) for player in range(game.players)]


@pytest.mark.parametrize("name", GAMES)
def test_events_and_paths_can_be_told_in_every_position(name):
    game = pg.game_from(name)
    told = 0
    for mover, action, before, after in walk(game, 3, 60):
        path = game.action_parts(before[mover], action)
        assert path
        assert all(isinstance(step, str) and step for step in path)
        for viewer in range(game.players):
            events = game.events(before[viewer], after[viewer])
            assert all(isinstance(line, str) and line for line in events)
            told += bool(events)
    assert told


def test_in_fog_nothing_is_told_of_units_out_of_sight():
    game = pg.game_from("tubstap")
    seen = unseen = 0
    for mover, _, before, after in walk(game, 5, 400):
        viewer = 1 - mover
        if before[viewer] == after[viewer]:
            unseen += 1
            assert game.events(before[viewer], after[viewer]) == []
        for line in game.events(before[viewer], after[viewer]):
            seen += 1
            known = {*before[viewer].record["cell"][mover], *after[viewer].record["cell"][mover]}
            cells = {game.action_name(1 << 24 | int(cell) << 12 | int(cell)).split()[0]
                     for cell in known if cell >= 0}  # fmt: skip
            own = before[viewer].record["cell"][viewer]
            cells |= {game.action_name(1 << 24 | int(cell) << 12 | int(cell)).split()[0]
                      for cell in own if cell >= 0}  # fmt: skip
            named = [
                word for word in line.split() if word[0] in "abcdefgh" and word[1:].isdecimal()
            ]
            assert set(named) <= cells
    assert unseen > 20
    assert seen > 5


def test_in_duelyst_no_hidden_card_is_named():
    game = pg.game_from("duelyst")
    named = 0
    for mover, _, before, after in walk(game, 4, 120):
        viewer = 1 - mover
        lines = game.events(before[viewer], after[viewer])
        shown = {*after[viewer].record["shown"][mover].tolist()}
        board = {*before[viewer].record["card"].tolist(), *after[viewer].record["card"].tolist()}
        own = {*after[viewer].record["hand"][viewer].tolist()}
        public = {cards()[card].name for card in shown | board | own if card > 0}
        for line in lines:
            for card in cards()[1:]:
                if card.name in line and not any(card.name in name for name in public):
                    pytest.fail(f"{card.name} is hidden, but told: {line}")
            named += " plays " in line
    assert named


def test_many_actions_are_listed_by_unit_goal_and_target(capsys):
    view = pg.game_from("tubstap").start(7).hide(0)
    choices = Choices(view)
    assert len(choices.all) == 190
    units = {choice.path[0] for choice in choices.all}
    assert len(units) == 9, "eight units, and the end of the turn"
    assert {len(choice.path) for choice in choices.all} <= {1, 2, 3}
    choices.show(choices.all)
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) < 24
    assert any(line.strip().startswith("c1 fighter (51): ") for line in listed)


def test_the_default_tells_what_changed():
    game = pg.game_from("phantom-tic-tac-toe")
    for mover, _, before, after in walk(game, 2, 9):
        assert game.events(before[mover], after[mover]) == []
        told = game.events(before[1 - mover], after[1 - mover])
        known = before[1 - mover].text.splitlines()
        assert all(line not in known for line in told)


def test_pandemic_tells_what_chance_brought():
    game = pg.game_from("pandemic")
    told = [
        line
        for _, _, before, after in walk(game, 1, 120)
        for line in game.events(before[0], after[0])
    ]
    assert any(" draws " in line for line in told)
    assert any(line.startswith("infected: ") for line in told)
    assert any(line.startswith("an epidemic, number 1") for line in told)
    assert np.all([len(line) > 5 for line in told])
