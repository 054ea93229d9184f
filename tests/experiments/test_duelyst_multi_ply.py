"""McKenney 2023b: how long games lasted, and who was given the opponent's actual cards."""

from itertools import groupby

import pytest

import plyglass as pg
from plyglass.arena.specs import agent_from
from plyglass.core.compile import JIT
from plyglass.experiments.studies.duelyst_multi_ply.measures import turns
from plyglass.experiments.study import artifact_named


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_turns_are_those_of_both_players_without_the_exchange_of_cards():
    starter = agent_from("policy:policy=starter")
    for seed in range(3):
        match = pg.play(pg.games.Duelyst(), [starter, starter], seed=seed)
        movers = [player for player, _ in groupby(move.player for move in match.moves)]
        assert turns(match) == len(movers) - 2


@pytest.mark.parametrize("figure", ["figure-3", "figure-4", "figure-8"])
def test_who_looks_past_his_turn_has_the_actual_deck_or_says_that_it_is_random(figure):
    for name, text in artifact_named(f"duelyst-multi-ply/{figure}").tournament().agents.items():
        agent = agent_from(text)
        if getattr(agent.planner, "plies", 1) > 1 or agent.planner.name in (
            "pimc",
            "three-ply-mcts",
        ):
            assert agent.cheats != ("random deck" in name)
