import { expect, test } from "vitest";
import { addressOf, type Route, routeOf } from "./router";

test("every page has an address that leads back to it", () => {
  const routes: Route[] = [
    { page: "home" },
    { page: "new", game: "kuhn poker/2" },
    { page: "play", match: "a1" },
    { page: "record", record: "1f" },
    { page: "watch", game: "" },
    { page: "watch", game: "kuhn" },
    { page: "runs", run: "" },
    { page: "runs", run: "a.b" },
    { page: "join", invitation: "3f.x_2" },
  ];
  for (const route of routes) expect(routeOf(addressOf(route))).toEqual(route);
});

test("an unknown address is the first page", () => {
  expect(routeOf("#/nowhere/1")).toEqual({ page: "home" });
  expect(routeOf("")).toEqual({ page: "home" });
});
