/** The marks of a shape, in SVG, in cells. They look as in `plyglass.report.drawing`. */
import type { ReactNode } from "react";
import type { CardShape, Point, Shape } from "./types";

export const colour = (role: string) => `var(--${role})`;
const list = (points: Point[]) => points.map((point) => point.join(",")).join(" ");

/** The marks of one shape. */
export function marks(shape: Shape): ReactNode {
  const fill = colour(shape.role);
  switch (shape.kind) {
    case "Tile":
      return <rect x={shape.x + 0.012} y={shape.y + 0.012} width={0.976} height={0.976} rx={0.04} fill={fill} />;
    case "Disc":
      return <circle className="edge" cx={shape.x} cy={shape.y} r={shape.radius} fill={fill} />;
    case "Polygon":
      return <polygon className="edge" points={list(shape.points)} fill={fill} />;
    case "Path":
      return <Line points={shape.points} fill={fill} width={shape.width} dashed={shape.dashed} arrow={shape.arrow} />;
    case "Ring":
      return (
        <rect
          x={shape.x + 0.05}
          y={shape.y + 0.05}
          width={shape.width - 0.1}
          height={shape.height - 0.1}
          rx={0.14}
          fill={fill}
          fillOpacity={0.1}
          stroke={fill}
          strokeWidth={0.045}
        />
      );
    case "Label":
      return <Text x={shape.x} y={shape.y} size={shape.size} fill={fill} text={shape.text} />;
    case "Bar":
      return <Bar {...shape} fill={fill} />;
    case "Card":
      return <Card {...shape} fill={fill} />;
  }
}

interface TextProps {
  x: number;
  y: number;
  size: number;
  fill: string;
  text: string;
  bold?: boolean;
  anchor?: "middle" | "start" | "end";
}

/** A line of text. Browsers round small font sizes, so it is written large and made smaller. */
function Text({ x, y, size, fill, text, bold, anchor = "middle" }: TextProps) {
  const scale = size / 20;
  return (
    <text
      transform={`translate(${x} ${y}) scale(${scale})`}
      dy="0.35em"
      fontSize={20}
      textAnchor={anchor}
      fill={fill}
      fontWeight={bold ? 650 : undefined}
    >
      {text}
    </text>
  );
}

interface LineProps {
  points: Point[];
  fill: string;
  width: number;
  dashed?: boolean;
  arrow?: boolean;
}

function Line({ points, fill, width, dashed, arrow }: LineProps) {
  const [before, tip] = points.slice(-2);
  return (
    <>
      <polyline
        points={list(points)}
        fill="none"
        stroke={fill}
        strokeWidth={width}
        strokeLinejoin="round"
        strokeLinecap={dashed ? undefined : "round"}
        strokeDasharray={dashed ? `${width * 2.6} ${width * 2.2}` : undefined}
      />
      {arrow && before && tip ? <polygon points={list(head(before, tip, 2.4 * width))} fill={fill} /> : null}
    </>
  );
}

function head([fromX, fromY]: Point, [tipX, tipY]: Point, size: number): Point[] {
  const length = Math.hypot(tipX - fromX, tipY - fromY) || 1;
  const [x, y] = [(size * (tipX - fromX)) / length, (size * (tipY - fromY)) / length];
  return [
    [tipX + x, tipY + y],
    [tipX - x - y, tipY - y + x],
    [tipX - x + y, tipY - y - x],
  ];
}

function Bar({ x, y, width, share, fill }: { x: number; y: number; width: number; share: number; fill: string }) {
  const part = Math.min(1, Math.max(0, share));
  const place = { x: x - width / 2, y: y - 0.05, height: 0.1, rx: 0.05 };
  return (
    <>
      <rect {...place} width={width} fill={colour("ghost")} opacity={0.55} className="edge" />
      <rect {...place} width={width * part} fill={fill} />
    </>
  );
}

/** A card, as `_Board.card` of `plyglass.report.drawing.geometry` draws it. */
function Card({ x, y, width, height, title, cost, corner, text, fill }: CardShape & { fill: string }) {
  const size = Math.min(0.3, 0.2 * height);
  const place = 0.08 + 0.72 * size;
  const face = { x: x + 0.04, y: y + 0.04, width: width - 0.08, height: height - 0.08, rx: 0.1 };
  const written = { x: x + width / 2, room: width - 0.2 };
  return (
    <>
      <rect className="card" {...face} fill={colour("grid")} />
      <rect {...face} fill={fill} fillOpacity={0.12} stroke={fill} strokeWidth={0.035} />
      {cost ? (
        <>
          <circle className="edge" cx={x + place} cy={y + place} r={0.72 * size} fill={fill} />
          <Text x={x + place} y={y + place} size={size} fill={colour("grid")} text={cost} bold />
        </>
      ) : null}
      <Lines
        {...written}
        y={y + (cost ? 0.51 : 0.34) * height}
        text={title}
        size={0.84 * size}
        fill={colour("ink")}
        bold
      />
      {text ? (
        <Lines
          {...written}
          y={y + (corner ? 0.72 : 0.82) * height}
          text={text}
          size={0.75 * size}
          fill={colour("muted")}
        />
      ) : null}
      {corner ? (
        <Lines {...written} y={y + height - 0.06 - 0.7 * size} text={corner} size={size} fill={fill} bold />
      ) : null}
    </>
  );
}

interface LinesProps {
  x: number;
  y: number;
  room: number;
  text: string;
  size: number;
  fill: string;
  bold?: boolean;
}

/** One or two lines around a middle; bold letters are wider. */
function Lines({ x, y, room, text, size, fill, bold }: LinesProps) {
  const found = fitted(text, bold ? 0.9 * room : room, size, 2);
  const first = y - ((found.lines.length - 1) / 2) * 1.15 * found.size;
  return found.lines.map((line, number) => (
    <Text
      key={line}
      x={x}
      y={first + number * 1.15 * found.size}
      size={found.size}
      fill={fill}
      text={line}
      bold={bold}
    />
  ));
}

/** A text in at most so many lines, and the size at which it fits into a width: nothing is cut off. */
export function fitted(text: string, width: number, size: number, most: number): { lines: string[]; size: number } {
  const fits = (lines: string[]) => Math.min(size, width / Math.max(...lines.map(textWidth)));
  let best = [text];
  for (let count = 2; count <= most; count++) {
    const lines = broken(text.split(" "), count);
    if (fits(lines) > fits(best) + 1e-9) best = lines;
  }
  return { lines: best, size: fits(best) };
}

/** Words in at most so many lines, the widest of which is as narrow as possible. */
function broken(words: string[], lines: number): string[] {
  if (lines === 1 || words.length === 1) return [words.join(" ")];
  const widest = (each: string[]) => Math.max(...each.map(textWidth));
  const tries = words
    .slice(1)
    .map((_, cut) => [words.slice(0, cut + 1).join(" "), ...broken(words.slice(cut + 1), lines - 1)]);
  return tries.reduce((best, each) => (widest(each) < widest(best) ? each : best));
}

/** The width of a line, in sizes, in a wide font. */
function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) {
    if (" .,:;'|!ijlI()[]-ft".includes(letter)) width += 0.37;
    else if ("mwMW@%—".includes(letter)) width += 0.95;
    else width += letter !== letter.toLowerCase() ? 0.7 : 0.63;
  }
  return Math.max(width, 0.3);
}
