import { randomUUID } from "node:crypto";
import { z } from "zod";
import { fieldError, ServiceError } from "../../../contract/errors.js";
import { type PlatformKeyTier, platformKeyTiers } from "../../../contract/nouns.js";
import { integer, line, uuid } from "../../../contract/schema/fields.js";
import {
  createKey,
  findPlatformKey,
  keyLifetimeDays,
  type NewKey,
  type PlatformKey,
  revokeKey,
} from "../../access/key-store.js";
import { definePlatformMutation } from "../../runner/mutation.js";
import { getConference } from "../conferences/store.js";

type Key = Pick<PlatformKey, "name" | "tier" | "conference"> & { expires_in_days: number | null };
type NewPlatformKey = { key: Partial<Key> | PlatformKey };

const maximumDays = 3650;

export const createPlatformKey = definePlatformMutation({
  name: "create_platform_key",
  title: "Create a platform key",
  description:
    "Create a key that sees everything (tier super-admin) or one conference (tier conference). The commit's result has the key in `key`, once. Without expires_in_days it works until it is revoked.",
  destructive: false,
  input: z.object({
    tier: z.enum(platformKeyTiers),
    name: line(200),
    conference_id: uuid.nullable().default(null),
    expires_in_days: integer(1, maximumDays).nullable().default(null),
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

type EndedPlatformKey = Pick<PlatformKey, "id" | "name" | "prefix" | "tier" | "conference" | "state">;

export const revokePlatformKey = definePlatformMutation({
  name: "revoke_platform_key",
  title: "Revoke a platform key",
  description: "End a super-admin or conference key: it is refused from the next request on. This cannot be undone.",
  destructive: true,
  input: z.object({ key_id: uuid }),
  async read({ tx }, { key_id }): Promise<EndedPlatformKey> {
    const key = await findPlatformKey(tx, key_id);
    if (key === undefined) throw new ServiceError("not_found", `No platform key has the id ${key_id}`);
    const { id, name, prefix, tier, conference, state } = key;
    return { id, name, prefix, tier, conference, state };
  },
  propose: (current) => ({ ...current, state: "revoked" as const }),
  store: async ({ tx }, { current }) => {
    await revokeKey(tx, current.id);
  },
});
