/** The shell around all pages. */
import { useEffect, useState } from "react";
import { games, loading, Refused, setToken } from "./api";
import type { Game, Loading } from "./api.gen";
import { Home } from "./pages/Home";
import { Join } from "./pages/Join";
import { NewGame } from "./pages/NewGame";
import { Play } from "./pages/Play";
import { RecordReview, Review } from "./pages/Review";
import { Runs } from "./pages/Runs";
import { Watch } from "./pages/Watch";
import { Drop } from "./panels/Drop";
import { addressOf, type Route, routeOf, useHash } from "./router";
import { isDark, toggleTheme } from "./theme";

const LOADS = 700; // milliseconds after which a server that still loads is asked again

export function App() {
  const route = routeOf(useHash());
  const [known, setKnown] = useState<Game[]>();
  const [progress, setProgress] = useState<Loading>();
  const [problem, setProblem] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    games().then((found) => {
      if (found.length > 0) setKnown(found);
      else {
        timer = setTimeout(() => setAttempt((before) => before + 1), LOADS); // its workers are not ready yet
        loading().then(setProgress, () => undefined); // a server without it: no bar
      }
    }, setProblem);
    return () => clearTimeout(timer);
  }, [attempt]);
  const again = () => {
    setProblem(undefined);
    setAttempt(attempt + 1);
  };
  return (
    <>
      <Header page={route.page} />
      <Drop />
      {problem ? <Closed problem={problem} again={again} /> : null}
      {!problem && !known ? <Waiting progress={progress} /> : null}
      {known && route.page === "home" ? <Home games={known} /> : null}
      {known && route.page === "new" ? <NewGame key={route.game} games={known} id={route.game} /> : null}
      {known && route.page === "play" ? <Play key={route.match} games={known} match={route.match} /> : null}
      {known && route.page === "review" ? <Review key={route.match} games={known} match={route.match} /> : null}
      {known && route.page === "record" ? <RecordReview key={route.record} games={known} id={route.record} /> : null}
      {known && route.page === "watch" ? <Watch games={known} id={route.game} /> : null}
      {known && route.page === "runs" ? <Runs id={route.run} /> : null}
      {known && route.page === "join" ? <Join key={route.invitation} invitation={route.invitation} /> : null}
    </>
  );
}

const PAGES = [
  { name: "Games", route: { page: "home" } },
  { name: "Watch", route: { page: "watch", game: "" } },
  { name: "Runs", route: { page: "runs", run: "" } },
] as const;

function Header({ page }: { page: Route["page"] }) {
  const [dark, setDark] = useState(isDark());
  const toggle = () => {
    toggleTheme();
    setDark(isDark());
  };
  return (
    <header className="top">
      <a className="brand" href={addressOf({ page: "home" })} aria-label="Plyglass">
        <img src="./favicon.svg" alt="" width="26" height="26" />
        <span>Plyglass</span>
      </a>
      <nav aria-label="Pages">
        {PAGES.map(({ name, route }) => (
          <a key={name} href={addressOf(route)} aria-current={route.page === page ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <button
        type="button"
        className="quiet"
        onClick={toggle}
        aria-label={dark ? "Use light colours" : "Use dark colours"}
      >
        {dark ? "☀" : "☾"}
      </button>
    </header>
  );
}

function Waiting({ progress }: { progress: Loading | undefined }) {
  const { game = "", done = 0, count = 0 } = progress ?? {};
  return (
    <main className="page" aria-busy="true">
      <div className="loading">
        <p>The server loads its games…</p>
        {count > 0 ? (
          <>
            <progress max={count} value={done} aria-label="Games loaded" />
            <p className="note">
              {game}: {done} of {count} games are ready
            </p>
          </>
        ) : null}
      </div>
    </main>
  );
}

function Closed({ problem, again }: { problem: unknown; again: () => void }) {
  const locked = problem instanceof Refused && problem.status === 401;
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setToken(String(new FormData(event.currentTarget).get("token")));
    again();
  };
  return (
    <main className="page">
      <h1>{locked ? "This server asks for a token" : "The server does not answer"}</h1>
      {locked ? (
        <form onSubmit={submit} className="row">
          <label>
            Token <input name="token" type="password" autoComplete="off" required />
          </label>
          <button type="submit" className="primary">
            Enter
          </button>
        </form>
      ) : (
        <>
          <p>{problem instanceof Refused ? problem.message : "Start the server with: plyglass serve"}</p>
          <button type="button" className="primary" onClick={again}>
            Try again
          </button>
        </>
      )}
    </main>
  );
}
