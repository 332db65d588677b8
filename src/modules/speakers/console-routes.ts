import { z } from "zod";
import { getHostedEvent } from "../../access/hosting.js";
import { type ConsoleRoute, defineConsoleRoute, organizationPath } from "../../console-route.js";
import { uuid } from "../../schema/fields.js";
import { listSpeakersOnStage } from "./store.js";

export const speakerConsoleRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute({
    method: "GET",
    path: organizationPath("events/:event/speakers"),
    summary: "All speakers of an event with their segments",
    access: "member",
    params: z.object({ event: uuid }),
    async handle({ db, caller, baseUrl }, { params }) {
      const { id } = await getHostedEvent(db, caller, params.event);
      return { body: await listSpeakersOnStage(db, id, baseUrl) };
    },
  }),
];
