import { expect, test } from "vitest";
import { grouped } from "./Actions";

test("actions are grouped by the first word of their names", () => {
  const named = ["drive to Paris", "fly to Rome", "drive to Essen", "pass"].map((name) => ({ name }));
  expect(grouped(named).map(([word, all]) => [word, all.length])).toEqual([
    ["drive", 2],
    ["fly", 1],
    ["pass", 1],
  ]);
});

test("words that all actions begin with tell no groups apart", () => {
  const named = ["player 1: drive to Paris", "player 1: fly to Rome", "player 1: fly to Essen"].map((name) => ({
    name,
  }));
  expect(grouped(named).map(([words]) => words)).toEqual(["player 1: drive", "player 1: fly"]);
});
