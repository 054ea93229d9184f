import { expect, test } from "vitest";
import { boxesOfKeys, extent, nearestKey, nextKey, regionOf } from "./geometry";
import type { Scene, Shape } from "./types";

const tile = (x: number, y: number, key: string): Shape => ({ kind: "Tile", role: "board", x, y, key });
const scene = (shapes: Shape[]): Scene => ({ width: 3, height: 3, shapes, title: "", caption: [], ground: "board" });
const boxes = boxesOfKeys([tile(0, 0, "a3"), tile(1, 0, "b3"), tile(2, 0, "c3"), tile(0, 2, "a1"), tile(2, 1, "c2")]);

test("a key has a box around its shapes that touch, without their text", () => {
  const text: Shape = { kind: "Label", role: "ink", x: 0.5, y: 0.5, text: "a very long name", size: 0.3, key: "a3" };
  const found = boxesOfKeys([tile(0, 0, "a3"), text, tile(1, 0, "a3")]);
  expect(found.get("a3")).toMatchObject([{ x: 0, y: 0, width: 2, height: 1, outline: undefined }]);
  expect(boxesOfKeys([text]).get("a3")?.[0]?.height).toBe(0.3);
  const apart = boxesOfKeys([tile(0, 0, "pawn"), tile(3, 0, "pawn"), tile(4, 0, "pawn")]);
  expect(apart.get("pawn")?.map(({ width }) => width)).toEqual([2, 1]);
});

test("arrow keys go to the nearest key in their direction", () => {
  expect(nextKey(boxes, "a3", [1, 0])).toBe("b3");
  expect(nextKey(boxes, "a3", [0, 1])).toBe("a1");
  expect(nextKey(boxes, "c3", [0, 1])).toBe("c2");
  expect(nextKey(boxes, "c3", [1, 0])).toBeUndefined();
  expect(nextKey(boxes, "gone", [1, 0])).toBe("a3");
});

test("a touch beside a key means the nearest key", () => {
  expect(nearestKey(boxes, [1.5, 1.2], 0.5)).toBe("b3");
  expect(nearestKey(boxes, [1.5, 1.9], 0.3)).toBeUndefined();
});

test("the extent holds shapes beyond the board", () => {
  const found = extent(scene([tile(3, -1, "")]));
  expect(found.y).toBeLessThan(-1);
  expect(found.x + found.width).toBeGreaterThan(4);
});

test("a shape belongs to the region that holds it, or to the nearest", () => {
  const regions = [
    { name: "board", x: 0, y: 0, width: 3, height: 3 },
    { name: "hand", x: 0, y: 3, width: 3, height: 1 },
  ];
  expect(regionOf(tile(1, 3, ""), regions)?.name).toBe("hand");
  expect(regionOf(tile(1, 6, ""), regions)?.name).toBe("hand");
  expect(regionOf(tile(4, 0, ""), regions)?.name).toBe("board");
});

test("a shape that fills the place of a key is its outline", () => {
  const stone: Shape = { kind: "Disc", role: "own", x: 0.5, y: 0.5, radius: 0.3, key: "a3" };
  expect(boxesOfKeys([stone, tile(0, 0, "a3")]).get("a3")?.[0]?.outline?.kind).toBe("Tile");
  expect(boxesOfKeys([stone]).get("a3")?.[0]?.outline?.kind).toBe("Disc");
});
