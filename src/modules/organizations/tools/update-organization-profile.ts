import { z } from "zod";
import { defineMutation } from "../../../mutation/define.js";
import { organizationFields } from "../schema.js";
import { getProfile, saveProfile } from "../store.js";

export const updateOrganizationProfile = defineMutation({
  name: "update_organization_profile",
  title: "Update the organization's profile",
  group: "organization",
  description:
    "Change the organization's public profile. Send only the fields to change; null clears one, social_links is replaced whole. Preview first, then commit with commit_with and a reason.",
  scope: "org:write",
  role: "owner",
  destructive: false,
  input: z.object({
    name: organizationFields.name.exactOptional(),
    description: organizationFields.description.exactOptional(),
    website_url: organizationFields.website_url.exactOptional(),
    contact_email: organizationFields.contact_email.exactOptional(),
    social_links: organizationFields.social_links.exactOptional(),
  }),
  read: ({ tx, caller }) => getProfile(tx, caller.organizationId),
  propose: (current, input) => ({ ...current, ...input }),
  store: ({ tx, caller }, { proposed }) => saveProfile(tx, caller.organizationId, proposed),
});
