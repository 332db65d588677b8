import sql from "sql-template-tag";
import type { OrganizationCaller, PlatformCaller } from "../../access/caller.js";
import type { Database } from "../../infra/database/db.js";
import { recordedChange } from "../../records/recorded-change.js";
import { type Image, imageStore, requireImageQuota } from "./store.js";

/** Stores a picture within the quota of the organization. Nothing shows it yet: the change that uses it is recorded. */
export async function saveUpload(
  db: Database,
  caller: OrganizationCaller | PlatformCaller,
  organization: { id: string; name: string },
  image: Image,
  quotaBytes: number,
): Promise<void> {
  await recordedChange(db, caller, async (tx) => {
    await requireImageQuota(tx, organization, [image], quotaBytes);
    await imageStore(tx).save([image]);
    await tx.query(sql`
      insert into image_uploads (organization_id, hash, uploaded_by) values (${organization.id}, ${image.hash}, ${caller.userId})
      on conflict (organization_id, hash) do update set uploaded_by = excluded.uploaded_by, uploaded_at = now()`);
    return { result: undefined, record: null };
  });
}
