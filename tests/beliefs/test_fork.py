"""A fork of a belief draws the belief's worlds, and neither of the two changes the other."""

import pytest

from plyglass.arena.specs import belief_from, game_from
from plyglass.core.state import new_states
from tests.beliefs.histories import played

CASES = {
    "fresh": "leduc-poker",
    "particles(worlds=40)": "leduc-poker",
    "exact(sampled=true)": "leduc-poker",
    "tracks(worlds=20)": "tubstap:map=duelists",
}


def history(game):
    """What the first player sees until their second decision."""
    first = game.start(1)
    return played(game, first.to_move, [first.legal()[-1]], seed=3)[1]


def drawn(belief):
    worlds = new_states(16, belief.game.state)
    belief.sample(worlds)
    return worlds.tobytes(), belief.health()


@pytest.mark.parametrize("text", CASES)
@pytest.mark.parametrize("asked", [False, True], ids=["before-a-sample", "after-a-sample"])
def test_a_fork_draws_what_the_belief_would_draw(text, asked):
    game = game_from(CASES[text])
    seen = history(game)
    live = belief_from(text).begin(game, seen[0][1].viewer, 5)
    for each in seen[:-1]:
        live.observe(*each)
    if asked:
        drawn(live)
    twin, alone = live.fork(), live.fork()
    for _ in range(3):  # what a twin sees and draws changes nothing for the others
        twin.observe(*seen[-1])
        drawn(twin)
    for each in (live, alone):
        each.observe(*seen[-1])
    assert [drawn(live) for _ in range(3)] == [drawn(alone) for _ in range(3)]
    assert alone.clock is not live.clock


def test_a_belief_without_forks_says_what_to_do():
    live = belief_from("truth").begin(game_from("kuhn-poker"), 0, 1)
    with pytest.raises(TypeError, match="begin another belief"):
        live.fork()
