/** Matches of this browser: each with what the server needs to continue it. */

import type { Reference } from "./api";
import type { Invitation, Placed } from "./api.gen";

const PREFIX = "plyglass.match.";
const MOST = 40; // matches that are kept

export interface Saved {
  id: string;
  game: string;
  seats: string[];
  which: Reference;
  ply: number;
  over: boolean;
  scores: number[] | null;
  seat: number;
  changed: number;
  /** What happened, in short sentences. */
  log: string[];
  resigned?: number | null;
  /** The agent that helps, and whether the person may look into agents. */
  advice?: string;
  glass?: boolean;
  /** Invitations of other people, by seat. */
  invitations?: Invitation[];
}

export function load(id: string): Saved | undefined {
  try {
    const text = localStorage.getItem(PREFIX + id);
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

export function all(): Saved[] {
  const ids = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  const found = ids.map((name) => load(name.slice(PREFIX.length))).filter((each) => each !== undefined);
  return found.sort((a, b) => b.changed - a.changed);
}

/** Keep a match; the oldest is forgotten when there are too many. */
export function keep(saved: Saved): Saved {
  for (const old of all().slice(MOST)) forget(old.id);
  try {
    localStorage.setItem(PREFIX + saved.id, JSON.stringify({ ...saved, changed: Date.now() }));
  } catch {
    // a browser that keeps nothing can still play
  }
  return saved;
}

export const forget = (id: string) => localStorage.removeItem(PREFIX + id);

/** What to keep of a match after a reply. */
export function after(placed: Placed, old: Pick<Saved, "seats" | "log" | "invitations" | "advice" | "glass">): Saved {
  const { position, ticket } = placed;
  return {
    id: position.match,
    game: position.game,
    seats: old.seats,
    which: ticket ? { ticket } : { match: position.match },
    ply: position.ply,
    over: position.over,
    scores: position.scores,
    seat: position.seat,
    changed: Date.now(),
    log: old.log.slice(-200),
    resigned: position.resigned,
    advice: old.advice,
    glass: old.glass,
    invitations: placed.invitations ?? old.invitations,
  };
}

/** Who won, for the person in a seat. */
export function verdict(
  { over, scores, seat, resigned }: Pick<Saved, "over" | "scores" | "seat" | "resigned">,
  cooperative = false,
): string {
  if (!over) return "";
  if (resigned === seat) return "You gave up";
  if (typeof resigned === "number") return cooperative ? "Your side gave up" : "You won: the other side gave up";
  if (!scores) return "The match is over";
  const mine = scores[seat] ?? 0;
  const others = scores.filter((_, number) => number !== seat);
  if (others.length === 0) return "The match is over";
  if (cooperative) return mine > 0 ? "You won together" : "You lost together";
  const best = Math.max(...others);
  if (mine === best) return "A draw";
  return mine > best ? "You won" : "You lost";
}
