"""Functions that the core composes of a game's own rules: compiled with the game, with no call between the parts.

`to_move`, `legal` and `apply` below are placeholders for the rules of the game that a template is bound to.
"""

from plyglass.core.luck import below, mix

PARTS = {"step": ("to_move", "apply"), "playout": ("to_move", "legal", "apply")}

to_move = legal = apply = None


def composed(name, functions):
    """The template of this name, and the rules of a game that fill it."""
    return globals()[name], {part: functions[part] for part in PARTS[name]}


def step(r, s, player, action):
    """Apply an action of `player`; when the turn passes on, begin a ply with its own stream of luck. Returns who moves next, or -1."""
    apply(r, s, action)
    mover = to_move(r, s)
    if mover != player:
        s.ply += 1
        s.rng = mix(s.luck, s.ply)
    return mover


def playout(r, s, player, out, stream, limit):
    """Play uniformly at random to the end, or for `limit` actions; returns how many actions were played."""
    actions = 0
    while player >= 0 and actions < limit:
        count = legal(r, s, out)
        apply(r, s, out[below(stream, count)])
        mover = to_move(r, s)
        if mover != player:
            s.ply += 1
            s.rng = mix(s.luck, s.ply)
        player = mover
        actions += 1
    return actions
