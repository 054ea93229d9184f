/** Records that were opened on this page: files, watched matches, matches of runs. They are data: nothing is run. */

const PREFIX = "plyglass.record.";
const MOST = 20_000_000; // characters of a file
const SENT = 240_000; // characters that a server takes
const opened = new Map<string, string>();

/** What the page shows of a record before the server has read it. */
export interface Claims {
  game: string;
  players: string[];
  moves: number;
  scores: number[] | null;
  resigned: number | null;
}

/** Keep a record until the tab is closed; the answer is its name in addresses. */
export function open(text: string): string {
  const id = nameOf(text);
  opened.set(id, text);
  try {
    sessionStorage.setItem(PREFIX + id, text);
  } catch {
    // too large to survive a reload
  }
  return id;
}

export const recordOf = (id: string): string | undefined =>
  opened.get(id) ?? sessionStorage.getItem(PREFIX + id) ?? undefined;

/** The text of a file that is a record as far as this page can tell; an error says why not. */
export async function read(file: File): Promise<string> {
  if (file.size > MOST) throw new Error(`${file.name} is too large for a record.`);
  return checked(await file.text(), file.name);
}

export function checked(text: string, name: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${name} is not a record: it is not JSON. Plyglass saves records as .json files.`);
  }
  if (typeof value !== "object" || value === null || !("game" in value) || !("moves" in value)) {
    throw new Error(`${name} is not a record of a match: it has no game or no moves.`);
  }
  return slim(text);
}

/** A record that a server takes: a large one without the planners' statistics, and so without its digest. */
export function slim(text: string, most = SENT): string {
  if (text.length <= most) return text;
  return text.replace(/"(visits|values)":\s*\[[^[\]]*\]/g, '"$1": []').replace(/,\s*"digest":\s*"[0-9a-f]*"/, "");
}

export function claimsOf(text: string): Claims {
  const value = JSON.parse(text);
  const list = (given: unknown) => (Array.isArray(given) ? given : []);
  const scores = list(value.scores).map(Number);
  return {
    game: String(value.game),
    players: list(value.players).map(String),
    moves: list(value.moves).length,
    scores: scores.length > 0 ? scores : null,
    resigned: typeof value.resigned === "number" ? value.resigned : null,
  };
}

/** A short name for a text: equal texts have equal names. */
function nameOf(text: string): string {
  let [low, high] = [0x811c9dc5, text.length];
  for (let place = 0; place < text.length; place++) {
    low = Math.imul(low ^ text.charCodeAt(place), 0x01000193);
    high = Math.imul(high ^ low, 0x85ebca6b) ^ (low >>> 13);
  }
  return [low, high].map((part) => (part >>> 0).toString(36)).join("");
}
