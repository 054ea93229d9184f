"""What people can choose before a match."""

import inspect

import pytest

from plyglass.games import find
from plyglass.games.duelyst.cards.decks import starters
from plyglass.games.options import FACTIONS, OPTIONS, chosen, options_of
from plyglass.games.tubstap import tbsmap


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_a_parameter_whose_usual_value_comes_first(name):
    cls = find(name)
    parameters = inspect.signature(cls.__init__).parameters
    for option, values in OPTIONS[name].items():
        assert values[0] == parameters[option].default
        assert len({*values}) == len(values)
        for value in (values[0], values[1], values[-1]):
            cls(**{option: value})


def test_the_options_have_all_maps_and_decks():
    assert {*OPTIONS["tubstap"]["map"]} == {each.stem for each in tbsmap.FOLDER.glob("*.tbsmap")}
    assert {*FACTIONS} == {*starters()}


def test_options_are_chosen_by_their_values_only():
    game = find("skirmish")()
    assert chosen(game, "fog=true,size=5") == {"fog": True, "size": 5}
    for text in ("size=7", "size=4.0", "turns=2", "fog=true,fog=false", "fog", ""):
        with pytest.raises(ValueError, match="option"):
            chosen(game, text)


def test_a_game_of_a_user_has_no_options():
    class Skirmish(find("skirmish")):
        """A user's own game."""

    assert options_of(find("skirmish")()) == OPTIONS["skirmish"]
    Skirmish.__module__ = "own"
    assert options_of(Skirmish()) == {}
