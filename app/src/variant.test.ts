import { expect, test } from "vitest";
import { baseOf, optionsIn, variantOf } from "./variant";

const OPTIONS = [
  { name: "map", values: ["crossroads", "plains"], value: "crossroads" },
  { name: "fog", values: ["true", "false"], value: "true" },
];

test("the id of a variant names what is not as usual", () => {
  const game = { id: "tubstap", options: OPTIONS };
  expect(variantOf(game, {})).toBe("tubstap");
  expect(variantOf(game, { map: "crossroads", fog: "false" })).toBe("tubstap:fog=false");
  expect(variantOf(game, { fog: "false", map: "plains" })).toBe("tubstap:map=plains,fog=false");
});

test("an id tells its game and its options", () => {
  expect(baseOf("tubstap:map=plains,fog=false")).toBe("tubstap");
  expect(optionsIn("tubstap:map=plains,fog=false")).toBe("map plains, fog false");
  expect(optionsIn("tubstap")).toBe("");
});
