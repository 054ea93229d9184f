"""Postponed clairvoyance by its definition: worlds as objects, memories as lists of views."""

from collections import defaultdict
from dataclasses import dataclass

from plyglass.core.seeds import derive
from plyglass.core.world import World


@dataclass
class Believed:
    """A world with its weight, and what each player has seen in it."""

    world: World
    weight: float
    seen: list[list[int]]

    def after(self, action):
        world, mover = self.world.copy(), self.world.to_move
        world.apply(action)
        seen = [list(views) for views in self.seen]
        for player, views in enumerate(seen):
            view = world.hide(player).fingerprint
            if player == mover or view != views[-1]:
                views.append(view)
        return Believed(world, self.weight, seen)


def believed(belief, game, position, worlds, seed=3):
    """The worlds that a search with this seed is given at its first decision."""
    live = belief.begin(game, position.to_move, derive(seed, 1))
    live.reveal(position.copy())
    live.observe(None, position.hide(position.to_move))
    rows, weights = live.support(worlds)
    futures, found = max(1, worlds // len(rows)), []
    for number in range(futures * len(rows)):
        world = World(game, rows[number // futures].copy())
        world.change_luck(derive(seed, 1, 0, number))
        views = [[world.hide(player).fingerprint] for player in range(game.players)]
        found.append(Believed(world, weights[number // futures] / futures, views))
    return found


def mean_values(worlds, common, depth):
    """What each action is worth to the mover on average."""
    seat, weight = worlds[0].world.to_move, sum(each.weight for each in worlds)
    tried = action_values(worlds, common, depth, seat)
    return [
        sum(each.weight * value for each, value in zip(worlds, values, strict=True)) / weight
        for values in tried
    ]


def action_values(worlds, common, depth, seat):
    """For each action, its value to the seat in each of the worlds."""
    discount, tried = worlds[0].world.game.discount, []
    for action in worlds[0].world.legal():
        after = [each.after(action) for each in worlds]
        values = world_values(after, common - 1, depth - 1, seat)
        if discount != 1.0:
            earned = [
                new.world.score(seat) - old.world.score(seat)
                for old, new in zip(worlds, after, strict=True)
            ]
            values = [now + discount * later for now, later in zip(earned, values, strict=True)]
        tried.append(values)
    return tried


def world_values(worlds, common, depth, seat):
    """The value of each world to the seat, if movers play alike in worlds that look alike."""
    values, groups = [0.0] * len(worlds), defaultdict(list)
    for number, each in enumerate(worlds):
        mover, score = each.world.to_move, each.world.score(seat)
        if mover < 0 or depth == 0:
            values[number] = score if each.world.game.discount == 1.0 else 0.0
        else:
            groups[mover, tuple(each.seen[mover]) if common > 0 else number].append(number)
    for (mover, _), numbers in groups.items():
        group = [worlds[number] for number in numbers]
        sign = 1 if mover == seat or group[0].world.game.cooperative else -1
        tried = action_values(group, common, depth, seat)
        best = max(tried, key=lambda found, group=group, sign=sign: sign * weighed(group, found))
        for number, value in zip(numbers, best, strict=True):
            values[number] = value
    return values


def weighed(worlds, values):
    return sum(each.weight * value for each, value in zip(worlds, values, strict=True))
