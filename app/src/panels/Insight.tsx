/** What my adviser thinks, and in a glass match what agents believe. */
import { useEffect, useRef, useState } from "react";
import { analyse, Refused } from "../api";
import type { Game, Position, Thought, Valued } from "../api.gen";
import type { Saved } from "../saved";
import { Picture } from "../scene/Picture";
import type { Scene } from "../scene/types";
import { sentence } from "./Actions";

const SHOWN = 6; // actions with their values

interface Props {
  saved: Saved;
  position: Position;
  game: Game;
  mine: boolean;
}

export function Insight({ saved, position, game, mine }: Props) {
  const [thought, setThought] = useState<Thought>();
  const [belief, setBelief] = useState<Scene>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const stop = useRef(new AbortController());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new position makes old thoughts void
  useEffect(() => {
    setThought(undefined);
    setBelief(undefined);
    setProblem("");
    setBusy(false);
    stop.current = new AbortController();
    return () => stop.current.abort();
  }, [position]);
  const ask = async (seat: number, want: string[]) => {
    const { signal } = stop.current;
    setBusy(true);
    setProblem("");
    try {
      const found = await analyse(saved.which, seat, want, { onThought: setThought, signal });
      if (signal.aborted) return;
      if (found.thought) setThought(found.thought);
      if (!want.includes("belief")) setBelief(undefined);
      else if (found.belief?.scene) setBelief(found.belief.scene as unknown as Scene);
      else setProblem("This agent plays without a belief.");
    } catch (error) {
      if (signal.aborted) return;
      setProblem(error instanceof Refused ? error.message : "The server does not answer.");
    }
    setBusy(false);
  };
  const agents = position.players.flatMap(({ kind }, seat) => (kind === "agent" ? [seat] : []));
  if (!saved.advice && !saved.glass) return null;
  return (
    <section className="insight" aria-label="Advice and glass">
      <div className="actions">
        {saved.advice ? (
          <button type="button" disabled={busy || !mine} onClick={() => void ask(position.seat, ["values", "line"])}>
            Ask for advice
          </button>
        ) : null}
        {saved.glass
          ? agents.map((seat) => (
              <button type="button" key={seat} disabled={busy} onClick={() => void ask(seat, ["belief"])}>
                What {game.seats[seat]} believes
              </button>
            ))
          : null}
      </div>
      {problem ? <p className="problem">{problem}</p> : null}
      {thought ? <Values thought={thought} /> : null}
      {belief ? (
        <figure className="belief">
          <Picture scene={belief} />
          <figcaption>{belief.caption.join(" ")}</figcaption>
        </figure>
      ) : null}
    </section>
  );
}

/** The best actions with their values as bars. */
function Values({ thought }: { thought: Thought }) {
  const order = (a: Valued, b: Valued) =>
    Number(b.id === thought.best) - Number(a.id === thought.best) ||
    (b.visits ?? 0) - (a.visits ?? 0) ||
    (b.value ?? 0) - (a.value ?? 0);
  const best = [...thought.actions].sort(order).slice(0, SHOWN);
  const most = Math.max(...thought.actions.map(({ visits }) => visits ?? 0)); // 0: it counts none
  return (
    <>
      <table className="values">
        <thead>
          <tr>
            <th>Action</th>
            <th>Value</th>
            {most > 0 ? <th>Visits</th> : null}
          </tr>
        </thead>
        <tbody>
          {best.map(({ id, name, value, visits }) => (
            <tr key={id} className={id === thought.best ? "best" : undefined}>
              <td>{sentence(name)}</td>
              <td>{value === null ? "–" : value.toFixed(2)}</td>
              {most > 0 ? (
                <td>
                  <meter value={(visits ?? 0) / most} aria-label={`${visits ?? 0} visits`} />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="note">
        {thought.iterations.toLocaleString("en")} iterations
        {thought.line.length > 1 ? `; expected: ${thought.line.map(({ name }) => name).join(", ")}` : ""}
      </p>
    </>
  );
}
