// Duel in plain JavaScript: the rules in the README of plyglass/games/duel.
//
// A state has the fields of the server's views, with the same names, so a view is sent as it is.
// A creature is one number: its card, its health, and whether it is ready to attack.

const SUMMON = 0, BOLT = 1, DRAW = 2, HEAL = 3;
const CARDS = [
  { name: "squire", effect: SUMMON, cost: 1, power: 1, health: 2 },
  { name: "spark", effect: BOLT, cost: 1, power: 2 },
  { name: "wolf", effect: SUMMON, cost: 2, power: 3, health: 1 },
  { name: "balm", effect: HEAL, cost: 1, power: 3 },
  { name: "insight", effect: DRAW, cost: 2, power: 2 },
  { name: "ogre", effect: SUMMON, cost: 4, power: 4, health: 4 },
];
const COPIES = 2, HEALTH = 10, HAND = 3, MOST_MANA = 5, MOST_BOARD = 4;
const NOBODY = 0, READY = 1; // NOBODY: an empty place, or the hero as a target
export const END = 0, PLAY = 1, ATTACK = 2; // kinds of actions

const pack = (kind, source, target) => (kind << 24) | (source << 12) | target;
export const kindOf = (action) => action >> 24;
export const sourceOf = (action) => (action >> 12) & 4095;
export const targetOf = (action) => action & 4095;
const creature = (card, health, ready) => ((card + 1) << 5) | (health << 1) | ready;
const cardOf = (one) => CARDS[(one >> 5) - 1];
const healthOf = (one) => (one >> 1) & 15;
export const costOf = (card) => CARDS[card].cost;

export class Duel {
  // random(n) returns a number in 0 .. n-1; `drawn` lists all cards drawn so far
  constructor(random) {
    const two = (make) => [make(), make()];
    this.random = random;
    this.drawn = [];
    this.state = {
      deck: two(() => CARDS.map(() => COPIES)),
      hand: two(() => CARDS.map(() => 0)),
      held: [0, 0],
      board: two(() => Array(MOST_BOARD).fill(NOBODY)),
      hero: [HEALTH, HEALTH],
      crystals: [0, 0],
      mana: 0,
      player: 0,
    };
    for (const player of [0, 1]) {
      for (let card = 0; card < HAND + player; card++) this.#drawCard(player);
    }
    this.#beginTurn(0);
  }

  // the player to move, or -1 when the match is over
  get toMove() {
    return this.state.hero.includes(0) ? -1 : this.state.player;
  }

  get scores() {
    const { hero } = this.state;
    return [0, 1].map((player) => (hero[player] === 0 ? -1 : hero[1 - player] === 0 ? 1 : 0));
  }

  // what a player sees: the enemy's hand lies in the enemy's deck
  view(viewer) {
    const seen = structuredClone(this.state);
    const enemy = 1 - viewer;
    seen.deck[enemy] = seen.deck[enemy].map((count, card) => count + seen.hand[enemy][card]);
    seen.hand[enemy].fill(0);
    return seen;
  }

  legal() {
    const { hand, board, mana, player } = this.state;
    const targets = [...new Set([NOBODY, ...board[1 - player]])];
    const actions = [pack(END, 0, 0)];
    CARDS.forEach(({ effect, cost }, card) => {
      const full = effect === SUMMON && !board[player].includes(NOBODY);
      if (hand[player][card] === 0 || cost > mana || full) return;
      const on = effect === BOLT ? targets : [NOBODY];
      actions.push(...on.map((target) => pack(PLAY, card, target)));
    });
    for (const attacker of new Set(board[player].filter((one) => one & READY))) {
      actions.push(...targets.map((target) => pack(ATTACK, attacker, target)));
    }
    return actions;
  }

  apply(action) {
    const source = sourceOf(action), target = targetOf(action);
    if (kindOf(action) === PLAY) this.#play(source, target);
    else if (kindOf(action) === ATTACK) this.#attack(source, target);
    else this.#endTurn();
  }

  #play(card, target) {
    const { effect, cost, power, health } = CARDS[card];
    const { hand, held, hero, player } = this.state;
    hand[player][card]--;
    held[player]--;
    this.state.mana -= cost;
    if (effect === SUMMON) this.#replace(player, NOBODY, creature(card, health, 0));
    if (effect === BOLT) this.#strike(1 - player, target, power);
    if (effect === DRAW) for (let card = 0; card < power; card++) this.#drawCard(player);
    if (effect === HEAL) hero[player] = Math.min(hero[player] + power, HEALTH);
  }

  #attack(attacker, target) {
    const { player } = this.state;
    const tired = attacker - READY;
    this.#replace(player, attacker, tired);
    this.#strike(1 - player, target, cardOf(attacker).power);
    if (target !== NOBODY) this.#strike(player, tired, cardOf(target).power);
  }

  #strike(owner, target, damage) {
    const { hero } = this.state;
    if (target === NOBODY) hero[owner] = Math.max(hero[owner] - damage, 0);
    else if (healthOf(target) > damage) this.#replace(owner, target, target - (damage << 1));
    else this.#replace(owner, target, NOBODY);
  }

  // a side is sorted, the largest number first
  #replace(owner, old, now) {
    const side = this.state.board[owner];
    side[side.indexOf(old)] = now;
    side.sort((one, other) => other - one);
  }

  #endTurn() {
    const { board, player } = this.state;
    board[player] = board[player].map((one) => one & ~READY);
    this.state.player = 1 - player;
    this.#beginTurn(1 - player);
  }

  #beginTurn(player) {
    const { board, crystals } = this.state;
    crystals[player] = Math.min(crystals[player] + 1, MOST_MANA);
    this.state.mana = crystals[player];
    board[player] = board[player].map((one) => (one === NOBODY ? NOBODY : one | READY));
    this.#drawCard(player);
  }

  // an empty deck costs one health
  #drawCard(player) {
    const { deck, hand, held } = this.state;
    const left = deck[player].reduce((sum, count) => sum + count, 0);
    if (left === 0) {
      this.#strike(player, NOBODY, 1);
      return;
    }
    let place = this.random(left), card = 0;
    while (place >= deck[player][card]) place -= deck[player][card++];
    deck[player][card]--;
    hand[player][card]++;
    held[player]++;
    this.drawn.push(card);
  }
}

export function nameOf(action) {
  const one = (number) => `${cardOf(number).name} ${cardOf(number).power}/${healthOf(number)}`;
  const source = sourceOf(action), target = targetOf(action);
  const on = target === NOBODY ? "the hero" : one(target);
  if (kindOf(action) === ATTACK) return `${one(source)} attacks ${on}`;
  if (kindOf(action) === END) return "end turn";
  return `play ${CARDS[source].name}` + (CARDS[source].effect === BOLT ? ` on ${on}` : "");
}
