import { existsSync } from "node:fs";

const sourceRoot = new URL("../../", import.meta.url);

/** The root of the checkout. Compiled files are one level deeper, in dist/src/. */
export const projectRoot = existsSync(new URL("package.json", sourceRoot))
  ? sourceRoot
  : new URL("../../../", import.meta.url);
