/** Agents against agents: what each sees, believes and thinks. */
import { useEffect, useMemo, useRef, useState } from "react";
import { told, watch } from "../api";
import type { Game, Watched, WatchedSeat } from "../api.gen";
import { pace } from "../pace";
import { sentence } from "../panels/Actions";
import { Pace } from "../panels/Pace";
import { Scrubber } from "../panels/Scrubber";
import { Thoughts, worlds } from "../panels/Thoughts";
import { open } from "../records";
import { addressOf, go } from "../router";
import { Board } from "../scene/Board";
import type { Scene } from "../scene/types";
import { titled } from "./Home";

export function Watch({ games, id }: { games: Game[]; id: string }) {
  const game = games.find((each) => each.id === id) ?? games.find(({ hides, players }) => hides && players > 1);
  if (!game) {
    return (
      <main className="page">
        <h1>There is no game {id} here</h1>
        <a href={addressOf({ page: "home" })}>All games</a>
      </main>
    );
  }
  return <Match key={game.id} games={games} game={game} />;
}

/** A match of agents as far as the server has told it. */
function useWatched(game: Game) {
  const [positions, setPositions] = useState<Watched[]>([]);
  const [record, setRecord] = useState("");
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState("");
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const begin = async (levels: string[]) => {
    stop.current.abort();
    const control = new AbortController();
    stop.current = control;
    setPositions([]);
    setRecord("");
    setProblem("");
    setRunning(true);
    const show = (next: Watched) => control.signal.aborted || setPositions((old) => [...old, next]);
    try {
      const seats = levels.map((level) => `level:${level}`);
      const text = await watch(game.id, seats, pace(), show, control.signal);
      if (!control.signal.aborted) setRecord(open(text));
    } catch (error) {
      if (!control.signal.aborted) setProblem(told(error));
    }
    if (!control.signal.aborted) setRunning(false);
  };
  const end = () => {
    stop.current.abort();
    setRunning(false);
  };
  return { positions, record, running, problem, begin, end };
}

function Match({ games, game }: { games: Game[]; game: Game }) {
  const strongest = game.levels.at(-1)?.id ?? "";
  const [levels, setLevels] = useState(() => game.seats.map(() => strongest));
  const [playing, setPlaying] = useState<string[]>(levels);
  const { positions, record, running, problem, begin, end } = useWatched(game);
  const [held, setHeld] = useState<number>(); // the position that is looked at; the last one if undefined
  const at = Math.min(held ?? Number.POSITIVE_INFINITY, positions.length - 1);
  const now = positions[at];
  const start = () => {
    setHeld(undefined);
    setPlaying(levels);
    void begin(levels);
  };
  const look = (place: number) => setHeld(place >= positions.length - 1 ? undefined : place);
  return (
    <main className="table watch">
      <section className="stage" aria-label="Boards">
        {now ? <Eyes game={game} now={now} live={held === undefined} /> : <Welcome game={game} running={running} />}
      </section>
      <aside className="side">
        <h1>Watch agents play</h1>
        <Choice games={games} game={game} levels={levels} setLevels={setLevels} />
        <div className="actions">
          <button type="button" className="primary" onClick={start}>
            {running || positions.length > 0 ? "Begin another match" : "Begin"}
          </button>
          {running ? (
            <button type="button" onClick={end}>
              Stop
            </button>
          ) : null}
          {record ? (
            <a className="button" href={addressOf({ page: "record", record })}>
              Review
            </a>
          ) : null}
        </div>
        {problem ? (
          <p className="problem" role="alert">
            {problem}
          </p>
        ) : null}
        {now ? (
          <>
            <p className={now.over ? "status over" : "status mine"} role="status">
              {statusOf(now, game, playing)}
            </p>
            <Scrubber at={at} last={positions.length - 1} onChange={look} label="Action of the match" />
            {now.thought && now.player !== null ? (
              <section className="insight" aria-label="Thoughts">
                <h2>What {game.seats[now.player]} thought</h2>
                <Thoughts thought={now.thought} seats={game.seats} />
              </section>
            ) : null}
            <Moves positions={positions} game={game} at={at} onChoose={look} />
          </>
        ) : null}
        <div className="tools">
          <Pace label="Each action" />
        </div>
      </aside>
    </main>
  );
}

function statusOf({ over, scores, player, action, to_move }: Watched, game: Game, levels: string[]): string {
  const who = (seat: number) => `${sentence(game.seats[seat] ?? "")} (${levels[seat]})`;
  if (over) return scores ? scores.map((score, seat) => `${game.seats[seat]} ${round(score)}`).join(", ") : "Over";
  if (player === null || action === null) return `${who(to_move)} begins`;
  return `${who(player)}: ${action}`;
}

