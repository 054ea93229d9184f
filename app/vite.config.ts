import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = "http://127.0.0.1:8008";

export default defineConfig({
  plugins: [react()],
  base: "./",
  build: { outDir: "../src/plyglass/serve/app", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
  server: { host: "127.0.0.1", proxy: { "/v1": server, "/readyz": server } },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
