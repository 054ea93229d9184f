/** A match that is over, decision by decision: chances, mistakes, luck, and why not another action. */
import { useEffect, useState } from "react";
import { analyseRecord, Refused, record, review, why } from "../api";
import type { Analysed, Game, Reviewed, Why } from "../api.gen";
import { sentence } from "../panels/Actions";
import { Course } from "../panels/Course";
import { addressOf } from "../router";
import { load, type Saved, verdict } from "../saved";
import { Picture } from "../scene/Picture";
import type { Scene } from "../scene/types";
import { titled } from "./Home";

const told = (error: unknown) => (error instanceof Refused ? error.message : "The server does not answer.");
const points = (share: number) => String(Math.round(100 * share));
const signed = (share: number) => `${share > 0 ? "+" : "−"}${points(Math.abs(share))}`;

export function Review({ games, match }: { games: Game[]; match: string }) {
  const [saved] = useState(() => load(match));
  const game = games.find(({ id }) => id === saved?.game);
  if (!saved?.over || !game) {
    return (
      <main className="page">
        <h1>There is nothing to review</h1>
        <p>Only a match of this browser that is over can be reviewed.</p>
        <a href={addressOf({ page: "home" })}>All games</a>
      </main>
    );
  }
  return <Reviewing saved={saved} game={game} />;
}

/** The record, and the decisions that the server has reviewed so far. */
function useReview(saved: Saved) {
  const [text, setText] = useState("");
  const [plies, setPlies] = useState<Reviewed[]>([]);
  const [busy, setBusy] = useState(true);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const { signal, abort } = withAbort();
    const run = async () => {
      try {
        const found = await record(saved.which);
        if (signal.aborted) return;
        setText(found);
        await review(found, { onReviewed: (each) => setPlies((old) => [...old, each]), signal });
      } catch (error) {
        if (!signal.aborted) setProblem(told(error));
      }
      if (!signal.aborted) setBusy(false);
    };
    setPlies([]);
    void run();
    return abort;
  }, [saved]);
  return { text, plies, busy, problem };
}

function withAbort() {
  const stop = new AbortController();
  return { signal: stop.signal, abort: () => stop.abort() };
}

function Reviewing({ saved, game }: { saved: Saved; game: Game }) {
  const { text, plies, busy, problem } = useReview(saved);
  const [chosen, setChosen] = useState<number>();
  const count = text ? (JSON.parse(text).moves as unknown[]).length : 0;
  const now = plies.find(({ ply }) => ply === chosen);
  const step = (by: number) => setChosen((old) => Math.min(Math.max(0, (old ?? -1) + by), plies.length - 1));
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "ArrowRight" || event.key === "ArrowLeft") step(event.key === "ArrowRight" ? 1 : -1);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
  const chanceOf = (each: Reviewed) => {
    if (each.chance === null) return null;
    if (each.player === saved.seat || game.cooperative) return each.chance;
    return game.players === 2 ? 1 - each.chance : null;
  };
  return (
    <main className="page review">
      <h1>{titled(game)}: review</h1>
      <p>
        {verdict(saved, game.cooperative)}. {busy ? `${plies.length} of ${count || "?"} decisions reviewed…` : ""}
      </p>
      {problem ? (
        <p className="problem" role="alert">
          {problem}
        </p>
      ) : null}
      <Course plies={plies} count={count} chanceOf={chanceOf} chosen={chosen} onChoose={setChosen} />
      <Sum plies={plies} saved={saved} game={game} />
      <div className="columns">
        <Decisions plies={plies} game={game} saved={saved} chosen={chosen} onChoose={setChosen} />
        {now && text ? <Closer key={now.ply} text={text} now={now} plies={plies} game={game} /> : null}
      </div>
      <a href={addressOf({ page: "play", match: saved.id })}>Back to the match</a>
    </main>
  );
}

/** What choices and luck gave and took, for the person. */
function Sum({ plies, saved, game }: { plies: Reviewed[]; saved: Saved; game: Game }) {
  const own = plies.filter(({ player }) => player === saved.seat);
  const choices = own.filter(({ mark }) => mark).reduce((sum, { regret }) => sum + regret, 0);
  const sign = (player: number) => (player === saved.seat || game.cooperative ? 1 : game.players === 2 ? -1 : 0);
  const luck = plies.reduce((sum, each) => sum + sign(each.player) * (each.luck ?? 0), 0);
  if (plies.length === 0) return null;
  return (
    <p>
      You lost <strong>{points(choices)}</strong> points by choices; luck {luck >= 0 ? "gave you" : "took"}{" "}
      <strong>{points(Math.abs(luck))}</strong>. A point is a hundredth of the range of scores.
    </p>
  );
}

interface DecisionsProps {
  plies: Reviewed[];
  game: Game;
  saved: Saved;
  chosen: number | undefined;
  onChoose: (ply: number) => void;
}

function Decisions({ plies, game, saved, chosen, onChoose }: DecisionsProps) {
  return (
    <ol className="decisions" aria-label="Decisions">
      {plies.map((each) => (
        <li key={each.ply}>
          <button
            type="button"
            aria-pressed={each.ply === chosen}
            className={each.player === saved.seat ? "own" : undefined}
            onClick={() => onChoose(each.ply)}
          >
            <span className="number">{each.ply + 1}</span>
            <span>
              {each.player === saved.seat ? "You" : sentence(game.seats[each.player] ?? "")}: {each.name}
            </span>
            <strong className={each.mark === "??" ? "mark worst" : "mark"}>{each.mark}</strong>
            <span className="luck">{Math.abs(each.luck ?? 0) >= 0.005 ? `luck ${signed(each.luck ?? 0)}` : ""}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** The position of a decision through the eyes of who decided, and what another action would have changed. */
function Closer({ text, now, plies, game }: { text: string; now: Reviewed; plies: Reviewed[]; game: Game }) {
  const [seen, setSeen] = useState<Analysed>();
  const [answer, setAnswer] = useState<Why>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const own = plies.filter(({ player, ply }) => player === now.player && ply < now.ply).length;
  useEffect(() => {
    const { signal, abort } = withAbort();
    analyseRecord(text, now.player, own, { signal }).then(
      (found) => signal.aborted || setSeen(found),
      (error) => signal.aborted || setProblem(told(error)),
    );
    return abort;
  }, [text, now.player, own]);
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
  const scene = seen?.scene as unknown as Scene | null | undefined;
  return (
    <section className="closer" aria-label="The decision">
      <h2>
        {sentence(game.seats[now.player] ?? "")}: {now.name} {now.mark}
      </h2>
      <p>
        {now.chance === null ? null : `Chance ${points(now.chance)} of 100. `}
        {now.mark ? `${sentence(now.best_name)} was better by ${points(now.regret)} points.` : null}
      </p>
      {scene ? <Picture scene={scene} /> : seen ? <pre className="as-text">{seen.text}</pre> : null}
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
      {problem ? <p className="problem">{problem}</p> : null}
    </section>
  );
}
