import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressedAssets } from "./plugins/compressed-assets.ts";
import { documentation } from "./plugins/documentation.ts";
import { englishOnly } from "./plugins/english-only.ts";
import { firstPaint, type PartsOfPages } from "./plugins/first-paint.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The service that `npx vite console` passes requests to. */
const service = process.env.CONSOLE_SERVICE ?? "http://127.0.0.1:3000";

/** With the Host of the browser, which the service compares with the Origin of a change. */
const proxied = { target: service, changeOrigin: false };

const withoutTimings = { checks: { bundlerTimings: false } };

/** Few files, because each costs a round trip. A group takes what its modules import, unless one above has it. */
const codeSplitting = {
  groups: [
    { name: "app", tags: ["$initial" as const], priority: 4 },
    { name: "visitors", test: /\/pages\/(?:landing|sign-in)\//, priority: 3 },
    { name: "frame", test: /\/(?:shell\/frame|pages\/dashboard\/dashboard)\.tsx$/, priority: 2 },
    // Mostly of forms that are opened: pages do not wait for it.
    { name: "dates", test: /\/(?:ui\/(?:date-|use-typed)|format\/typed-date)/, priority: 2 },
    { name: "codes", test: /node_modules\/qr\/|\/qr-code\.tsx/, priority: 2 },
    {
      name: "shared",
      minShareCount: 3,
      test: /node_modules|\/console\/src\/(?!pages\/(?:docs|activity))/,
      priority: 1,
    },
  ],
};

/** Loaded together with the application, not after it. */
const partsOfPages: PartsOfPages = [
  ["^/($|sign-in|invite/|reset/)", ["pages/sign-in/sign-in.tsx"]],
  ["^/(o|admin|account)($|/)", ["shell/frame.tsx"]],
  ["^/o/[^/]+/?$", ["pages/dashboard/dashboard.tsx"]],
  ["^/o/[^/]+/events/?$", ["pages/events/events.tsx", "pages/events/events-table.tsx"]],
  ["^/o/[^/]+/events/[^/]+($|/)", ["pages/event/event-frame.tsx"]],
  ["^/docs($|/)", ["pages/docs/docs-frame.tsx"]],
];

export default defineConfig({
  root: path("."),
  publicDir: path("public"),
  plugins: [
    react(),
    englishOnly(),
    ...documentation(path("../docs")),
    firstPaint(path("src/shell/boot.js"), partsOfPages),
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
    cssCodeSplit: false,
    reportCompressedSize: false,
    // Served as /licenses.txt.
    license: { fileName: "licenses.txt" },
    // Most of the time is compression, which is ours.
    rolldownOptions: { ...withoutTimings, output: { codeSplitting } },
  },
  worker: { rolldownOptions: withoutTimings },
});
