import { getHostedEvent } from "../../access/hosting.js";
import { type ConsoleRoute, type ContextOf, consoleJson, defineConsoleRoute } from "../../console-route.js";
import { listDoorLinks } from "./store.js";

/** The links of an event, for those who may make and revoke them. */
export const doorLinkRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("doorLinks", {
    access: "admin",
    async handle({ db, caller }: ContextOf<"admin">, { params }) {
      const { id: eventId, timezone } = await getHostedEvent(db, caller, params.event);
      return consoleJson({
        timezone,
        items: await listDoorLinks(db, { eventId, organizationId: caller.organizationId }),
      });
    },
  }),
];
