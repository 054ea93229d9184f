import { expect, test } from "vitest";
import { back, type Choice, click, isChoice, NOTHING, offers, type Selection } from "./select";

const choice = (id: number, ...path: Choice["path"]): Choice => ({ id, name: `action ${id}`, path });

/** Click keys one after the other. */
function clicks(choices: Choice[], ...keys: string[]): Selection | Choice {
  let now: Selection | Choice = NOTHING;
  for (const key of keys) now = click(choices, isChoice(now) ? NOTHING : now, key);
  return now;
}
const ends = (choices: Choice[], now: Selection | Choice) => offers(choices, now as Selection).ends.map(({ id }) => id);

const strikes = [choice(1, "b3", "c5"), choice(2, "b3", "c5", "c6"), choice(3), choice(4, "a1", "a2")];
const mulligan = [choice(0, []), choice(1, ["h0"]), choice(2, ["h1"]), choice(3, ["h0", "h1"])];

test("a path that ends is played at once if it is the only one", () => {
  expect(clicks(strikes, "a1", "a2")).toMatchObject({ id: 4 });
  expect(clicks([choice(7, "c")], "c")).toMatchObject({ id: 7 });
});

test("a path that ends where others go on is a button, and a second click on the same key", () => {
  expect(ends(strikes, clicks(strikes, "b3", "c5"))).toEqual([1]);
  expect(clicks(strikes, "b3", "c5", "c5")).toMatchObject({ id: 1 });
  expect(clicks(strikes, "b3", "c5", "c6")).toMatchObject({ id: 2 });
});

test("only keys that lead to an action are offered", () => {
  expect([...offers(strikes, NOTHING).keys].sort()).toEqual(["a1", "b3"]);
  expect([...offers(strikes, clicks(strikes, "b3") as Selection).keys]).toEqual(["c5"]);
});

test("an action without a path is a button before anything is clicked", () => {
  expect(ends(strikes, NOTHING)).toEqual([3]);
  expect(ends(strikes, clicks(strikes, "b3"))).toEqual([]);
});

test("equal paths become a menu", () => {
  const flights = [choice(1, "pawn", "Paris"), choice(2, "pawn", "Paris")];
  expect(ends(flights, clicks(flights, "pawn", "Paris"))).toEqual([1, 2]);
});

test("a second click lets go of what has no action of its own", () => {
  expect(clicks(strikes, "b3", "b3")).toEqual(NOTHING);
});

test("a set is picked in any order, and its button is the action with exactly that set", () => {
  expect(ends(mulligan, NOTHING)).toEqual([0]);
  expect(ends(mulligan, clicks(mulligan, "h1", "h0"))).toEqual([3]);
  expect(ends(mulligan, clicks(mulligan, "h1", "h0", "h1"))).toEqual([1]);
});

test("a set in the middle of a path goes on with the next key", () => {
  const cures = [choice(1, "cure", ["a", "b"], "lab"), choice(2, "cure", ["a", "c"], "lab")];
  expect(clicks(cures, "cure", "b", "lab")).toEqual(NOTHING);
  expect(clicks(cures, "cure", "b", "a", "lab")).toMatchObject({ id: 1 });
});

test("another first key starts over, and any other key clears", () => {
  expect(clicks(strikes, "b3", "a1")).toEqual({ done: ["a1"], picked: [] });
  expect(clicks(strikes, "b3", "z9")).toEqual(NOTHING);
});

test("back undoes one click", () => {
  expect(back(clicks(strikes, "b3", "c5") as Selection)).toEqual({ done: ["b3"], picked: [] });
  expect(back(clicks(mulligan, "h0") as Selection)).toEqual(NOTHING);
  expect(back(NOTHING)).toEqual(NOTHING);
});
