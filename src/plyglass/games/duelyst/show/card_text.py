"""Card texts: sentences composed from the vocabulary of a card's abilities."""

from collections.abc import Iterator, Sequence

from plyglass.games.duelyst.cards.catalog import Ability, Card, cards, numbers

OCCASIONS = {
    "always": "",
    "cast": "",
    "gambit": "Opening gambit: ",
    "dying wish": "Dying wish: ",
    "deathwatch": "Deathwatch: ",
    "turn start": "At the start of your turn ",
    "turn end": "At the end of your turn ",
    "own spell": "When you cast a spell ",
    "own summon": "When you summon a minion ",
    "own play": "When you play a minion ",
    "enemy summon": "When the opponent summons a minion ",
    "damaged": "When it takes damage ",
    "survives": "When it survives damage ",
    "hits": "When it deals damage ",
    "kills": "When it kills an enemy ",
    "heal": "When anything is healed ",
    "general damaged": "When your general takes damage ",
    "own damaged": "When a unit of yours takes damage ",
    "moves": "When it has moved ",
    "attacks": "When it has attacked ",
    "fights": "Before it strikes ",
    "attacked": "When a neighbour attacks it ",
    "replace": "When you replace a card ",
    "enemy draws": "When the opponent draws a card ",
    "spell damage": "When a spell of yours does damage ",
    "replaced": "When you replace this card ",
    "one of": "",
}
DEEDS = {
    "damage": "deal {amount} damage to {whom}",
    "heal": "heal {whom} by {amount}",
    "restore": "heal {whom} fully",
    "destroy": "destroy {whom}",
    "raise": "give {whom} {stats}",
    "set attack": "set the attack of {whom} to {amount}",
    "set stats": "make {whom} a {plain}, unharmed",
    "set base": "make {whom} a {plain}",
    "stun": "stun {whom}",
    "dispel": "dispel {whom}",
    "lend": "give {whom} {keywords}",
    "lend one": "give {whom} one that it does not have of {keywords}",
    "grant": "give {whom} '{ability}'",
    "transform": "turn {whom} into {token}",
    "return": "return {whom} to the hand",
    "control": "take control of {whom}",
    "reactivate": "let {whom} act again",
    "swap stats": "swap attack and health of {whom}",
    "scatter": "move {whom} to a random space",
    "swap": "let it change places with {whom}",
    "unleash": "let {whom} stay for good",
    "hatch": "turn {whom} into an egg, or hatch it if it is one",
    "mark": "choose {whom}",
    "speed": "let {whom} move {amount} further",
    "consume": "destroy {whom}; at the end of your turn it comes back there with +1/+1",
    "summon": "summon {token} on {whom}",
    "copy": "summon a copy on {whom}",
    "lay": "lay an egg of {token} on {whom}",
    "tile": "put shadow creep on {whom}",
    "clear": "dispel {whom}",
    "teleport": "move it to {whom}",
    "summon from deck": "summon a random minion of the opponent's deck on {whom}",
    "lay any": "lay an egg of a random {rarity} minion of Magmar on {whom}",
    "appear": "summon it on {whom}, and your general takes {amount} damage",
    "revive": "summon a random minion of yours that died in this game on {whom}",
    "revive recent": "summon random minions that died since your last turn on {whom}",
    "revive lost": "summon all minions of yours that died in the opponent's last turn on random "
    "spaces",
    "draw": "{who} draw {cards}",
    "fill hand": "draw until {filled}",
    "draw kind": "draw up to {amount} random {kind}",
    "give card": "get {token}",
    "recall": "get a random spell that you have cast",
    "overhear": "get a copy of a random spell in the opponent's hand",
    "equip": "equip up to {amount} random artifacts of your deck",
    "break artifacts": "break up to {amount} artifacts of the opponent",
    "mend artifacts": "repair your artifacts",
    "draw later": "draw {cards} more at the end of the turn{if_whom}",
    "gain mana": "get {amount} mana for good",
    "wake": "in this turn draw {cards} when a minion of yours dies",
    "empower": "spells of yours do {amount} more damage in this turn",
    "drop": "all minions have airdrop in this turn",
    "cheaper spell": "the next spell in this turn costs {amount} less",
    "dearer spells": "the opponent's spells cost {amount} more in their next turn",
    "cheaper minion": "the next minion costs {amount} less",
    "hasten": "if the next card in this turn is a minion, it costs {amount} less and takes "
    "{amount} damage",
    "build": "build a part of the mech",
    "cost": "{first}{whose} {kind} cost {more}",
    "draws": "both players draw {cards} more at the end of a turn",
    "replaces": "you may replace {cards} more a turn",
    "creep": "your shadow creep does double damage",
    "rally": "minions that you summon later in this turn get +1/+1 and provoke",
    "calm": "spells do no damage until your next turn",
    "one of": "{alternatives}",
}
PLACES = {
    "": "",
    "self": " beside it",
    "own general": " beside your general",
    "enemy general": " beside the enemy general",
    "same": " beside that one",
    "chosen": " beside that space",
    "front of self": " in front of it",
    "front of own general": " in front of your general",
    "front of enemies": " in front of an enemy",
    "own side": " on your side of the board",
    "enemy side": " on the enemy's side of the board",
    "2x2": " in a square of 2 x 2",
    "3x3": " in a square of 3 x 3",
    "own units": " beside your units",
    "corners": " in the corners",
    "one step": " one step away",
    "two steps": " up to two steps away",
    "three steps": " up to three steps away",
}
MEASURES = {
    "": "",
    "health of same": " for each point of its health",
    "event": " for each point of damage",
    "enemy hand": " for each card in the opponent's hand",
    "own minions": " for each minion of yours",
    "own artifacts": " for each artifact of yours",
    "own creep": " for each shadow creep of yours",
    "own neighbours": " for each minion of yours beside it",
}
CONDITIONS = {
    "": "",
    "zeal": "Zeal: ",
    "infiltrate": "Infiltrate: ",
    "assembled": "If the mech is complete: ",
    "learned infiltrate": "Infiltrate once it has learned that: ",
    "learned zeal": "Zeal once it has learned that: ",
    "learned deathwatch": "once it has learned that: ",
}
LASTS = {
    "": "",
    "turn": " in this turn",
    "next own turn": " until your next turn",
    "always": ", which no dispel takes away",
}


