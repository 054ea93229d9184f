"""Navy Defense: a Navy ship protects cargo ships on fixed routes from submarines it cannot see."""

from plyglass.core import begin_ply, draw, kernel, pack, target_of
from plyglass.games.navy.sea import afloat, in_sonar, spread, steps_between
from plyglass.games.navy.state import CLOCKWISE, MIXED, NONE, NOWHERE, STAY
from plyglass.games.navy.submarines import STRIKE, decide, is_sticky, one_of, random_target

HEALTH = 2  # of every vessel
MOVED, NAVY_HIT, NAVY_LOST, CARGO_HIT, CARGO_LOST = 1, 10, 40, 20, 80  # costs
CALL = 3  # greatest distance at which a cargo ship calls the Navy ship for help


@kernel
def start(r, setup, s):
    s.navy = setup.navy if setup.navy != NOWHERE else _any_cell(r, s)
    s.navy_health = HEALTH
    s.alarm, s.heading = NONE, -1
    for ship in range(len(s.cargo)):
        _launch(r, setup, s, ship)
    s.sticky = draw(s, 2) if r.submarines == MIXED else 0
    count = setup.submarines if setup.submarines >= 0 else r.fewest + draw(s, r.most - r.fewest + 1)
    for i in range(len(s.submarine)):
        _clear(s, i)
        s.attacked[i] = NOWHERE
        if i < count:
            _dive(
                r, s, i, setup.submarine[i] if setup.submarine[i] != NOWHERE else _unseen_cell(r, s)
            )
    _sort(r, s)


@kernel
def to_move(r, s):
    return -1 if s.step >= r.steps or afloat(r, s) == 0 else 0


@kernel
def legal(r, s, out):
    """List staying and all moves to a neighbouring cell; a lost Navy ship can only stay."""
    out[0] = pack(0, 0, STAY)
    if s.navy_health <= 0:
        return 1
    count = 1
    for direction in range(1, 5):
        if r.beside[s.navy, direction] != NOWHERE:
            out[count] = pack(0, 0, direction)
            count += 1
    return count


@kernel
def apply(r, s, action):
    """Play one step: the Navy ship moves, its sonar strikes, cargo ships sail, submarines act."""
    if target_of(action) != STAY:
        s.navy = r.beside[s.navy, target_of(action)]
        s.cost += MOVED
    _use_sonar(r, s)
    for ship in range(r.cargo):
        if s.cargo_health[ship] > 0:
            s.cargo[ship] = r.route[s.clockwise[ship], s.cargo[ship]]
    _answer_alarm(s)
    for i in range(r.most):
        s.order[i] = decide(r, s, i) if s.submarine[i] != NOWHERE else 0
    _carry_out(r, s)
    _sort(r, s)
    s.step += 1
    begin_ply(s)


@kernel
def score(r, s, player):
    return -1.0 * s.cost


@kernel
def hide(r, s, viewer):
    """Erase the submarines out of sonar range, and the targets of those within range."""
    s.sticky = 0
    for i in range(r.most):
        if s.submarine[i] != NOWHERE:
            if in_sonar(s, s.submarine[i]):
                s.target[i] = NONE
            else:
                _clear(s, i)
    _sort(r, s)


@kernel
def imagine(r, s, viewer):
    """Put a random possible number of submarines on random cells outside of the sonar.

    Submarines that explain the last attacks are placed first.
    """
    s.sticky = draw(s, 2) if r.submarines == MIXED else 0
    seen = _count(r, s)
    if is_sticky(r, s):
        for i in range(seen):
            s.target[i] = random_target(r, s)
    placed = _place_attackers(r, s, seen)
    fewest = max(r.fewest - s.sunk, placed)
    most = max(r.most - s.sunk, placed)
    count = fewest + (draw(s, most - fewest + 1) if most > fewest else 0)
    for i in range(placed, min(count, r.most)):
        _dive(r, s, i, _unseen_cell(r, s))
    _sort(r, s)


@kernel
def _place_attackers(r, s, seen):
    """Put a submarine in reach of every attacked cell that no submarine in sight explains.

    Return the new number of submarines.
    """
    placed, explained = seen, 0
    for attack in range(r.most):
        cell = s.attacked[attack]
        if cell == NOWHERE:
            break
        by = _attacker_in_sight(r, s, cell, seen, explained)
        if by >= 0:
            explained |= 1 << by
        elif placed < r.most:
            hideout = _hideout(r, s, cell)
            if hideout != NOWHERE:
                _dive(r, s, placed, hideout)
                placed += 1
    return placed


@kernel
def _attacker_in_sight(r, s, cell, seen, explained):
    """Return the index of a submarine in the sonar that may have attacked a cell, or -1.

    A submarine with the Navy ship in reach attacks only the Navy ship's cell.
    """
    for i in range(seen):
        near = steps_between(s.submarine[i], s.navy) <= 1
        if not explained >> i & 1 and (
            cell == s.navy if near else steps_between(s.submarine[i], cell) <= r.strikes_far
        ):
            return i
    return -1


