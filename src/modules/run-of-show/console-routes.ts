import { z } from "zod";
import { getHostedEvent } from "../../access/hosting.js";
import { type ConsoleRoute, defineConsoleRoute, organizationPath } from "../../console-route.js";
import { uuid } from "../../schema/fields.js";
import { getRunOfShow } from "./store.js";

export const runOfShowConsoleRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute({
    method: "GET",
    path: organizationPath("events/:event/run-of-show"),
    summary: "All segments of an event with whole notes, and the names of its speakers",
    access: "member",
    params: z.object({ event: uuid }),
    async handle({ db, caller, baseUrl }, { params }) {
      const { id } = await getHostedEvent(db, caller, params.event);
      return { body: await getRunOfShow(db, id, baseUrl) };
    },
  }),
];