def describe(card: Card) -> str:
    """Return a card's text: its keywords, then a sentence for each of its abilities."""
    keywords = [
        f"{word} {getattr(card, word)}" if word in ("backstab", "grow") else word
        for word in card.keywords
    ]
    told = [", ".join(keywords).capitalize()] if keywords else []
    told += [sentence(ability) for ability in _with_alternatives(card.abilities)]
    if card.becomes:
        told.append("When you replace this card it gets +3/+3 and costs 3 less")
    text = ". ".join(told) + "." * bool(told)
    for word in ("backstab", "grow"):  # the card may get these keywords later
        if getattr(card, word) and word not in card.keywords:
            text = text.replace(word, f"{word} {getattr(card, word)}")
    if card.type == "artifact":  # an artifact's abilities act on the general who wears it
        for word, wearer in (
            ("itself", "your general"),
            ("When it ", "When your general "),
            ("beside it", "beside your general"),
        ):
            text = text.replace(word, wearer)
    return text


def _with_alternatives(abilities: Sequence[Ability]) -> Iterator[Ability]:
    """Yield a card's abilities; abilities of which chance picks one are yielded as one ability."""
    for place, ability in enumerate(abilities):
        if ability["do"] == "one of":
            options = abilities[place + 1 : place + 1 + ability["choices"]]
            yield {**ability, "options": [sentence(option).lower() for option in options]}
        elif ability["on"] != "one of":
            yield ability


