"""What trackers of Duelyst infer from the cards that the enemy shows and holds back."""

import functools
import itertools
from collections import Counter

import numpy as np
import pytest

import plyglass as pg
from plyglass.arena.audit.belief_walk import believed
from plyglass.core import World
from plyglass.core.check.tracking import tracking
from plyglass.core.compile import JIT
from plyglass.games.duelyst import Duelyst
from plyglass.games.duelyst.cards.catalog import cards, numbers, pool_of
from plyglass.games.duelyst.cards.decks import COPIES, load
from plyglass.games.duelyst.cards.generated_decks import card_odds
from plyglass.games.duelyst.hidden.trackers import STRANGE
from plyglass.games.duelyst.hidden.tracks import (
    CARD,
    CHANGED,
    COUNT,
    HELD_MINION,
    LIKELY,
    MANA,
    SPENT,
    SURE,
)
from tests.games.duelyst_positions import act, position

ENEMY = 1


@functools.cache
def game(decks="lyonar+lyonar", archetypes=""):
    return Duelyst(decks=decks, archetypes=archetypes)


class Watcher:
    """The first player, shown positions that are made by hand."""

    def __init__(self, others, decks="lyonar+lyonar", worlds=200):
        self.world = game(decks).start(1)
        self.live, self.worlds = pg.Tracks(worlds, others).begin(self.world.game, 0, 1), worlds
        self.look()

    def look(self):
        self.live.observe(None, self.world.hide(0))

    def change(self, **fields):
        """Set fields of the enemy, and look."""
        row = self.world.row()
        record = row.view(self.world.game.state)[0]
        for name, value in fields.items():
            record[name][ENEMY] = value
        self.world = World(self.world.game, row)
        self.look()

    def play(self, *names):
        """The enemy plays cards, one after the other."""
        for name in names:
            record = self.world.record
            shown = sorted([numbers()[name], *record["shown"][ENEMY]], reverse=True)[:-1]
            self.change(shown=shown, hand=[*record["hand"][ENEMY][1:], 0])

    def end_turn(self, mana):
        """The enemy ends a turn with so much mana left, and draws nothing."""
        row = self.world.row()
        record = row.view(self.world.game.state)[0]
        record["player"], record["mana"][ENEMY] = ENEMY, mana
        self.world = World(self.world.game, row)
        self.look()
        after = self.world.row()
        record = after.view(self.world.game.state)[0]
        record["turn"] += 1
        record["player"], record["mana"][ENEMY] = 0, 0
        self.world = World(self.world.game, after)
        self.look()

    def likely(self, decks=2):
        return [float(self.live._tracks[LIKELY + deck]) for deck in range(decks)]

    def hands(self):
        return self._cards("hand")

    def decks(self):
        return self._cards("deck")

    def _cards(self, field):
        worlds, _ = self.live.support(self.worlds)
        held = np.ascontiguousarray(worlds).view(self.world.game.state)[:, 0][field][:, ENEMY]
        return [[cards()[card].id for card in each if card > 0] for each in held]


def odds_of(name, faction="lyonar"):
    return card_odds(faction)[pool_of(faction).index(numbers()[name])]


def test_the_first_card_weighs_decks_by_their_shares_of_it():
    """Three of the known deck's 39 cards are Tempest, and a twentieth of cards may be changed."""
    watcher = Watcher("archetypes")
    assert watcher.likely() == pytest.approx([STRANGE, 1 - STRANGE])
    watcher.play("tempest")
    unknown = odds_of("tempest")
    known = (1 - CHANGED) * 3 / 39 + CHANGED * unknown
    total = STRANGE * unknown + (1 - STRANGE) * known
    assert watcher.likely() == pytest.approx(
        [STRANGE * unknown / total, (1 - STRANGE) * known / total]
    )


def test_a_second_copy_is_likelier_where_decks_have_more_of_a_card():
    """After one Tempest, an unknown deck has none, one or two left.

    Their weights are 0.2, 2 * 0.2 * q and 3 * 0.6 * q * q, where q is the unseen share of the deck.
    """
    watcher = Watcher("archetypes")
    watcher.play("tempest")
    before = watcher.likely()
    watcher.play("tempest")
    unseen = 38 / 39
    ways = [0.2, 2 * 0.2 * unseen, 3 * 0.6 * unseen**2]
    unknown = (ways[1] + 2 * ways[2]) / sum(ways) / 38
    known = (1 - CHANGED) * 2 / 38 + CHANGED * unknown
    total = before[0] * unknown + before[1] * known
    assert watcher.likely() == pytest.approx(
        [before[0] * unknown / total, before[1] * known / total]
    )


