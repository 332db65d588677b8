import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { consoleOperations, type Operation } from "../../contract/console/operations.js";
import { consolePaths } from "../../contract/console/paths.js";
import { toolResults } from "../../contract/console/tool-results.js";

const operations = Object.entries(consolePaths).map(([name, request]) => ({
  name,
  // A literal part comes before a parameter at the same place.
  parameters: request.split(":").length,
  pattern: new RegExp(`^${request.replaceAll(/[.]/g, "\\.").replaceAll(/:\w+/g, "[^/]+")}$`),
  schema: (consoleOperations as Record<string, Operation>)[name]?.response,
}));
operations.sort((a, b) => a.parameters - b.parameters);

/** Downloads, and the description of an application to install. */
const filesOfJson = ["exportActivity", "exportAdminRecords", "doorManifest"];

/** Fails if a response of the console is not what the contract says. Those of errors have one form, which others check. */
export function checkConsoleResponse(method: string, path: string, response: { status: number; text: string }): void {
  if (!path.startsWith("/api/console/") || response.status < 200 || response.status > 299) return;
  const request = `${method} ${path.split("?", 1)[0]}`;
  const operation = operations.find(({ pattern }) => pattern.test(request));
  if (operation === undefined) throw new Error(`${request} is no operation of the contract`);
  const hasJson = /^[{["]/.test(response.text);
  if (operation.schema === undefined) {
    if (hasJson && !filesOfJson.includes(operation.name)) {
      throw new Error(`${operation.name} returns JSON that the contract does not have: ${response.text.slice(0, 500)}`);
    }
    return;
  }
  const json: unknown = hasJson ? JSON.parse(response.text) : undefined;
  const parsed = operation.schema.safeParse(json);
  const about = `The response of ${operation.name} is not what the contract says`;
  if (!parsed.success) throw new Error(`${about}: ${parsed.error.message}`);
  if (!isDeepStrictEqual(parsed.data, json)) {
    throw new Error(`${about}: it has fields that the contract does not have, in ${response.text.slice(0, 2_000)}`);
  }
}

/** The same for what a page has read with a tool, of which the contract has the parts that pages use. */
export function checkPageResponse(method: string, path: string, response: { status: number; text: string }): void {
  checkConsoleResponse(method, path, response);
  const tool = /^\/api\/console\/organizations\/[^/]+\/tools\/(\w+)$/.exec(path)?.[1];
  if (tool === undefined || response.status !== 200) return;
  (toolResults as Record<string, z.ZodType>)[tool]?.parse(JSON.parse(response.text));
}
