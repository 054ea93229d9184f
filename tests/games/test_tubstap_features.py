"""TUBSTAP's features compared with a naive count, and the weights learned for them."""

import random

import numpy as np
import pytest

from plyglass.core.compile import JIT
from plyglass.games.tubstap import Tubstap
from plyglass.games.tubstap.evaluate import SURVIVAL
from plyglass.games.tubstap.tbsmap import names
from tests.games.naive_tubstap import PLANES, STARS, NaiveTubstap, apart, harm
from tests.games.tubstap_maps import game_on
from tests.sizes import sized

FIELD = ["........"] * 8
NAMES = (
    "worth",
    "health",
    "units",
    "tempo",
    "shelter",
    "near",
    "late health",
    "late lead",
    "harm",
    "harm to me",
    "focus",
    "focus on me",
)
NAMES += ("kills", "kills of mine", "out of my reach", "out of their reach", "again")


def counted(twin):
    """All features of the side to move from its point of view, in the twin's words."""
    mover = twin.turn % 2
    found = dict.fromkeys(NAMES, 0.0)
    total = sum(worth(twin, unit) for unit in twin.units)
    for unit in twin.units:
        sign = (1 if unit["side"] == mover else -1) * worth(twin, unit)
        found["worth"] += sign / total
        found["health"] += (
            np.sign(sign) * unit["health"] / sum(each["health"] for each in twin.units)
        )
        found["units"] += np.sign(sign) / len(twin.units)
        if unit["mark"] not in PLANES:
            found["shelter"] += sign * STARS[twin.land[unit["place"]]] / total
        victims = [
            apart(unit["place"], enemy["place"])
            for enemy in twin.army(1 - unit["side"])
            if twin.power(unit["mark"], enemy["mark"])
        ]
        found["near"] += sign / (1 + min(victims, default=30)) / total
    for side, sign, what in (
        (mover, 1, ("harm", "focus", "kills", "out of my reach")),
        (1 - mover, -1, NAMES[9:14:2] + NAMES[15:16]),
    ):
        joint = {id(enemy): 0 for enemy in twin.army(1 - side)}
        for unit in twin.army(side):
            done = {
                id(enemy): taken(twin, unit, enemy)
                for enemy in twin.army(1 - side)
                if attackable(twin, unit, enemy)
            }
            most = max(
                (
                    done[id(enemy)] * each(twin, enemy)
                    for enemy in twin.army(1 - side)
                    if id(enemy) in done
                ),
                default=0.0,
            )
            if side == mover and unit["acted"]:
                found["again"] += most / total
            else:
                found[what[0]] += sign * most / total
                joint |= {key: joint[key] + lost for key, lost in done.items()}
        for enemy in twin.army(1 - side):
            lost = joint[id(enemy)]
            found[what[1]] += sign * each(twin, enemy) * min(lost, enemy["health"]) / total
            found[what[2]] += sign * worth(twin, enemy) * (lost >= enemy["health"]) / total
            found[what[3]] -= sign * worth(twin, enemy) * (lost == 0) / total
    used, lead = (
        twin.turn / twin.turns,
        sum((1 if unit["side"] == mover else -1) * unit["health"] for unit in twin.units),
    )
    found["tempo"], found["late health"] = 1.0, found["health"] * used**2
    found["late lead"] = np.clip(lead / (twin.threshold + 1), -1, 1) * used**4
    return [found[name] for name in NAMES]


def each(twin, unit):
    """What each point of a unit's health is worth: its mean power against the remaining enemies."""
    enemies = twin.army(1 - unit["side"])
    return SURVIVAL + sum(twin.power(unit["mark"], e["mark"]) * e["health"] for e in enemies) / sum(
        e["health"] for e in enemies
    )


def worth(twin, unit):
    return unit["health"] * each(twin, unit)


def taken(twin, unit, enemy):
    power = twin.power(unit["mark"], enemy["mark"])
    return harm(
        unit["mark"],
        unit["health"],
        enemy["mark"],
        enemy["health"],
        twin.land[enemy["place"]],
        power,
    )


def attackable(twin, unit, enemy):
    return any(target == enemy["place"] for _, _, target in twin.choices_of(unit).values())


def features_of(world, player):
    values = np.zeros(len(NAMES))
    world.game.verbs.features(world.game.table, world.address, player, values.ctypes.data)
    return values


@pytest.mark.parametrize("name", names() if JIT else ["sandbox"])
def test_features_are_those_of_a_naive_count(name):
    game = Tubstap(map=name, fog=False)
    world, twin, pick = game.start(1), NaiveTubstap(game.map, fog=False), random.Random(name)
    for number in range(sized(60, 120)):
        if world.over:
            break
        if number % 4 == 0:
            mover = features_of(world, world.to_move)
            assert mover == pytest.approx(counted(twin), abs=1e-9)
            assert features_of(world, 1 - world.to_move) == pytest.approx(-mover)
        choices = twin.choices()
        attacks = [choice for choice in choices if "attack" in choice]
        chosen = pick.choice(attacks if attacks and pick.random() < 0.3 else sorted(choices))
        world.apply({game.action_name(action): action for action in world.legal()}[chosen])
        twin.act(choices[chosen])


def judged(game, player):
    world = game.start(1)
    return game.verbs.evaluate(game.table, world.address, player, game.evaluator("learned"))


def test_what_was_learned_likes_to_have_more(tmp_path):
    even, ahead = (
        game_on(tmp_path, FIELD, "P10@b2 R10@c2", f"P{health}@g7 R10@f7", fog=False)
        for health in (10, 4)
    )
    for game in (even, ahead):
        assert judged(game, 0) == pytest.approx(-judged(game, 1), abs=0.01)
    assert judged(ahead, 0) > judged(even, 0) + 0.1
