// Written by `python -m tests.app.generated`; do not edit.
/** A game, also with chosen options: its rules as Markdown, and a position as a scene. */
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

/** A position of a match of mine, or of a record, and how to analyse it. `ply` is the number of the seat's decision; without it, the seat's last view is analysed. Of a record, `after` is the number of actions of all players that have been played. Before the end of a match, `seat` is mine and `agent` is my adviser, or the match is a glass match. */
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

/** A seat's position, what the agent thinks if the seat decides there, and what it believes. */
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

/** What a seat believes: how good the belief is, and a scene of the worlds it holds possible. */
export interface Believed {
  scene: Record<string, unknown> | null;
  health: Health | null;
}

/** How much to search: exactly one of its fields is given. */
export interface Budget {
  iterations?: number | null;
  seconds?: number | null;
}

/** An action, its name, and the scene's keys to click; those of an inner list in any order. */
export interface Choice {
  id: number;
  name: string;
  path: (string | string[])[];
}

/** A seat's history of views, and how to decide for it. A view is shown after each own action, and otherwise only when it changed. `turn` has the iterations of the earlier decisions of this turn, as the last reply gave them. */
export interface Decide {
  protocol?: 1;
  id?: string;
  game: string;
  rules?: string;
  seat: number;
  seed: number;
  /** `level:NAME`, or an agent spec for callers who may use one. */
  agent: string;
  history: Seen[];
  turn?: number[];
  budget: Budget;
  deadline_ms?: number;
  report_every_ms?: number | null;
}

/** The answer to `Decide`; `degraded` if less was searched than asked for. */
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

/** A game that the server knows; `text` is how records name it. */
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

/** What an agent of a glass match thinks about its decision, and believes before it. `belief` is null in all but the first event of a decision. */
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

/** What another person needs to take a seat, once. */
export interface Invitation {
  seat: number;
  invitation: string;
}

/** Take the seat that somebody kept for me. */
export interface Join {
  invitation: string;
  name?: string;
}

/** An opponent of a game, its agent spec, and how strong it is. The easiest has no result. */
export interface Level {
  id: string;
  agent: string;
  measured?: MeasuredLevel | null;
}

/** Which game a server loads or compiles, how many it has loaded, and how many there are. */
export interface Loading {
  game: string;
  done: number;
  count: number;
}

/** The result of a level against the level before, with its 95 % interval. `points` is the share of points in matches between the two levels. `gain` is the difference of their mean scores on the same deals, in a game for one player. */
export interface MeasuredLevel {
  kind: "points" | "gain";
  score: number;
  low: number;
  high: number;
  games: number;
  against: string;
}

/** What can be chosen before a match: `game` is then `ID:NAME=VALUE,...`. */
export interface Option {
  name: string;
  values: string[];
  value: string;
}

/** A position, and the ticket to continue from it unless the server keeps the match. */
export interface Placed {
  position: Position;
  ticket?: string | null;
  invitations?: Invitation[] | null;
  server: string;
}

/** A match of a run. Agents and scores are by seat; there are no scores without an end. */
export interface PlayedMatch {
  number: number;
  game: string;
  agents: string[];
  scores: number[];
  status: string;
  steps: number;
}

/** What my seat sees. `ply` counts my decisions; `events` tells what happened since the last. `match` names the match in my requests if the server keeps it. `clock_ms` is what is left of my turn. `resigned` is the seat that resigned or took too long. */
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

/** Why a request was refused; every answer other than 2xx is one. */
export interface Problem {
  code: string;
  message: string;
  field?: string | null;
  retry_after_ms?: number | null;
}

/** A record to review: all decisions, or those before which `plies` actions were played. */
export interface Review {
  record: Record<string, unknown>;
  seed?: number;
  plies?: number[] | null;
  pairs?: number;
}

/** A decision of a record: its chance, regret, mark and luck, as `pg.review` has them. */
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

/** A tournament whose results lie in the folder of runs; `changed` is a time in seconds. */
export interface Run {
  id: string;
  changed: number;
}

/** Who sits in a seat. `joined` is false as long as an invitation was not used. */
export interface Seated {
  kind: "me" | "human" | "agent";
  name: string;
  joined: boolean;
}

/** A view of the seat, with its own action that led to it, or null if another player acted. The first entry of a history has a `view`. Later entries may have only the fields that changed. */
export interface Seen {
  own: number | null;
  view?: Record<string, number | (number | (number | (number | number[])[])[])[]> | null;
  changed?: Record<string, number | (number | (number | (number | number[])[])[])[]> | null;
}

/** A sequential test: its log-likelihood ratio after some of its pairs, and its bounds. */
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

/** The results of a run so far. `decision` says why it ended, or how far it is. */
export interface Standings {
  games: string[];
  agents: Record<string, string>;
  played: number;
  total: number;
  decision: string;
  standings: Standing[];
  sprt: Sprt | null;
}

/** A new match. `seats` has "me" once, and an agent or "human" for each other seat. `turn_seconds` is the time that agents have for a turn, and `clock_seconds` the time that people have; a person who takes longer has resigned. `glass` lets me look into agents, and `advice` is an agent that helps me: both make the match unrated. */
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

/** What a planner thinks so far, or in the end. */
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

/** An action with the planner's value, also scaled to 0..1 as `chance`. */
export interface Valued {
  id: number;
  name: string;
  path: (string | string[])[];
  value: number | null;
  chance: number | null;
  visits: number | null;
  spread: number | null;
}

/** Wait until it is my turn, or the match is over, or the time has passed. */
export interface Wait {
  ticket?: string | null;
  match?: string | null;
  wait_ms?: number;
}

/** A match of agents to look at, with what they believe if `belief` is true. */
export interface Watch {
  game: string;
  seats: string[];
  seed?: number | null;
  pace_ms?: number;
  belief?: boolean;
}

/** A position of a match of agents, after an action of `player`. `thought` is what the player thought when it chose the action, if `belief` was asked for. */
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

/** What a seat of a match of agents sees, and what it believes. */
export interface WatchedSeat {
  text: string;
  scene: Record<string, unknown> | null;
  belief: Believed | null;
}

/** What another action would have changed, as `pg.why` says it. */
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