@kernel
def _hideout(r, s, attacked):
    """Return a random cell outside of the sonar within reach of `attacked`, or NOWHERE."""
    listed, count = 0, 0
    for direction in range(5 if r.strikes_far or attacked == s.navy else 1):
        there = r.beside[attacked, direction]
        if there != NOWHERE and not in_sonar(s, there):
            listed, count = listed << 8 | there, count + 1
    return one_of(s, listed, count) if count > 0 else NOWHERE


@kernel
def _launch(r, setup, s, ship):
    """Place a cargo ship at the start of a run."""
    s.cargo[ship] = NOWHERE
    if ship < r.cargo:
        s.cargo[ship] = setup.cargo[ship] if setup.cargo[ship] != NOWHERE else _any_cell(r, s)
        s.clockwise[ship] = (
            setup.clockwise[ship] if setup.clockwise[ship] >= 0 else draw(s, CLOCKWISE + 1)
        )
        s.cargo_health[ship] = HEALTH


@kernel
def _dive(r, s, i, cell):
    """Place an unharmed submarine on a cell."""
    s.submarine[i], s.submarine_health[i] = cell, HEALTH
    s.target[i] = random_target(r, s) if is_sticky(r, s) else NONE


@kernel
def _clear(s, i):
    s.submarine[i], s.submarine_health[i], s.target[i] = NOWHERE, 0, NONE


@kernel
def _any_cell(r, s):
    return 16 * draw(s, r.size) + draw(s, r.size)


@kernel
def _unseen_cell(r, s):
    """Return a random cell outside of the sonar."""
    unseen = 0
    for y in range(r.size):
        for x in range(r.size):
            unseen += not in_sonar(s, 16 * y + x)
    pick = draw(s, unseen)
    for y in range(r.size):
        for x in range(r.size):
            if not in_sonar(s, 16 * y + x):
                if pick == 0:
                    return 16 * y + x
                pick -= 1
    return NOWHERE


@kernel
def _count(r, s):
    """Return the number of submarines in a state, or of the visible submarines in a view."""
    count = 0
    for i in range(r.most):
        count += s.submarine[i] != NOWHERE
    return count


@kernel
def _use_sonar(r, s):
    """Take one health from every submarine in the sonar."""
    for i in range(r.most):
        if s.submarine[i] != NOWHERE and in_sonar(s, s.submarine[i]):
            s.submarine_health[i] -= 1
            if s.submarine_health[i] == 0:
                _clear(s, i)
                s.sunk += 1


@kernel
def _answer_alarm(s):
    """End a cargo ship's call for help if the Navy ship has reached the cargo ship."""
    if s.alarm != NONE and spread(s.navy, s.cargo[s.alarm]) <= 1:
        s.heading = s.clockwise[s.alarm]
        s.alarm = NONE


@kernel
def _carry_out(r, s):
    """Carry out every submarine's decision: a move or an attack."""
    attacks = 0
    for i in range(r.most):
        s.attacked[i] = NOWHERE
    for i in range(r.most):
        if s.order[i] >= STRIKE:
            s.attacked[attacks] = s.order[i] - STRIKE
            attacks += 1
            _strike(r, s, s.order[i] - STRIKE)
        elif s.submarine[i] != NOWHERE:
            s.submarine[i] = s.order[i]
        s.order[i] = 0


@kernel
def _strike(r, s, cell):
    """Take one health from every ship on a cell."""
    for ship in range(r.cargo):
        if s.cargo[ship] == cell:
            s.cargo_health[ship] -= 1
            s.cost += CARGO_HIT if s.cargo_health[ship] > 0 else CARGO_LOST
            if s.cargo_health[ship] == 0:
                s.cargo[ship] = NOWHERE
                s.alarm = NONE if s.alarm == ship else s.alarm
            elif s.navy_health > 0 and spread(s.navy, cell) <= CALL:
                s.alarm = ship
    if s.navy_health > 0 and s.navy == cell:
        s.navy_health -= 1
        s.cost += NAVY_HIT if s.navy_health > 0 else NAVY_LOST


@kernel
def _sort(r, s):
    """Sort submarines by cell, health and target, and attacks by cell.

    So the order of submarines and attacks reveals nothing.
    """
    for last in range(1, r.most):
        for i in range(last, 0, -1):
            if _key(s, i) < _key(s, i - 1):
                _swap(s, i)
            if s.attacked[i] < s.attacked[i - 1]:
                s.attacked[i], s.attacked[i - 1] = s.attacked[i - 1], s.attacked[i]


@kernel
def _key(s, i):
    return s.submarine[i] << 16 | s.submarine_health[i] << 8 | s.target[i]


@kernel
def _swap(s, i):
    s.submarine[i], s.submarine[i - 1] = s.submarine[i - 1], s.submarine[i]
    s.submarine_health[i], s.submarine_health[i - 1] = (
        s.submarine_health[i - 1],
        s.submarine_health[i],
    )
    s.target[i], s.target[i - 1] = s.target[i - 1], s.target[i]
