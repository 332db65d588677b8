import { pictureRoles } from "../../../contract/pictures.js";
import { roleAtLeast } from "../../../contract/roles.js";
import { getHostedEvent, requireNotCancelled } from "../../access/hosting.js";
import { lacksRole } from "../../access/session.js";
import {
  type ConsoleResponse,
  type ConsoleRoute,
  type ContextOf,
  consoleCreated,
  defineConsoleRoute,
} from "../../console-route.js";
import { imagePath, imageStore, type SizedImage } from "./store.js";
import { saveUpload } from "./upload-store.js";
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
    async handle(context: ContextOf<"platform_admin", ImageRouteServices>, { query: { use } }) {
      const { db, person, services, request } = context;
      const picture = await services.uploads.take(`administrator ${person.userId}`, use, {
        read: request.readFile,
        save: (taken) => imageStore(db.changes).save([taken]),
      });
      return uploaded(context.baseUrl, picture);
    },
  }),
];

function uploaded(baseUrl: string, picture: SizedImage): ConsoleResponse {
  const { width, height, bytes } = picture;
  return consoleCreated({ url: baseUrl + imagePath(picture), width, height, size: bytes.length });
}
