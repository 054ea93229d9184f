// A match of Duel against an agent of a Plyglass server: node play.mjs [URL] [SEED] [LOG]
//
// This program owns the rules and the truth. It sends the server only what the agent's seat has
// seen. With a LOG, it writes every action, the cards drawn and both views to that file.

import { appendFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ATTACK, Duel, PLAY, costOf, kindOf, nameOf, sourceOf, targetOf } from "./duel.mjs";

const [server = "http://127.0.0.1:8008", seed = "1", log] = process.argv.slice(2);
const AGENT = Number(seed) % 2; // the agent's seat
const TRIES = 20;

async function ask(path, values) {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(values) };
  for (let tries = 1; ; tries++) {
    const reply = await fetch(server + path, request);
    const found = await reply.json();
    if (reply.ok) return found;
    if (!found.retry_after_ms || tries === TRIES) throw new Error(found.message);
    await sleep(found.retry_after_ms);
  }
}

// What the agent's seat has seen: an entry after each of its own actions, and after each other
// action that changed its view. Every entry after the first holds only the fields that changed.
class History {
  entries = [];
  turn = []; // as the last reply gave it, empty in a new turn
  #last = {};

  observe(own, view) {
    const isNew = ([name, value]) => JSON.stringify(this.#last[name]) !== JSON.stringify(value);
    const changed = Object.fromEntries(Object.entries(view).filter(isNew));
    this.#last = view;
    if (view.player !== AGENT) this.turn = [];
    if (this.entries.length === 0) this.entries.push({ own: null, view });
    else if (own !== null || Object.keys(changed).length > 0) this.entries.push({ own, changed });
  }

  async decide() {
    const found = await ask("/v1/decide", {
      game: "duel", seat: AGENT, seed: Number(seed), agent: "level:easy",
      history: this.entries, turn: this.turn,
      budget: { iterations: 200 }, deadline_ms: 10000,
    });
    this.turn = found.turn;
    return found.action.id;
  }
}

// Our own player: attack the hero, else play the most expensive card, else end the turn.
function simple(actions) {
  const attacks = actions.filter((one) => kindOf(one) === ATTACK && targetOf(one) === 0);
  if (attacks.length > 0) return attacks[0];
  const cost = (action) => (kindOf(action) === PLAY ? costOf(sourceOf(action)) : 0);
  return actions.reduce((best, one) => (cost(one) > cost(best) ? one : best));
}

// chance of our own, which the server never sees: xorshift32
function chance(seed) {
  let word = (Math.imul(seed, 2654435761) ^ 0x9e3779b9) >>> 0 || 1;
  return (n) => {
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    return (word >>> 0) % n;
  };
}

const duel = new Duel(chance(Number(seed)));
const history = new History();

function note(player, action, legal) {
  if (!log) return;
  const cards = duel.drawn.splice(0);
  const line = { player, action, legal, cards, views: [duel.view(0), duel.view(1)] };
  appendFileSync(log, JSON.stringify(line) + "\n");
}

if (log) writeFileSync(log, "");
note(null, null, []);
history.observe(null, duel.view(AGENT));
while (duel.toMove >= 0) {
  const player = duel.toMove, legal = duel.legal();
  const action = player === AGENT ? await history.decide() : simple(legal);
  if (!legal.includes(action)) throw new Error(`The server plays other rules: ${nameOf(action)}.`);
  duel.apply(action);
  console.log(`${player === AGENT ? "agent" : "simple"}: ${nameOf(action)}`);
  note(player, action, legal);
  history.observe(player === AGENT ? action : null, duel.view(AGENT));
}
if (log) appendFileSync(log, JSON.stringify({ scores: duel.scores }) + "\n");
console.log(duel.scores[AGENT] > 0 ? "The agent wins." : "The simple player wins.");
