import { randomUUID } from "node:crypto";
import { z } from "zod";
import { fieldError, ServiceError } from "../../../contract/errors.js";
import { maximumLine, type PlatformKeyTier, platformKeyDays, platformKeyTiers } from "../../../contract/nouns.js";
import { integer, line, timestamp, uuid } from "../../../contract/schema/fields.js";
import {
  createKey,
  findPlatformKey,
  keyLifetimeDays,
  type NewKey,
  type PlatformKey,
  revokeKey,
} from "../../access/key-store.js";
import type { Queryable } from "../../infra/database/db.js";
import { updateRow } from "../../infra/database/update-row.js";
import { definePlatformMutation } from "../../runner/mutation.js";
import { getConference } from "../conferences/store.js";

type Key = Pick<PlatformKey, "name" | "tier" | "conference"> & { expires_in_days: number | null };
type NewPlatformKey = { key: Partial<Key> | PlatformKey };

const dayMs = 86_400_000;

export const createPlatformKey = definePlatformMutation({
  name: "create_platform_key",
  title: "Create a platform key",
  description:
    "Create a key that sees everything (tier super-admin) or one conference (tier conference). The commit's result has the key in `key`, once. Without expires_in_days it works until it is revoked.",
  destructive: false,
  input: z.object({
    tier: z.enum(platformKeyTiers),
    name: line(maximumLine),
    conference_id: uuid.nullable().default(null),
    expires_in_days: integer(1, platformKeyDays).nullable().default(null),
  }),
  // The id of the new key: by what it will be found after it was stored.
  async prepare({ db, baseUrl }, { tier, conference_id }) {
    if ((tier === "conference") !== (conference_id !== null)) {
      throw fieldError("conference_id", "expected one for a conference key, and none for a super-admin key");
    }
    const conference = conference_id === null ? null : (await getConference(db, conference_id, baseUrl)).name;
    return { id: randomUUID(), conference };
  },
  read: async ({ tx }, _input, { id }): Promise<NewPlatformKey> => ({ key: (await findPlatformKey(tx, id)) ?? {} }),
  propose: (_current, { tier, name, expires_in_days }, { conference }) => ({
    key: { tier, name, conference, expires_in_days },
  }),
  async store({ tx, reveal }, { input, prepared: { id } }) {
    const { key } = await createKey(tx, newKey(id, input));
    reveal({ key });
  },
});

type Input = { tier: PlatformKeyTier; name: string; conference_id: string | null };

/** It belongs to the platform, not to the person: it works on when they leave. The record names them. */
function newKey(id: string, input: Input & { expires_in_days: number | null }): NewKey {
  const { tier, name, conference_id: conferenceId, expires_in_days } = input;
  const lifetimeDays = keyLifetimeDays(tier, expires_in_days ?? undefined);
  const common = { id, name, lifetimeDays, createdBy: null };
  return conferenceId === null ? { ...common, tier: "super-admin" } : { ...common, tier: "conference", conferenceId };
}

/** An active key; others cannot be reactivated. */
async function getWorkingKey(tx: Queryable, id: string): Promise<PlatformKey> {
  const key = await findPlatformKey(tx, id);
  if (key === undefined) throw keyNotFound(id);
  if (key.state === "active") return key;
  throw new ServiceError("conflict", `${key.name} is ${key.state} and cannot be reactivated: create a new key`);
}

function keyNotFound(id: string): ServiceError {
  return new ServiceError("not_found", `No platform key has the id ${id}`);
}

export const setPlatformKeyExpiry = definePlatformMutation({
  name: "set_platform_key_expiry",
  title: "Set when a platform key expires",
  description: "Let a super-admin or conference key work longer or shorter. null: until it is revoked.",
  destructive: true,
  input: z.object({ key_id: uuid, expires_at: timestamp.nullable() }),
  async read({ tx }, { key_id }) {
    const { id, name, prefix, expires_at } = await getWorkingKey(tx, key_id);
    return { id, name, prefix, expires_at };
  },
  propose(current, { expires_at }) {
    const days = expires_at === null ? 1 : (Date.parse(expires_at) - Date.now()) / dayMs;
    if (days > 0 && days <= platformKeyDays) return { ...current, expires_at };
    throw fieldError(
      "expires_at",
      `expected a time within the next ${platformKeyDays} days, or null, not ${expires_at}`,
    );
  },
  store: ({ tx }, { proposed: { id, expires_at } }) => updateRow(tx, "api_keys", { id }, { expires_at }),
});

type EndedPlatformKey = Pick<PlatformKey, "id" | "name" | "prefix" | "tier" | "conference" | "state">;

export const revokePlatformKey = definePlatformMutation({
  name: "revoke_platform_key",
  title: "Revoke a platform key",
  description: "End a super-admin or conference key: it is refused from the next request on. This cannot be undone.",
  destructive: true,
  input: z.object({ key_id: uuid }),
  async read({ tx }, { key_id }): Promise<EndedPlatformKey> {
    const key = await findPlatformKey(tx, key_id);
    if (key === undefined) throw keyNotFound(key_id);
    const { id, name, prefix, tier, conference, state } = key;
    return { id, name, prefix, tier, conference, state };
  },
  propose: (current) => ({ ...current, state: "revoked" as const }),
  store: async ({ tx }, { current }) => {
    await revokeKey(tx, current.id);
  },
});
