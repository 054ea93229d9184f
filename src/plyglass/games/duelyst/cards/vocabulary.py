"""The vocabulary of abilities in `cards.json`, and the numbers that rules use for its words.

An ability says when it acts (`on`), under which condition (`if`), what it does (`do`) and on whom
(`to`, `near`, `where`). A new word needs a rule that implements it. Plyglass refuses a card with a
word that is not listed here. Below each list of words are the names of the words' numbers.

Numbers that kernels pass to other kernels are NumPy numbers, because Numba would compile a function
again for every plain number.
"""

import numpy as np

MOST_ABILITIES, MOST_GRANTS = 560, 16

FACTIONS = ("lyonar", "songhai", "vetruvian", "abyssian", "magmar", "vanar", "neutral")
TYPES = ("general", "minion", "spell", "artifact")
GENERAL, MINION, SPELL, ARTIFACT = np.arange(4)
RARITIES = ("", "common", "rare", "epic", "legendary")
TRIBES = ("", "arcanyst", "dervish", "golem", "mech", "structure", "vespyr")
DERVISH, GOLEM, VESPYR = TRIBES.index("dervish"), TRIBES.index("golem"), TRIBES.index("vespyr")

KEYWORDS = (
    "provoke", "ranged", "blast", "frenzy", "backstab", "celerity", "rush",
    "flying", "airdrop", "forcefield", "rebirth", "grow", "structure", "wall",
    "ephemeral", "egg", "rooted", "elusive", "safe from generals", "cannot strike back",
    "doubled against generals", "doubled against minions", "spares generals",
    "cannot be attacked", "invulnerable", "provokes ranged", "heir",
    "first hit softened", "learned infiltrate", "learned zeal", "learned deathwatch",
)  # fmt: skip
(
    PROVOKE, RANGED, BLAST, FRENZY, BACKSTAB, CELERITY, RUSH,
    FLYING, AIRDROP, FORCEFIELD, REBIRTH, GROW, STRUCTURE, WALL,
    EPHEMERAL, EGG, ROOTED, ELUSIVE, SAFE, MEEK,
    DOUBLED_TO_GENERALS, DOUBLED_TO_MINIONS, SPARES,
    UNTOUCHABLE, INVULNERABLE, LURES_RANGED, HEIR,
    SOFTENED, KNOWS_INFILTRATE, KNOWS_ZEAL, KNOWS_DEATHWATCH,
) = (1 << number for number in range(len(KEYWORDS)))  # fmt: skip
IMMOBILE = STRUCTURE | WALL | EGG | ROOTED
LASTING = STRUCTURE | EPHEMERAL | EGG  # keywords that a dispel does not remove

TRIGGERS = (
    "always", "cast", "gambit", "dying wish", "deathwatch", "turn start", "turn end",
    "own spell", "own summon", "own play", "enemy summon", "damaged", "survives",
    "hits", "kills", "heal", "general damaged", "own damaged", "moves", "attacks",
    "fights", "attacked", "replace", "enemy draws", "spell damage", "replaced", "one of",
)  # fmt: skip
(
    ALWAYS, CAST, GAMBIT, DYING_WISH, DEATHWATCH, TURN_START, TURN_END,
    OWN_SPELL, OWN_SUMMON, OWN_PLAY, ENEMY_SUMMON, DAMAGED, SURVIVES,
    HITS, KILLS, HEALED, GENERAL_DAMAGED, OWN_DAMAGED, MOVES, ATTACKS,
    FIGHTS, ATTACKED, REPLACES, ENEMY_DRAWS, SPELL_DAMAGE, REPLACED, AS_ONE_OF,
) = np.arange(len(TRIGGERS))  # fmt: skip

CONDITIONS = (
    "", "zeal", "infiltrate", "assembled",
    "learned infiltrate", "learned zeal", "learned deathwatch",
)  # fmt: skip
(
    NO_CONDITION, ZEAL, INFILTRATE, ASSEMBLED,
    LEARNED_INFILTRATE, LEARNED_ZEAL, LEARNED_DEATHWATCH,
) = range(len(CONDITIONS))  # fmt: skip

