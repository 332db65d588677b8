// Builds the console into dist/console and the preview card, unless their sources are those of the last build. Prints what a
// first visit loads.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const outDir = join(root, "dist/console");
const hashFile = join(outDir, ".hash");
const cardFile = join(root, "dist/preview-card.html");
const budgetBytes = 200 * 1024;

const hash = hashOfSources();
if (existsSync(cardFile) && existsSync(hashFile) && readFileSync(hashFile, "utf8") === hash) process.exit(0);

// Beside the old build and then renamed: a service that is running never sees half of a build.
const newDir = join(root, "dist/console-new");
const { build } = await import("vite");
const { buildPreviewCard } = await import("./build-preview-card.mjs");
const cardBytes = await buildPreviewCard(cardFile);
const { output } = await build({
  configFile: join(root, "console/vite.config.ts"),
  logLevel: "warn",
  build: { outDir: newDir },
});
const firstLoads = measureFirstLoads(output);
printFirstLoads(firstLoads);
console.log(`preview card: ${(cardBytes / 1000).toFixed(1)} KB`);
writeFileSync(join(newDir, ".hash"), hash);
rmSync(outDir, { recursive: true, force: true });
renameSync(newDir, outDir);

const heavy = firstLoads.filter(({ bytes }) => bytes > budgetBytes);
if (heavy.length > 0) {
  rmSync(hashFile);
  console.error(`console: more than ${budgetBytes / 1024} KB of compressed script on first load: ${heavy[0].page}`);
  process.exit(1);
}

function hashOfSources() {
  const sources = createHash("sha256");
  const add = (file) =>
    sources
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  for (const folder of ["console", "docs"]) {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort()) add(file.slice(root.length));
  }
  for (const file of ["src/schema/type-in-words.ts", "src/poster-render/colors.ts", "package-lock.json"]) add(file);
  return sources.digest("hex");
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
  const framed = (id) => !/\/pages\/(landing|docs|sign-in|door)\//.test(id);
  return pages
    .map((page) => {
      const parts = [entry, page, ...(framed(page.facadeModuleId) ? [frame] : [])];
      const names = new Set(parts.flatMap(({ fileName }) => [...closure(fileName)]));
      const bytes = [...names].reduce((sum, name) => sum + sizes.get(name), 0);
      return { page: page.facadeModuleId.split("/src/pages/")[1].replace(/\.tsx$/, ""), bytes };
    })
    .sort((a, b) => b.bytes - a.bytes);
}

function printFirstLoads(loads) {
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
  const [largest] = loads;
  const smallest = loads.at(-1);
  console.log(
    `console: compressed script on first load: ${kilobytes(smallest.bytes)} (${smallest.page}) to ${kilobytes(largest.bytes)} (${largest.page}), at most ${kilobytes(budgetBytes)}`,
  );
  if (process.argv.includes("--sizes"))
    for (const { page, bytes } of loads) console.log(`  ${kilobytes(bytes)}  ${page}`);
}
