import { z } from "zod";
import { roleAtLeast } from "../../../../contract/roles.js";
import { line } from "../../../../contract/schema/fields.js";
import type { Warning } from "../../../../contract/warnings.js";
import type { OrganizationCaller } from "../../../access/caller.js";
import { defineEventMutation, type MutationTool, type Proposal, type ToolState } from "../../../runner/mutation.js";
import type { EventRole, EventToolContext, ToolDeclaration } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { findMemberRole } from "../../organizations/store.js";
import { findHostOffer, listHosts, saveHostOffer, saveHosts } from "../host-store.js";
import { getOrganizationNamed } from "../named-organization.js";
import {
  addCohost,
  decideHost,
  effectOfHost,
  type HostCaller,
  type HostChange,
  type OfferedChange,
  removeCohost,
  requireHostOrItself,
} from "../rules.js";
import { getEventName, recordForRecipient } from "../store.js";
import { handOverWarnings, leavingWarnings } from "../warnings.js";

/** What all tools that change the hosts of an event have in common. */
const hostTool = {
  group: "event_management",
  scope: "events:write",
  role: "admin",
  input: z.object({
    organization_id: line(200).exactOptional().meta({ description: "id, slug or exact name; send this or slug" }),
    slug: line(200).exactOptional(),
  }),
} as const satisfies Partial<ToolDeclaration> & { input: z.ZodObject };

type Named = z.output<typeof hostTool.input>;

async function readHosts({ tx, caller, event }: EventToolContext, input: Named): Promise<HostChange> {
  const [organization, hosts] = await Promise.all([getOrganizationNamed(tx, caller, input), listHosts(tx, event.id)]);
  return { organization, hosts };
}

async function readHostsAndOffer(context: EventToolContext, input: Named): Promise<OfferedChange> {
  const [hosts, offer] = await Promise.all([
    readHosts(context, input),
    findHostOffer(context.tx, context.event.id, context.caller.organizationId),
  ]);
  return { ...hosts, offer };
}

/** What a change of hosts depends on. Other co-hosts come and go without changing what it does. */
function basisOfHosts({ organization, hosts, offer = null }: HostChange & Partial<OfferedChange>) {
  return {
    organization,
    role: hosts.find(({ id }) => id === organization.id)?.role ?? null,
    host: hosts.find(({ role }) => role === "host")?.id ?? null,
    offer,
  };
}

/** A tool that changes who hosts an event. `change` decides what the hosts become, `require` who may do it. */
function hostMutation<State extends HostChange & ToolState, Related = undefined>(
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

export const addEventCohost = hostMutation({
  name: "add_event_cohost",
  title: "Add a co-host",
  description: "Make another organization a co-host of an event that yours hosts. It gets access at once.",
  example: { event_id: exampleIds.event, organization_id: exampleIds.otherOrganization },
  destructive: false,
  event: "host",
  read: readHosts,
  change: addCohost,
});

export const removeEventCohost = hostMutation({
  name: "remove_event_cohost",
  title: "Remove a co-host",
  description:
    "Remove a co-host from an event that yours hosts, or leave one by naming your own organization. Access ends at once.",
  example: { event_id: exampleIds.event, organization_id: exampleIds.cohost },
  destructive: true,
  event: "host_or_co_host",
  read: readHostsAndOffer,
  require: (state, { organizationId }) => requireHostOrItself(state, organizationId),
  change: removeCohost,
  related: async ({ tx, caller, event }) => ({ caller, event: await getEventName(tx, event.id) }),
  warnings: ({ current, proposed }, { caller, event }) => leavingWarnings(current, proposed, caller, event),
});

export const setEventPrimaryHost = defineEventMutation({
  ...hostTool,
  name: "set_event_primary_host",
  title: "Hand an event over",
  description:
    "Make another organization the host. A co-host takes over at once. Any other organization gets an offer: it names itself to accept, or the current host to decline; name yourself to withdraw.",
  example: { event_id: exampleIds.event, organization_id: exampleIds.cohost },
  event: "host_or_offered",
  destructive: true,
  async prepare({ db, caller }, input): Promise<HostCaller> {
    const { organizationId, userId } = caller;
    const named = await getOrganizationNamed(db, caller, input);
    const role = await findMemberRole(db, named.id, userId);
    return { organizationId, administersNamed: role !== undefined && roleAtLeast(role, "admin") };
  },
  read: readHostsAndOffer,
  propose: (current, _input, caller) => decideHost(current, caller),
  basis: (current) => basisOfHosts(current),
  warnings: ({ current, proposed, prepared }) => handOverWarnings(current, proposed, prepared),
  async store({ tx, event, caller }, { current, proposed }) {
    await Promise.all([
      saveHosts(tx, event.id, proposed.hosts),
      saveHostOffer(tx, event.id, proposed.offer, caller.userId),
    ]);
    await recordForRecipient(tx, event.id, caller, current, proposed);
  },
  report({ current, proposed, prepared: caller }) {
    const effect = effectOfHost(current, proposed, caller);
    return effect === undefined ? {} : { effect };
  },
});
