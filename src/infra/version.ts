import { readFileSync } from "node:fs";
import { projectRoot } from "./project-root.js";

/** The version of the service, from package.json. */
export const { version: serviceVersion }: { version: string } = JSON.parse(
  readFileSync(new URL("package.json", projectRoot), "utf8"),
);

/** The version of the API is the major version of the service: breaking changes need a new one. */
export const apiVersion = serviceVersion.split(".", 1)[0];
