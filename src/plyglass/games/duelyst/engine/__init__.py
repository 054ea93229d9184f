"""The parts of Duelyst's rules, which `rules.py` puts together.

From the bottom up:

    board             cells, and sets of them
    units             a unit's current attack, health, keywords and speed
    events            the queue of consequences, and the triggers that fill it
    health, hands     damage, healing and death; cards in decks and hands
    arrivals          units that arrive, are transformed, moved or dispelled
    graveyard         minions that died, and those that come back
    targets           what an ability acts on
    board_effects     what abilities do to units and cells
    player_effects    what abilities do to players
    effects           carrying out an ability
    movement, combat  moves and attacks
    card_play         playing a card, with the choices that it asks for
    legal_actions     the list of all legal actions
    turn              the end of a turn, and the start of the next
    resolution        the consequences of an action, until none is left
    afterstate        the part of an action before chance decides, for searches
"""
