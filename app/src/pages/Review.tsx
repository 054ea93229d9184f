/** A match that is over, decision by decision: chances, mistakes, luck, and why not another action. */
import { useEffect, useMemo, useState } from "react";
import { analyseRecord, record, review, told } from "../api";
import type { Game, Reviewed } from "../api.gen";
import { sentence } from "../panels/Actions";
import { Closer } from "../panels/Closer";
import { Course } from "../panels/Course";
import { Scrubber } from "../panels/Scrubber";
import { points, signed } from "../points";
import { claimsOf, recordOf } from "../records";
import { addressOf } from "../router";
import { load, verdict } from "../saved";
import { useGame } from "../variant";
import { titled } from "./Home";

/** What is reviewed, and for whom. */
interface Subject {
  /** The record, as the text that the server wrote. */
  text: string;
  game: Game;
  seat: number;
  /** Whether the person who looks played in the seat. */
  mine: boolean;
  verdict: string;
  players: string[];
}

/** The review of a match of this browser. */
export function Review({ games, match }: { games: Game[]; match: string }) {
  const [saved] = useState(() => load(match));
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const game = useGame(games, saved?.game);
  useEffect(() => {
    if (saved?.over) record(saved.which).then(setText, (error) => setProblem(told(error)));
  }, [saved]);
  if (!saved?.over || game === null) {
    return <Nothing why="Only a finished match of this browser can be reviewed." />;
  }
  if (!text || !game) return <Waiting problem={problem} />;
  const { seat } = saved;
  const players = saved.seats.map((each) => sentence(each.replace("level:", "")));
  return (
    <Reviewing
      subject={{ text, game, seat, mine: true, verdict: verdict(saved, game.cooperative), players }}
      back={addressOf({ page: "play", match })}
    />
  );
}

/** The review of a record that was opened: a file, a watched match, or a match of a run. */
export function RecordReview({ games, id }: { games: Game[]; id: string }) {
  const [text] = useState(() => recordOf(id));
  const [served, setServed] = useState<string>(); // the game, if the server reads the record
  const [problem, setProblem] = useState("");
  const claims = useMemo(() => (text ? claimsOf(text) : undefined), [text]);
  useEffect(() => {
    if (text)
      analyseRecord(text, 0, 0, [], {}).then(
        ({ game }) => setServed(game),
        (error) => setProblem(told(error)),
      );
  }, [text]);
  const game = useGame(games, served);
  if (!text || !claims) return <Nothing why="This record is not open any more. Drop its file on the page again." />;
  if (problem) return <Nothing why={problem} />;
  if (!game) return <Waiting problem="" />;
  const person = claims.players.findIndex((each) => each.startsWith("person"));
  const ending = claims.scores
    ? claims.scores
        .map((score, seat) => `${sentence(game.seats[seat] ?? "")} ${Math.round(score * 100) / 100}`)
        .join(", ")
    : claims.resigned === null
      ? "The match is not over"
      : `${sentence(game.seats[claims.resigned] ?? "")} gave up`;
  return (
    <Reviewing
      subject={{ text, game, seat: Math.max(0, person), mine: false, verdict: ending, players: claims.players }}
      back={addressOf({ page: "home" })}
    />
  );
}

function Nothing({ why }: { why: string }) {
  return (
    <main className="page">
      <h1>There is nothing to review</h1>
      <p>{why}</p>
      <a href={addressOf({ page: "home" })}>All games</a>
    </main>
  );
}

function Waiting({ problem }: { problem: string }) {
  return (
    <main className="page" aria-busy={!problem}>
      {problem ? <p className="problem">{problem}</p> : <p className="loading">Loading the match…</p>}
    </main>
  );
}

/** The decisions that the server has reviewed so far. */
function useReview(text: string) {
  const [plies, setPlies] = useState<Reviewed[]>([]);
  const [busy, setBusy] = useState(true);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    setPlies([]);
    setBusy(true);
    review(text, { onReviewed: (each) => setPlies((old) => [...old, each]), signal })
      .catch((error) => signal.aborted || setProblem(told(error)))
      .finally(() => signal.aborted || setBusy(false));
    return () => control.abort();
  }, [text]);
  return { plies, busy, problem };
}

