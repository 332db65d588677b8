import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** How test code reaches the configured services; src/ gets its configuration from its caller. */
const servicesPattern = /\binject\("postgres"|\benv\.(DATABASE_URL|REDIS_URL)\b/;

const hookPattern = /^(before|after)(All|Each)\(/m;

/** CONTRIBUTING.md says what they are for. */
export type TestKind = "unit" | "mocked" | "pages" | "services" | "standalone" | "slow" | "alone" | "long" | "browser";

export function findTestFiles(): Record<TestKind, string[]> {
  const found: Record<TestKind, string[]> = {
    unit: [],
    mocked: [],
    pages: [],
    services: [],
    standalone: [],
    slow: [],
    alone: [],
    long: [],
    browser: [],
  };
  for (const folder of ["contract", "src", "test", "console/src", "console/test"]) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort()) {
      if (name.endsWith(".test.ts")) found[kindOf(folder, name)].push(join(folder, name));
    }
  }
  return found;
}

function kindOf(folder: string, name: string): TestKind {
  if (folder === "console/test") return "pages";
  for (const kind of ["slow", "alone", "long"] as const) if (name.endsWith(`.${kind}.test.ts`)) return kind;
  if (name.startsWith("browser/")) return "browser";
  const file = join(root, folder, name);
  const mocks = /\bvi\.(mock|doMock)\(/.test(read(file));
  const usesServices = withHelpers(file).some((helper) => servicesPattern.test(read(helper)));
  if (mocks && usesServices) throw new Error(`${relative(root, file)}: mock modules only in files that use no service`);
  if (mocks) return "mocked";
  if (folder !== "test") return "unit";
  return usesServices ? "services" : "standalone";
}

/** The file and every file under test/ that it imports, directly or indirectly. Type imports do not count. */
function withHelpers(file: string, found = new Set([file])): string[] {
  const code = read(file).replaceAll(/^(?:import|export) type [^;]*;/gm, "");
  for (const [, specifier = ""] of code.matchAll(/"(\.[^"]+)\.js"/g)) {
    const helper = `${join(dirname(file), specifier)}.ts`;
    if (found.has(helper) || !helper.startsWith(join(root, "test/")) || !existsSync(helper)) continue;
    // Without isolation a helper is loaded once per worker: hooks at its top level would run for one file only.
    if (hookPattern.test(read(helper))) throw new Error(`${relative(root, helper)}: call hooks in a function`);
    found.add(helper);
    withHelpers(helper, found);
  }
  return [...found];
}

const read = (file: string) => readFileSync(file, "utf8");
