import { randomUUID } from "node:crypto";
import { z } from "zod";
import { keyDays, keyName, keyScopes } from "../../../../contract/schema/keys.js";
import { createKey } from "../../../access/key-store.js";
import { countActiveKeys, findOrganizationKey } from "../../../access/organization-keys.js";
import { defineMutation } from "../../../runner/mutation.js";
import { getUser } from "../../users/store.js";
import { type AddedKey, addedKey, newKey, requireRoomFor } from "../rules.js";

type KeyCreation = { active_keys: number; key: AddedKey | null };

export const createApiKey = defineMutation({
  name: "create_api_key",
  title: "Create an API key",
  group: "organization",
  description: "Create a key of the organization that acts for whoever creates it. The raw key is returned once.",
  scope: "org:write",
  role: "owner",
  destructive: false,
  input: z.object({ name: keyName, scopes: keyScopes, lifetime_days: keyDays }),
  prepare: async ({ db, caller }) => ({ id: randomUUID() as string, creator: await getUser(db, caller.userId) }),
  async read({ tx, caller }, _input, { id }): Promise<KeyCreation> {
    return {
      active_keys: await countActiveKeys(tx, caller.organizationId),
      key: addedKey(await findOrganizationKey(tx, caller.organizationId, id)),
    };
  },
  propose({ active_keys }, { name, scopes }, { creator }) {
    requireRoomFor(active_keys + 1, "revoke one first");
    return { active_keys: active_keys + 1, key: newKey(name, scopes, creator) };
  },
  async store({ tx, caller, reveal }, { input, prepared }) {
    const { organizationId, userId: createdBy } = caller;
    const { name, scopes, lifetime_days: lifetimeDays } = input;
    const common = { id: prepared.id, name, scopes, lifetimeDays, createdBy };
    const { key } = await createKey(tx, { tier: "organization", organizationId, ...common });
    reveal({ key });
  },
});
