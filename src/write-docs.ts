import { writeFile } from "node:fs/promises";
import { apiDocuments } from "./api-documents.js";
import { loadConfig } from "./config.js";
import { toolsDocument } from "./mcp/tools-document.js";
import { projectRoot } from "./platform/project-root.js";
import { tools } from "./registry.js";
import { importFormatPage } from "./transfer/import-format-page.js";

/** `npm run docs` writes the generated pages of docs/. CI fails when they differ from the committed ones. */
const docs = new URL("docs/", projectRoot);
const config = loadConfig({});

const { openapi } = apiDocuments(config);
await writeFile(new URL("openapi.json", docs), `${JSON.stringify(openapi, null, 2)}\n`);
await writeFile(new URL("tools.md", docs), toolsDocument(tools));
await writeFile(new URL("import-format.md", docs), importFormatPage());
