import { getHostedEvent } from "../../access/hosting.js";
import { type ConsoleRoute, defineConsoleRoute, eventParams, eventPath } from "../../console-route.js";
import { getRunOfShow } from "./store.js";

export const runOfShowConsoleRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute({
    method: "GET",
    path: eventPath("run-of-show"),
    summary: "All segments of an event with whole notes, and the names of its speakers",
    access: "member",
    params: eventParams,
    async handle({ db, caller, baseUrl }, { params }) {
      const { id } = await getHostedEvent(db, caller, params.event);
      return { body: await getRunOfShow(db, id, baseUrl) };
    },
  }),
];
