/** One position of a record through the eyes of a seat, and what another action would have changed. */
import { useEffect, useState } from "react";
import { analyseRecord, told, why } from "../api";
import type { Analysed, Game, Reviewed, Why } from "../api.gen";
import { points } from "../points";
import { Board } from "../scene/Board";
import type { Scene } from "../scene/types";
import { sentence } from "./Actions";
import { worlds } from "./Thoughts";

interface Props {
  text: string;
  /** How many actions were played before. */
  ply: number;
  /** The decision there, if it was reviewed already. */
  now: Reviewed | undefined;
  game: Game;
}

export function Closer({ text, ply, now, game }: Props) {
  const [eyes, setEyes] = useState<number>(); // whose; those of who decides if undefined
  const [believes, setBelieves] = useState(false);
  const seat = eyes ?? now?.player ?? 0;
  const { seen, problem } = useSeen(text, seat, ply, believes ? ["belief"] : []);
  const scene = (believes ? (seen?.belief?.scene ?? seen?.scene) : seen?.scene) as unknown as Scene | null | undefined;
  return (
    <section className="closer" aria-label="The decision">
      {now ? (
        <>
          <h2>
            {sentence(game.seats[now.player] ?? "")}: {now.name} {now.mark}
          </h2>
          <p>
            {now.chance === null ? null : `Chance ${points(now.chance)} of 100. `}
            {now.mark ? `${sentence(now.best_name)} was better by ${points(now.regret)} points.` : null}
          </p>
        </>
      ) : (
        <h2>Position {ply + 1}</h2>
      )}
      {game.hides ? (
        <fieldset className="eyes-choice" aria-label="Whose eyes">
          {game.players > 1
            ? game.seats.map((name, number) => (
                <button type="button" key={name} aria-pressed={seat === number} onClick={() => setEyes(number)}>
                  {sentence(name)}
                </button>
              ))
            : null}
          <button type="button" aria-pressed={believes} onClick={() => setBelieves(!believes)}>
            Believes
          </button>
        </fieldset>
      ) : null}
      {scene ? <Board scene={scene} /> : seen ? <pre className="as-text">{seen.text}</pre> : null}
      {believes && seen ? (
        <p className="note">
          {seen.belief
            ? `What the strongest level considers possible here${seen.belief.health ? `: ${worlds(seen.belief.health)}` : ""}`
            : "In this game, the strongest level has no belief."}
        </p>
      ) : null}
      {now ? <WhyNot key={now.ply} text={text} now={now} /> : null}
      {problem ? <p className="problem">{problem}</p> : null}
    </section>
  );
}

/** What a seat saw, and perhaps what an agent would believe there; the last answer until the next comes. */
function useSeen(text: string, seat: number, ply: number, want: string[]) {
  const [seen, setSeen] = useState<Analysed>();
  const [problem, setProblem] = useState("");
  const wish = want.join();
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    setProblem("");
    analyseRecord(text, seat, ply, wish ? wish.split(",") : [], { signal }).then(
      (found) => signal.aborted || setSeen(found),
      (error) => signal.aborted || setProblem(told(error)),
    );
    return () => control.abort();
  }, [text, seat, ply, wish]);
  return { seen, problem };
}

function WhyNot({ text, now }: { text: string; now: Reviewed }) {
  const [answer, setAnswer] = useState<Why>();
  const [busy, setBusy] = useState(false);
  const { seen, problem: closed } = useSeen(text, now.player, now.ply, ["values"]);
  const [problem, setProblem] = useState("");
  const ask = async (instead: number) => {
    setBusy(true);
    setProblem("");
    try {
      setAnswer(await why(text, now.ply, instead));
    } catch (error) {
      setProblem(told(error));
    }
    setBusy(false);
  };
  const others = seen?.thought?.actions.filter(({ id }) => id !== now.action) ?? [];
  return (
    <>
      {others.length > 0 ? (
        <label>
          Why not{" "}
          <select disabled={busy} value="" onChange={(event) => void ask(Number(event.target.value))}>
            <option value="" disabled>
              another action…
            </option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {busy ? <p className="loading">Both actions are tried in the same worlds…</p> : null}
      {answer ? <p role="status">{sentence(answer.sentence)}</p> : null}
      {problem || closed ? <p className="problem">{problem || closed}</p> : null}
    </>
  );
}
