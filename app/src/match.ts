/** A match on this page: what the server told last, and how it got there, one view after the other. */
import { startTransition, useCallback, useEffect, useRef, useState } from "react";
import { act, look, type Reference, Refused, resign, takeBack, wait } from "./api";
import type { Glimpse, Placed, Position } from "./api.gen";
import { pace } from "./pace";
import { after, keep, load, type Saved } from "./saved";
import type { Choice } from "./select";

export interface Live {
  saved?: Saved;
  position?: Position;
  /** Whether others play, or their actions are still being shown. */
  busy: boolean;
  /** Whether the server does not answer at the moment. */
  waiting: boolean;
  problem: string;
  /** Whether what is shown was changed by others. */
  others: boolean;
  log: string[];
  /** What agents of a glass match last told of themselves, by seat. */
  glimpses: Record<number, Glimpse>;
  play: (choice: Choice) => void;
  undo: () => void;
  giveUp: () => void;
  again: () => void;
}

const told = (error: unknown) =>
  error instanceof Refused ? error.message : "The server does not answer. The match is saved in this browser.";

/** Lines of a log with new ones. */
const joined = (log: string[], events: string[]) => [...log, ...events];

/** What an agent told so far: a belief comes first, and then thoughts without it. */
const joinedGlimpse = (old: Glimpse | undefined, next: Glimpse): Glimpse =>
  next.thought ? { ...next, belief: next.belief ?? old?.belief ?? null } : next;

export function useMatch(id: string): Live {
  const [saved, setSaved] = useState(() => load(id));
  const [position, setPosition] = useState<Position>();
  const [busy, setBusy] = useState(true);
  const [waiting, setWaiting] = useState(false);
  const [others, setOthers] = useState(false);
  const [problem, setProblem] = useState("");
  const [log, setLog] = useState<string[]>(saved?.log ?? []);
  const [glimpses, setGlimpses] = useState<Record<number, Glimpse>>({});
  const kept = useRef(saved);
  const stop = useRef(new AbortController());

  /** Ask the server, and show all positions that it sends, each for a while. */
  const run = useCallback(
    async (ask: (which: Reference, show: (position: Position) => void) => Promise<Placed>, base: string[]) => {
      const now = kept.current;
      if (!now) return;
      const { signal } = stop.current;
      setBusy(true);
      setProblem("");
      setLog(base);
      let free = performance.now(); // when the next position may be shown
      let shown = Promise.resolve();
      const show = (next: Position, mine: boolean) => {
        shown = shown.then(async () => {
          const wait = free - performance.now();
          if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
          if (signal.aborted) return;
          free = performance.now() + (mine ? 0 : pace());
          // React may make a new position in pieces, so frames stay short.
          startTransition(() => {
            setOthers(!mine);
            setPosition(next);
            setLog(joined(base, next.events));
          });
        });
      };
      try {
        let first = true;
        const placed = await ask(now.which, (next) => {
          show(next, first && next.to_move !== next.seat && next.events.length === 0);
          first = false;
        });
        if (signal.aborted) return;
        for (let last = placed; ; ) {
          const { position: next } = last;
          kept.current = keep(after(last, { ...now, log: joined(base, next.events) }));
          show(next, false);
          await shown;
          if (signal.aborted) return;
          setSaved(kept.current);
          if (next.over || next.to_move === next.seat) break;
          last = await wait(kept.current.which, {
            onPosition: (each) => show(each, false),
            onWaiting: setWaiting,
            signal,
          });
        }
      } catch (error) {
        if (!signal.aborted) setProblem(told(error));
      } finally {
        if (!signal.aborted) {
          startTransition(() => setBusy(false)); // not before the last position is shown
          setWaiting(false);
        }
      }
    },
    [],
  );

  const events = useCallback(
    (show: (position: Position) => void) => ({
      onPosition: show,
      onGlass: (next: Glimpse) => setGlimpses((old) => ({ ...old, [next.seat]: joinedGlimpse(old[next.seat], next) })),
      onWaiting: setWaiting,
      signal: stop.current.signal,
    }),
    [],
  );
  const again = useCallback(() => {
    const base = kept.current?.log ?? [];
    void run(async (which, show) => {
      const placed = await look(which, events(show));
      return { ...placed, position: { ...placed.position, events: [] } }; // they are in the log already
    }, base);
  }, [run, events]);
  useEffect(() => {
    stop.current = new AbortController();
    again();
    return () => stop.current.abort();
  }, [again]);

  const play = (choice: Choice) => {
    if (!position || busy) return;
    void run((which, show) => act(which, position.ply, choice.id, events(show)), [...log, `You: ${choice.name}`]);
  };
  const undo = () => {
    if (!position || busy || position.ply === 0) return;
    void run((which) => takeBack(which, position.ply - 1), [...log, "You took an action back."]);
  };
  const giveUp = () => {
    if (position && !busy && !position.over) void run((which) => resign(which), [...log, "You gave up."]);
  };
  return { saved, position, busy, waiting, problem, others, log, glimpses, play, undo, giveUp, again };
}
