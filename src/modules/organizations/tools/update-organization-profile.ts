import { organizationMutation } from "../organization-mutation.js";

export const updateOrganizationProfile = organizationMutation({
  name: "update_organization_profile",
  title: "Update the organization's profile",
  description:
    "Change the public profile. Send only what changes; null clears a field; social_links is replaced as a whole.",
  example: { description: "We host evenings about the open web." },
  fields: ["name", "description", "website_url", "contact_email", "social_links"],
});
