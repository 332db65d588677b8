import { z } from "zod";
import { changedFields } from "../../../contract/changes.js";
import { ServiceError } from "../../../contract/errors.js";
import { slug, slugTaken, uuid } from "../../../contract/schema/fields.js";
import { changesOf } from "../../../contract/schema/noun.js";
import { organizationInput } from "../../../contract/schema/organizations.js";
import { insertRow } from "../../infra/database/insert-row.js";
import { updateRow } from "../../infra/database/update-row.js";
import { definePlatformMutation } from "../../runner/mutation.js";
import { findOrganization } from "./store.js";

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
  read: async ({ tx }, input): Promise<State> => (await findOrganization(tx, { slug: input.slug })) ?? {},
  propose(current, input) {
    if (current.name !== undefined) throw slugTaken(input.slug, current.name);
    return input;
  },
  async store({ tx }, { proposed, input }) {
    if (!(await insertRow(tx, "organizations", proposed))) throw slugTaken(input.slug, "another organization");
  },
});

const { name, website_url, contact_email } = organizationInput;

/** The slug stays: imports and links refer to an organization by it. Its own owners change the rest of its profile. */
export const updateOrganization = definePlatformMutation({
  name: "update_organization",
  title: "Update an organization",
  description:
    "Change the name, website or address for questions of an organization. Send only what changes; null clears a field.",
  destructive: true,
  input: z.object({ organization_id: uuid, ...changesOf({ name, website_url, contact_email }) }),
  async read({ tx }, { organization_id }) {
    const organization = await findOrganization(tx, { id: organization_id });
    if (organization === undefined) {
      throw new ServiceError("not_found", `No organization has the id ${organization_id}`);
    }
    return organization;
  },
  propose(current, { organization_id: _, ...changes }) {
    if (Object.keys(changes).length > 0) return { ...current, ...changes };
    throw new ServiceError("invalid_input", "Send at least one of name, website_url and contact_email");
  },
  store: ({ tx }, { current, proposed }) =>
    updateRow(tx, "organizations", { id: current.id }, changedFields(current, proposed)),
});
