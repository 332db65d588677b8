// Builds the console into dist/console. As a program with --sizes, prints the script that each page loads.
import { renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const outDir = join(root, "dist/console");
// Beside the old build and then renamed: a service that is running never sees half of a build.
const newDir = join(root, "dist/console-new");
const budgetBytes = 200 * 1024;

export async function buildConsole() {
  const { output } = await build({
    configFile: join(root, "console/vite.config.ts"),
    logLevel: "warn",
    build: { outDir: newDir },
  });
  const firstLoads = measureFirstLoads(output);
  if (process.argv.includes("--sizes"))
    for (const { page, bytes } of firstLoads) process.stderr.write(`  ${kilobytes(bytes)}  ${page}\n`);
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
  const sizes = new Map([...chunks.keys()].map((name) => [name, statSync(join(newDir, `${name}.br`)).size]));
  const closure = (name, found = new Set()) => {
    if (found.has(name) || !chunks.has(name)) return found;
    found.add(name);
    for (const imported of chunks.get(name).imports) closure(imported, found);
    return found;
  };
  const all = [...chunks.values()];
  const entry = all.find(({ isEntry }) => isEntry);
  const frame = all.find(({ facadeModuleId }) => facadeModuleId?.endsWith("/shell/frame.tsx"));
  // What the router loads: a page itself loads dialogs later, when they are opened.
  const pages = entry.dynamicImports
    .map((name) => chunks.get(name))
    .filter(({ facadeModuleId }) => facadeModuleId?.includes("/src/pages/"));
  const framed = (id) => !/\/pages\/(landing|docs|sign-in|connect|door)\//.test(id);
  return pages
    .map((page) => {
      const parts = [entry, page, ...(framed(page.facadeModuleId) ? [frame] : [])];
      const names = new Set(parts.flatMap(({ fileName }) => [...closure(fileName)]));
      const bytes = [...names].reduce((sum, name) => sum + sizes.get(name), 0);
      return { page: page.facadeModuleId.split("/src/pages/")[1].replace(/\.tsx$/, ""), bytes };
    })
    .sort((a, b) => b.bytes - a.bytes);
}

function kilobytes(bytes) {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole();
