// Builds into dist/ what is out of date. With names of steps, only those: node build.mjs [name …]
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireNode } from "./bin/require-node.js";

requireNode("build");
const root = fileURLToPath(new URL(".", import.meta.url));
const compiler = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"];

/** In this order: the template is made by compiled code. */
const steps = [
  {
    name: "service",
    sources: [
      "contract",
      "src",
      "demo",
      "examples",
      "bench",
      "fonts/update.ts",
      "tsconfig.json",
      "tsconfig.build.json",
    ],
    result: "dist/src/main.js",
    run: () => execFileSync(process.execPath, compiler, { cwd: root, stdio: "inherit" }),
  },
  {
    name: "database template",
    sources: ["src/infra/embedded-db/template.ts"],
    result: "dist/src/infra/embedded-db/template.js",
    run: async () => (await import("./dist/src/infra/embedded-db/template.js")).makeTemplate(),
  },
  {
    name: "preview card",
    sources: ["contract", "console/src", "console/build-preview-card.mjs"],
    result: "dist/preview-card.html",
    run: async () => (await import("./console/build-preview-card.mjs")).buildPreviewCard(),
  },
  {
    name: "console",
    sources: [
      ...["src", "plugins", "public", "index.html", "vite.config.ts", "build.mjs"].map((name) => `console/${name}`),
      ...["contract", "docs", "fonts"],
    ],
    result: "dist/console/index.html",
    run: async () => (await import("./console/build.mjs")).buildConsole(),
  },
];

// Vite would otherwise bundle React for development.
process.env.NODE_ENV = "production";

await build(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});

async function build(only) {
  if (!isInstalled("typescript")) return requireResults();
  for (const { name, sources, result, run } of steps) {
    if (only.length > 0 && !only.includes(name)) continue;
    const stampFile = join(root, "dist", `.built-${name.replaceAll(" ", "-")}`);
    const stamp = stampOf([...sources, "package-lock.json", "build.mjs"]);
    if (existsSync(join(root, result)) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) continue;
    process.stderr.write(`building the ${name} …\n`);
    await run();
    mkdirSync(join(root, "dist"), { recursive: true });
    writeFileSync(stampFile, stamp);
  }
}

/** Where only the packages of production are installed, the service runs as it was built. */
function requireResults() {
  if (steps.every(({ result }) => existsSync(join(root, result)))) return;
  throw new Error(
    "not built yet, and the packages that build it are not installed; run: npm ci && npm run build && npm prune --omit=dev",
  );
}

function isInstalled(name) {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

/** Changes with every file that is added, removed or written. */
function stampOf(paths) {
  const hash = createHash("sha256");
  const add = (path, { size, mtimeMs }) => hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  for (const path of paths) {
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    if (stats?.isFile()) add(path, stats);
    if (!stats?.isDirectory()) continue;
    for (const name of readdirSync(join(root, path), { recursive: true, encoding: "utf8" }).sort()) {
      const entry = statSync(join(root, path, name));
      if (entry.isFile() && !/\.test\.tsx?$/.test(name)) add(join(path, name), entry);
    }
  }
  return hash.digest("hex");
}
