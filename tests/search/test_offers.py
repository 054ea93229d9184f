"""Information sets whose actions differ between worlds, against naive dictionaries."""

import math

import numpy as np
import pytest

from plyglass.search.information_sets.nodes import Memory, TreeSpace
from plyglass.search.information_sets.offers import new_offers, offer, ucb_offered_child
from plyglass.search.mcts.tree import ROOT, Tree
from plyglass.search.mcts.workspace import Work, new_trail

MOST = 40
EXPLORATION = 0.7
NO_MEMORIES, NO_SLOTS = np.zeros(1, Memory).view(np.recarray), np.zeros(1, np.int32)


class Node:
    """One node with the actions it is offered, and naive counts of each action."""

    def __init__(self, seed):
        self.luck = np.random.default_rng(seed)
        self.tree = Tree(100_000)
        self.tree.reserve(100_000)
        self.offers, self.trail = new_offers(MOST), new_trail(3)
        self.stream, self.work = np.array([seed], np.uint64), np.zeros(1, Work).view(np.recarray)
        self.work[0].stream = self.stream.ctypes.data
        self.naive = {}  # of each action: visits, total, how often it was available

    def visit(self, actions):
        """Offer the actions, take one of them, and note what it was worth."""
        tree, room = self.tree, np.array(actions, np.int32)
        self.work[0].actions = room.ctypes.data
        space = TreeSpace(self.work, self.trail, NO_MEMORIES, tree.nodes, NO_SLOTS)
        tree.used = offer(space, self.offers, tree.used, ROOT, 0, len(room), len(self.trail))
        child = ucb_offered_child(tree.nodes, ROOT, self.offers, len(actions), EXPLORATION)
        worth = self.luck.random()
        tree.nodes[child].visits += 1
        tree.nodes[child].total += worth
        tree.nodes[ROOT].visits += 1
        return int(tree.nodes[child].action), worth

    def actions(self):
        return [int(self.tree.nodes[child].action) for child in self.tree.children(ROOT)]

    def naive_choice(self, actions):
        """The first of the best legal actions, in the order of the children."""

        def bound(action):
            visits, total, available = self.naive[action]
            return (
                math.inf
                if visits == 0
                else total / visits + EXPLORATION * math.sqrt(math.log(max(1, available)) / visits)
            )

        return max((action for action in self.actions() if action in actions), key=bound)


def legal(luck, space):
    return luck.choice(space, size=luck.integers(1, MOST + 1), replace=False).tolist()


@pytest.mark.parametrize(
    "space",
    [range(60), range(0, 1 << 20, 1 << 14), range(0, 1 << 30, 1 << 21)],
    ids=["dense", "sparse", "far apart"],
)
def test_what_is_offered_and_chosen_is_what_dictionaries_say(space):
    node, luck = Node(3), np.random.default_rng(5)
    for _ in range(300):
        actions = legal(luck, space)
        first = not node.naive
        for action in actions:
            node.naive.setdefault(action, [0, 0.0, 0 if first else 1])
        chosen, worth = node.visit(actions)
        assert chosen == node.naive_choice(actions)
        for action in actions:
            node.naive[action][2] += 1
        node.naive[chosen][0] += 1
        node.naive[chosen][1] += worth
    assert sorted(node.actions()) == sorted(node.naive)
    for child in node.tree.children(ROOT):
        here = node.tree.nodes[child]
        assert [int(here.visits), float(here.total), int(here.available)] == node.naive[
            int(here.action)
        ]


def test_a_trail_follows_children_that_move():
    node = Node(1)
    node.visit([4, 5, 6])
    gone_through = next(
        child for child in node.tree.children(ROOT) if node.tree.nodes[child].action == 5
    )
    node.trail[1].node = gone_through
    node.visit([5, 7])
    assert node.trail[1].node != gone_through
    assert node.tree.nodes[node.trail[1].node].action == 5


def test_room_for_children_grows_with_their_number_not_with_its_square():
    node = Node(2)
    node.visit([0])
    for action in range(1, 1000):
        node.visit([0, action])
    assert len(node.actions()) == 1000
    assert node.tree.used < 5 * 1000
