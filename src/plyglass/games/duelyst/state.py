"""The state of Duelyst, its constants, and the limits and names that the rules share.

The cell in column x and row y, counted from 0, has the number 9 y + x. A set of cells is an integer
with one bit per cell. Units and cards are numbered from 1; 0 means no unit or no card. Units are
sorted by arrival, and are renumbered after every action. A deck is kept sorted, so it has no order.
"""

import numpy as np

from plyglass.core import state_dtype
from plyglass.games.duelyst.cards.vocabulary import MOST_ABILITIES, MOST_GRANTS
from plyglass.games.duelyst.engine.board import CELLS

HAND, DECK, ARTIFACTS, DURABILITY = 6, 64, 3, 3
MOST_CARDS = 400  # size of the table of cards
MOST_DECKS = 17  # most known decks of a faction, including the entry for an unknown deck
MOST_UNITS = 60  # 45 living units, and units that died in the same action
MOST_SHOWN = 96  # cards that a player has played; they say something about the deck
MOST_DEAD = 40  # most dead minions of a player that are remembered
MOST_REBORN = 6  # minions that come back at the end of a turn
MOST_EXCHANGES = 100  # replaced cards of a player that are counted
MOST_MANA = 9
FATIGUE = 2  # damage for drawing from an empty deck
MECH = 5  # number of parts in a complete mech
MOST_ACTS = 100  # most actions in a turn; then the turn can only be ended
MOST_TURNS = 10_000
MOST_CHOICES = 3  # most choices after a card is played, also beyond MOST_ACTS
# A unit can move to or attack at most every cell without a friend; six cards fit on any cell.
MOST_ACTIONS = 800
FEATURES = 57
UNKNOWN = -1  # stands for a card that the viewer does not see

END, MOVE, ATTACK, PLAY, FOLLOW, DECLINE, REPLACE, MULLIGAN = range(8)  # kinds of actions
MULLIGAN_PHASE, PLAYING, OVER = range(3)
NO_TILE, SPRING, CREEP = range(3)  # creep of the second player is CREEP + 1
UNDECIDED, FIRST_WON, SECOND_WON, DRAWN = range(4)

