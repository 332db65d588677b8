import { z } from "zod";
import { uuid } from "../../../../contract/schema/fields.js";
import { revokeKey } from "../../../access/key-store.js";
import { getOrganizationKey, type OrganizationKey } from "../../../access/organization-keys.js";
import { defineMutation } from "../../../runner/mutation.js";

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
