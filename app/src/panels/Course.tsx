/** The course of the chances in a match as a line; marked decisions are dots that can be clicked. */
import type { Reviewed } from "../api.gen";

const WIDTH = 820;
const HEIGHT = 210;
const EDGE = 10;

interface Props {
  plies: Reviewed[];
  /** How many decisions there will be. */
  count: number;
  /** The chance of the person whose course it is, at each decision. */
  chanceOf: (each: Reviewed) => number | null;
  chosen: number | undefined;
  onChoose: (ply: number) => void;
}

export function Course({ plies, count, chanceOf, chosen, onChoose }: Props) {
  const x = (ply: number) => EDGE + ((WIDTH - 2 * EDGE) * ply) / Math.max(1, count - 1);
  const y = (chance: number) => EDGE + (HEIGHT - 2 * EDGE) * (1 - chance);
  const points = plies.flatMap((each) => {
    const chance = chanceOf(each);
    return chance === null ? [] : [{ each, at: `${x(each.ply).toFixed(1)},${y(chance).toFixed(1)}` }];
  });
  const marked = points.filter(({ each }) => each.mark);
  const now = points.find(({ each }) => each.ply === chosen);
  return (
    <svg className="course" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Your chances during the match">
      <line className="even" x1={EDGE} x2={WIDTH - EDGE} y1={y(0.5)} y2={y(0.5)} />
      {points.length > 1 ? (
        <>
          <polygon
            className="under"
            points={`${x(points[0]?.each.ply ?? 0)},${y(0)} ${points.map(({ at }) => at).join(" ")} ${x(points.at(-1)?.each.ply ?? 0)},${y(0)}`}
          />
          <polyline className="line" points={points.map(({ at }) => at).join(" ")} />
        </>
      ) : null}
      {now ? <line className="now" x1={x(now.each.ply)} x2={x(now.each.ply)} y1={0} y2={HEIGHT} /> : null}
      {marked.map(({ each, at }) => {
        const [cx, cy] = at.split(",");
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list beside it has buttons for the same
          <circle
            key={each.ply}
            className={each.mark === "??" ? "mark worst" : "mark"}
            cx={cx}
            cy={cy}
            r="10"
            onClick={() => onChoose(each.ply)}
          >
            <title>{`${each.name} ${each.mark}`}</title>
          </circle>
        );
      })}
    </svg>
  );
}
