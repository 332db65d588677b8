import { z } from "zod";
import { changedFields } from "../../../../contract/changes.js";
import { changesOf } from "../../../../contract/schema/noun.js";
import { organizationInput } from "../../../../contract/schema/organizations.js";
import { updateRow } from "../../../infra/database/update-row.js";
import { defineMutation, type MutationTool } from "../../../runner/mutation.js";
import type { ToolDeclaration } from "../../../runner/tool.js";
import { requireStoredImages, withImagePaths } from "../../images/store.js";
import { imageWarnings } from "../../images/warnings.js";
import { getOrganizationDetails, type OrganizationDetails } from "../store.js";

type Field = keyof OrganizationDetails;

/** A tool that changes some fields of the caller's organization. Its states show those that the call names. */
function organizationMutation(
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
    async read({ tx, caller, baseUrl }, input: Partial<OrganizationDetails>): Promise<Partial<OrganizationDetails>> {
      const named = fields.filter((name) => Object.hasOwn(input, name));
      const details = await getOrganizationDetails(tx, caller.organizationId, named, baseUrl);
      await requireStoredImages(tx, baseUrl, ["logo_url", "logo_dark_url"], details, input);
      return details;
    },
    propose: (current, input) => ({ ...current, ...input }),
    warnings: ({ input: { logo_url, logo_dark_url } }: { input: Partial<OrganizationDetails> }) =>
      imageWarnings({ logo_url, logo_dark_url }),
    async store({ tx, caller, baseUrl }, { current, proposed }) {
      const changed = changedFields(current, proposed);
      const stored = await withImagePaths(tx, baseUrl, ["logo_url", "logo_dark_url"], changed);
      await updateRow(tx, "organizations", { id: caller.organizationId }, stored);
    },
  });
}

export const updateOrganizationProfile = organizationMutation({
  name: "update_organization_profile",
  title: "Update the organization's profile",
  description:
    "Change the public profile. Send only what changes; null clears a field; social_links is replaced as a whole.",
  example: { description: "We host evenings about the open web." },
  fields: ["name", "description", "website_url", "contact_email", "social_links"],
});

export const updateOrganizationBranding = organizationMutation({
  name: "update_organization_branding",
  title: "Update brand colours",
  description: "Change the colours of new posters, as #rrggbb. Send only what changes; null clears a colour.",
  example: { brand_primary_color: "#0a7f5a" },
  fields: ["brand_primary_color", "brand_secondary_color"],
});

export const setOrganizationLogoUrls = organizationMutation({
  name: "set_organization_logo_urls",
  title: "Set logo URLs",
  description:
    "Set the logos of new posters: logo_url for light backgrounds, logo_dark_url for dark ones; null clears one.",
  example: { logo_url: "https://images.example.com/logo.png" },
  fields: ["logo_url", "logo_dark_url"],
});