const round = (value: number) => String(Math.round(value * 100) / 100);

interface ChoiceProps {
  games: Game[];
  game: Game;
  levels: string[];
  setLevels: (levels: string[]) => void;
}

function Choice({ games, game, levels, setLevels }: ChoiceProps) {
  const change = (seat: number, level: string) => setLevels(levels.map((old, each) => (each === seat ? level : old)));
  return (
    <div className="pairing">
      <label>
        Game
        <select value={game.id} onChange={(event) => go({ page: "watch", game: event.target.value })}>
          {games.map((each) => (
            <option key={each.id} value={each.id}>
              {titled(each)}
            </option>
          ))}
        </select>
      </label>
      {game.seats.map((name, seat) => (
        <label key={name}>
          {sentence(name)}
          <select value={levels[seat]} onChange={(event) => change(seat, event.target.value)}>
            {game.levels.map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
      ))}
    </div>
  );
}

function Welcome({ game, running }: { game: Game; running: boolean }) {
  return (
    <p className="loading">
      {running
        ? "The agents take their seats…"
        : `Choose who plays ${titled(game)}, and begin. You see what every agent sees${game.hides ? " and believes" : ""}.`}
    </p>
  );
}

/** The boards of all seats; one where nothing is hidden. */
function Eyes({ game, now, live }: { game: Game; now: Watched; live: boolean }) {
  const [chosen, setChosen] = useState(-1); // -1: all
  const several = game.hides && now.seats.length > 1;
  const seats = now.seats.map((seat, number) => ({ seat, number }));
  const shown = several ? seats.filter(({ number }) => chosen < 0 || number === chosen) : seats.slice(0, 1);
  return (
    <>
      {several ? (
        <fieldset className="eyes-choice" aria-label="Whose eyes">
          {["All", ...game.seats].map((name, number) => (
            <button type="button" key={name} aria-pressed={chosen === number - 1} onClick={() => setChosen(number - 1)}>
              {sentence(name)}
            </button>
          ))}
        </fieldset>
      ) : null}
      <div className="eyes">
        {shown.map(({ seat, number }) => (
          <Eye
            key={number}
            seat={seat}
            name={several ? sentence(game.seats[number] ?? "") : ""}
            active={several && now.to_move === number}
            flash={live && !seat.belief} // a belief changes everywhere at once
          />
        ))}
      </div>
    </>
  );
}

interface EyeProps {
  seat: WatchedSeat;
  name: string;
  active: boolean;
  flash: boolean;
}

function Eye({ seat, name, active, flash }: EyeProps) {
  const scene = useMemo(() => (seat.belief?.scene ?? seat.scene) as unknown as Scene | null, [seat]);
  return (
    <section className={active ? "eye active" : "eye"} aria-label={name || "Board"}>
      {name ? (
        <h2>
          {name} <span className="note">{seat.belief ? believes(seat) : "sees"}</span>
        </h2>
      ) : null}
      {scene ? <Board scene={scene} flash={flash} /> : <pre className="as-text">{seat.text}</pre>}
      {scene && scene.caption.length > 0 ? <p className="caption">{scene.caption.join(" ")}</p> : null}
    </section>
  );
}

const believes = ({ belief }: WatchedSeat) =>
  belief?.health ? `considers possible: ${worlds(belief.health)}` : "believes";

interface MovesProps {
  positions: Watched[];
  game: Game;
  at: number;
  onChoose: (place: number) => void;
}

/** All actions so far; a click shows the position after one. */
function Moves({ positions, game, at, onChoose }: MovesProps) {
  const list = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the action that is looked at scrolls into view
  useEffect(() => {
    const [box, line] = [list.current, list.current?.querySelector<HTMLElement>("[aria-pressed=true]")];
    if (box && line) box.scrollTop = line.offsetTop - box.offsetTop - box.clientHeight / 2;
  }, [at, positions.length]);
  return (
    <ol className="log decisions" ref={list} aria-label="Actions">
      {positions.map(({ ply, player, action }, place) =>
        player === null ? null : (
          <li key={ply}>
            <button type="button" aria-pressed={place === at} onClick={() => onChoose(place)}>
              <span className="number">{ply}</span>
              <span>
                {sentence(game.seats[player] ?? "")}: {action}
              </span>
            </button>
          </li>
        ),
      )}
    </ol>
  );
}
