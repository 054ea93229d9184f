/** Light or dark: as the system says, until a person chooses. */
const NAME = "plyglass.theme";

export function applyTheme(): void {
  const kept = localStorage.getItem(NAME);
  if (kept) document.documentElement.dataset.theme = kept;
}

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function toggleTheme(): void {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  localStorage.setItem(NAME, theme);
}
