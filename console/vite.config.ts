import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { blockingScript } from "./plugins/blocking-script.ts";
import { compressedAssets } from "./plugins/compressed-assets.ts";
import { documentation } from "./plugins/documentation.ts";
import { englishOnly } from "./plugins/english-only.ts";
import { preloadedFonts } from "./plugins/preloaded-fonts.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The service that `npx vite console` passes requests to. */
const service = process.env.CONSOLE_SERVICE ?? "http://127.0.0.1:3000";

/** With the Host of the browser, which the service compares with the Origin of a change. */
const proxied = { target: service, changeOrigin: false };

const withoutTimings = { checks: { bundlerTimings: false } };

export default defineConfig({
  root: path("."),
  publicDir: path("public"),
  plugins: [
    react(),
    englishOnly(),
    ...documentation(path("../docs")),
    blockingScript(path("src/shell/theme-boot.js")),
    preloadedFonts(["inter-latin-400-normal", "inter-latin-500-normal", "bricolage-grotesque-latin-600-normal"]),
    compressedAssets(),
  ],
  // Found late, a dependency would be bundled with a second copy of React until the page is reloaded.
  optimizeDeps: { include: ["react-aria-components", "@tanstack/react-virtual"] },
  server: { proxy: Object.fromEntries(["/api", "/images", "/oauth", "/openapi.json"].map((path) => [path, proxied])) },
  build: {
    outDir: path("../dist/console"),
    emptyOutDir: true,
    target: ["chrome123", "edge123", "firefox121", "safari17.5"],
    // A strict Content-Security-Policy: nothing inline, so no polyfill and no data: URLs.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Served as /licenses.txt.
    license: { fileName: "licenses.txt" },
    // Most of the time is compression, which is ours.
    rolldownOptions: withoutTimings,
  },
  worker: { rolldownOptions: withoutTimings },
});