# Effects on units come first, then effects on cells, then effects on players.
EFFECTS = (
    "damage", "heal", "restore", "destroy", "raise", "set attack", "set stats", "set base",
    "stun", "dispel", "lend", "lend one", "grant",
    "transform", "return", "control", "reactivate", "swap stats", "scatter", "swap",
    "unleash", "hatch", "mark", "speed", "consume",
    "summon", "copy", "lay", "tile", "clear", "teleport", "summon from deck",
    "lay any", "appear", "revive", "revive recent", "revive lost",
    "draw", "fill hand", "draw kind", "give card", "recall", "overhear", "equip",
    "break artifacts", "mend artifacts", "draw later", "gain mana", "wake", "empower",
    "drop", "cheaper spell", "dearer spells", "cheaper minion", "hasten", "build",
    "cost", "draws", "replaces", "creep", "rally", "calm", "one of",
)  # fmt: skip
(
    DAMAGE, HEAL, RESTORE, DESTROY, RAISE, SET_ATTACK, SET_STATS, SET_BASE,
    STUN, DISPEL, LEND, LEND_ONE, GRANT,
    TRANSFORM, RETURN, CONTROL, REACTIVATE, SWAP_STATS, SCATTER, SWAP,
    UNLEASH, HATCH, MARK, SPEED, CONSUME,
    SUMMON, COPY, LAY, TILE, CLEAR, TELEPORT, SUMMON_FROM_DECK,
    LAY_ANY, APPEAR, REVIVE, REVIVE_RECENT, REVIVE_LOST,
    DRAW, FILL_HAND, DRAW_KIND, GIVE_CARD, RECALL, OVERHEAR, EQUIP,
    BREAK_ARTIFACTS, MEND_ARTIFACTS, DRAW_LATER, GAIN_MANA, WAKE, EMPOWER,
    DROP, CHEAPER_SPELL, DEARER_SPELLS, CHEAPER_MINION, HASTEN, BUILD,
    COST, DRAWS, REPLACE_MORE, MORE_CREEP, RALLY, CALM, ONE_OF,
) = np.arange(len(EFFECTS))  # fmt: skip
FIRST_OF_CELLS, FIRST_OF_PLAYERS = SUMMON, DRAW

PICKS = ("every", "chosen", "random", "self", "same", "event")
EVERY, CHOSEN, RANDOM, SELF, SAME, EVENT = range(6)
SIDES = ("any", "own", "enemy", "its")
ANY, OWN, ENEMY, ITS = range(4)
KINDS = ("minion", "general", "unit", "space", "cell", "player")  # a space is an empty cell
A_MINION, A_GENERAL, A_UNIT, A_SPACE, A_CELL, A_PLAYER = range(6)

NEARS = (
    "", "self", "own general", "enemy general", "same", "chosen",
    "front of self", "front of own general", "front of enemies",
    "own side", "enemy side", "2x2", "3x3", "own units", "corners",
    "two steps", "three steps", "one step",
)  # fmt: skip
(
    ANYWHERE, BY_SELF, BY_OWN_GENERAL, BY_ENEMY_GENERAL, BY_SAME, BY_CHOSEN,
    BEFORE_SELF, BEFORE_OWN_GENERAL, BEFORE_ENEMIES,
    OWN_SIDE, ENEMY_SIDE, SQUARE_2, SQUARE_3, BY_OWN_UNITS, IN_CORNERS,
    TWO_STEPS, THREE_STEPS, ONE_STEP,
) = range(len(NEARS))  # fmt: skip

FILTERS = (
    "", "attack at most", "tribe", "card", "keyword", "damaged",
    "weakest", "far from generals", "type", "trigger",
)  # fmt: skip
(
    UNFILTERED, ATTACK_AT_MOST, OF_TRIBE, OF_CARD, WITH_KEYWORD, WITH_DAMAGE,
    WEAKEST, FAR_FROM_GENERALS, OF_TYPE, WITH_TRIGGER,
) = np.arange(len(FILTERS))  # fmt: skip

MEASURES = (
    "", "health of same", "event", "enemy hand",
    "own minions", "own artifacts", "own creep", "own neighbours",
)  # fmt: skip
(
    CONSTANT, HEALTH_OF_SAME, EVENT_AMOUNT, ENEMY_HAND,
    OWN_MINIONS, OWN_ARTIFACTS, OWN_CREEP, OWN_NEIGHBOURS,
) = range(len(MEASURES))  # fmt: skip

LASTS = ("", "turn", "next own turn", "always")
FOREVER, THIS_TURN, UNTIL_OWN_TURN, PAST_DISPEL = range(4)

# How the starter AI uses cards without intents, and cards that it plays early.
STYLES = (
    "", "watcher", "grower", "buff", "debuff", "move",
    "lure", "shadow nova", "mass removal", "barrier", "nuisance",
)  # fmt: skip
(
    NO_STYLE, WATCHER, GROWER, BUFF, DEBUFF, MOVER,
    LURE, SHADOW_NOVA, MASS_REMOVAL, BARRIER, NUISANCE,
) = np.arange(len(STYLES))  # fmt: skip
