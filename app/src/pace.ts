/** How long each view of others' actions is shown: a choice of the person. */
const NAME = "plyglass.pace";

export const PACES: Record<string, number> = { slow: 1000, normal: 480, fast: 180, "at once": 0 };

export const paceName = () => {
  const kept = localStorage.getItem(NAME);
  return kept !== null && kept in PACES ? kept : "normal";
};

export const setPace = (name: string) => localStorage.setItem(NAME, name);

/** Milliseconds for each view. */
export const pace = () => PACES[paceName()] ?? 0;