def test_what_is_held_back_makes_decks_likelier_that_have_dear_cards():
    """With nine mana left, every minion could have been played.

    The three cards in hand are rather spells and artifacts.
    """
    watcher = Watcher("archetypes")
    watcher.end_turn(mana=9)
    held = HELD_MINION * 0.55 + 0.8 * 0.38 + 0.5 * 0.07
    known = CHANGED * held + (1 - CHANGED) * (HELD_MINION * 21 + 0.8 * 15 + 0.5 * 3) / 39
    total = STRANGE * held**3 + (1 - STRANGE) * known**3
    assert watcher.likely() == pytest.approx(
        [STRANGE * held**3 / total, (1 - STRANGE) * known**3 / total], rel=1e-3
    )


def test_cards_that_could_have_been_played_are_seldom_in_hand():
    watcher = Watcher("archetypes", worlds=1000)
    minions = [
        np.mean(
            [cards()[numbers()[name]].type == "minion" for hand in watcher.hands() for name in hand]
        )
    ]
    watcher.end_turn(mana=9)
    minions.append(
        np.mean(
            [cards()[numbers()[name]].type == "minion" for hand in watcher.hands() for name in hand]
        )
    )
    assert minions[0] == pytest.approx(0.54, abs=0.05)
    assert minions[1] == pytest.approx(
        HELD_MINION * 21 / (HELD_MINION * 21 + 0.8 * 15 + 0.5 * 3), abs=0.05
    )


def test_a_card_that_was_too_dear_before_is_not_the_one_that_was_held_back():
    watcher = Watcher("plausible")
    watcher.end_turn(mana=2)
    record = watcher.world.record
    watcher.change(hand=[*record["hand"][ENEMY][:3], record["deck"][ENEMY][0], 0, 0], left=35)
    assert [watcher.live._tracks[MANA + slot] for slot in range(4)] == [2, 2, 2, 0]
    watcher.play("tempest")  # it costs two and was not played then, so it has just been drawn
    assert [watcher.live._tracks[MANA + slot] for slot in range(3)] == [2, 2, 2]


def test_a_few_cards_of_a_known_deck_tell_it_from_others():
    watcher = Watcher("archetypes", "lyonar+vanar")
    watcher.play("flash_freeze", "snowpiercer", "avalanche")
    assert watcher.likely()[1] > 0.97
    seen = Counter(
        name
        for deck, hand in zip(watcher.decks(), watcher.hands(), strict=True)
        for name in deck + hand
    )
    of_deck = sum(count for name, count in seen.items() if numbers()[name] in load("vanar").cards)
    assert of_deck / seen.total() > 0.85


def test_cards_of_no_known_deck_make_an_unknown_one_likely():
    watcher = Watcher("archetypes", "lyonar+vanar")
    watcher.play("hearth_sister", "razorback", "wolfraven")
    assert watcher.likely()[0] > 0.97


def test_further_decks_can_be_known():
    world = game("vanar+lyonar", "vanar+lyonar#5+magmar#2").start(1)
    assert world.game.constants_record[0]["known_decks"].tolist() == [3, 3]
    live = pg.Tracks(10, "archetypes").begin(world.game, 0, 1)
    live.observe(None, world.hide(0))
    assert live._tracks[LIKELY : LIKELY + 4] == pytest.approx(
        [STRANGE, (1 - STRANGE) / 2, (1 - STRANGE) / 2, 0]
    )


@pytest.mark.parametrize("others", ["plausible", "archetypes"])
def test_no_card_for_decks_is_ever_ruled_out(others):
    watcher = Watcher(others, "lyonar+magmar", worlds=3000 if JIT else 300)
    watcher.play("earth_walker", "earth_walker", "plasma_storm")
    seen = Counter(name for deck in watcher.decks() for name in deck)
    assert not JIT or {numbers()[name] for name in seen} == set(pool_of("magmar"))


def test_plausible_decks_have_copies_types_and_mana_in_usual_shares():
    watcher = Watcher("plausible", "lyonar+songhai", worlds=1000 if JIT else 50)
    whole = [
        Counter(hand + deck) for hand, deck in zip(watcher.hands(), watcher.decks(), strict=True)
    ]
    copies = Counter(count for each in whole for count in each.values())
    assert set(copies) == {1, 2, 3}
    assert [copies[count] / copies.total() for count in (1, 2, 3)] == pytest.approx(
        [0.2, 0.2, 0.6], abs=0.1
    )  # some find no room
    listed = [cards()[numbers()[name]] for each in whole for name in each.elements()]
    assert np.mean([card.faction == "songhai" for card in listed]) == pytest.approx(0.67, abs=0.04)
    assert np.mean([card.type == "spell" for card in listed]) == pytest.approx(0.38, abs=0.04)
    assert np.mean([card.mana == 2 for card in listed]) == pytest.approx(0.27, abs=0.06)


