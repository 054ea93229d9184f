"""Planners and games that do not come compiled never recompile each other.

The tests of the wheel check that precompiled games and planners are ready soon.
"""

import json
import os
import subprocess
import sys
import textwrap

import pytest

from plyglass.core.compile import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


def python(cache, code):
    environment = {**os.environ, "PLYGLASS_CACHE": str(cache), "PLYGLASS_PROCESSOR": "none"}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


PLAY = """
    import json
    import plyglass as pg
    from plyglass.core.compile import compilations
    pg.play(pg.game_from("{game}"), [pg.agent_from("{agent}"), pg.agent_from("{agent}")])
    print(json.dumps(compilations()))
"""


def test_a_second_planner_never_recompiles_a_game_and_a_game_never_a_planner(tmp_path):
    def compiled(game, agent):
        return python(tmp_path, PLAY.format(game=game, agent=agent))["compiled"]

    assert compiled("tic-tac-toe", "random") > 0
    rules_of_pig = python(
        tmp_path,
        """
        import json
        import plyglass as pg
        from plyglass.core.compile import compilations
        pg.games.TicTacToe().table
        before = compilations()["compiled"]
        pg.games.Pig().table
        print(json.dumps([before, compilations()["compiled"] - before]))
        """,
    )
    assert rules_of_pig[0] == 0  # random had compiled the rules of tic-tac-toe
    assert (
        compiled("pig:goal=10", "uct:iterations=20") > 0
    )  # adds the planner alone, all of it, since luck is drawn ...
    assert compiled("pig:goal=10", "random") == 0
    assert (
        compiled("tic-tac-toe", "random") == 0
    )  # ... and has not touched what random and the rules need
    assert (
        compiled("tic-tac-toe", "uct:iterations=20") == 0
    )  # a new pair of a known game and a known planner
