import * as fs from "node:fs";
import { register } from "node:module";

// The conformance suites import fs.globSync, which Node 20 lacks. Only their reporting uses it, and not in these runs.
const replacement = `export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];`;
const hooks = `export const resolve = (specifier, context, next) => specifier === "fs"
  ? { url: ${JSON.stringify(dataUrl(replacement))}, shortCircuit: true }
  : next(specifier, context);`;

if (!("globSync" in fs)) register(dataUrl(hooks));

function dataUrl(code) {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
