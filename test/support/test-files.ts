import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The two ways in which test code gets at the configured services; src/ gets its configuration from its caller. */
const servicesPattern = /\binject\(|\benv\.(DATABASE_URL|REDIS_URL)\b/;

const hookPattern = /^(before|after)(All|Each)\(/m;

export type TestFiles = { services: string[]; standalone: string[]; isolated: string[]; browser: string[] };

/**
 * All test files. `services` use the database of the run, DATABASE_URL or REDIS_URL, in the file itself or in a test helper
 * that it imports; the results of all others do not depend on the configured services. `isolated` are those of the others
 * that mock modules. `browser` are those that drive a browser, with the database of the run.
 */
export function findTestFiles(): TestFiles {
  const found: TestFiles = { services: [], standalone: [], isolated: [], browser: [] };
  for (const folder of ["src", "test", "console/src"]) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort()) {
      if (name.endsWith(".test.ts")) found[kindOf(join(root, folder, name))].push(join(folder, name));
    }
  }
  return found;
}

function kindOf(file: string): keyof TestFiles {
  if (file.startsWith(join(root, "test/browser/"))) return "browser";
  const mocks = /\bvi\.(mock|doMock)\(/.test(read(file));
  const usesServices = withHelpers(file).some((helper) => servicesPattern.test(read(helper)));
  if (mocks && usesServices) throw new Error(`${relative(root, file)}: mock modules only in files that use no service`);
  if (mocks) return "isolated";
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
