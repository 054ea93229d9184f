/** Tournaments: their standings while they go on, the course of a sequential test, and their matches. */
import { useCallback, useEffect, useState } from "react";
import { follow, matchesOf, Refused, recordOfRun, runs, told } from "../api";
import type { PlayedMatch, Run, Standing, Standings } from "../api.gen";
import { sentence } from "../panels/Actions";
import { Ratios } from "../panels/Ratios";
import { open } from "../records";
import { addressOf, go } from "../router";
import { ago } from "./Home";

const REFRESH = 10_000; // milliseconds between two looks at the matches of a run
const AGAIN = 3000; // milliseconds until a server that went away is asked again

export function Runs({ id }: { id: string }) {
  return id ? <Tournament key={id} id={id} /> : <List />;
}

function List() {
  const [found, setFound] = useState<Run[]>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    runs().then(setFound, (error) => setProblem(told(error)));
  }, []);
  return (
    <main className="page narrow">
      <h1>Tournaments</h1>
      {problem ? <p className="problem">{problem}</p> : null}
      {found?.length === 0 ? (
        <p className="summary">
          This server shows no tournaments. Start it with <code>plyglass serve --runs FOLDER</code>, where FOLDER has
          the results of <code>plyglass tournament</code>.
        </p>
      ) : null}
      <ul className="continue">
        {found?.map(({ id, changed }) => (
          <li key={id}>
            <a href={addressOf({ page: "runs", run: id })}>
              <strong>{id}</strong>
              <span>changed {ago(1000 * changed)}</span>
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}

/** Whether the server asks for another try later. */
const mayRetry = (error: unknown) => error instanceof Refused && error.problem.retry_after_ms !== undefined;

/** The standings of a run, which change while it goes on. */
function useStandings(id: string) {
  const [standings, setStandings] = useState<Standings>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async () => {
      try {
        await follow(
          id,
          (next) => {
            setProblem("");
            setStandings(next);
          },
          control.signal,
        );
      } catch (error) {
        if (control.signal.aborted) return;
        setProblem(told(error));
        if (error instanceof TypeError || mayRetry(error)) timer = setTimeout(() => void run(), AGAIN);
      }
    };
    void run();
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [id]);
  return { standings, problem };
}

function Tournament({ id }: { id: string }) {
  const { standings: now, problem } = useStandings(id);
  return (
    <main className="page runs">
      <nav aria-label="Breadcrumb">
        <a href={addressOf({ page: "runs", run: "" })}>Tournaments</a>
      </nav>
      <h1>{id}</h1>
      {problem ? (
        <p className="problem" role="alert">
          {problem}
        </p>
      ) : null}
      {now ? (
        <>
          <p role="status">{sentence(now.decision)}.</p>
          <progress max={now.total} value={now.played} aria-label={`${now.played} of ${now.total} matches`} />
          <p className="note">
            {now.played.toLocaleString("en")} of {now.total.toLocaleString("en")} matches
          </p>
          {now.games.map((game) => (
            <Table key={game} game={game} now={now} />
          ))}
          {now.sprt ? <Ratios sprt={now.sprt} /> : null}
          <Matches id={id} played={now.played} />
        </>
      ) : problem ? null : (
        <p className="loading">Reading the results…</p>
      )}
    </main>
  );
}

const percent = (share: number | null) => (share === null ? "–" : (100 * share).toFixed(1));
const number = (value: number | null) => (value === null ? "–" : String(Math.round(1000 * value) / 1000));

function Table({ game, now }: { game: string; now: Standings }) {
  const rows = now.standings.filter((each) => each.game === game);
  const rated = rows.some(({ rate }) => rate !== null);
  const unit = rows[0]?.unit ?? "deal";
  return (
    <section>
      <h2>{game}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboards must reach it */}
      <section className="table-scroll" tabIndex={0} aria-label={`Standings in ${game}`}>
        <table className="standings">
          <thead>
            <tr>
              <th>Agent</th>
              <th className="figure">Games</th>
              {rated ? <th colSpan={2}>Points per game, %</th> : null}
              <th className="figure">Mean score</th>
              {rows.some(({ faults }) => faults > 0) ? <th className="figure">Faults</th> : null}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row
                key={row.agent}
                row={row}
                rated={rated}
                faults={rows.some(({ faults }) => faults > 0)}
                spec={now.agents[row.agent] ?? ""}
              />
            ))}
          </tbody>
        </table>
      </section>
      <p className="note">Intervals of 95 %; the unit is the {unit}. A win is one point, a draw half a point.</p>
    </section>
  );
}

