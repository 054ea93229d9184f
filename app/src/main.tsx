import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import "./palette.css";
import "./style/base.css";
import "./style/board.css";
import "./style/rules.css";
import "./style/insight.css";
import "./style/home.css";
import "./style/new-game.css";
import "./style/play.css";
import "./style/review.css";
import "./style/watch.css";
import "./style/runs.css";
import { applyTheme } from "./theme";

applyTheme();
createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
