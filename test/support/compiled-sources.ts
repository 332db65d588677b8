import { readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { include: folders }: { include: string[] } = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8"));

/** Node loads these files by itself. */
export const builtFiles = new RegExp(`^${join(root, "dist/").replaceAll(/[^\w/-]/g, "\\$&")}`);

/** Resolves what tests import of the service to its build; see docs/decisions/tests.md. */
export function compiledSources(): Plugin {
  return {
    name: "compiled-sources",
    enforce: "pre",
    resolveId(specifier, importer) {
      if (importer === undefined || !specifier.startsWith(".") || !specifier.endsWith(".js")) return null;
      const file = relative(root, join(dirname(importer), specifier));
      return folders.includes(file.split(sep, 1)[0] ?? "") ? join(root, "dist", file) : null;
    },
  };
}
