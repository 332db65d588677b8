import { z } from "zod";
import { line } from "../../schema/fields.js";
import { defineEventMutation, type MutationTool } from "../../tools/mutation.js";
import type { ToolDeclaration } from "../../tools/tool.js";
import type { HostChange } from "./host-rules.js";
import { getOrganizationNamed, listHosts, saveHosts } from "./host-store.js";

/** A tool of the host that changes the hosts of an event. `change` decides what they become. */
export function hostMutation(
  tool: Pick<ToolDeclaration, "name" | "title" | "description" | "example"> & {
    destructive: boolean;
    change(current: HostChange): HostChange;
  },
): MutationTool<unknown> {
  const { change, ...declaration } = tool;
  return defineEventMutation({
    ...declaration,
    group: "event_management",
    scope: "events:write",
    role: "admin",
    event: "host",
    input: z.object({
      organization_id: line(200).exactOptional().meta({ description: "id or slug" }),
      slug: line(200).exactOptional().meta({ description: "instead of organization_id" }),
    }),
    read: async ({ tx, event }, input) => ({
      organization: await getOrganizationNamed(tx, input),
      hosts: await listHosts(tx, event.id),
    }),
    propose: change,
    store: ({ tx, event }, { proposed }) => saveHosts(tx, event.id, proposed.hosts),
  });
}