def sentence(ability: Ability) -> str:
    """Return one ability as a sentence without a full stop."""
    occasion = OCCASIONS[ability["on"]] + CONDITIONS[ability.get("if", "")] + _event(ability)
    deed = DEEDS[ability["do"]].format(**_parts(ability)) + MEASURES[ability.get("by", "")]
    lasts = "" if ability["do"] == "cost" else LASTS[ability.get("lasts", "")]
    text = f"{occasion}{deed}{lasts}"
    return text[0].upper() + text[1:]


def _parts(ability: Ability) -> dict[str, str]:
    amount, attack, health = (
        ability.get("amount", 0),
        ability.get("attack", 0),
        ability.get("health", 0),
    )
    whom = _whom(ability)
    return {
        "amount": str(amount),
        "cards": "a card" if amount == 1 else f"{amount} cards",
        "more": f"{amount} more" if amount > 0 else f"{-amount} less",
        "stats": f"{attack:+}/{health:+}",
        "plain": f"{attack}/{health}",
        "whom": whom,
        "kind": _cards(ability.get("where", {})),
        "if_whom": f" if it is {whom}" if "to" in ability else "",
        "who": "both players" if ability.get("to") == "any player" else "you",
        "whose": "the opponent's" if ability.get("to") == "enemy player" else "your",
        "first": "the first of " if ability.get("lasts") == "turn" else "",
        "token": _token(ability),
        "keywords": " and ".join(ability.get("keywords", ())),
        "rarity": ability.get("rarity", ""),
        "filled": f"you hold {amount} cards" if amount else "your hand is full",
        "alternatives": ", or ".join(ability.get("options", ())) + " (at random)",
        "ability": sentence(ability["ability"]) if "ability" in ability else "",
    }


def _token(ability: Ability) -> str:
    if "token" not in ability:
        return "its copy" if ability["do"] == "transform" else "the last spell that was cast"
    first = numbers()[ability["token"]]
    return " or ".join(card.name for card in cards()[first : first + ability.get("choices", 1)])


def _whom(ability: Ability) -> str:
    """Return an ability's target in words."""
    target = ability.get("to", "own player")
    found = WHOM.get(target)
    if found is None:
        many = ability.get("count", 1)
        articles = {
            "chosen": "a",
            "event": "the",
            "same": "that",
            "self": "its",
            "own": "friendly",
            "random": f"{many} random" if many > 1 else "a random",
        }
        found = " ".join(
            articles.get(word, word) for word in target.split() if word != "any"
        ) + "s" * (many > 1)
    return (
        found.replace("a enemy", "an enemy").replace("a other", "another")
        + _which(ability.get("where", {}))
        + PLACES[ability.get("near", "")]
    )


WHOM = {
    "self": "itself",
    "every own general": "your general",
    "every enemy general": "the enemy general",
    "every its general": "its general",
    "every general": "both generals",
    "chosen own space": "a space",
}


def _cards(asked: Ability) -> str:
    """Return a type or a tribe of cards in words."""
    return (
        f"{asked['type']}s"
        if "type" in asked
        else f"{asked['tribe']} cards"
        if "tribe" in asked
        else "cards"
    )


def _which(asked: Ability) -> str:
    """Return a filter in words."""
    texts = {
        "attack at most": " with at most {} attack",
        "tribe": " of the tribe {}",
        "card": " named {}",
        "keyword": " with {}",
        "damaged": " that is damaged",
        "weakest": " with the lowest attack",
        "far from generals": " that is beside no general",
        "type": " that is a {}",
        "trigger": " with an opening {}",
    }
    return "".join(
        texts[which].format(" or ".join(value) if isinstance(value, list) else _name(value))
        for which, value in asked.items()
    )


def _name(value: object) -> str:
    return (
        cards()[numbers()[value]].name
        if isinstance(value, str) and value in numbers()
        else str(value)
    )


def _event(ability: Ability) -> str:
    return f"(one{_which(ability['event'])}) " if "event" in ability else ""
