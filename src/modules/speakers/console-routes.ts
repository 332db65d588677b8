import { getHostedEvent } from "../../access/hosting.js";
import { type ConsoleRoute, defineConsoleRoute } from "../../console-route.js";
import { listSpeakersOnStage } from "./store.js";

export const speakerConsoleRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("eventSpeakers", {
    access: "member",
    async handle({ db, caller, baseUrl }, { params }) {
      const { id } = await getHostedEvent(db, caller, params.event);
      return { body: await listSpeakersOnStage(db, id, baseUrl) };
    },
  }),
];
