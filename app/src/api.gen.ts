// Written by `python -m tests.app.generated`; do not edit.
/** A game or variant, with its rules as Markdown and one of its positions as a scene. */
export interface About {
  id: string;
  text: string;
  name: string;
  summary: string;
  players: number;
  seats: string[];
  hides: boolean;
  cooperative: boolean;
  rules: string;
  fields: Record<string, number[]>;
  levels: Level[];
  options: Option[];
  manual: string;
  scene: Record<string, unknown> | null;
}

/** My action for my decision number `ply`. */
export interface Act {
  ticket?: string | null;
  match?: string | null;
  ply: number;
  action: number;
}

/** A position of my match or of a record, and how to analyse the position. `ply` is the number of the seat's decision to analyse. If `ply` is null, the seat's last view is analysed. In a record, `after` is the number of actions by all players before the position. Before the end of a match, I can analyse my own seat with my adviser, and other seats only in a glass match. */
export interface Analyse {
  ticket?: string | null;
  match?: string | null;
  record?: Record<string, unknown> | null;
  seat: number;
  ply?: number | null;
  after?: number | null;
  agent?: string;
  budget?: Budget;
  want?: ("values" | "line" | "belief")[];
  deadline_ms?: number;
  report_every_ms?: number | null;
}

/** A seat's position, and what the agent believes there. If the seat is to move, the agent also says what it thinks of each action. */
export interface Analysed {
  game: string;
  seat: number;
  ply: number;
  text: string;
  scene: Record<string, unknown> | null;
  thought: Thought | null;
  belief: Believed | null;
  server: string;
}

/** Take back all my decisions from number `to_ply` on. */
export interface Back {
  ticket?: string | null;
  match?: string | null;
  to_ply: number;
}

/** A seat's belief: how good the belief is, and a scene with the worlds of the belief. */
export interface Believed {
  scene: Record<string, unknown> | null;
  health: Health | null;
}

/** How much to search: either a number of iterations or a time in seconds. */
export interface Budget {
  iterations?: number | null;
  seconds?: number | null;
}

/** An action, its name, and its click path. `path` lists the keys of the scene to click. The keys of an inner list are clicked in any order. */
export interface Choice {
  id: number;
  name: string;
  path: (string | string[])[];
}

/** A seat's history of views, and how to decide for the seat. The history has a view after each action of the seat. Without an action of the seat, it has a view only if the view changed. `turn` lists the iterations of the earlier decisions in this turn, as the last reply gave them. */
export interface Decide {
  protocol?: 1;
  id?: string;
  game: string;
  rules?: string;
  seat: number;
  seed: number;
  /** `level:NAME`, or an agent spec if the caller may use agent specs. */
  agent: string;
  history: Seen[];
  turn?: number[];
  budget: Budget;
  deadline_ms?: number;
  report_every_ms?: number | null;
}

/** The answer to `Decide`. `degraded` is true if the search was shorter than asked for. */
export interface Decided {
  final: boolean;
  best: number;
  actions: Valued[];
  line: Step[];
  iterations: number;
  seconds: number;
  depth: number;
  health: Health | null;
  id: string;
  action: Choice;
  turn: number[];
  granted: Record<string, number>;
  degraded: boolean;
  rules: string;
  server: string;
}

/** A game that the server knows. Records name the game by `text`. */
export interface Game {
  id: string;
  text: string;
  name: string;
  summary: string;
  players: number;
  seats: string[];
  hides: boolean;
  cooperative: boolean;
  rules: string;
  fields: Record<string, number[]>;
  levels: Level[];
  options: Option[];
}

/** What an agent in a glass match believed before its decision, and what it thinks of it. `belief` is null in all but the first event of a decision. */
export interface Glimpse {
  seat: number;
  thought: Thought | null;
  belief: Believed | null;
}

export interface HTTPValidationError {
  detail?: ValidationError[];
}

/** How good a belief is. */
export interface Health {
  worlds: number;
  effective: number;
  refilled: number;
}

/** Which match: a ticket, or the name of a match that the server keeps. */
export interface Hosted {
  ticket?: string | null;
  match?: string | null;
}

/** A code with which another person can take a seat. It works only once. */
export interface Invitation {
  seat: number;
  invitation: string;
}

/** Take the seat that somebody kept for me. */
export interface Join {
  invitation: string;
  name?: string;
}

/** An opponent, its agent spec, and its measured strength. The easiest level has no result. */
export interface Level {
  id: string;
  agent: string;
  measured?: MeasuredLevel | null;
}

/** What a server that starts is loading: the game, the number of loaded games, and of all. */
export interface Loading {
  game: string;
  done: number;
  count: number;
}

/** The result of a level against the level before, with the result's 95 % interval. The kind "points" is the share of points in matches between the two levels. In a game for one player, the kind "gain" is the difference of the levels' mean scores on the same deals. */
export interface MeasuredLevel {
  kind: "points" | "gain";
  score: number;
  low: number;
  high: number;
  games: number;
  against: string;
}

/** An option of a game. Requests choose options in `game`, as `ID:NAME=VALUE,...`. */
export interface Option {
  name: string;
  values: string[];
  value: string;
}

/** A position and, unless the server keeps the match, the ticket to continue from there. */
export interface Placed {
  position: Position;
  ticket?: string | null;
  invitations?: Invitation[] | null;
  server: string;
}

/** A match of a run, with agents and scores by seat. An unfinished match has no scores. */
export interface PlayedMatch {
  number: number;
  game: string;
  agents: string[];
  scores: number[];
  status: string;
  steps: number;
}

