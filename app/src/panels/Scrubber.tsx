/** A slider through the positions of a match, with buttons for one step. */

interface Props {
  at: number;
  last: number;
  onChange: (at: number) => void;
  /** What a position is called, for screen readers. */
  label: string;
}

export function Scrubber({ at, last, onChange, label }: Props) {
  const step = (by: number) => onChange(Math.min(last, Math.max(0, at + by)));
  return (
    <div className="scrubber">
      <button type="button" onClick={() => step(-1)} disabled={at === 0} aria-label="One action back">
        ‹
      </button>
      <input
        type="range"
        min={0}
        max={Math.max(last, 0)}
        value={at}
        aria-label={label}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <button type="button" onClick={() => step(1)} disabled={at >= last} aria-label="One action forward">
        ›
      </button>
      <span className="place">
        {at} / {last}
      </span>
    </div>
  );
}
