import { z } from "zod";
import { uuid } from "../../../../contract/schema/fields.js";
import { definePlatformMutation } from "../../../runner/mutation.js";
import { requireAnotherAdmin } from "../admin-rules.js";
import { invitationsWithdrawn, offersWithdrawn } from "../ending-rights.js";
import { deleteUser, type RemovedUser, readRemoval, requireOtherOwners } from "../remove-user.js";
import { findUser, getUser } from "../store.js";

export const removePerson = definePlatformMutation({
  name: "remove_person",
  title: "Remove a person",
  description:
    "Remove a person with their memberships, keys, sessions, password and invitations, and withdraw what they invited to and offered. The only owner of an organization is refused.",
  destructive: true,
  input: z.object({ person_id: uuid }),
  prepare: ({ db }, { person_id }) => getUser(db, person_id),
  async read({ tx, caller }, { person_id }): Promise<{ person: RemovedUser | null }> {
    const user = await findUser(tx, person_id);
    if (user === undefined) return { person: null };
    await requireAnotherAdmin(tx, caller, user);
    await requireOtherOwners(tx, user);
    return { person: await readRemoval(tx, user) };
  },
  propose: () => ({ person: null }),
  warnings: ({ current: { person } }) => [
    ...(person === null || person.invitations.length === 0 ? [] : [invitationsWithdrawn(person.invitations, "person")]),
    ...(person === null || person.offers.length === 0 ? [] : [offersWithdrawn(person.offers, "person")]),
  ],
  store: async ({ tx, caller }, { current: { person } }) => {
    if (person !== null) await deleteUser(tx, caller, person);
  },
});
