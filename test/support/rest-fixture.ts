import type { Route } from "../../src/route.js";
import type { Make } from "./make.js";

export type RestFixture = {
  conference: string;
  organization: string;
  event: string;
  poster: string;
  image: string;
  keys: { "super-admin": string; conference: string; organization: string };
};

/** One row of each kind, so that every route has something to return, and a key of each tier that sees them all. */
export async function createRestFixture(make: Make): Promise<RestFixture> {
  const conference = await make.conference();
  const organization = await make.organization();
  const event = await make.event(conference, { hosts: [organization] });
  const poster = await make.poster(event);
  const image = await make.image();
  return {
    conference,
    organization,
    event,
    poster,
    image,
    keys: {
      "super-admin": await make.superAdminKey(),
      conference: await make.conferenceKey(conference),
      organization: await make.organizationKey(organization),
    },
  };
}

/** The route's path with the ids of the fixture. */
export function pathFor(route: Pick<Route, "path">, fixture: RestFixture): string {
  return route.path
    .replace(/conferences\/:id/, `conferences/${fixture.conference}`)
    .replace(/events\/:id/, `events/${fixture.event}`)
    .replace(/posters\/:id/, `posters/${fixture.poster}`)
    .replace(/content\/:id/, `content/${fixture.poster}`)
    .replace(/:file/, fixture.image);
}
