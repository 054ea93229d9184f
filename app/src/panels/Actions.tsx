/** Actions as buttons: those without a place on the board, and menus of what was clicked. */
import { useState } from "react";
import type { Choice, Selection } from "../select";

const FEW = 12; // buttons that are shown without groups
const MOST_WORDS = 4; // by which groups are told apart

interface Props {
  choices: Choice[];
  now: Selection;
  /** Keys that are offered but have no shape on the board. */
  loose: string[];
  onKey: (key: string) => void;
  onChoice: (choice: Choice) => void;
  onClear: () => void;
}

export function Actions({ choices, now, loose, onKey, onChoice, onClear }: Props) {
  const begun = now.done.length > 0 || now.picked.length > 0;
  const groups = choices.length > FEW ? grouped(choices) : [];
  return (
    <div className="actions">
      {groups.length > 0
        ? groups.map(([word, inside]) => <Group key={word} word={word} choices={inside} onChoice={onChoice} />)
        : choices.map((each) => (
            <button type="button" key={each.id} className="action" data-action={each.id} onClick={() => onChoice(each)}>
              {sentence(each.name)}
            </button>
          ))}
      {loose.map((key) => (
        <button type="button" key={key} className="action more" onClick={() => onKey(key)}>
          {sentence(key)}
        </button>
      ))}
      {begun ? (
        <button type="button" className="quiet" onClick={onClear}>
          Cancel <kbd>Esc</kbd>
        </button>
      ) : null}
    </div>
  );
}

export const sentence = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Actions by the first words of their names, as many as it takes to tell any apart, in their order. */
export function grouped<C extends { name: string }>(choices: C[]): [string, C[]][] {
  for (let words = 1; ; words++) {
    const found = new Map<string, C[]>();
    for (const choice of choices) {
      const start = choice.name.split(" ").slice(0, words).join(" ").replace(/:$/, "");
      found.set(start, [...(found.get(start) ?? []), choice]);
    }
    if (found.size > 1 || words === MOST_WORDS) return [...found];
  }
}

function Group({ word, choices, onChoice }: { word: string; choices: Choice[]; onChoice: (choice: Choice) => void }) {
  const [open, setOpen] = useState(false);
  const only = choices[0];
  if (choices.length === 1 && only) {
    return (
      <button type="button" className="action" data-action={only.id} onClick={() => onChoice(only)}>
        {sentence(only.name)}
      </button>
    );
  }
  return (
    <div className={open ? "group open" : "group"}>
      <button type="button" className="action more" aria-expanded={open} onClick={() => setOpen(!open)}>
        {sentence(word)} <span className="count">{choices.length}</span>
      </button>
      {open ? (
        <div className="members">
          {choices.map((each) => (
            <button type="button" key={each.id} className="action" data-action={each.id} onClick={() => onChoice(each)}>
              {sentence(each.name)}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
