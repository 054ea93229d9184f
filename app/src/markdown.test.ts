import { expect, test } from "vitest";
import { blocks } from "./markdown";

test("headings, paragraphs, lists, tables and code are told apart", () => {
  const text =
    "# Pig\n\nTwo players\nrace.\n\n- A roll\n  of two\n- Hold\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n```sh\nls\n```\n";
  expect(blocks(text)).toEqual([
    { kind: "heading", level: 1, text: "Pig" },
    { kind: "text", text: "Two players race." },
    { kind: "list", ordered: false, items: ["A roll of two", "Hold"] },
    { kind: "table", head: ["a", "b"], rows: [["1", "`2`"]] },
    { kind: "code", text: "ls" },
  ]);
});

test("a paragraph that begins in bold is no list", () => {
  expect(blocks("**Board.** The board")).toEqual([{ kind: "text", text: "**Board.** The board" }]);
});
