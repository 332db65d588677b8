import { z } from "zod";
import { updateRow } from "../../../platform/database/update-row.js";
import { flag, uuid } from "../../../schema/fields.js";
import { definePlatformMutation } from "../../../tools/mutation.js";
import { requireAnotherAdmin } from "../admin-rules.js";
import { getUser, type User } from "../store.js";

export const setPlatformAdmin = definePlatformMutation({
  name: "set_platform_admin",
  title: "Make someone a platform administrator",
  description: "Let a person administer the whole platform, or end that. Not oneself, and never the last one.",
  destructive: true,
  input: z.object({ person_id: uuid, platform_admin: flag }),
  async read({ tx, caller }, { person_id, platform_admin }): Promise<{ person: User }> {
    const person = await getUser(tx, person_id);
    if (!platform_admin) await requireAnotherAdmin(tx, caller, person);
    return { person };
  },
  propose: ({ person }, { platform_admin }) => ({ person: { ...person, platform_admin } }),
  store: ({ tx }, { proposed: { person } }) =>
    updateRow(tx, "users", { id: person.id }, { platform_admin: person.platform_admin }),
});
