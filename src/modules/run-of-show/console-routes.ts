import { getHostedEvent } from "../../access/hosting.js";
import { type ConsoleRoute, defineConsoleRoute } from "../../console-route.js";
import { getRunOfShow } from "./store.js";

export const runOfShowConsoleRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("runOfShow", {
    access: "member",
    async handle({ db, caller, baseUrl }, { params }) {
      const { id } = await getHostedEvent(db, caller, params.event);
      return { body: await getRunOfShow(db, id, baseUrl) };
    },
  }),
];
