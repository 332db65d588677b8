import { z } from "zod";
import { defineMutation } from "../../../tools/mutation.js";
import { organizationInput } from "../schema.js";
import { getProfile, saveProfile } from "../store.js";

export const updateOrganizationProfile = defineMutation({
  name: "update_organization_profile",
  title: "Update the organization's profile",
  group: "organization",
  description:
    "Change the organization's public profile. Send only the fields to change; null clears one, social_links is replaced whole.",
  scope: "org:write",
  role: "owner",
  destructive: true,
  input: z.object({
    name: organizationInput.name.exactOptional(),
    description: organizationInput.description.exactOptional(),
    website_url: organizationInput.website_url.exactOptional(),
    contact_email: organizationInput.contact_email.exactOptional(),
    social_links: organizationInput.social_links.exactOptional(),
  }),
  read: ({ tx, caller }, input) => getProfile(tx, caller.organizationId, Object.keys(input)),
  propose: (current, input) => ({ ...current, ...input }),
  store: ({ tx, caller }, { proposed }) => saveProfile(tx, caller.organizationId, proposed),
});