interface RowProps {
  row: Standing;
  rated: boolean;
  faults: boolean;
  spec: string;
}

function Row({ row, rated, faults, spec }: RowProps) {
  return (
    <tr>
      <th scope="row">
        {row.agent}
        {spec !== row.agent ? <code>{spec}</code> : null}
      </th>
      <td className="figure">{row.games.toLocaleString("en")}</td>
      {rated ? (
        <>
          <td className="figure">
            <strong>{percent(row.rate)}</strong>
            <span className="note">{row.low === null ? "" : ` ${percent(row.low)} to ${percent(row.high)}`}</span>
          </td>
          <td>{row.rate === null ? null : <Interval rate={row.rate} low={row.low} high={row.high} />}</td>
        </>
      ) : null}
      <td className="figure">
        {number(row.mean)}
        <span className="note">
          {row.mean_low === null ? "" : ` ${number(row.mean_low)} to ${number(row.mean_high)}`}
        </span>
      </td>
      {faults ? <td className="figure">{row.faults}</td> : null}
    </tr>
  );
}

/** A rate with its interval, on a line from 0 to 1 with a mark at one half. */
function Interval({ rate, low, high }: { rate: number; low: number | null; high: number | null }) {
  const [from, to] = [100 * (low ?? rate), 100 * (high ?? rate)];
  return (
    <svg className="interval" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
      <line className="axis" x1="0" x2="100" y1="6" y2="6" />
      <line className="half" x1="50" x2="50" y1="0" y2="12" />
      <rect className="range" x={from} width={Math.max(1, to - from)} y="3" height="6" rx="1" />
      <rect className="rate" x={100 * rate - 0.75} width="1.5" y="1" height="10" />
    </svg>
  );
}

/** The last matches; a click plays one again, and opens it. */
function Matches({ id, played }: { id: string; played: number }) {
  const [found, setFound] = useState<PlayedMatch[]>([]);
  const [busy, setBusy] = useState(-1);
  const [problem, setProblem] = useState("");
  const [agent, setAgent] = useState("");
  const due = played && Math.floor(Date.now() / REFRESH); // a new number when more matches may be shown
  // biome-ignore lint/correctness/useExhaustiveDependencies: more matches were played
  useEffect(() => {
    let current = true;
    matchesOf(id).then(
      (next) => current && setFound(next),
      (error) => current && setProblem(told(error)),
    );
    return () => {
      current = false;
    };
  }, [id, due]);
  const replay = useCallback(
    async (match: number) => {
      setBusy(match);
      setProblem("");
      try {
        go({ page: "record", record: open(await recordOfRun(id, match)) });
      } catch (error) {
        setProblem(told(error));
      }
      setBusy(-1);
    },
    [id],
  );
  const agents = [...new Set(found.flatMap(({ agents }) => agents))].sort();
  const shown = found.filter((each) => !agent || each.agents.includes(agent));
  return (
    <section aria-labelledby="matches">
      <h2 id="matches">Matches</h2>
      <label className="row">
        Of
        <select value={agent} onChange={(event) => setAgent(event.target.value)}>
          <option value="">all agents</option>
          {agents.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {problem ? (
        <p className="problem" role="alert">
          {problem}
        </p>
      ) : null}
      <ol className="decisions matches" aria-label="Matches">
        {shown.map((each) => (
          <li key={each.number}>
            <button
              type="button"
              disabled={busy >= 0 || each.scores.length === 0}
              onClick={() => void replay(each.number)}
            >
              <span className="number">{each.number}</span>
              <span>{each.agents.join(" – ")}</span>
              <span className="luck">{busy === each.number ? "played again…" : resultOf(each)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function resultOf({ scores, status, steps }: PlayedMatch): string {
  if (scores.length === 0) return status;
  return `${scores.map((score) => number(score)).join(" : ")}, ${steps} actions`;
}
