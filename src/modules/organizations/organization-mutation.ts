import { z } from "zod";
import { updateRow } from "../../platform/database/update-row.js";
import { changesOf } from "../../schema/noun.js";
import { changedFields } from "../../tools/changes.js";
import { defineMutation, type MutationTool } from "../../tools/mutation.js";
import type { ToolDeclaration } from "../../tools/tool.js";
import { imageWarnings } from "../images/warnings.js";
import { organizationInput } from "./schema.js";
import { getOrganizationDetails, type OrganizationDetails } from "./store.js";

type Field = keyof OrganizationDetails;

/**
 * A tool that changes some fields of the caller's organization. Its states show all of the fields, or only those that
 * the call names, where the others may be long.
 */
export function organizationMutation(
  tool: Pick<ToolDeclaration, "name" | "title" | "description" | "example"> & {
    fields: readonly Field[];
    shows: "all" | "named";
  },
): MutationTool<unknown> {
  const { fields, shows, ...declaration } = tool;
  const inputs = Object.fromEntries(fields.map((name) => [name, organizationInput[name]]));
  return defineMutation({
    ...declaration,
    group: "organization",
    scope: "org:write",
    role: "owner",
    destructive: true,
    input: z.object(changesOf(inputs)),
    read: ({ tx, caller, baseUrl }, input): Promise<Partial<OrganizationDetails>> =>
      getOrganizationDetails(tx, caller.organizationId, shows === "all" ? fields : namedIn(input, fields), baseUrl),
    propose: (current, input) => ({ ...current, ...input }),
    warnings: ({ input: { logo_url, logo_dark_url } }: { input: Partial<OrganizationDetails> }) =>
      imageWarnings({ logo_url, logo_dark_url }),
    store: ({ tx, caller }, { current, proposed }) =>
      updateRow(tx, "organizations", { id: caller.organizationId }, changedFields(current, proposed)),
  });
}

function namedIn(input: Record<string, unknown>, fields: readonly Field[]): Field[] {
  return fields.filter((name) => Object.hasOwn(input, name));
}
