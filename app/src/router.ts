/** Pages by the part of the address after #, so any server of files can serve them. */
import { useSyncExternalStore } from "react";

export type Route =
  | { page: "home" }
  | { page: "new"; game: string }
  | { page: "play"; match: string }
  | { page: "review"; match: string }
  | { page: "record"; record: string }
  | { page: "watch"; game: string }
  | { page: "runs"; run: string }
  | { page: "join"; invitation: string };

export function routeOf(hash: string): Route {
  const [page, name] = hash.replace(/^#\/?/, "").split("/").map(decoded);
  if (page === "new" && name) return { page, game: name };
  if ((page === "play" || page === "review") && name) return { page, match: name };
  if (page === "record" && name) return { page, record: name };
  if (page === "watch") return { page, game: name ?? "" };
  if (page === "runs") return { page, run: name ?? "" };
  if (page === "join" && name) return { page, invitation: name };
  return { page: "home" };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

export function addressOf(route: Route): string {
  if (route.page === "new") return `#/new/${encodeURIComponent(route.game)}`;
  if (route.page === "play" || route.page === "review") return `#/${route.page}/${encodeURIComponent(route.match)}`;
  if (route.page === "record") return `#/record/${encodeURIComponent(route.record)}`;
  if (route.page === "watch") return `#/watch/${encodeURIComponent(route.game)}`;
  if (route.page === "runs") return `#/runs/${encodeURIComponent(route.run)}`;
  if (route.page === "join") return `#/join/${encodeURIComponent(route.invitation)}`;
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
