import { z } from "zod";
import { line } from "../../schema/fields.js";
import type { EventToolContext } from "../../tools/tool.js";
import type { Hosting } from "./host-rules.js";
import { getOrganizationNamed, listHosts } from "./host-store.js";

/** The tools that change hosts name an event and an organization, and rest on the same state. */
export const hostingInput = z.object({
  organization_id: line(200).exactOptional().meta({ description: "id or slug" }),
  slug: line(200).exactOptional().meta({ description: "instead of organization_id" }),
});

export async function readHosting(context: EventToolContext, input: z.output<typeof hostingInput>): Promise<Hosting> {
  const organization = await getOrganizationNamed(context.tx, input);
  return { organization, hosts: await listHosts(context.tx, context.event.id) };
}
