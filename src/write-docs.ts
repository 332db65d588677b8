import { writeFile } from "node:fs/promises";
import { loadConfig } from "./config.js";
import { openapiDocument } from "./http/openapi.js";
import { toolsDocument } from "./mcp/tools-document.js";
import { projectRoot } from "./platform/project-root.js";
import { removedEndpoints, routes, tools } from "./registry.js";

/** `npm run docs`: the generated pages of docs/. CI fails when they differ from what is committed. */
const docs = new URL("docs/", projectRoot);
const config = loadConfig({});

const openapi = openapiDocument(config, routes, removedEndpoints);
await writeFile(new URL("openapi.json", docs), `${JSON.stringify(openapi, null, 2)}\n`);
await writeFile(new URL("tools.md", docs), toolsDocument(tools));
