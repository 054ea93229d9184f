"""The dead of Duelyst written a second time, with lists and counters.

This twin follows a game of minions without abilities, spells that only do damage, and cards that
bring back the dead. In such a game, a minion that is gone has died. Tests compare the rules with
it.
"""

from collections import Counter

from plyglass.games.duelyst.cards.catalog import cards, numbers
from plyglass.games.duelyst.engine.board import CELLS
from plyglass.games.duelyst.engine.graveyard import EARLIER, LAST_TURN, NOW, TIMES
from tests.games.duelyst_positions import CELL, name_of

BRINGERS = (
    "nether_summoning", "zurael_the_lifegiver", "keeper_of_the_vale", "consuming_rebirth",
)  # fmt: skip
DAMAGE = ("tempest", "true_strike", "phoenix_fire", "ghost_lightning", "spiral_technique")


def deck():
    """Three copies of each card that the twin understands, as numbers of cards."""
    plain = [
        card.id
        for card in cards()
        if card.for_decks and card.type == "minion" and not card.abilities and not card.keywords
        and not card.becomes and card.attack > 0
    ]  # fmt: skip
    return [numbers()[card] for card in (*plain[:6], *BRINGERS, *DAMAGE) for _ in range(3)][:39]


def on_board(world):
    """The minions on the board: {cell: (card, owner)}."""
    record = world.record
    return {
        int(record["cell"][unit]): (
            cards()[int(record["card"][unit])].id,
            int(record["owner"][unit]),
        )
        for unit in range(1, int(record["units"]) + 1)
        if unit not in record["general"]
    }


class NaiveGraveyard:
    """Who died and when, and who has to come back at the end of the turn."""

    def __init__(self):
        self.dead, self.promised, self.brought = [], [], Counter()

    def watch(self, world, action):
        """Carry out an action, and check it against what it should do with the dead."""
        name, player, turn = name_of(world, action), world.to_move, int(world.record["turn"])
        before, taken = on_board(world), world.record["at"] != 0
        if name.startswith("play consuming_rebirth"):
            cell = CELL[name.split()[-1]]
            self.promised.append((before[cell][0], cell))
        world.apply(action)
        after = on_board(world)
        gone, come = (
            Counter(before.values()) - Counter(after.values()),
            Counter(after.values()) - Counter(before.values()),
        )
        assert come == self._expected(name, player, turn, taken, come)
        self.dead += [(card, owner, turn) for card, owner in gone.elements()]

    def _expected(self, name, player, turn, taken, come):
        """Who should have come; where chance decides, whoever came if they could."""
        if name == "end turn":
            back = [(card, player) for card, cell in self.promised if not taken[cell]]
            self.promised = []
            self.brought["consuming_rebirth"] += len(back)
            return Counter(back)
        played = Counter()
        if name.startswith("play") and cards()[numbers()[name.split()[1]]].type == "minion":
            played[name.split()[1], player] = 1
        if name == "play nether_summoning":
            return self._some(come, played, player, lambda _, when: when >= turn - 1, 2, name)
        if name.startswith("play zurael"):
            room = CELLS - int(taken.sum()) - 1
            return self._all(come, played, player, turn, room)
        if name.startswith("choose ") and name != "choose nothing":
            return self._some(come, played, player, lambda owner, _: owner == player, 1, name)
        return played

    def _some(self, come, played, player, fits, most, name):
        could = Counter(card for card, owner, when in self.dead if fits(owner, when))
        found = Counter(card for card, owner in (come - played).elements() if owner == player)
        assert found <= could
        assert found.total() <= min(most, could.total())
        assert found.total() == min(most, could.total()) or name == "play nether_summoning"
        self.brought[name.split()[0]] += found.total()
        return played + Counter({(card, player): count for card, count in found.items()})

    def _all(self, come, played, player, turn, room):
        lost = Counter(
            (card, player) for card, owner, when in self.dead if (owner, when) == (player, turn - 1)
        )
        self.brought["zurael"] += lost.total()
        return played + lost if lost.total() <= room else come

    def matches(self, world):
        """Whether the rules remember the same dead."""
        now, times = int(world.record["turn"]), {0: NOW, 1: LAST_TURN}
        for player in range(2):
            mine = sorted(
                TIMES * numbers()[card] + times.get(now - when, EARLIER)
                for card, owner, when in self.dead
                if owner == player
            )
            theirs = sorted(int(number) for number in world.record["dead"][player] if number)
            if mine != theirs:
                return False
        return True
