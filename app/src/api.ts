/** Requests to the server this page came from, and to no other. */
import type {
  About,
  Analysed,
  Game,
  Glimpse,
  Loading,
  Placed,
  PlayedMatch,
  Position,
  Problem,
  Reviewed,
  Run,
  Standings,
  Thought,
  Watched,
  Why,
} from "./api.gen";

const TOKEN = "plyglass.token";
const TRIES = 8; // for a server that does not answer, or is busy

/** A request that the server refused. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
  }
}

/** Why a request failed, in a sentence. */
export const told = (error: unknown) => (error instanceof Refused ? error.message : "The server does not answer.");

/** Which match: what the server needs to continue it. */
export type Reference = { ticket: string } | { match: string };

export interface StreamEvents {
  onPosition?: (position: Position) => void;
  onThought?: (thought: Thought) => void;
  /** What an agent of a glass match believes and thinks. */
  onGlass?: (glimpse: Glimpse) => void;
  onReviewed?: (reviewed: Reviewed) => void;
  /** Called with true while the server does not answer and the request is sent again. */
  onWaiting?: (waiting: boolean) => void;
  signal?: AbortSignal;
}

export const setToken = (token: string) => localStorage.setItem(TOKEN, token);

function headers(accept: string): HeadersInit {
  const token = localStorage.getItem(TOKEN);
  const found: Record<string, string> = { accept, "content-type": "application/json" };
  return token ? { ...found, authorization: `Bearer ${token}` } : found;
}

async function refusal(reply: Response): Promise<Refused> {
  const problem = await reply.json().catch(() => undefined);
  return new Refused(reply.status, problem ?? { code: "failed", message: `The server answered ${reply.status}.` });
}

async function replied(path: string, body?: unknown): Promise<Response> {
  const method = body === undefined ? "GET" : "POST";
  const reply = await fetch(path, { method, headers: headers("application/json"), body: JSON.stringify(body) });
  if (!reply.ok) throw await refusal(reply);
  return reply;
}

const asked = async <T>(path: string, body?: unknown): Promise<T> => (await replied(path, body)).json();

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Do something again while the server is away, busy or about to stop. */
async function patiently<T>(ask: () => Promise<T>, { onWaiting, signal }: StreamEvents): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const found = await ask();
      onWaiting?.(false);
      return found;
    } catch (error) {
      const away = error instanceof TypeError || (error instanceof Refused && error.status >= 500);
      const busy = error instanceof Refused && typeof error.problem.retry_after_ms === "number";
      if (signal?.aborted || !(away || busy) || attempt === TRIES) throw error;
      onWaiting?.(true);
      const told = error instanceof Refused ? error.problem.retry_after_ms : undefined;
      await later(told ?? Math.min(4000, 250 * 2 ** attempt));
    }
  }
}

/** Send a request whose answer is a stream: positions as they come, and then the last one. */
async function streamed<T = Placed>(path: string, body: unknown, events: StreamEvents): Promise<T> {
  return streamedText<T>(path, JSON.stringify(body), events);
}

async function streamedText<T>(path: string, body: string, events: StreamEvents): Promise<T> {
  for await (const { event, data } of eventsOf(path, body, events.signal)) {
    if (event === "position") events.onPosition?.(data as Position);
    if (event === "thought") events.onThought?.(data as Thought);
    if (event === "glass") events.onGlass?.(data as Glimpse);
    if (event === "reviewed") events.onReviewed?.(data as Reviewed);
    if (event === "done") return data as T;
  }
  throw new TypeError("The server ended the stream too early.");
}

/** The events of a stream as they come; a request with a body is a POST. */
async function* eventsOf(path: string, body: string | undefined, signal?: AbortSignal) {
  const method = body === undefined ? "GET" : "POST";
  const reply = await fetch(path, { method, headers: headers("text/event-stream"), body, signal });
  if (!reply.ok || !reply.body) throw await refusal(reply);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (text + value).split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const found = parsed(part);
      if (found.event === "problem") throw new Refused(422, found.data as Problem);
      if (found.event === "bye") throw new TypeError("The server is about to stop.");
      yield { ...found, part };
    }
  }
}

/** One event of a stream; comments have none. */
export function parsed(part: string): { event: string; data: unknown } {
  let event = "";
  const data: string[] = [];
  for (const line of part.split("\n")) {
    if (line.startsWith("event: ")) event = line.slice(7);
    if (line.startsWith("data: ")) data.push(line.slice(6));
  }
  return { event, data: data.length > 0 ? JSON.parse(data.join("\n")) : undefined };
}

