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

/** Fails if a response of the console is not what the contract says. Those of errors have one form, which others check. */
export function checkConsoleResponse(method: string, path: string, response: { status: number; text: string }): void {
  if (!path.startsWith("/api/console/") || response.status !== 200) return;
  const request = `${method} ${path.split("?", 1)[0]}`;
  const operation = operations.find(({ pattern }) => pattern.test(request));
  if (operation === undefined) throw new Error(`${request} is no operation of the contract`);
  if (operation.schema === undefined) return;
  const json: unknown = JSON.parse(response.text);
  if (operation.name === "runTool") {
    // Pages use a part of what the tool declares.
    (toolResults as Record<string, z.ZodType>)[request.split("/").at(-1) ?? ""]?.parse(json);
    return;
  }
  const parsed = operation.schema.safeParse(json);
  const about = `The response of ${operation.name} is not what the contract says`;
  if (!parsed.success) throw new Error(`${about}: ${parsed.error.message}`);
  if (!isDeepStrictEqual(parsed.data, json)) {
    throw new Error(`${about}: it has fields that the contract does not have, in ${response.text.slice(0, 2_000)}`);
  }
}
