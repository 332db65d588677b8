import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import { pictureRoles } from "../../../contract/pictures.js";
import { roleAtLeast } from "../../../contract/roles.js";
import type { OrganizationCaller, PlatformCaller } from "../../access/caller.js";
import { getHostedEvent, requireNotCancelled } from "../../access/hosting.js";
import { lacksRole } from "../../access/session.js";
import {
  type ConsoleResponse,
  type ConsoleRoute,
  type ContextOf,
  consoleCreated,
  defineConsoleRoute,
} from "../../console-route.js";
import type { Database, Queryable } from "../../infra/database/db.js";
import { recordedChange } from "../../records/recorded-change.js";
import { findHost, type Image, imagePath, imageStore, requireImageQuota, type SizedImage } from "./store.js";
import type { Uploads } from "./uploads.js";

export type ImageRouteServices = { uploads: Uploads; tools: { imageQuotaBytes: number } };

export const imageRoutes: ConsoleRoute<ImageRouteServices>[] = [
  defineConsoleRoute("uploadImage", {
    access: "member",
    async handle(context: ContextOf<"member", ImageRouteServices>, { query: { use, event } }) {
      const { db, caller, organization, services, request } = context;
      const role = pictureRoles[use];
      if (!roleAtLeast(caller.role, role)) throw lacksRole(role, caller.role);
      if (event !== undefined) requireNotCancelled(await getHostedEvent(db, caller, event));
      const { imageQuotaBytes } = services.tools;
      const picture = await services.uploads.take(organization.id, use, {
        read: request.readFile,
        save: (taken) => saveUpload(db, caller, organization, taken, imageQuotaBytes),
      });
      return uploaded(context.baseUrl, picture);
    },
  }),
  defineConsoleRoute("uploadAdminImage", {
    access: "platform_admin",
    async handle(context: ContextOf<"platform_admin", ImageRouteServices>, { query: { use, event } }) {
      const { db, caller, services, request } = context;
      const { imageQuotaBytes } = services.tools;
      // A banner belongs to no organization, and a tile to the host of its event.
      const host = event === undefined ? undefined : await getEventHost(db, event);
      const picture = await services.uploads.take(`administrator ${caller.userId}`, use, {
        read: request.readFile,
        save: (taken) =>
          host === undefined
            ? imageStore(db.changes).save([taken])
            : saveUpload(db, caller, host, taken, imageQuotaBytes),
      });
      return uploaded(context.baseUrl, picture);
    },
  }),
];

/** Stores a picture within the quota of the organization. Nothing shows it yet: the change that uses it is recorded. */
async function saveUpload(
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

async function getEventHost(db: Queryable, eventId: string): Promise<{ id: string; name: string }> {
  const host = await findHost(db, eventId);
  if (host === undefined)
    throw new ServiceError("not_found", `No event has the id ${eventId}, or no organization hosts it`);
  return host;
}

function uploaded(baseUrl: string, picture: SizedImage): ConsoleResponse {
  const { width, height, bytes } = picture;
  return consoleCreated({ url: baseUrl + imagePath(picture), width, height, size: bytes.length });
}
