/** Where shapes are: boxes, in cells. */
import type { Box, Point, Region, Scene, Shape, Spot } from "./types";

const NEAR = 0.1; // cells between shapes that still touch
const MARGIN = 0.12; // cells around everything that is drawn
const LETTER = 0.6; // width of a letter, in sizes of the text

const around = (points: Point[], by = 0): Box => {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [x, y] = [Math.min(...xs) - by, Math.min(...ys) - by];
  return { x, y, width: Math.max(...xs) + by - x, height: Math.max(...ys) + by - y };
};

/** The box of a shape. */
export function boxOf(shape: Shape): Box {
  switch (shape.kind) {
    case "Tile":
      return { x: shape.x, y: shape.y, width: 1, height: 1 };
    case "Disc":
      return around([[shape.x, shape.y]], shape.radius);
    case "Polygon":
      return around(shape.points);
    case "Path":
      return around(shape.points, shape.width);
    case "Label": {
      const width = shape.text.length * shape.size * LETTER;
      return { x: shape.x - width / 2, y: shape.y - shape.size / 2, width, height: shape.size };
    }
    case "Bar":
      return { x: shape.x - shape.width / 2, y: shape.y - 0.05, width: shape.width, height: 0.1 };
    default:
      return { x: shape.x, y: shape.y, width: shape.width, height: shape.height };
  }
}

/** The smallest box around two boxes. */
export function union(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const right = Math.max(a.x + a.width, b.x + b.width);
  const bottom = Math.max(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}

export const centre = ({ x, y, width, height }: Box): Point => [x + width / 2, y + height / 2];

export const holds = (box: Box, [x, y]: Point): boolean =>
  x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height;

/** The boxes of every key: one around all its shapes that touch, without text, the largest first. */
export function boxesOfKeys(shapes: Shape[]): Map<string, Spot[]> {
  const found = new Map<string, Spot[]>();
  const add = (key: string, box: Spot) => found.set(key, merged(found.get(key) ?? [], box));
  for (const shape of shapes)
    if (shape.key && shape.kind !== "Label") add(shape.key, { ...boxOf(shape), outline: shape });
  const drawn = new Set(found.keys());
  for (const shape of shapes) {
    if (shape.key && shape.kind === "Label" && !drawn.has(shape.key)) add(shape.key, boxOf(shape));
  }
  for (const boxes of found.values()) boxes.sort((a, b) => area(b) - area(a));
  return found;
}

export const area = ({ width, height }: Box) => width * height;

const touch = (a: Box, b: Box) =>
  a.x <= b.x + b.width + NEAR &&
  b.x <= a.x + a.width + NEAR &&
  a.y <= b.y + b.height + NEAR &&
  b.y <= a.y + a.height + NEAR;

/** Boxes with another one, which is joined to those that it touches. */
function merged(boxes: Spot[], box: Spot): Spot[] {
  const near = boxes.find((each) => touch(each, box));
  return near
    ? merged(
        boxes.filter((each) => each !== near),
        joined(near, box),
      )
    : [...boxes, box];
}

/** Two boxes as one; a shape that fills it all is its outline. */
function joined(a: Spot, b: Spot): Spot {
  const whole = union(a, b);
  const fills = [a, b].find((each) => area(each) > 0.97 * area(whole));
  return { ...whole, outline: fills?.outline };
}

/** All that a scene draws, with a margin. */
export function extent(scene: Scene): Box {
  const board: Box = { x: 0, y: 0, width: scene.width, height: scene.height };
  const all = scene.shapes.map(boxOf).reduce(union, board);
  return { x: all.x - MARGIN, y: all.y - MARGIN, width: all.width + 2 * MARGIN, height: all.height + 2 * MARGIN };
}

/** The region that a shape belongs to: the first that holds its middle; without one, the nearest. */
export function regionOf(shape: Shape, regions: Region[]): Region | undefined {
  const [x, y] = centre(boxOf(shape));
  const inside = regions.find((region) => holds(region, [x, y]));
  if (inside) return inside;
  const distance = (region: Region) =>
    Math.hypot(
      Math.max(region.x - x, 0, x - region.x - region.width),
      Math.max(region.y - y, 0, y - region.y - region.height),
    );
  return [...regions].sort((a, b) => distance(a) - distance(b))[0];
}

/** The next key in a direction: the nearest of those that lie more along it than across. */
export function nextKey(boxes: Map<string, Spot[]>, from: string, [dx, dy]: Point): string | undefined {
  const start = boxes.get(from)?.[0];
  if (!start) return boxes.keys().next().value;
  const [x, y] = centre(start);
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [key, [box]] of boxes) {
    if (!box) continue;
    const [toX, toY] = centre(box);
    const along = (toX - x) * dx + (toY - y) * dy;
    const across = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
    const cost = along + 2.5 * across;
    if (along > 0.01 && cost < least) [best, least] = [key, cost];
  }
  return best;
}

/** The key whose box is nearest to a point, within a distance. */
export function nearestKey(boxes: Map<string, Spot[]>, [x, y]: Point, within: number): string | undefined {
  let best: string | undefined;
  let least = within;
  for (const [key, all] of boxes) {
    for (const box of all) {
      const far = Math.hypot(
        Math.max(box.x - x, 0, x - box.x - box.width),
        Math.max(box.y - y, 0, y - box.y - box.height),
      );
      if (far <= least) [best, least] = [key, far];
    }
  }
  return best;
}
