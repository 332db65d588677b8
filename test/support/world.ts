import type { Route } from "../../src/route.js";
import type { Make } from "./make.js";

/** The least that gives every route a row to answer with: one of each, seen by all three keys. */
export async function makeWorld(make: Make) {
  const conference = await make.conference();
  const organization = await make.organization();
  const event = await make.event(conference, { hosts: [organization] });
  const poster = await make.poster(event);
  const image = await make.image();
  return {
    ...{ conference, organization, event, poster, image },
    keys: {
      "super-admin": await make.superAdminKey(),
      conference: await make.conferenceKey(conference),
      organization: await make.organizationKey(organization),
    },
  };
}

export type World = Awaited<ReturnType<typeof makeWorld>>;

/** The route's path with the world's rows in it. */
export function pathIn(world: World, route: Pick<Route, "path">): string {
  return route.path
    .replace(/conferences\/:id/, `conferences/${world.conference}`)
    .replace(/events\/:id/, `events/${world.event}`)
    .replace(/posters\/:id/, `posters/${world.poster}`)
    .replace(/content\/:id/, `content/${world.poster}`)
    .replace(/:file/, world.image);
}
