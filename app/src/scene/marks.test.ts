import { expect, test } from "vitest";
import { fitted } from "./marks";

test("a text that fits keeps its size, and a longer one is broken before it is made smaller", () => {
  expect(fitted("Saber", 3, 0.3, 2)).toEqual({ lines: ["Saber"], size: 0.3 });
  expect(fitted("Saberspine Tiger", 1, 0.3, 2).lines).toEqual(["Saberspine", "Tiger"]);
  const long = fitted("Gloom", 0.5, 0.3, 2);
  expect(long.lines).toEqual(["Gloom"]);
  expect(long.size).toBeLessThan(0.3);
});
