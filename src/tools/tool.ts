import type { z } from "zod";
import type { OrganizationCaller } from "../access/caller.js";
import type { HostRole } from "../access/hosting.js";
import type { Role } from "../access/roles.js";
import type { Scope } from "../access/scopes.js";
import type { Queryable } from "../platform/db.js";

/** The groups of tools, as the deployment allowlist names them. */
export const toolGroups = ["organization", "event_management", "speakers", "registrations", "production"] as const;

export type ToolGroup = (typeof toolGroups)[number];

export type EventAccess = { id: string; role: HostRole };

/** What a tool's functions are given. Event tools also get `event`: the caller's organization hosts it. */
export type ToolContext = {
  tx: Queryable;
  caller: OrganizationCaller;
  baseUrl: string;
  event: EventAccess | undefined;
};

/** What is the same for every tool; the runner and the list are made from it. */
export type ToolDeclaration<Input extends z.ZodObject> = {
  name: string;
  title: string;
  group: ToolGroup;
  /** Written for an agent: when to use it, what it returns, what comes next. */
  description: string;
  scope: Scope;
  /** The least role of the key's user in the organization. */
  role: Role;
  /** What the organization must be to the event that `event_id` names; undefined: the tool is not about an event. */
  event?: "host_or_co_host" | "host";
  input: Input;
};

export type ReadTool = ToolDeclaration<z.ZodObject> & {
  kind: "read";
  /** Tests hold every result against it; requests do not pay for it. */
  output: z.ZodObject;
  read(context: ToolContext, input: Record<string, unknown>): Promise<Record<string, unknown>>;
};

/** A tool that reads. Its queries run in one read-only transaction. */
export function defineRead<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolDeclaration<Input> & {
    output: Output;
    read(context: ToolContext, input: z.output<Input>): Promise<z.input<Output>>;
  },
): ReadTool {
  return { ...tool, kind: "read", read: (context, input) => tool.read(context, input as z.output<Input>) };
}

/** The id of the event that an event tool is about. */
export function eventOf(context: Pick<ToolContext, "event">): EventAccess {
  if (context.event === undefined) throw new Error("an event tool ran without its event");
  return context.event;
}
