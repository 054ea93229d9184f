"""The records of Duelyst, and the words that its rules are written in.

A cell has the number 9 y + x, and a set of cells is a number with a bit for each. Units and cards
have numbers from 1; 0 is nobody and no card. Units are kept in the order in which they came, and
are numbered anew after every action. A deck has no order: it is kept sorted.
"""

import numpy as np

from plyglass.core import state_dtype
from plyglass.games.duelyst.cells import CELLS
from plyglass.games.duelyst.words import MOST_GRANTS, MOST_ROWS

HAND, DECK, ARTIFACTS, DURABILITY = 6, 64, 3, 3
MOST_CARDS = 400  # in the table of cards
MOST_DECKS = 17  # that a faction is known to have, with one that stands for all others
MOST_UNITS = 60  # 45 that live, and those that died in the same action
MOST_SHOWN = 96  # cards that a player has played, for what others believe of his deck
MOST_MANA, FATIGUE, MECH = 9, 2, 5  # mana; damage for a card that is not there; parts of a mech
MOST_ACTS, MOST_TURNS = (
    100,
    10_000,
)  # actions of a turn, after which it can only be ended; turns of a game
MOST_CHOICES = 3  # that a card asks for after it was played, even when those were all actions
# to choose from: a unit moves to, or attacks, at most every cell where no friend is, and six cards
# go to any cell
MOST_ACTIONS = 800
FEATURES = 57  # numbers that describe a position
UNKNOWN = -1  # in place of a card that a viewer does not see

END, MOVE, ATTACK, PLAY, FOLLOW, DECLINE, REPLACE, MULLIGAN = range(8)  # kinds of actions
MULLIGAN_PHASE, PLAYING, OVER = range(3)
NO_TILE, SPRING, CREEP = range(3)  # creep of the second player is CREEP + 1
UNDECIDED, FIRST_WON, SECOND_WON, DRAWN = range(4)

UNIT = (MOST_UNITS + 1,)
State = state_dtype(
    ("granted", np.int64, UNIT),  # abilities that others gave it: four bits for how often, by grant
    ("keywords", np.int32, UNIT),
    ("keywords_now", np.int32, UNIT),  # those that last for this turn
    ("card", np.int16, UNIT),
    ("hatch", np.int16, UNIT),  # of an egg: the card that it becomes
    ("damage", np.int16, UNIT),
    ("attack", np.int16, UNIT),
    ("attack_now", np.int16, UNIT),  # what is added in this turn
    ("scorched", np.int16, UNIT),  # what attack is less by until the next turn of who did that
    ("health", np.int16, UNIT),  # when it has no damage
    ("base_attack", np.int16, UNIT),  # what a dispel leaves
    ("base_health", np.int16, UNIT),
    ("owner", np.int8, UNIT),
    ("cell", np.int8, UNIT),
    ("alive", np.int8, UNIT),
    ("dispelled", np.int8, UNIT),  # whether the abilities of its card are gone
    ("stunned", np.int8, UNIT),  # how many turns of its owner have to end
    ("exhausted", np.int8, UNIT),
    ("moves", np.int8, UNIT),  # made in this turn
    ("attacks", np.int8, UNIT),
    ("shield", np.int8, UNIT),  # whether its forcefield is armed
    ("hatch_in", np.int8, UNIT),  # how many turns have to end
    ("scorched_by", np.int8, UNIT),  # player + 1
    ("hand", np.int16, (2, HAND)),
    ("deck", np.int16, (2, DECK)),  # the largest number first, then 0
    ("shown", np.int16, (2, MOST_SHOWN)),  # cards that were played, the largest number first
    ("artifact", np.int16, (2, ARTIFACTS)),  # the oldest first
    ("durability", np.int8, (2, ARTIFACTS)),
    ("left", np.int8, (2,)),  # cards in the deck
    ("general", np.int8, (2,)),  # units
    ("mana", np.int8, (2,)),
    ("most_mana", np.int8, (2,)),
    ("replaced", np.int8, (2,)),  # in this turn
    ("draws_more", np.int8, (2,)),  # at the end of this turn
    ("wakes", np.int8, (2,)),  # cards to draw when an own minion dies in this turn
    ("spell_power", np.int8, (2,)),  # what spells do more in this turn
    ("dropping", np.int8, (2,)),  # whether all minions have airdrop in this turn
    ("spell_discount", np.int8, (2,)),  # of the next spell in this turn
    ("spell_rise", np.int8, (2,)),  # what all spells cost more until the end of his turn
    ("minion_discount", np.int8, (2,)),  # of the next minion
    (
        "haste",
        np.int8,
        (2,),
    ),  # of the next card in this turn, if it is a minion, which is hurt by as much
    ("mech", np.int8, (2,)),  # parts that were built
    ("spells_cast", np.int8, (2,)),  # in this turn
    ("golems_played", np.int8, (2,)),  # in this turn
    ("at", np.int8, (CELLS,)),  # the unit on a cell
    ("tile", np.int8, (CELLS,)),
    ("last_spell", np.int16),  # a card
    ("units", np.int8),  # how many there are, the dead of this action included
    ("auras", np.int8),  # whether some unit may have an ability that always acts on others
    ("pending", np.int16),  # the row that waits for a choice, or 0
    ("played", np.int16),  # the card whose rows are being carried out
    ("source", np.int8),  # the unit that this card became, or 0
    ("subject", np.int8),  # the unit that was chosen first, or 0
    ("chosen", np.int8),  # the cell that was chosen last
    ("turn", np.int16),  # turns that have ended
    ("acts", np.int8),  # actions of this turn
    ("player", np.int8),
    ("phase", np.int8),
    ("result", np.int8),
    ("lost_events", np.int8),  # whether more happened at once than there is room for
)

