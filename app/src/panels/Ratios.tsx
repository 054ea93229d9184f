/** The course of a sequential probability ratio test between its bounds. */
import type { Sprt } from "../api.gen";

const WIDTH = 820;
const HEIGHT = 200;
const EDGE = 14;

export function Ratios({ sprt }: { sprt: Sprt }) {
  const { pairs, ratios, lower, upper } = sprt;
  const last = pairs.at(-1) ?? 1;
  const [low, high] = [Math.min(lower, ...ratios), Math.max(upper, ...ratios)];
  const x = (pair: number) => EDGE + ((WIDTH - 2 * EDGE) * pair) / Math.max(1, last);
  const y = (ratio: number) => EDGE + ((HEIGHT - 2 * EDGE) * (high - ratio)) / (high - low || 1);
  const points = pairs.map((pair, place) => `${x(pair).toFixed(1)},${y(ratios[place] ?? 0).toFixed(1)}`);
  const now = ratios.at(-1) ?? 0;
  const told = `Log-likelihood ratio ${now.toFixed(2)} after ${last} pairs; bounds ${lower.toFixed(2)} and ${upper.toFixed(2)}`;
  return (
    <section aria-labelledby="sprt">
      <h2 id="sprt">Sequential test</h2>
      <svg className="course ratios" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={told}>
        {[lower, upper].map((bound) => (
          <line key={bound} className="bound" x1={EDGE} x2={WIDTH - EDGE} y1={y(bound)} y2={y(bound)} />
        ))}
        <line className="even" x1={EDGE} x2={WIDTH - EDGE} y1={y(0)} y2={y(0)} />
        <polyline className="line" points={`${x(0)},${y(0)} ${points.join(" ")}`} />
      </svg>
      <p className="note">{told}.</p>
    </section>
  );
}
