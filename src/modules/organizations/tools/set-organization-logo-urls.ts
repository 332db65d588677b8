import { organizationMutation } from "../organization-mutation.js";

export const setOrganizationLogoUrls = organizationMutation({
  name: "set_organization_logo_urls",
  title: "Set logo URLs",
  description:
    "Set the logos of new posters: logo_url for light backgrounds, logo_dark_url for dark ones; null clears one.",
  example: { logo_url: "https://images.example.com/logo.png" },
  fields: ["logo_url", "logo_dark_url"],
});