UNIT = (MOST_UNITS + 1,)
State = state_dtype(
    ("granted", np.int64, UNIT),  # granted abilities: four bits for the count of each grant
    ("keywords", np.int32, UNIT),
    ("keywords_now", np.int32, UNIT),  # additional keywords in this turn
    ("card", np.int16, UNIT),
    ("hatch", np.int16, UNIT),  # the card into which an egg hatches
    ("damage", np.int16, UNIT),
    ("attack", np.int16, UNIT),
    ("attack_now", np.int16, UNIT),  # additional attack in this turn
    ("scorched", np.int16, UNIT),  # attack lost until the next turn of the player who did it
    ("health", np.int16, UNIT),  # the health before damage is subtracted
    ("base_attack", np.int16, UNIT),  # the attack after a dispel
    ("base_health", np.int16, UNIT),
    ("owner", np.int8, UNIT),
    ("cell", np.int8, UNIT),
    ("alive", np.int8, UNIT),
    ("dispelled", np.int8, UNIT),  # whether the abilities of its card are gone
    ("stunned", np.int8, UNIT),  # number of turns of the owner that must end before the unit acts
    ("exhausted", np.int8, UNIT),
    ("moves", np.int8, UNIT),  # number of moves in this turn
    ("attacks", np.int8, UNIT),
    ("shield", np.int8, UNIT),  # whether its forcefield is armed
    ("hatch_in", np.int8, UNIT),  # number of turns that must end before an egg hatches
    ("scorched_by", np.int8, UNIT),  # 1 + the player who scorched the unit, or 0
    ("hand", np.int16, (2, HAND)),
    ("deck", np.int16, (2, DECK)),  # the largest number first, then 0
    ("shown", np.int16, (2, MOST_SHOWN)),  # cards that were played, the largest number first
    ("artifact", np.int16, (2, ARTIFACTS)),  # the oldest first
    ("dead", np.int16, (2, MOST_DEAD)),  # minions that died, as in `engine/graveyard.py`
    ("reborn", np.int16, (MOST_REBORN,)),  # minions that come back when this turn ends
    ("durability", np.int8, (2, ARTIFACTS)),
    ("left", np.int8, (2,)),  # number of cards in the deck
    ("general", np.int8, (2,)),  # the unit that is each player's general
    ("mana", np.int8, (2,)),
    ("most_mana", np.int8, (2,)),
    ("replaced", np.int8, (2,)),  # number of cards replaced in this turn
    ("draws_more", np.int8, (2,)),  # additional draws at the end of this turn
    ("wakes", np.int8, (2,)),  # cards to draw when a minion of the player dies in this turn
    ("spell_power", np.int8, (2,)),  # additional damage of spells in this turn
    ("dropping", np.int8, (2,)),  # whether all minions have airdrop in this turn
    ("spell_discount", np.int8, (2,)),  # discount of the next spell in this turn
    ("spell_rise", np.int8, (2,)),  # additional cost of all spells until the player's turn ends
    ("minion_discount", np.int8, (2,)),  # discount of the next minion
    ("haste", np.int8, (2,)),  # discount and damage of the next card in this turn, if a minion
    ("mech", np.int8, (2,)),  # parts that were built
    ("spells_cast", np.int8, (2,)),  # number of spells cast in this turn
    ("golems_played", np.int8, (2,)),  # number of golems played in this turn
    ("rallies", np.int8, (2,)),  # +1/+1 and provoke for minions summoned later in this turn
    ("exchanges", np.int8, (2,)),  # cards replaced in the whole game
    ("at", np.int8, (CELLS,)),  # the unit on a cell
    ("tile", np.int8, (CELLS,)),
    ("last_spell", np.int16),  # the card of the last spell
    ("units", np.int8),  # number of units, including those that died in this action
    ("auras", np.int8),  # whether some unit may have an ability that always acts on others
    ("pending", np.int16),  # the ability that waits for a choice, or 0
    ("played", np.int16),  # the card whose abilities are being carried out
    ("source", np.int8),  # the unit that this card became, or 0
    ("subject", np.int8),  # the unit that was chosen first, or 0
    ("chosen", np.int8),  # the cell that was chosen last
    ("turn", np.int16),  # number of turns that have ended
    ("acts", np.int8),  # number of actions in this turn
    ("player", np.int8),
    ("phase", np.int8),
    ("result", np.int8),
    ("calm", np.int8),  # turns that must end before spells do damage again
    ("lost_events", np.int8),  # whether the event queue overflowed
)

Setup = np.dtype([("deck", np.int64, (2, DECK)), ("left", np.int64, (2,))])

