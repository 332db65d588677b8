import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { projectRoot } from "../../src/infra/project-root.js";

/** Loads a module of the packages of .ci/package.json, which `npm ci` does not install. */
export async function loadCheckPackage<Exports>(specifier: string): Promise<Exports> {
  return (await import(pathToFileURL(resolveCheckPackage(specifier)).href)) as Exports;
}

export function resolveCheckPackage(specifier: string): string {
  try {
    return createRequire(new URL(".ci/package.json", projectRoot)).resolve(specifier);
  } catch (error) {
    throw new Error(`${specifier} is not installed; run: npm run check-packages`, { cause: error });
  }
}
