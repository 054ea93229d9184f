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