Setup = np.dtype([("deck", np.int64, (2, DECK)), ("left", np.int64, (2,))])

CARD, ROW = (MOST_CARDS,), (MOST_ROWS,)
Constants = np.dtype(
    [
        ("opening", np.int64),  # cards of the first hand
        ("marks", np.int64),  # how many of them may be exchanged
        ("draws", np.int64),  # at the end of a turn
        ("burn", np.int64),  # whether a card that finds no room in the hand is lost
        ("turns", np.int64),  # after which the game is drawn
        ("springs", np.int64),  # the cells that have one at first
        ("always_replace", np.int64),  # whether the starter AI replaces a card in every turn
        ("general", np.int64, (2,)),  # the cards of the generals
        ("around", np.int64, (CELLS,)),  # the eight neighbours of a cell
        ("line", np.int64, (CELLS,)),  # the cells in the same row or column
        ("disc", np.int64, (CELLS, 4)),  # the cells that are at most so many steps away
        ("walked", np.int64, (CELLS,)),  # the cells that can be attacked after a walk of two steps
        ("cards", np.int64),
        (
            "pool",
            np.int64,
            (2, MOST_CARDS),
        ),  # the cards that a deck with each player's general may have
        ("pool_size", np.int64, (2,)),
        (
            "card_odds",
            np.float64,
            (2, MOST_CARDS),
        ),  # how likely each card of the pool is to be chosen for a deck of the usual shape
        ("card_odds_up_to", np.float64, (2, MOST_CARDS)),  # their sums
        ("copies", np.float64, (3,)),  # how likely such a deck has one, two or three of a card
        (
            "known_decks",
            np.int64,
            (2,),
        ),  # of each player's faction, with the one that stands for all others
        (
            "known_deck",
            np.int64,
            (2, MOST_DECKS, MOST_CARDS),
        ),  # how many of each card they have; the first one has none
        ("type", np.int64, CARD),
        ("mana", np.int64, CARD),
        ("attack", np.int64, CARD),
        ("health", np.int64, CARD),
        ("tribe", np.int64, CARD),
        ("keywords", np.int64, CARD),
        ("backstab", np.int64, CARD),
        ("grow", np.int64, CARD),
        ("first", np.int64, CARD),  # the first of its rows of abilities
        ("last", np.int64, CARD),  # and the one after the last
        ("triggers", np.int64, CARD),  # a set of what its rows wait for
        ("aura", np.int64, CARD),  # whether one of them always acts on others
        ("script", np.int64, CARD),  # the first row that is carried out when it is played, or 0
        ("targeted", np.int64, CARD),  # whether a cell has to be chosen for a spell
        ("first_intent", np.int64, CARD),  # the first of its rows for the starter AI
        ("last_intent", np.int64, CARD),  # and the one after the last
        ("style", np.int64, CARD),  # how the starter AI uses it
        (
            "spared_with",
            np.int64,
            CARD,
        ),  # a card beside which the starter AI does not attack this one, or 0
        ("ability_worth", np.int64, CARD),  # of a minion, in attack and health
        (
            "effects",
            np.int64,
            CARD,
            # how many effects of its own a unit has by its card, but for keywords, as the starter
            # AI counts
        ),
        ("zealous", np.int64, CARD),  # whether it has zeal
        (
            "chancy",
            np.int64,
            CARD,
        ),  # whether luck may have a say in what it does when it is on the board
        (
            "rising",
            np.int64,
            CARD,
        ),  # whether it raises itself when somebody dies or a spell is cast
        ("trigger", np.int64, ROW),
        ("condition", np.int64, ROW),
        ("effect", np.int64, ROW),
        ("pick", np.int64, ROW),
        ("side", np.int64, ROW),
        ("kind", np.int64, ROW),
        ("other", np.int64, ROW),  # whether the source itself is left out
        ("near", np.int64, ROW),
        ("filter", np.int64, ROW),
        ("value", np.int64, ROW),
        ("event_filter", np.int64, ROW),  # what the unit that caused it has to be
        ("event_value", np.int64, ROW),
        ("count", np.int64, ROW),  # how many are picked at random
        ("choices", np.int64, ROW),  # of how many cards, from the token on, luck chooses
        ("needs", np.int64, ROW),  # how many candidates there must be for the card to be played
        ("measure", np.int64, ROW),
        ("amount", np.int64, ROW),
        ("raise_attack", np.int64, ROW),
        ("raise_health", np.int64, ROW),
        ("lasts", np.int64, ROW),
        ("token", np.int64, ROW),  # a card
        ("lends", np.int64, ROW),  # keywords
        ("grant", np.int64, ROW),  # the number of an ability to give
        (
            "choice",
            np.int64,
            ROW,
        ),  # of an intent: which choice it is about, of those that follow when the card was played
        ("granted_row", np.int64, (MOST_GRANTS,)),
        ("kept_grants", np.int64),  # those that a dispel does not take away, as bits of `granted`
        ("egg", np.int64),  # the card
        ("weights", np.float64, (FEATURES + 1,)),  # of the evaluator that was learned
    ]
)
