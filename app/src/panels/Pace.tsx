/** How long each action of others is shown. */
import { useState } from "react";
import { PACES, paceName, setPace } from "../pace";

export function Pace({ label }: { label: string }) {
  const [name, setName] = useState(paceName);
  const choose = (next: string) => {
    setPace(next);
    setName(next);
  };
  return (
    <label className="pace">
      {label}
      <select value={name} onChange={(event) => choose(event.target.value)}>
        {Object.keys(PACES).map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}
