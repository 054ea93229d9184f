import { expect, test } from "vitest";
import { verdict } from "./saved";

test("the verdict is from the person's own seat", () => {
  expect(verdict({ over: true, scores: [1, -1], seat: 0 })).toBe("You won");
  expect(verdict({ over: true, scores: [1, -1], seat: 1 })).toBe("You lost");
  expect(verdict({ over: true, scores: [0, 0], seat: 1 })).toBe("A draw");
  expect(verdict({ over: false, scores: null, seat: 1 })).toBe("");
});

test("players of a cooperative game win together", () => {
  expect(verdict({ over: true, scores: [1, 1], seat: 0 }, true)).toBe("You won together");
  expect(verdict({ over: true, scores: [0, 0], seat: 0 }, true)).toBe("You lost together");
});

test("who gives up has lost", () => {
  expect(verdict({ over: true, scores: null, seat: 0, resigned: 0 })).toBe("You gave up");
  expect(verdict({ over: true, scores: null, seat: 1, resigned: 0 })).toMatch(/^You won/);
});