@pytest.mark.parametrize("others", ["plausible", "archetypes"])
@pytest.mark.parametrize("decks", ["lyonar+songhai", "abyssian#1+vanar#2"])
def test_worlds_have_as_many_cards_as_are_seen_and_at_most_three_of_each(others, decks):
    pools = [set(pool_of(load(name).faction)) for name in decks.split("+")]
    decisions = believed(game(decks), [pg.Tracks(10, others)], 3, "starter" if JIT else "random")
    for world, (live,) in itertools.islice(decisions, 200 if JIT else 10):
        enemy, spent = 1 - world.to_move, np.array(live._tracks[SPENT : SPENT + 400])
        names = world.game.constants_record[0]["version_of"]
        worlds, _ = live.support(10)
        for record in np.ascontiguousarray(worlds).view(world.game.state)[:, 0]:
            assert np.count_nonzero(record["hand"][enemy]) == np.count_nonzero(
                world.record["hand"][enemy]
            )
            assert np.count_nonzero(record["deck"][enemy]) == world.record["left"][enemy]
            held = [
                card
                for card, known in zip(
                    record["hand"][enemy], live._tracks[CARD : CARD + 6], strict=True
                )
                if not known
            ]
            named = names[[*held, *record["deck"][enemy]]]  # whatever a card has become
            counts = np.bincount(named, minlength=400)[1:] + spent[1:]
            assert counts.max() <= COPIES
            assert set(np.flatnonzero(counts) + 1) <= pools[enemy]


def test_a_minion_that_was_returned_is_known_to_be_in_hand_until_it_is_played_again():
    world = position(
        "general@c3",
        "hailstone_golem@e3",
        hand="hailstone_prison",
        enemy_hand="tempest",
        deck="tempest war_surge",
    )
    live = pg.Tracks(20, "plausible").begin(world.game, 0, 1)
    live.observe(None, world.hide(0))
    act(world, "play hailstone_prison e3")
    live.observe(None, world.hide(0))
    assert [live._tracks[part] for part in (COUNT, CARD, CARD + 1, SURE + 1)] == [
        2,
        0,
        numbers()["hailstone_golem"],
        1,
    ]
    worlds, _ = live.support(20)
    hands = np.ascontiguousarray(worlds).view(world.game.state)[:, 0]["hand"][:, ENEMY]
    assert (hands[:, 1] == numbers()["hailstone_golem"]).all()


def test_a_replaced_dreamgazer_is_known_to_be_the_card_that_was_replaced():
    world = position(hand="dreamgazer tempest", deck="war_surge " * 3, player=1)
    live = pg.Tracks(20, "plausible").begin(world.game, 0, 1)
    live.observe(None, world.hide(0))
    live._tracks[CARD], live._tracks[SURE] = numbers()["tempest"], 1.0  # as if it had been seen
    act(world, "replace dreamgazer")
    live.observe(None, world.hide(0))
    assert live._tracks[SPENT + numbers()["dreamgazer"]] == 1
    assert [live._tracks[part] for part in (COUNT, CARD, SURE, CARD + 1)] == [
        2,
        numbers()["tempest"],
        1,  # so it was not the tempest
        0,
    ]


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_trackers_keep_to_their_room_and_worlds_look_as_what_was_seen():
    assert not [*tracking(Duelyst(decks="songhai#1+vanar#1", turns=12), 4, 1)]


def test_hidden_things_are_the_cards_of_hand_and_deck_each_once():
    world = position(enemy_hand="tempest war_surge tempest tempest", deck="martyrdom")
    things, places, ages = world.game.hidden_things(world.record[None], 0)
    found = Counter(
        (cards()[thing].id, int(place))
        for thing, place in zip(things[0], places[0], strict=True)
        if place >= 0
    )
    assert {name for name, place in found if place == 0} == {"tempest", "war_surge"}
    assert {name for name, place in found if place == 1} == {
        cards()[card].id for card in set(world.record["deck"][1]) - {0}
    }
    assert set(found.values()) == {1}
    assert (ages == world.record["turn"]).all()
