import { z } from "zod";
import { defineMutation } from "../../../tools/mutation.js";
import { organizationInput } from "../schema.js";
import { getBranding, saveBranding } from "../store.js";

export const updateOrganizationBranding = defineMutation({
  name: "update_organization_branding",
  title: "Update brand colours",
  group: "organization",
  description:
    "Change the brand colours that new posters are drawn in, as #rrggbb. Send only what changes; null clears one.",
  scope: "org:write",
  role: "owner",
  destructive: true,
  input: z.object({
    brand_primary_color: organizationInput.brand_primary_color.exactOptional(),
    brand_secondary_color: organizationInput.brand_secondary_color.exactOptional(),
  }),
  read: ({ tx, caller }) => getBranding(tx, caller.organizationId),
  propose: (current, input) => ({ ...current, ...input }),
  store: ({ tx, caller }, { proposed }) => saveBranding(tx, caller.organizationId, proposed),
});
