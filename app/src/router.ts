/** Pages by the part of the address after #, so any server of files can serve them. */
import { useSyncExternalStore } from "react";

export type Route = { page: "home" } | { page: "new"; game: string } | { page: "play"; match: string };

export function routeOf(hash: string): Route {
  const [page, name] = hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  if (page === "new" && name) return { page, game: name };
  if (page === "play" && name) return { page, match: name };
  return { page: "home" };
}

export function addressOf(route: Route): string {
  if (route.page === "new") return `#/new/${encodeURIComponent(route.game)}`;
  if (route.page === "play") return `#/play/${encodeURIComponent(route.match)}`;
  return "#/";
}

export const go = (route: Route) => {
  location.hash = addressOf(route);
};

const subscribe = (changed: () => void) => {
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
};

export const useHash = () => useSyncExternalStore(subscribe, () => location.hash);
