import { z } from "zod";
import { flag, uuid } from "../../../../contract/schema/fields.js";
import { updateRow } from "../../../infra/database/update-row.js";
import { definePlatformMutation } from "../../../runner/mutation.js";
import { requireAnotherAdmin } from "../admin-rules.js";
import { invitationsWithdrawn } from "../ending-rights.js";
import { invitationsEndingWith } from "../invitation-store.js";
import { getUser, hasUnverifiedAddress, type User } from "../store.js";
import { addressUnverified } from "../warnings.js";

export const setPlatformAdmin = definePlatformMutation({
  name: "set_platform_admin",
  title: "Make someone a platform administrator",
  description:
    "Let a person administer the whole platform, or end that. Not oneself, and never the last one. Open invitations that the person may no longer make are withdrawn.",
  destructive: true,
  input: z.object({ person_id: uuid, platform_admin: flag }),
  async read({ tx, caller }, { person_id, platform_admin }): Promise<{ person: User; invitations: string[] }> {
    const person = await getUser(tx, person_id);
    if (!platform_admin) await requireAnotherAdmin(tx, caller, person);
    return { person, invitations: await invitationsEndingWith(tx, person_id, "administration") };
  },
  propose: ({ person, invitations }, { platform_admin }) => ({
    person: { ...person, platform_admin },
    invitations: platform_admin ? invitations : [],
  }),
  basis: ({ person }) => person,
  related: ({ tx }, { person_id }) => hasUnverifiedAddress(tx, person_id),
  warnings: ({ current: { person, invitations }, proposed }, unverified) => [
    ...(invitations.length === proposed.invitations.length ? [] : [invitationsWithdrawn(invitations)]),
    ...(unverified && proposed.person.platform_admin && !person.platform_admin
      ? [addressUnverified(person.email, "person")]
      : []),
  ],
  store: ({ tx }, { proposed: { person } }) =>
    updateRow(tx, "users", { id: person.id }, { platform_admin: person.platform_admin }),
});
