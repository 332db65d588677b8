import { randomUUID } from "node:crypto";
import { z } from "zod";
import { uuid } from "../../../contract/schema/fields.js";
import { keptHours, keyDays, keyName, keyScopes } from "../../../contract/schema/keys.js";
import { createKey, revokeKey } from "../../access/key-store.js";
import {
  countActiveKeys,
  findOrganizationKey,
  getOrganizationKey,
  type OrganizationKey,
  replaceKey,
} from "../../access/organization-keys.js";
import { defineMutation } from "../../runner/mutation.js";
import { getUser } from "../users/store.js";
import { type AddedKey, addedKey, newKey, replacedKey, requireRoomFor } from "./rules.js";

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

type Rotation = { active_keys: number; old_key: OrganizationKey; new_key: AddedKey | null };

export const rotateApiKey = defineMutation({
  name: "rotate_api_key",
  title: "Rotate an API key",
  group: "organization",
  description:
    "Replace a key with a new one of the same name and scopes, which acts for whoever rotates it. The old one is revoked now, or expires after keep_old_hours. The raw key is returned once.",
  scope: "org:write",
  role: "owner",
  destructive: true,
  input: z.object({ key_id: uuid, lifetime_days: keyDays, keep_old_hours: keptHours.default(0) }),
  prepare: async ({ db, caller }, { keep_old_hours: hours }) => ({
    id: randomUUID() as string,
    creator: await getUser(db, caller.userId),
    keptUntil: hours === 0 ? null : new Date(Date.now() + hours * 3_600_000).toISOString(),
  }),
  async read({ tx, caller }, { key_id }, { id }): Promise<Rotation> {
    return {
      active_keys: await countActiveKeys(tx, caller.organizationId),
      old_key: await getOrganizationKey(tx, caller.organizationId, key_id),
      new_key: addedKey(await findOrganizationKey(tx, caller.organizationId, id)),
    };
  },
  propose({ active_keys, old_key }, _input, { creator, keptUntil }) {
    const replaced = replacedKey(old_key, keptUntil);
    const ended = old_key.state === "active" && replaced.state !== "active" ? 1 : 0;
    requireRoomFor(active_keys + 1 - ended, "do not keep the old key, or revoke another one first");
    return {
      active_keys: active_keys + 1 - ended,
      old_key: replaced,
      new_key: newKey(old_key.name, old_key.scopes, creator),
    };
  },
  basis: ({ old_key, new_key }) => ({ old_key, new_key }),
  async store({ tx, caller, reveal }, { current, input, prepared }) {
    const { organizationId, userId: createdBy } = caller;
    const { name, scopes } = current.old_key;
    await replaceKey(tx, input.key_id, prepared.keptUntil);
    const common = { id: prepared.id, name, scopes, lifetimeDays: input.lifetime_days, createdBy };
    const { key } = await createKey(tx, { tier: "organization", organizationId, ...common });
    reveal({ key });
  },
  warnings({ current: { old_key }, prepared: { creator } }) {
    const message = "The new key acts for you, the old one for another member";
    return old_key.created_by === creator.id ? [] : [{ code: "acts_for_other", message, path: "new_key" }];
  },
});

export const revokeApiKey = defineMutation({
  name: "revoke_api_key",
  title: "Revoke an API key",
  group: "organization",
  description: "Revoke a key of the organization: it is rejected from the next request on, and cannot be restored.",
  scope: "org:write",
  role: "owner",
  destructive: true,
  input: z.object({ key_id: uuid }),
  async read({ tx, caller }, { key_id }): Promise<{ key: OrganizationKey }> {
    return { key: await getOrganizationKey(tx, caller.organizationId, key_id) };
  },
  propose: ({ key }) => ({ key: { ...key, state: "revoked" as const } }),
  async store({ tx }, { input }) {
    await revokeKey(tx, input.key_id);
  },
});
