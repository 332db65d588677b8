import { z } from "zod";
import type { OrganizationCaller } from "../access/caller.js";
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

export type ToolDeclaration = {
  name: string;
  title: string;
  group: ToolGroup;
  /** Written for an agent: when to use it, what it returns, what comes next. */
  description: string;
  scope: Scope;
  /** The least role that the key's user must have in the organization. */
  role: Role;
};

/** The context as the runner passes it: `event` is there for tools that declare an event role. */
export type RunContext = ToolContext & { event: HostedEvent | undefined };

export type AnyInput = Record<string, unknown>;

/** A declaration as the runner sees it. Tools with an event role take `event_id`, which the runner checks. */
export type DeclaredTool = ToolDeclaration & { event?: EventRole; input: z.ZodObject };

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
  return { ...tool, kind: "read", read: (context, input) => tool.read(context, input as z.output<Input>) };
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
