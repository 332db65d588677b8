import { z } from "zod";
import { changedFields } from "../../../contract/changes.js";
import { changesOf } from "../../../contract/schema/noun.js";
import { organizationInput } from "../../../contract/schema/organizations.js";
import { updateRow } from "../../infra/database/update-row.js";
import { defineMutation, type MutationTool } from "../../runner/mutation.js";
import type { ToolDeclaration } from "../../runner/tool.js";
import { imageWarnings } from "../images/warnings.js";
import { getOrganizationDetails, type OrganizationDetails } from "./store.js";

type Field = keyof OrganizationDetails;

/** A tool that changes some fields of the caller's organization. Its states show those that the call names. */
export function organizationMutation(
  tool: Pick<ToolDeclaration, "name" | "title" | "description" | "example"> & { fields: readonly Field[] },
): MutationTool<unknown> {
  const { fields, ...declaration } = tool;
  const inputs = Object.fromEntries(fields.map((name) => [name, organizationInput[name]]));
  return defineMutation({
    ...declaration,
    group: "organization",
    scope: "org:write",
    role: "owner",
    destructive: true,
    input: z.object(changesOf(inputs)),
    read: ({ tx, caller, baseUrl }, input): Promise<Partial<OrganizationDetails>> =>
      getOrganizationDetails(
        tx,
        caller.organizationId,
        fields.filter((name) => Object.hasOwn(input, name)),
        baseUrl,
      ),
    propose: (current, input) => ({ ...current, ...input }),
    warnings: ({ input: { logo_url, logo_dark_url } }: { input: Partial<OrganizationDetails> }) =>
      imageWarnings({ logo_url, logo_dark_url }),
    store: ({ tx, caller }, { current, proposed }) =>
      updateRow(tx, "organizations", { id: caller.organizationId }, changedFields(current, proposed)),
  });
}
