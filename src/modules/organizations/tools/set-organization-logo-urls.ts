import { z } from "zod";
import { changedFields } from "../../../tools/changes.js";
import { defineMutation } from "../../../tools/mutation.js";
import { organizationInput } from "../schema.js";
import { getLogos, saveLogos } from "../store.js";

export const setOrganizationLogoUrls = defineMutation({
  name: "set_organization_logo_urls",
  title: "Set logo addresses",
  group: "organization",
  description:
    "Set where the organization's logos are: logo_url for light backgrounds, logo_dark_url for dark ones. http or https, null clears one. New posters use them.",
  scope: "org:write",
  role: "owner",
  destructive: true,
  input: z.object({
    logo_url: organizationInput.logo_url.exactOptional(),
    logo_dark_url: organizationInput.logo_dark_url.exactOptional(),
  }),
  read: ({ tx, caller, baseUrl }) => getLogos(tx, caller.organizationId, baseUrl),
  propose: (current, input) => ({ ...current, ...input }),
  store: ({ tx, caller }, { current, proposed }) =>
    saveLogos(tx, caller.organizationId, changedFields(current, proposed)),
});
