/** A match: the board, whose turn it is, what can be done, and what happened. */
import { memo, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Reference, record } from "../api";
import type { Game, Position, Seated } from "../api.gen";
import { minutes, useClock } from "../clock";
import { useMatch } from "../match";
import { Actions, sentence } from "../panels/Actions";
import { Insight } from "../panels/Insight";
import { Pace } from "../panels/Pace";
import { Rules, useAbout } from "../panels/Rules";
import { addressOf } from "../router";
import { type Saved, verdict } from "../saved";
import { Board } from "../scene/Board";
import type { Scene } from "../scene/types";
import { back, type Choice, click, isChoice, NOTHING, offers, open, type Selection } from "../select";
import { baseOf, useGame } from "../variant";
import { titled } from "./Home";

export function Play({ games, match }: { games: Game[]; match: string }) {
  const live = useMatch(match);
  const { saved, position } = live;
  const game = useGame(games, saved?.game);
  if (!saved || game === null) {
    return (
      <main className="page">
        <h1>This browser has no such match</h1>
        <p>Matches are kept in the browser in which they were begun.</p>
        <a href={addressOf({ page: "home" })}>All games</a>
      </main>
    );
  }
  if (!position || !game) {
    return (
      <main className="page" aria-busy={live.busy}>
        {live.problem ? (
          <Trouble text={live.problem} again={live.again} />
        ) : (
          <p className="loading">{live.waiting ? "The server does not answer; trying again…" : "Loading the match…"}</p>
        )}
      </main>
    );
  }
  return <Table live={live} saved={saved} position={position} game={game} />;
}

function Trouble({ text, again }: { text: string; again: () => void }) {
  return (
    <div className="problem" role="alert">
      <span>{text}</span>
      <button type="button" onClick={again}>
        Try again
      </button>
    </div>
  );
}

interface TableProps {
  live: ReturnType<typeof useMatch>;
  saved: Saved;
  position: Position;
  game: Game;
}

function Table({ live, saved, position, game }: TableProps) {
  const { busy, problem, waiting, log } = live;
  const mine = !busy && !position.over && position.to_move === position.seat;
  const selecting = useSelection(position, mine, live.play);
  const { now, choices, lit, loose, choose, clear } = selecting;
  const about = useAbout(game.id);
  const scene = position.scene as unknown as Scene | null;
  const status = statusOf(position, game, mine, now, choices.length);
  return (
    <main className={scene ? "table" : "table plain"}>
      <h1 className="visually-hidden">{titled(game)}</h1>
      <section className="stage" aria-label="Board">
        {scene ? (
          <>
            {scene.title ? <p className="scene-title">{scene.title}</p> : null}
            <Board
              scene={scene}
              live={lit}
              chosen={[...now.done.flat(), ...now.picked]}
              onKey={choose}
              flash={live.others}
              describedBy="as-text"
            />
            {scene.caption.length > 0 ? (
              <div className="caption" style={{ "--lines": scene.caption.length } as React.CSSProperties}>
                {scene.caption.map((line) => (
                  <p key={line}>{line}</p>
                ))}
              </div>
            ) : null}
            <pre id="as-text" className="visually-hidden">
              {position.text}
            </pre>
          </>
        ) : (
          <pre className="as-text">{position.text}</pre>
        )}
      </section>
      <aside className="side">
        <Seats game={game} saved={saved} position={position} mine={mine} busy={busy} />
        <Invitations saved={saved} position={position} />
        {waiting ? (
          <p className="problem" role="alert">
            The server does not answer; trying again…
          </p>
        ) : null}
        {problem ? <Trouble text={problem} again={live.again} /> : null}
        <p className={position.over ? "status over" : mine ? "status mine" : "status"} role="status">
          {status}
        </p>
        {position.over ? (
          <Ending position={position} game={game} which={saved.which} />
        ) : (
          <Actions choices={choices} now={now} loose={loose} onKey={choose} onChoice={live.play} onClear={clear} />
        )}
        <Insight saved={saved} position={position} game={game} mine={mine} glimpses={live.glimpses} />
        <Log lines={log} />
        <div className="tools">
          <button type="button" onClick={live.undo} disabled={busy || position.ply === 0 || !("ticket" in saved.which)}>
            Undo
          </button>
          {position.over ? null : <GiveUp disabled={!mine} giveUp={live.giveUp} />}
          <Pace label="Others play" />
        </div>
        <Rules manual={about?.manual} />
      </aside>
    </main>
  );
}

/** What was clicked, what can be clicked, and the actions that are buttons now. */
function useSelection(position: Position, mine: boolean, play: (choice: Choice) => void) {
  const [now, setNow] = useState<Selection>(NOTHING);
  const latest = useRef(position);
  if (latest.current !== position) {
    latest.current = position;
    setNow(NOTHING);
  }
  const actions = useMemo(() => (mine ? position.actions : []), [mine, position]);
  const scene = position.scene as unknown as Scene | null;
  const onBoard = useMemo(() => new Set(scene?.shapes.map(({ key }) => key).filter(Boolean)), [scene]);
  const { keys, ends } = useMemo(() => offers(actions, now), [actions, now]);
  const lit = useMemo(() => {
    const words = [...keys].filter((key) => onBoard.has(key)).map((key) => [key, spoken(actions, now, key)] as const);
    return new Map(words);
  }, [actions, keys, now, onBoard]);
  const loose = [...keys].filter((key) => !onBoard.has(key));
  const choose = useCallback(
    (key: string) => {
      const found = key ? click(actions, now, key) : NOTHING;
      if (isChoice(found)) {
        setNow(NOTHING);
        play(found);
      } else setNow(found);
    },
    [actions, now, play],
  );
  const clear = useCallback(() => setNow(NOTHING), []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape") clear();
      if (event.key === "Backspace" && event.target === document.body) setNow(back);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [clear]);
  return { now, choices: ends, lit, loose, choose, clear };
}

