/** What an agent thinks: its best actions with their values as bars, and what it expects. */
import type { Thought, Valued } from "../api.gen";
import { sentence } from "./Actions";

const SHOWN = 6; // actions with their values

interface Props {
  thought: Thought;
  /** Names of the seats, for the expected line of play. */
  seats: string[];
}

export function Thoughts({ thought, seats }: Props) {
  const order = (a: Valued, b: Valued) =>
    Number(b.id === thought.best) - Number(a.id === thought.best) ||
    (b.visits ?? 0) - (a.visits ?? 0) ||
    (b.value ?? 0) - (a.value ?? 0);
  const judged = thought.actions.filter(({ value, visits }) => value !== null || visits);
  if (judged.length === 0) return <p className="note">The agent did not compare its actions here.</p>;
  const best = judged.sort(order).slice(0, SHOWN);
  const most = Math.max(0, ...thought.actions.map(({ visits }) => visits ?? 0)); // 0: it counts none
  return (
    <>
      <table className="values">
        <thead>
          <tr>
            <th>Action</th>
            <th>Value</th>
            <th>Chance</th>
            {most > 0 ? <th>Visits</th> : null}
          </tr>
        </thead>
        <tbody>
          {best.map((each) => (
            <tr key={each.id} className={each.id === thought.best ? "best" : undefined}>
              <td>{sentence(each.name)}</td>
              <td>{each.value === null ? "–" : each.value.toFixed(2)}</td>
              <td>{each.chance === null ? "–" : <Share share={each.chance} what="chance" />}</td>
              {most > 0 ? (
                <td>
                  <Share share={(each.visits ?? 0) / most} what={`${each.visits ?? 0} visits`} />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="note">
        {thought.iterations.toLocaleString("en")} iterations
        {thought.seconds >= 0.05 ? ` in ${thought.seconds.toFixed(1)} s` : ""}
        {thought.health ? `; ${worlds(thought.health)}` : ""}
      </p>
      {thought.line.length > 1 ? (
        <p className="note">Expects {thought.line.map((step) => `${seats[step.player]}: ${step.name}`).join(", ")}</p>
      ) : null}
    </>
  );
}

/** The number of worlds in a belief, in words. */
export function worlds({ worlds: count, effective }: { worlds: number; effective: number }): string {
  const worth = Math.round(effective);
  const many = `${count.toLocaleString("en")} ${count === 1 ? "world" : "worlds"}`;
  return worth < count ? `${many}, effectively ${worth.toLocaleString("en")}` : many;
}

/** A share of one as a bar; a screen reader hears the number. */
export function Share({ share, what }: { share: number; what: string }) {
  const percent = Math.round(100 * Math.min(1, Math.max(0, share)));
  return (
    <span className="share" role="img" aria-label={what === "chance" ? `chance ${percent} %` : what}>
      <span style={{ width: `${percent}%` }} />
    </span>
  );
}
