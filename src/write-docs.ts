import { writeFile } from "node:fs/promises";
import { documentedErrors, toolErrorCodes } from "../contract/errors.js";
import { scopeGrants } from "../contract/scopes.js";
import { apiDocuments } from "./api-documents.js";
import { loadConfig } from "./config.js";
import { projectRoot } from "./infra/project-root.js";
import { prompts } from "./mcp/prompts.js";
import { toolsData, toolsDocument } from "./mcp/tools-document.js";
import { tools } from "./registry.js";
import { importFormatPage } from "./transfer/import-format-page.js";

/** `npm run docs` writes the generated pages of docs/. CI fails when they differ from the committed ones. */
const docs = new URL("docs/", projectRoot);
const config = loadConfig({});

const { openapi } = apiDocuments(config);
await writeFile(new URL("openapi.json", docs), `${JSON.stringify(openapi, null, 2)}\n`);
await writeFile(new URL("tools.md", docs), toolsDocument(tools, prompts));
await writeFile(new URL("reference.json", docs), `${JSON.stringify(reference(), null, 2)}\n`);
await writeFile(new URL("import-format.md", docs), importFormatPage());

/** What the documentation pages of the console show in addition to OpenAPI. */
function reference(): object {
  const errors = (endpoint: "rest" | "ticketing") =>
    documentedErrors(endpoint).map(({ status, code, condition }) => ({ status, code, condition }));
  return {
    tools: toolsData(tools),
    scopes: scopeGrants,
    errors: { rest: errors("rest"), ticketing: errors("ticketing"), tools: toolErrorCodes },
  };
}