/** What my seat sees. `ply` counts my decisions, and `events` tells what happened since the last of them. `match` names the match in my requests if the server keeps the match. `clock_ms` is the time that is left for my turn. `resigned` is the seat that resigned or took too long. */
export interface Position {
  match: string;
  game: string;
  ply: number;
  seat: number;
  to_move: number;
  over: boolean;
  scores: number[] | null;
  text: string;
  scene: Record<string, unknown> | null;
  actions: Choice[];
  events: string[];
  resigned: number | null;
  rated: boolean;
  players: Seated[];
  clock_ms: number | null;
}

/** Why a request was refused. Every answer with a status other than 2xx is a `Problem`. */
export interface Problem {
  code: string;
  message: string;
  field?: string | null;
  retry_after_ms?: number | null;
}

/** A record to review. `plies` lists the decisions to review, counted from 0; null means all. */
export interface Review {
  record: Record<string, unknown>;
  seed?: number;
  plies?: number[] | null;
  pairs?: number;
}

/** A decision of a record: its chance, regret, mark and luck, as `pg.review` returns them. */
export interface Reviewed {
  ply: number;
  player: number;
  action: number;
  name: string;
  best: number;
  best_name: string;
  chance: number | null;
  regret: number;
  low: number | null;
  high: number | null;
  mark: string;
  luck: number | null;
}

/** A tournament in the server's folder of runs. `changed` is its last change, in Unix time. */
export interface Run {
  id: string;
  changed: number;
}

/** Who sits in a seat. `joined` is false until the invitation to the seat is used. */
export interface Seated {
  kind: "me" | "human" | "agent";
  name: string;
  joined: boolean;
}

/** An entry of a history: a view of the seat, and the seat's own action before this view. `own` is null if the seat did not act. The first entry of a history has a `view`. A later entry may instead give only the fields that `changed`. */
export interface Seen {
  own: number | null;
  view?: Record<string, number | (number | (number | (number | number[])[])[])[]> | null;
  changed?: Record<string, number | (number | (number | (number | number[])[])[])[]> | null;
}

/** A sequential test: its bounds, and its log-likelihood ratios after some numbers of pairs. */
export interface Sprt {
  pairs: number[];
  ratios: number[];
  lower: number;
  upper: number;
}

/** The result of an agent in a game, with 95 % intervals. */
export interface Standing {
  agent: string;
  game: string;
  games: number;
  unit: string;
  rate: number | null;
  low: number | null;
  high: number | null;
  mean: number;
  mean_low: number | null;
  mean_high: number | null;
  faults: number;
}

/** The results of a run so far. `decision` says why the run ended, or how far it has come. */
export interface Standings {
  games: string[];
  agents: Record<string, string>;
  played: number;
  total: number;
  decision: string;
  standings: Standing[];
  sprt: Sprt | null;
}

/** A new match. `seats` has "me" once, and an agent or "human" for each other seat. `turn_seconds` is the time for an agent's turn, and `clock_seconds` the time for a person's turn. A person who takes longer resigns. `glass` shows me what the agents think and believe. `advice` names an agent that helps me. A match with `glass` or `advice` is unrated. */
export interface Start {
  game: string;
  seats: string[];
  seed?: number | null;
  turn_seconds?: number | null;
  clock_seconds?: number | null;
  glass?: boolean;
  advice?: string;
  name?: string;
}

/** One action of an expected continuation. */
export interface Step {
  player: number;
  id: number;
  name: string;
}

/** What a planner thinks during its search, or finally at its end. */
export interface Thought {
  final: boolean;
  best: number;
  actions: Valued[];
  line: Step[];
  iterations: number;
  seconds: number;
  depth: number;
  health: Health | null;
}

export interface ValidationError {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** An action with the planner's value. `chance` is this value, scaled to 0..1. */
export interface Valued {
  id: number;
  name: string;
  path: (string | string[])[];
  value: number | null;
  chance: number | null;
  visits: number | null;
  spread: number | null;
}

/** Wait until my turn, until the end of the match, or for `wait_ms` milliseconds. */
export interface Wait {
  ticket?: string | null;
  match?: string | null;
  wait_ms?: number;
}

/** A match between agents to watch. If `belief` is true, their beliefs are sent, too. */
export interface Watch {
  game: string;
  seats: string[];
  seed?: number | null;
  pace_ms?: number;
  belief?: boolean;
}

/** A position of a match between agents, after an action by `player`. `thought` is what the player thought when it chose the action. It is null unless the request has set `belief`. */
export interface Watched {
  ply: number;
  player: number | null;
  action: string | null;
  thought: Thought | null;
  to_move: number;
  over: boolean;
  scores: number[] | null;
  seats: WatchedSeat[];
}

/** What a seat in a match between agents sees and believes. */
export interface WatchedSeat {
  text: string;
  scene: Record<string, unknown> | null;
  belief: Believed | null;
}

/** What another action would have changed, as `pg.why` returns it. */
export interface Why {
  better: number;
  low: number;
  high: number;
  pairs: number;
  fact: string | null;
  when: number | null;
  otherwise: number | null;
  likely: number | null;
  sentence: string;
  seed: number;
  server: string;
}

/** A decision of a record, and another action to compare with. */
export interface WhyNot {
  record: Record<string, unknown>;
  seed?: number;
  ply: number;
  instead: number;
  pairs?: number;
  deadline_ms?: number;
}