export const games = () => patiently(() => asked<Game[]>("/v1/games"), {});

export const loading = () => asked<Loading>("/v1/loading");

export const about = (game: string) => asked<About>(`/v1/games/${encodeURIComponent(game)}`);

export interface Wishes {
  game: string;
  seats: string[];
  turn_seconds?: number;
  clock_seconds?: number;
  advice?: string;
  glass?: boolean;
  name?: string;
}

export const start = (wishes: Wishes, events: StreamEvents) =>
  patiently(() => streamed("/v1/matches", wishes, events), events);

export const act = (which: Reference, ply: number, action: number, events: StreamEvents) =>
  patiently(() => streamed("/v1/matches/act", { ...which, ply, action }, events), events);

export const look = (which: Reference, events: StreamEvents) =>
  patiently(() => streamed("/v1/matches/position", which, events), events);

export const takeBack = (which: Reference, ply: number) => asked<Placed>("/v1/matches/back", { ...which, to_ply: ply });

export const resign = (which: Reference) => asked<Placed>("/v1/matches/resign", which);

/** Wait until it is my turn; others are people. */
export const wait = (which: Reference, events: StreamEvents) =>
  patiently(() => streamed("/v1/matches/wait", which, events), events);

export const join = (invitation: string, name: string) => asked<Placed>("/v1/matches/join", { invitation, name });

/** What a seat's agent, or my adviser, thinks and believes. */
export const analyse = (which: Reference, seat: number, want: string[], events: StreamEvents) =>
  streamed<Analysed>("/v1/analyse", { ...which, seat, want, report_every_ms: 200 }, events);

/** The record as the server wrote it: numbers of 64 bits do not survive being read here. */
export const record = async (which: Reference) => (await replied("/v1/matches/record", which)).text();

/** A request about a record, which is sent as the text that it was received as. */
const aboutRecord = (text: string, values: object) => `{"record": ${text}, ${JSON.stringify(values).slice(1)}`;

/** All decisions of a record, each as soon as it is reviewed. */
export const review = (text: string, events: StreamEvents) =>
  streamedText<unknown>("/v1/review", aboutRecord(text, { pairs: 32 }), events);

/** What another action of a record would have changed. */
export const why = (text: string, ply: number, instead: number) =>
  streamedText<Why>("/v1/why", aboutRecord(text, { ply, instead, pairs: 64 }), {});

/** What a seat of a record saw after so many actions, and what an agent would think or believe there. */
export const analyseRecord = (text: string, seat: number, after: number, want: string[], events: StreamEvents) =>
  streamedText<Analysed>("/v1/analyse", aboutRecord(text, { seat, after, want, budget: { iterations: 200 } }), events);

/** Show a match of agents; the answer is its record, as the text that the server wrote. */
export async function watch(
  game: string,
  seats: string[],
  paceMs: number,
  onPosition: (position: Watched) => void,
  signal: AbortSignal,
): Promise<string> {
  const body = JSON.stringify({ game, seats, belief: true, pace_ms: paceMs });
  for await (const { event, data, part } of eventsOf("/v1/watch", body, signal)) {
    if (event === "position") onPosition(data as Watched);
    if (event === "done") return recordIn(part);
  }
  throw new TypeError("The server ended the stream too early.");
}

/** The record in the last event of a watched match: it comes before the name of the server. */
export function recordIn(part: string): string {
  const begin = part.indexOf('{"record": ') + '{"record": '.length;
  return part.slice(begin, part.lastIndexOf(', "server": '));
}

export const runs = () => asked<Run[]>("/v1/runs");

const ofRun = (id: string, rest: string) => `/v1/runs/${encodeURIComponent(id)}/${rest}`;

/** The standings of a run whenever they change, until the signal. */
export async function follow(id: string, onStandings: (standings: Standings) => void, signal: AbortSignal) {
  for await (const { event, data } of eventsOf(ofRun(id, "events"), undefined, signal)) {
    if (event === "standings") onStandings(data as Standings);
  }
}

/** The last matches of a run. */
export const matchesOf = (id: string) => asked<PlayedMatch[]>(ofRun(id, "matches"));

/** The record of a match of a run, which the server plays again. */
export const recordOfRun = async (id: string, number: number) => (await replied(ofRun(id, `matches/${number}`))).text();
