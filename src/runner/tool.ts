import { z } from "zod";
import type { Role } from "../../contract/roles.js";
import { uuid } from "../../contract/schema/fields.js";
import type { RequiredScope } from "../../contract/scopes.js";
import type { OrganizationCaller, PlatformCaller } from "../access/caller.js";
import type { EventRole } from "../access/hosting.js";
import type { Queryable } from "../infra/database/db.js";

/** The groups of tools, as the deployment allowlist names them. */
export const toolGroups = ["organization", "event_management", "speakers", "registrations", "production"] as const;

export type { EventRole };

export type ToolGroup = (typeof toolGroups)[number];

/** What a tool's functions are given. */
export type ToolContext = { tx: Queryable; caller: OrganizationCaller; baseUrl: string };

/** The event of a call. Whether the organization hosts it is checked at the same time as the first statement; a result counts only if it does. */
export type CallEvent = { id: string };

/** What the functions of an event tool are given. */
export type EventToolContext = ToolContext & { event: CallEvent };

/** What the functions of a tool are given that finds its event itself. */
export type LocatedToolContext = ToolContext & { event: CallEvent | undefined };

/** The event of a call, and what the organization must be to it. */
export type EventTarget = { id: string; role: EventRole };

export type NamedTool = {
  name: string;
  title: string;
  /** Written for an agent: when to use it, what it returns, what comes next. */
  description: string;
};

export type ToolDeclaration = NamedTool & {
  group: ToolGroup;
  /** What the key must have. */
  scope: RequiredScope;
  /** The least role that the user must have in the organization. */
  role: Role;
  /** Whether it reads from addresses outside of this service. */
  openWorld?: true;
  /** Whether the tool is one beyond the 31 of the specification, which discovery says. */
  addition?: true;
  /** Arguments that work on the demo data, for the documentation. Every tool of the MCP endpoint has them. */
  example?: AnyInput;
};

/** What the functions of a tool for platform administrators are given. */
export type PlatformToolContext = { tx: Queryable; caller: PlatformCaller; baseUrl: string };

/** Who runs a tool: for an organization, or for the platform as a whole. */
export type ToolCaller = OrganizationCaller | PlatformCaller;

/** The context as the runner passes it: `event` is there for tools that declare an event role. */
export type RunContext = { tx: Queryable; caller: ToolCaller; baseUrl: string; event: CallEvent | undefined };

export type AnyInput = Record<string, unknown>;

/** What a call returns. Symbols mark what is not part of its JSON: images, and that it is the result of an earlier commit. */
export type ToolResult = Record<string, unknown>;

/** An image that a result shows to whoever called, such as a drawing that a commit would store. */
export type ResultImage = { contentType: string; bytes: Buffer };

/** The key of a result's images. A symbol, so that they are neither part of the JSON of the result nor recorded. */
export const resultImages = Symbol("images of a result");

export function imagesOf(result: object): ResultImage[] {
  return resultImages in result ? (result[resultImages] as ResultImage[]) : [];
}

/** For errors, whose details are JSON only. */
export function withoutImages(result: ToolResult): ToolResult {
  return Object.fromEntries(Object.entries(result));
}

/** A tool as the runner sees it. Tools with an event role take `event_id`, which the runner checks. */
export type RunnableTool = NamedTool & { kind: "read" | "mutation"; event?: EventRole; input: z.ZodObject };

/** A tool of an organization. */
export type DeclaredTool = RunnableTool & ToolDeclaration;

export type ReadTool = DeclaredTool & {
  kind: "read";
  /** The shape of a result. Tests validate results against it; calls do not. */
  output: z.ZodObject;
  read(context: RunContext, input: AnyInput): Promise<Record<string, unknown>>;
};

type Read<Context, Input extends z.ZodObject, Output extends z.ZodObject> = ToolDeclaration & {
  input: Input;
  output: Output;
  read(context: Context, input: z.output<Input>): Promise<z.input<Output>>;
};

/** A tool that reads. The database itself refuses a change in it. */
export function defineRead<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Read<ToolContext, Input, Output>,
): ReadTool {
  return {
    ...tool,
    kind: "read",
    read: (context, input) => tool.read(context as ToolContext, input as z.output<Input>),
  };
}

/** A tool that reads about one event. Its input gets `event_id`. */
export function defineEventRead<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Read<EventToolContext, Input, Output> & { event: EventRole },
): ReadTool {
  return {
    ...tool,
    kind: "read",
    input: withEventId(tool.input),
    read: (context, input) => tool.read(context as EventToolContext, input as z.output<Input>),
  };
}

export function withEventId(input: z.ZodObject): z.ZodObject {
  return z.object({ event_id: uuid, ...input.shape });
}
