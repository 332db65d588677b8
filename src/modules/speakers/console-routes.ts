import { getHostedEvent } from "../../access/hosting.js";
import { type ConsoleRoute, defineConsoleRoute, eventParams, eventPath } from "../../console-route.js";
import { listSpeakersOnStage } from "./store.js";

export const speakerConsoleRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute({
    method: "GET",
    path: eventPath("speakers"),
    summary: "All speakers of an event with their segments",
    access: "member",
    params: eventParams,
    async handle({ db, caller, baseUrl }, { params }) {
      const { id } = await getHostedEvent(db, caller, params.event);
      return { body: await listSpeakersOnStage(db, id, baseUrl) };
    },
  }),
];
