/** Choosing an action by clicks: an action is a path of steps, and a step is a key or a set of keys. */
export type Step = string | string[];

export interface Choice {
  id: number;
  name: string;
  path: Step[];
}

/** What was clicked so far: finished steps, and the keys of a set that is being picked. */
export interface Selection {
  done: Step[];
  picked: string[];
}

export interface Offers<C extends Choice = Choice> {
  /** Keys that a click may choose next. */
  keys: Set<string>;
  /** Actions whose path ends here. */
  ends: C[];
  /** Whether a set is being picked. */
  picking: boolean;
}

export const NOTHING: Selection = { done: [], picked: [] };

function same(a: Step, b: Step): boolean {
  if (typeof a === "string" || typeof b === "string") return a === b;
  return a.length === b.length && a.every((key) => b.includes(key));
}

function begins(path: Step[], done: Step[]): boolean {
  return path.length >= done.length && done.every((step, place) => same(step, path[place] as Step));
}

/** The actions that fit what was clicked so far. */
export function open<C extends Choice>(choices: readonly C[], now: Selection): C[] {
  return choices.filter((choice) => begins(choice.path, now.done));
}

/** What can be done next. */
export function offers<C extends Choice>(choices: readonly C[], now: Selection): Offers<C> {
  const found: Offers<C> = { keys: new Set(), ends: [], picking: false };
  const place = now.done.length;
  for (const choice of open(choices, now)) {
    const step = choice.path[place];
    if (step === undefined) found.ends.push(choice);
    else if (typeof step === "string") found.keys.add(step);
    else {
      found.picking = true;
      for (const key of step) found.keys.add(key);
      if (!same(step, now.picked)) continue;
      const after = choice.path[place + 1];
      if (after === undefined) found.ends.push(choice);
      else for (const key of [after].flat()) found.keys.add(key);
    }
  }
  return found;
}

/** The keys that belong to the set that is being picked. */
function toggles(choices: readonly Choice[], now: Selection): Set<string> {
  const steps = open(choices, now).map((choice) => choice.path[now.done.length]);
  return new Set(steps.filter((step) => Array.isArray(step)).flat());
}

/** A click on a key: a new selection, or the action that it completes. */
export function click<C extends Choice>(choices: readonly C[], now: Selection, key: string): Selection | C {
  const { keys, ends } = offers(choices, now);
  if (toggles(choices, now).has(key)) {
    const without = now.picked.filter((each) => each !== key);
    return { ...now, picked: without.length < now.picked.length ? without : [...now.picked, key] };
  }
  if (keys.has(key)) {
    const set = open(choices, now).some((choice) => choice.path[now.done.length] === key) ? [] : [now.picked];
    const next = { done: [...now.done, ...set, key], picked: [] };
    const left = open(choices, next);
    return left.length === 1 && left[0]?.path.length === next.done.length ? left[0] : next;
  }
  if (key === now.done.at(-1)) return ends.length === 1 && ends[0] ? ends[0] : NOTHING; // again: stop here, or let go
  const starts = choices.some(({ path }) => [path[0] ?? []].flat().includes(key));
  return starts && (now.done.length > 0 || now.picked.length > 0) ? click(choices, NOTHING, key) : NOTHING;
}

/** One step back. */
export function back(now: Selection): Selection {
  return now.picked.length > 0 ? { ...now, picked: [] } : { done: now.done.slice(0, -1), picked: [] };
}

/** Whether a click completed an action. */
export function isChoice<C extends Choice>(found: Selection | C): found is C {
  return "id" in found;
}
