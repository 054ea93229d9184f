"""Prints the worlds of particles along a few games, to the last bit.

Tests run this module in processes with and without compiled code.
"""

import json

import plyglass as pg
from plyglass.arena.audit.belief_walk import believed
from plyglass.core.state import new_states


def given(name, weighted):
    game, found = pg.game_from(name), []
    for _, (live,) in believed(game, [pg.Particles(12, weighted=weighted, tries=4)], 5):
        worlds = new_states(3, game.state)
        live.sample(worlds)
        found.append(worlds.tobytes().hex())
    return found


if __name__ == "__main__":
    names = (
        "kuhn-poker",
        "leduc-poker",
        "phantom-tic-tac-toe",
        "tiger:steps=5",
        "skirmish:size=3,units=1,turns=3,fog=true",
    )
    print(
        json.dumps(
            {
                f"{name}, {weighted}": given(name, weighted)
                for name in names
                for weighted in (False, True)
            }
        )
    )
