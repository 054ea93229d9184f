import { expect, test } from "vitest";
import { parsed } from "./api";

test("an event of a stream has a name and data", () => {
  expect(parsed('event: done\ndata: {"a": 1}')).toEqual({ event: "done", data: { a: 1 } });
});

test("a comment of a stream is no event", () => {
  expect(parsed(": waiting")).toEqual({ event: "", data: undefined });
});
