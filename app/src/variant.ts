/** Games with chosen options: `tubstap:map=plains` is TUBSTAP on another map. */
import { useEffect, useState } from "react";
import { about, Refused } from "./api";
import type { Game } from "./api.gen";

const SIGN = ":"; // between the id of a game and its options

/** The id of a game with some options; those that are as usual are left out. */
export function variantOf({ id, options }: Pick<Game, "id" | "options">, chosen: Record<string, string>): string {
  const changed = options.filter(({ name, value }) => (chosen[name] ?? value) !== value);
  const text = changed.map(({ name }) => `${name}=${chosen[name]}`).join(",");
  return text ? id + SIGN + text : id;
}

/** The id of the game that a variant belongs to. */
export const baseOf = (id: string) => id.split(SIGN, 1)[0] ?? id;

/** The options in an id, in words. */
export const optionsIn = (id: string) =>
  id
    .slice(baseOf(id).length + 1)
    .replaceAll("=", " ")
    .replaceAll(",", ", ");

const AGAIN = 2000; // milliseconds until a variant is asked for again
const found = new Map<string, Game | null>(); // null: the server has no such game

/** A game of the list, or a variant of one, which the server describes; null if there is none. */
export function useGame(games: Game[], id: string | undefined): Game | null | undefined {
  const listed = games.find((each) => each.id === id);
  const variant = listed || !id || !games.some((each) => each.id === baseOf(id)) ? undefined : id;
  const [, setLoaded] = useState("");
  useEffect(() => {
    if (!variant || found.has(variant)) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () =>
      about(variant).then(
        (game) => {
          found.set(variant, game);
          setLoaded(variant);
        },
        (error) => {
          if (error instanceof Refused && error.problem.retry_after_ms === undefined) {
            found.set(variant, null);
            setLoaded(variant);
          } else timer = setTimeout(() => void ask(), AGAIN);
        },
      );
    void ask();
    return () => clearTimeout(timer);
  }, [variant]);
  return listed ?? (variant ? found.get(variant) : null);
}