CARD, ABILITY = (MOST_CARDS,), (MOST_ABILITIES,)
Constants = np.dtype(
    [
        ("opening", np.int64),  # number of cards in the first hand
        ("marks", np.int64),  # how many cards of the first hand may be exchanged
        ("draws", np.int64),  # number of cards drawn at the end of a turn
        ("burn", np.int64),  # whether a card drawn with a full hand is lost
        ("turns", np.int64),  # number of turns after which the game is a draw
        ("springs", np.int64),  # the cells with springs at the start
        ("always_replace", np.int64),  # whether the starter AI replaces a card in every turn
        ("general", np.int64, (2,)),  # the cards of the generals
        # The board, as sets of cells.
        ("around", np.int64, (CELLS,)),  # the eight neighbours of a cell
        ("line", np.int64, (CELLS,)),  # the cells in the same row or column
        ("disc", np.int64, (CELLS, 4)),  # the cells at most 0, 1, 2 or 3 steps away
        ("walked", np.int64, (CELLS,)),  # the cells that can be attacked after a walk of two steps
        # What everybody knows about decks. Odds are in the order of the pool.
        ("cards", np.int64),
        ("pool", np.int64, (2, MOST_CARDS)),  # the cards that each player's deck may have
        ("pool_size", np.int64, (2,)),
        ("card_odds", np.float64, (2, MOST_CARDS)),  # probability of each card in a usual deck
        ("card_odds_up_to", np.float64, (2, MOST_CARDS)),  # cumulative sums of `card_odds`
        ("copies", np.float64, (3,)),  # odds of one, two and three copies in a usual deck
        ("known_decks", np.int64, (2,)),  # number of known decks, including the unknown deck
        ("known_deck", np.int64, (2, MOST_DECKS, MOST_CARDS)),  # copies of each card; none in [0]
        # Cards.
        ("type", np.int64, CARD),
        ("mana", np.int64, CARD),
        ("attack", np.int64, CARD),
        ("health", np.int64, CARD),
        ("tribe", np.int64, CARD),
        ("keywords", np.int64, CARD),
        ("backstab", np.int64, CARD),
        ("grow", np.int64, CARD),
        ("first", np.int64, CARD),  # the index of the card's first ability
        ("last", np.int64, CARD),  # the index after the card's last ability
        ("triggers", np.int64, CARD),  # the set of the abilities' triggers
        ("aura", np.int64, CARD),  # whether an ability always acts on other units
        ("script", np.int64, CARD),  # the first ability carried out when the card is played, or 0
        ("targeted", np.int64, CARD),  # whether a cell must be chosen for a spell
        ("first_intent", np.int64, CARD),  # the index of its first intent for the starter AI
        ("last_intent", np.int64, CARD),  # the index after its last intent
        ("style", np.int64, CARD),  # how the starter AI uses the card
        ("spared_with", np.int64, CARD),  # the card that protects it from the starter AI, or 0
        ("for_decks", np.int64, CARD),  # whether decks may have the card
        ("rarity", np.int64, CARD),  # of minions, if a card chooses minions by rarity
        ("becomes", np.int64, CARD),  # the card into which replacing turns this card
        ("version_of", np.int64, CARD),  # the original card, before it was ever replaced
        ("ability_worth", np.int64, CARD),  # value of a minion's abilities, in attack and health
        ("effects", np.int64, CARD),  # number of effects that the starter AI counts
        ("zealous", np.int64, CARD),  # whether the card has zeal
        ("chancy", np.int64, CARD),  # whether the unit's abilities may need chance
        ("rising", np.int64, CARD),  # whether a death or a spell raises the unit's stats
        # Abilities of cards, and the starter AI's intents in the same form.
        ("trigger", np.int64, ABILITY),
        ("condition", np.int64, ABILITY),
        ("effect", np.int64, ABILITY),
        ("pick", np.int64, ABILITY),
        ("side", np.int64, ABILITY),
        ("kind", np.int64, ABILITY),
        ("other", np.int64, ABILITY),  # whether the source itself is left out
        ("near", np.int64, ABILITY),
        ("filter", np.int64, ABILITY),
        ("value", np.int64, ABILITY),
        ("event_filter", np.int64, ABILITY),  # filter for the unit that caused the event
        ("event_value", np.int64, ABILITY),
        ("count", np.int64, ABILITY),  # number of targets picked at random
        ("choices", np.int64, ABILITY),  # number of cards from `token` on; chance chooses one
        ("needs", np.int64, ABILITY),  # the card is playable only with this many candidates
        ("measure", np.int64, ABILITY),
        ("amount", np.int64, ABILITY),
        ("raise_attack", np.int64, ABILITY),
        ("raise_health", np.int64, ABILITY),
        ("lasts", np.int64, ABILITY),
        ("token", np.int64, ABILITY),  # a card
        ("lends", np.int64, ABILITY),  # keywords
        ("grant", np.int64, ABILITY),  # the number of the granted ability
        ("choice", np.int64, ABILITY),  # the choice that an intent is about
        ("granted_ability", np.int64, (MOST_GRANTS,)),
        ("kept_grants", np.int64),  # the grants that a dispel leaves, as bits of `granted`
        ("egg", np.int64),  # the card of an egg
        ("weights", np.float64, (FEATURES + 1,)),  # for the evaluator "learned"
    ]
)
