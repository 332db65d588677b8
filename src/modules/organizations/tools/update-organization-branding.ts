import { organizationMutation } from "../organization-mutation.js";

export const updateOrganizationBranding = organizationMutation({
  name: "update_organization_branding",
  title: "Update brand colours",
  description: "Change the colours of new posters, as #rrggbb. Send only what changes; null clears a colour.",
  example: { brand_primary_color: "#0a7f5a" },
  fields: ["brand_primary_color", "brand_secondary_color"],
});
