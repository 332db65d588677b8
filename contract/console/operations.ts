import { z } from "zod";
import { uuid } from "../schema/fields.js";
import { accountOperations } from "./account.js";
import { adminOperations } from "./admin.js";
import { doorLinkOperations } from "./door-links.js";
import { eventOperations } from "./event.js";
import { guestOperations } from "./guests.js";
import { imageOperations } from "./images.js";
import { organizationOperations } from "./organization.js";
import type { OperationName } from "./paths.js";

/** What a request of the console contains in addition to its path, and the JSON of its response. */
export type Operation = {
  /** Parameters of the path that have a form of their own. An organization is named by its id or slug. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body is a file of one of these types, instead of JSON. */
  file?: { types: readonly string[]; maximumBytes: number };
  /** Without it, a response has no body, or is a file, an image or a stream. Responses are validated in tests, not at run time. */
  response?: z.ZodType;
};

/** A call of a tool with its arguments, as for MCP. What it returns is described by the tool. */
const toolCall = {
  params: z.object({ tool: z.string() }),
  body: z.record(z.string(), z.unknown()),
  response: z.unknown(),
};

export const consoleOperations = {
  ...accountOperations,
  ...organizationOperations,
  ...eventOperations,
  ...guestOperations,
  ...doorLinkOperations,
  ...imageOperations,
  ...adminOperations,
  runTool: { ...toolCall, query: z.object({ part_of: uuid.optional() }) },
  runAdminTool: toolCall,
} satisfies Record<OperationName, Operation>;

export type ConsoleOperations = typeof consoleOperations;

/** What a request may contain in one of its parts; nothing if the operation does not declare it. */
export type Declared<
  Name extends OperationName,
  Part extends keyof Operation,
> = Part extends keyof ConsoleOperations[Name] ? ConsoleOperations[Name][Part] : undefined;
