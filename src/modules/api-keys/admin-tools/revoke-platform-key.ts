import { z } from "zod";
import { ServiceError } from "../../../../contract/errors.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { findPlatformKey, type PlatformKey, revokeKey } from "../../../access/key-store.js";
import { definePlatformMutation } from "../../../runner/mutation.js";

type State = Pick<PlatformKey, "id" | "name" | "prefix" | "tier" | "conference" | "state">;

export const revokePlatformKey = definePlatformMutation({
  name: "revoke_platform_key",
  title: "Revoke a platform key",
  description: "End a super-admin or conference key: it is refused from the next request on. This cannot be undone.",
  destructive: true,
  input: z.object({ key_id: uuid }),
  async read({ tx }, { key_id }): Promise<State> {
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
