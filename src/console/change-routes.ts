import { ServiceError } from "../../contract/errors.js";
import { type Person, requireMembership, requirePlatformAdmin } from "../access/session.js";
import {
  type ConsoleResponse,
  type ConsoleRoute,
  type ContextOf,
  defineConsoleRoute,
  eventStream,
} from "../console-route.js";
import type { ChangeStreams } from "./change-streams.js";

export type ChangeRouteServices = {
  changeStreams: ChangeStreams;
  findSession(cookie: string | undefined): Promise<Person | undefined>;
};

/** What changed, as server-sent events that name only a topic and an id. */
export const changeRoutes: ConsoleRoute<ChangeRouteServices>[] = [
  defineConsoleRoute("changes", {
    access: "member",
    handle: (context: ContextOf<"member", ChangeRouteServices>) =>
      stream(context, context.organization.id, async (person) => {
        await requireMembership(context.db.lookups, person, context.organization.id, "member");
      }),
  }),
  defineConsoleRoute("adminChanges", {
    access: "platform_admin",
    handle: (context: ContextOf<"platform_admin", ChangeRouteServices>) =>
      stream(context, null, async (person) => {
        requirePlatformAdmin(person);
      }),
  }),
];

function stream(
  { person, services, request }: ContextOf<"signed_in", ChangeRouteServices>,
  organizationId: string | null,
  requireAccess: (person: Person) => Promise<void>,
): ConsoleResponse {
  const body = services.changeStreams.open({
    personId: person.userId,
    organizationId,
    signal: request.signal,
    async mayContinue() {
      const current = await services.findSession(request.cookie);
      if (current === undefined) return false;
      return requireAccess(current).then(
        () => true,
        (error: unknown) => !(error instanceof ServiceError && ["forbidden", "not_found"].includes(error.code)),
      );
    },
  });
  return { body, contentType: eventStream };
}
