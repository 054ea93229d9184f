import { expect, test } from "vitest";
import { checked, claimsOf, slim } from "./records";

const RECORD =
  '{"game": "pig", "players": ["random", "person:Bo"], "seed": 123456789012345678901, "moves": [], "scores": []}';

test("a record is kept as the text that it was written as", () => {
  expect(checked(RECORD, "a.json")).toBe(RECORD);
  expect(claimsOf(RECORD)).toEqual({
    game: "pig",
    players: ["random", "person:Bo"],
    moves: 0,
    scores: null,
    resigned: null,
  });
});

test.each([
  ["{", "it is not JSON"],
  ["[]", "is not a record"],
  ['{"game": "pig"}', "is not a record"],
])("a file that is no record is refused in a sentence: %s", (text, sentence) => {
  expect(() => checked(text, "a.json")).toThrow(sentence);
});

test("a large record is sent without statistics, and its numbers stay exact", () => {
  const large = '{"seed": 123456789012345678901, "moves": [{"visits": [1, 2], "values": [0.5, null]}], "digest": "0a"}';
  expect(slim(large, 10)).toBe('{"seed": 123456789012345678901, "moves": [{"visits": [], "values": []}]}');
  expect(slim(large)).toBe(large);
});
