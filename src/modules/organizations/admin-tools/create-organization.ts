import { z } from "zod";
import { slug, slugTaken } from "../../../../contract/schema/fields.js";
import { organizationInput } from "../../../../contract/schema/organizations.js";
import { insertRow } from "../../../infra/database/insert-row.js";
import { definePlatformMutation } from "../../../runner/mutation.js";
import { findOrganizationBySlug } from "../store.js";

type State = { id?: string; name?: string; slug?: string; website_url?: string | null; contact_email?: string | null };

export const createOrganization = definePlatformMutation({
  name: "create_organization",
  title: "Create an organization",
  description: "Add an organization without members. Invite its owner next: invite_person.",
  destructive: false,
  input: z.object({
    name: organizationInput.name,
    slug,
    website_url: organizationInput.website_url.default(null),
    contact_email: organizationInput.contact_email.default(null),
  }),
  read: async ({ tx }, input): Promise<State> => (await findOrganizationBySlug(tx, input.slug)) ?? {},
  propose(current, input) {
    if (current.name !== undefined) throw slugTaken(input.slug, current.name);
    return input;
  },
  async store({ tx }, { proposed, input }) {
    if (!(await insertRow(tx, "organizations", proposed))) throw slugTaken(input.slug, "another organization");
  },
});