function Reviewing({ subject, back }: { subject: Subject; back: string }) {
  const { text, game } = subject;
  const { plies, busy, problem } = useReview(text);
  const [seat, setSeat] = useState(subject.seat);
  const [chosen, setChosen] = useState<number>();
  const count = useMemo(() => claimsOf(text).moves, [text]);
  const now = plies.find(({ ply }) => ply === chosen);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by || (event.target as Element).matches("input, select")) return;
      setChosen((old) => Math.min(Math.max(0, (old ?? -1) + by), count - 1));
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [count]);
  const chanceOf = (each: Reviewed) => {
    if (each.chance === null) return null;
    if (each.player === seat || game.cooperative) return each.chance;
    return game.players === 2 ? 1 - each.chance : null;
  };
  return (
    <main className="review">
      <div className="stage">
        {chosen === undefined ? (
          <p className="loading">Choose a decision, or press → to begin.</p>
        ) : (
          <Closer text={text} ply={chosen} now={now} game={game} />
        )}
      </div>
      <aside className="side">
        <h1>{titled(game)}: review</h1>
        <p>
          {subject.verdict}. {busy ? `${plies.length} of ${count} decisions reviewed…` : ""}
        </p>
        {problem ? (
          <p className="problem" role="alert">
            {problem}
          </p>
        ) : null}
        {subject.mine || game.players === 1 ? null : (
          <label className="of">
            Chances of
            <select value={seat} onChange={(event) => setSeat(Number(event.target.value))}>
              {game.seats.map((name, number) => (
                <option key={name} value={number}>
                  {sentence(name)}: {subject.players[number]}
                </option>
              ))}
            </select>
          </label>
        )}
        <Course plies={plies} count={count} chanceOf={chanceOf} chosen={chosen} onChoose={setChosen} />
        <Sum plies={plies} subject={subject} seat={seat} />
        {count > 0 ? (
          <Scrubber at={chosen ?? 0} last={count - 1} onChange={setChosen} label="Decision of the match" />
        ) : null}
        <Decisions plies={plies} subject={subject} chosen={chosen} onChoose={setChosen} />
        <a href={back}>{subject.mine ? "Back to the match" : "All games"}</a>
      </aside>
    </main>
  );
}

/** What choices and luck gave and took. */
function Sum({ plies, subject, seat }: { plies: Reviewed[]; subject: Subject; seat: number }) {
  const { game, mine } = subject;
  const own = plies.filter(({ player }) => player === seat);
  const choices = own.filter(({ mark }) => mark).reduce((sum, { regret }) => sum + regret, 0);
  const sign = (player: number) => (player === seat || game.cooperative ? 1 : game.players === 2 ? -1 : 0);
  const luck = plies.reduce((sum, each) => sum + sign(each.player) * (each.luck ?? 0), 0);
  if (plies.length === 0) return null;
  const who = mine ? "You" : sentence(game.seats[seat] ?? "");
  return (
    <p>
      {who} lost <strong>{points(choices)}</strong> points by choices; luck {luck >= 0 ? "gave" : "took"}{" "}
      <strong>{points(Math.abs(luck))}</strong>. A point is a hundredth of the range of scores.
    </p>
  );
}

interface DecisionsProps {
  plies: Reviewed[];
  subject: Subject;
  chosen: number | undefined;
  onChoose: (ply: number) => void;
}

function Decisions({ plies, subject, chosen, onChoose }: DecisionsProps) {
  const { game, seat, mine } = subject;
  const isOwn = (player: number) => mine && player === seat;
  return (
    <ol className="decisions" aria-label="Decisions">
      {plies.map((each) => (
        <li key={each.ply}>
          <button
            type="button"
            aria-pressed={each.ply === chosen}
            className={isOwn(each.player) ? "own" : undefined}
            onClick={() => onChoose(each.ply)}
          >
            <span className="number">{each.ply + 1}</span>
            <span>
              {isOwn(each.player) ? "You" : sentence(game.seats[each.player] ?? "")}: {each.name}
            </span>
            <strong className={each.mark === "??" ? "mark worst" : "mark"}>{each.mark}</strong>
            <span className="luck">{Math.abs(each.luck ?? 0) >= 0.005 ? `luck ${signed(each.luck ?? 0)}` : ""}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
