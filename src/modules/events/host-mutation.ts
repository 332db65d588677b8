import { z } from "zod";
import { line } from "../../../contract/schema/fields.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { defineEventMutation, type MutationTool, type Proposal, type ToolState } from "../../runner/mutation.js";
import type { EventRole, EventToolContext, ToolDeclaration } from "../../runner/tool.js";
import type { Warning } from "../../runner/warnings.js";
import type { HostChange, OfferedChange } from "./host-rules.js";
import { findHostOffer, listHosts, saveHosts } from "./host-store.js";
import { getOrganizationNamed } from "./named-organization.js";

/** What all tools that change the hosts of an event have in common. */
export const hostTool = {
  group: "event_management",
  scope: "events:write",
  role: "admin",
  input: z.object({
    organization_id: line(200).exactOptional().meta({ description: "id, slug or exact name; send this or slug" }),
    slug: line(200).exactOptional(),
  }),
} as const satisfies Partial<ToolDeclaration> & { input: z.ZodObject };

type Named = z.output<typeof hostTool.input>;

export async function readHosts({ tx, caller, event }: EventToolContext, input: Named): Promise<HostChange> {
  const [organization, hosts] = await Promise.all([getOrganizationNamed(tx, caller, input), listHosts(tx, event.id)]);
  return { organization, hosts };
}

export async function readHostsAndOffer(context: EventToolContext, input: Named): Promise<OfferedChange> {
  const [hosts, offer] = await Promise.all([
    readHosts(context, input),
    findHostOffer(context.tx, context.event.id, context.caller.organizationId),
  ]);
  return { ...hosts, offer };
}

/** What a change of hosts depends on. Other co-hosts come and go without changing what it does. */
export function basisOfHosts({ organization, hosts, offer = null }: HostChange & Partial<OfferedChange>) {
  return {
    organization,
    role: hosts.find(({ id }) => id === organization.id)?.role ?? null,
    host: hosts.find(({ role }) => role === "host")?.id ?? null,
    offer,
  };
}

/** A tool that changes who hosts an event. `change` decides what the hosts become, `require` who may do it. */
export function hostMutation<State extends HostChange & ToolState, Related = undefined>(
  tool: Pick<ToolDeclaration, "name" | "title" | "description" | "example"> & {
    destructive: boolean;
    event: EventRole;
    read(context: EventToolContext, input: Named): Promise<State>;
    require?(state: State, caller: OrganizationCaller): void;
    change(current: State): State;
    related?(context: EventToolContext): Promise<Related>;
    warnings?(proposal: Proposal<State, Named, undefined>, related: Related): Warning[];
  },
): MutationTool<unknown> {
  const { read, require, change, ...declaration } = tool;
  return defineEventMutation({
    ...declaration,
    ...hostTool,
    async read(context, input) {
      const state = await read(context, input);
      require?.(state, context.caller);
      return state;
    },
    propose: change,
    basis: basisOfHosts,
    store: ({ tx, event }, { proposed }) => saveHosts(tx, event.id, proposed.hosts),
  });
}
