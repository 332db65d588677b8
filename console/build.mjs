// Builds the console into dist/console. As a program with --sizes, prints the script that each page loads.
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "console/src");
const outDir = join(root, "dist/console");
// Beside the old build and then renamed: a service that is running never sees half of a build.
const newDir = join(root, "dist/console-new");
const budgetBytes = 220 * 1024;

export async function buildConsole() {
  const { output } = await build({
    configFile: join(root, "console/vite.config.ts"),
    logLevel: "warn",
    build: { outDir: newDir },
  });
  const firstLoads = measureFirstLoads(output);
  if (process.argv.includes("--sizes"))
    for (const { page, files, bytes } of firstLoads)
      process.stderr.write(`  ${kilobytes(bytes)} in ${String(files).padStart(2)} files  ${page}\n`);
  const [heaviest] = firstLoads;
  if (heaviest.bytes > budgetBytes)
    throw new Error(
      `console: at most ${kilobytes(budgetBytes)} of compressed script on first load, but ${heaviest.page} loads ${kilobytes(heaviest.bytes)}`,
    );
  rmSync(outDir, { recursive: true, force: true });
  renameSync(newDir, outDir);
}

/** Per page: what a browser gets, in brotli, of the entry, the frame around the page and the page, with what they import. */
function measureFirstLoads(output) {
  const chunks = new Map(output.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]));
  const chunkOf = (module) => [...chunks.values()].find(({ moduleIds }) => moduleIds.includes(join(source, module)));
  const closure = ({ fileName, imports }, found = new Set()) => {
    if (found.has(fileName)) return found;
    found.add(fileName);
    for (const imported of imports) closure(chunks.get(imported), found);
    return found;
  };
  const framed = (page) => !/^pages\/(landing|docs|sign-in|connect)\/|\/door\//.test(page);
  return pagesOfRoutes()
    .map((page) => {
      const modules = ["main.tsx", page, ...(framed(page) ? ["shell/frame.tsx"] : [])];
      const names = new Set(modules.flatMap((module) => [...closure(chunkOf(module))]));
      const bytes = [...names].reduce((sum, name) => sum + statSync(join(newDir, `${name}.br`)).size, 0);
      return { page, files: names.size, bytes };
    })
    .sort((a, b) => b.bytes - a.bytes);
}

function pagesOfRoutes() {
  const routes = readdirSync(join(source, "routes")).map((name) => readFileSync(join(source, "routes", name), "utf8"));
  return routes.flatMap((text) => [...text.matchAll(/import\("\.\.\/(pages\/[^"]+)"\)/g)].map(([, page]) => page));
}

function kilobytes(bytes) {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole();
