import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import "./palette.css";
import "./style.css";
import { applyTheme } from "./theme";

applyTheme();
createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
