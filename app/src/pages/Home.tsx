/** The first page: matches to continue, and a tile for each game. */
import { useEffect, useState } from "react";
import { about } from "../api";
import type { Game } from "../api.gen";
import { sentence } from "../panels/Actions";
import { OpenRecord } from "../panels/Drop";
import { addressOf } from "../router";
import { all, forget, type Saved, verdict } from "../saved";
import { Picture } from "../scene/Picture";
import type { Scene } from "../scene/types";
import { baseOf, optionsIn } from "../variant";

const SHOWN = 4; // matches to continue

export function Home({ games }: { games: Game[] }) {
  const [saved, setSaved] = useState(all);
  const open = saved.filter((each) => !each.over && games.some(({ id }) => id === baseOf(each.game))).slice(0, SHOWN);
  const drop = (id: string) => {
    forget(id);
    setSaved(all());
  };
  return (
    <main className="page">
      <h1>Play against agents that plan with hidden information</h1>
      {open.length > 0 ? (
        <section aria-labelledby="continue">
          <h2 id="continue">Continue</h2>
          <ul className="continue">
            {open.map((each) => (
              <Continue key={each.id} saved={each} games={games} drop={drop} />
            ))}
          </ul>
        </section>
      ) : null}
      <section aria-labelledby="games">
        <h2 id="games">Games</h2>
        <ul className="tiles">
          {games.map((game) => (
            <li key={game.id}>
              <Tile game={game} won={count(saved, game)} />
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="records">
        <h2 id="records">Records</h2>
        <OpenRecord />
      </section>
    </main>
  );
}

const count = (saved: Saved[], { id, cooperative }: Game) =>
  saved.filter((each) => baseOf(each.game) === id && verdict(each, cooperative).startsWith("You won")).length;

function Continue({ saved, games, drop }: { saved: Saved; games: Game[]; drop: (id: string) => void }) {
  const game = games.find(({ id }) => id === baseOf(saved.game));
  const name = game ? titled(game) : saved.game;
  return (
    <li>
      <a href={addressOf({ page: "play", match: saved.id })}>
        <strong>{name}</strong>
        <span>
          {optionsIn(saved.game) ? `${sentence(optionsIn(saved.game))}. ` : ""}
          {saved.ply === 0 ? "Not yet begun" : `${saved.ply} ${saved.ply === 1 ? "action" : "actions"} played`},{" "}
          {ago(saved.changed)}
        </span>
      </a>
      <button
        type="button"
        className="quiet"
        onClick={() => drop(saved.id)}
        aria-label={`Forget this match of ${name}`}
      >
        ✕
      </button>
    </li>
  );
}

/** How long a time is past, in words. */
export function ago(time: number): string {
  const minutes = Math.round((Date.now() - time) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}

/** A game's name as a title: "connect-four" is "Connect Four". */
export const titled = ({ name }: Pick<Game, "name">) =>
  name.replace(/[-_]/g, " ").replace(/(^| )[a-z]/g, (letter) => letter.toUpperCase());

function Tile({ game, won }: { game: Game; won: number }) {
  const [scene, setScene] = useState<Scene | null>();
  useEffect(() => {
    about(game.id).then(
      (found) => setScene(found.scene as unknown as Scene | null),
      () => setScene(null),
    );
  }, [game.id]);
  return (
    <a className="tile" href={addressOf({ page: "new", game: game.id })}>
      <span className="thumbnail">{scene ? <Picture scene={scene} /> : <Monogram name={titled(game)} />}</span>
      <span className="about">
        <strong>{titled(game)}</strong>
        <span className="summary">{game.summary}</span>
        <Marks game={game} won={won} />
      </span>
    </a>
  );
}

function Monogram({ name }: { name: string }) {
  const letters = name.split(" ").map((word) => word[0]);
  return <span className="monogram">{letters.join("").slice(0, 3)}</span>;
}

export function Marks({ game, won = 0 }: { game: Game; won?: number }) {
  return (
    <span className="marks">
      <span>{game.players === 1 ? "1 player" : `${game.players} players`}</span>
      {game.hides ? <span className="hidden-mark">hidden information</span> : null}
      {game.cooperative ? <span>together</span> : null}
      {won > 0 ? <span className="won-mark">won {won}×</span> : null}
    </span>
  );
}