/** What a click on a key does, in words: the action if it is only one. */
function spoken(actions: Choice[], now: Selection, key: string): string {
  const found = click(actions, now, key);
  if (isChoice(found)) return sentence(found.name);
  const left = open(actions, found).length;
  const picked = found.picked.length > now.picked.length;
  if (now.picked.includes(key)) return `${sentence(key)}, put back`;
  return picked ? `${sentence(key)}, pick` : `${sentence(key)}, ${left} actions`;
}

function statusOf(position: Position, game: Game, mine: boolean, now: Selection, buttons: number): string {
  if (position.over) return verdict(position, game.cooperative);
  if (!mine) {
    const mover = position.players[position.to_move];
    if (mover?.kind === "human")
      return mover.joined ? `${mover.name || "The other person"} plays…` : "The other person has not joined yet…";
    return game.players > 1 ? "The others play…" : "One moment…";
  }
  if (now.picked.length > 0) return `${now.picked.map(sentence).join(", ")}: pick more, or confirm.`;
  const last = now.done.flat().at(-1);
  if (last === undefined) return "Your turn";
  return buttons > 0 ? `${sentence(last)}: choose an action.` : `${sentence(last)}: choose where.`;
}

function nameOf(player: Seated | undefined, wish = ""): string {
  if (player?.kind === "human") return player.name || (player.joined ? "Guest" : "Nobody yet");
  return sentence(wish.replace("level:", ""));
}

interface SeatsProps {
  game: Game;
  saved: Saved;
  position: Position;
  mine: boolean;
  busy: boolean;
}

function Seats({ game, saved, position, mine, busy }: SeatsProps) {
  const { over } = position;
  const own = useClock(mine);
  const theirs = useClock(busy && !over);
  return (
    <ul className="seats">
      {game.seats.map((name, number) => {
        const me = number === saved.seat;
        const active = !over && (me ? mine : busy);
        return (
          <li key={name} className={active ? "active" : undefined}>
            <span className={me ? "dot own" : "dot"} aria-hidden="true" />
            <span className="who">
              {me ? "You" : nameOf(position.players[number], saved.seats[number])}
              <span className="seat-name">{name}</span>
            </span>
            {me || game.players === 2 ? <span className="clock">{minutes(me ? own : theirs)}</span> : null}
          </li>
        );
      })}
    </ul>
  );
}

/** A button that asks again before it gives up. */
function GiveUp({ disabled, giveUp }: { disabled: boolean; giveUp: () => void }) {
  const [sure, setSure] = useState(false);
  useEffect(() => {
    const timer = sure ? setTimeout(() => setSure(false), 4000) : undefined;
    return () => clearTimeout(timer);
  }, [sure]);
  return (
    <button type="button" disabled={disabled} onClick={() => (sure ? giveUp() : setSure(true))}>
      {sure ? "Really give up?" : "Give up"}
    </button>
  );
}

/** Links for the people who were invited and have not come yet. */
function Invitations({ saved, position }: { saved: Saved; position: Position }) {
  const [copied, setCopied] = useState("");
  const open = (saved.invitations ?? []).filter(({ seat }) => !position.players[seat]?.joined);
  return open.map(({ seat, invitation }) => {
    const link = `${location.origin}${location.pathname}${addressOf({ page: "join", invitation })}`;
    const copy = () => navigator.clipboard.writeText(link).then(() => setCopied(link));
    return (
      <div className="invitation" key={seat}>
        <label>
          Send this link to the other person
          <input readOnly value={link} onFocus={(event) => event.target.select()} />
        </label>
        <button type="button" onClick={() => void copy()}>
          {copied === link ? "Copied" : "Copy"}
        </button>
      </div>
    );
  });
}

function Ending({ position, game, which }: { position: Position; game: Game; which: Reference }) {
  const [problem, setProblem] = useState("");
  const download = async () => {
    try {
      const text = await record(which);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      link.download = `${position.game}-${position.match}.json`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // some browsers read it later
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The record could not be fetched.");
    }
  };
  return (
    <div className="ending">
      <p className="scores">
        {position.scores?.map((score, number) => (
          <span key={game.seats[number]} className={number === position.seat ? "own" : undefined}>
            {game.seats[number]} <strong>{round(score)}</strong>
          </span>
        ))}
      </p>
      <div className="actions">
        <a className="button primary" href={addressOf({ page: "new", game: baseOf(game.id) })}>
          Play again
        </a>
        <a className="button" href={addressOf({ page: "review", match: position.match })}>
          Review
        </a>
        <button type="button" className="action" onClick={() => void download()}>
          Download the record
        </button>
      </div>
      {problem ? <p className="problem">{problem}</p> : null}
    </div>
  );
}

const round = (value: number) => String(Math.round(value * 100) / 100);

/** What happened. The style keeps the last lines in sight: asking for heights would lay out the page. */
const Log = memo(function Log({ lines }: { lines: string[] }) {
  const numbered = lines.map((line, number) => [number, line] as const);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboards must reach it
    <section className={lines.length > 0 ? "log story" : "log story none"} tabIndex={0} aria-label="What happened">
      <ol aria-live="polite">
        {numbered.map(([number, line]) => (
          <li key={number} className={line.startsWith("You: ") ? "own" : undefined}>
            {sentence(line)}
          </li>
        ))}
      </ol>
    </section>
  );
});
