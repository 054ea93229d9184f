/** The rules of a game, as its own page tells them. */
import { memo, useEffect, useState } from "react";
import { about } from "../api";
import type { About } from "../api.gen";
import { Markdown } from "../markdown";

export function useAbout(game: string): About | undefined {
  const [found, setFound] = useState<About>();
  useEffect(() => {
    about(game).then(setFound, () => undefined); // a server without it: no panel
  }, [game]);
  return found;
}

export const Rules = memo(function Rules({ manual }: { manual?: string }) {
  if (!manual) return null;
  return (
    <details className="rules">
      <summary>Rules</summary>
      <div className="manual">
        <Markdown text={manual} />
      </div>
    </details>
  );
});
