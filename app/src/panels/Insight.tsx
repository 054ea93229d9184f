/** What my adviser thinks, and in a glass match what agents think and believe, live. */
import { useEffect, useRef, useState } from "react";
import { analyse, told } from "../api";
import type { Game, Glimpse, Position, Thought } from "../api.gen";
import type { Saved } from "../saved";
import { Picture } from "../scene/Picture";
import type { Scene } from "../scene/types";
import { sentence } from "./Actions";
import { Thoughts, worlds } from "./Thoughts";

interface Props {
  saved: Saved;
  position: Position;
  game: Game;
  mine: boolean;
  /** What agents told of themselves, by seat. */
  glimpses: Record<number, Glimpse>;
}

export function Insight(props: Props) {
  const { saved, position, game, mine, glimpses } = props;
  if (!saved.advice && !saved.glass) return null;
  const agents = position.players.flatMap(({ kind }, seat) => (kind === "agent" ? [seat] : []));
  return (
    <section className="insight" aria-label="Advice and glass">
      {saved.advice ? <Advice saved={saved} position={position} game={game} mine={mine} /> : null}
      {saved.glass
        ? agents.map((seat) => (
            <Glass
              key={seat}
              seat={seat}
              saved={saved}
              position={position}
              game={game}
              mine={mine}
              glimpse={glimpses[seat]}
            />
          ))
        : null}
    </section>
  );
}

function Advice({ saved, position, game, mine }: Omit<Props, "glimpses">) {
  const [thought, setThought] = useState<Thought>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const stop = useRef(new AbortController());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new position makes old thoughts void
  useEffect(() => {
    setThought(undefined);
    setProblem("");
    setBusy(false);
    stop.current = new AbortController();
    return () => stop.current.abort();
  }, [position]);
  const ask = async () => {
    const { signal } = stop.current;
    setBusy(true);
    setProblem("");
    try {
      const found = await analyse(saved.which, position.seat, ["values", "line"], { onThought: setThought, signal });
      if (!signal.aborted && found.thought) setThought(found.thought);
    } catch (error) {
      if (!signal.aborted) setProblem(told(error));
    }
    if (!signal.aborted) setBusy(false);
  };
  return (
    <>
      <button type="button" disabled={busy || !mine} onClick={() => void ask()}>
        Ask for advice
      </button>
      {problem ? <p className="problem">{problem}</p> : null}
      {thought ? <Thoughts thought={thought} seats={game.seats} /> : null}
    </>
  );
}

interface GlassProps extends Omit<Props, "glimpses"> {
  seat: number;
  glimpse: Glimpse | undefined;
}

/** What one agent thinks while it decides, and what it believes now. */
function Glass({ seat, saved, position, game, mine, glimpse }: GlassProps) {
  const { belief: latest, problem } = useBelief(saved, position, seat, mine && game.hides);
  const belief = latest ?? glimpse?.belief;
  const scene = belief?.scene as unknown as Scene | undefined;
  const name = game.seats[seat] ?? "";
  return (
    <details className="glass" open>
      <summary>
        {sentence(name)}: glass{" "}
        {glimpse?.thought && !glimpse.thought.final ? <span className="busy">thinks…</span> : null}
      </summary>
      {scene ? (
        <figure className="belief">
          <Picture scene={scene} />
          <figcaption>
            {[`What ${name} believes`, belief?.health ? worlds(belief.health) : "", ...scene.caption.map(sentence)]
              .filter(Boolean)
              .join(". ")}
          </figcaption>
        </figure>
      ) : null}
      {glimpse?.thought ? <Thoughts thought={glimpse.thought} seats={game.seats} /> : null}
      {problem ? <p className="problem">{problem}</p> : null}
      {!scene && !glimpse?.thought && !problem ? <p className="note">The agent has not decided yet.</p> : null}
    </details>
  );
}

/** What an agent believes at my decision: more than when it decided, for it has seen what followed. */
function useBelief(saved: Saved, position: Position, seat: number, wanted: boolean) {
  const [belief, setBelief] = useState<Glimpse["belief"]>(null);
  const [problem, setProblem] = useState("");
  const { which } = saved;
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each new position it is asked again
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    setBelief(null);
    setProblem("");
    if (wanted) {
      analyse(which, seat, ["belief"], { signal }).then(
        (found) => signal.aborted || setBelief(found.belief),
        (error) => signal.aborted || setProblem(told(error)),
      );
    }
    return () => control.abort();
  }, [position, seat, wanted]);
  return { belief, problem };
}
