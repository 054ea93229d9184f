import { expect, test } from "vitest";
import { parsed, recordIn } from "./api";

test("an event of a stream has a name and data", () => {
  expect(parsed('event: done\ndata: {"a": 1}')).toEqual({ event: "done", data: { a: 1 } });
});

test("the record of a watched match is the text that the server wrote", () => {
  const record = '{"seed": 123456789012345678901, "players": ["a", "b, \\"server\\": "]}';
  expect(recordIn(`event: done\ndata: {"record": ${record}, "server": "plyglass 1"}`)).toBe(record);
});

test("a comment of a stream is no event", () => {
  expect(parsed(": waiting")).toEqual({ event: "", data: undefined });
});
