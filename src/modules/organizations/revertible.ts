import type { RevertibleTable } from "../../revert/revertible-table.js";

export const revertibleOrganizations: RevertibleTable = {
  name: "organizations",
  noun: "organization",
  nouns: "organizations",
  key: ["id"],
  label: ["name"],
  whole: ["name", "slug"],
  columns: { logo_url: "image", logo_dark_url: "image" },
  instead: {
    change: "update_organization_profile, update_organization_branding or set_organization_logo_urls",
    add: "the console",
    remove: "the console",
  },
};
