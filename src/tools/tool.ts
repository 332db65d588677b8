import { z } from "zod";
import type { OrganizationCaller, PlatformCaller } from "../access/caller.js";
import type { HostedEvent } from "../access/hosting.js";
import type { Role } from "../access/roles.js";
import type { Scope } from "../access/scopes.js";
import type { Queryable } from "../platform/database/db.js";
import { uuid } from "../schema/fields.js";

/** The groups of tools, as the deployment allowlist names them. */
export const toolGroups = ["organization", "event_management", "speakers", "registrations", "production"] as const;

export type ToolGroup = (typeof toolGroups)[number];

/** What a tool's functions are given. */
export type ToolContext = { tx: Queryable; caller: OrganizationCaller; baseUrl: string };

/** What the functions of an event tool are given: the caller's organization hosts the event. */
export type EventToolContext = ToolContext & { event: HostedEvent };

/** What the organization must be to the event that an event tool is about. */
export type EventRole = "host_or_co_host" | "host";

export type NamedTool = {
  name: string;
  title: string;
  /** Written for an agent: when to use it, what it returns, what comes next. */
  description: string;
};

export type ToolDeclaration = NamedTool & {
  group: ToolGroup;
  scope: Scope;
  /** The least role that the user must have in the organization. */
  role: Role;
  /** Arguments that work on the demo data, for the documentation. Every tool of the MCP endpoint has them. */
  example?: AnyInput;
};

/** What the functions of a tool for platform administrators are given. */
export type PlatformToolContext = { tx: Queryable; caller: PlatformCaller; baseUrl: string };

/** Who runs a tool: for an organization, or for the platform as a whole. */
export type ToolCaller = OrganizationCaller | PlatformCaller;

/** The context as the runner passes it: `event` is there for tools that declare an event role. */
export type RunContext = { tx: Queryable; caller: ToolCaller; baseUrl: string; event: HostedEvent | undefined };

export type AnyInput = Record<string, unknown>;

/** A tool as the runner sees it. Tools with an event role take `event_id`, which the runner checks. */
export type RunnableTool = NamedTool & { event?: EventRole; input: z.ZodObject };

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

/** A tool that reads, in one read-only transaction. */
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
