import {
  type ConsoleResponse,
  type ConsoleRoute,
  type ContextOf,
  consoleJson,
  defineConsoleRoute,
} from "../../console-route.js";
import type { DoorSessions } from "../../sign-in/door-sessions.js";
import { getOrganizationDetails } from "../organizations/store.js";
import {
  codesOf,
  type DoorReads,
  type GuestRouteServices,
  getGuestAtDoor,
  getScannedGuest,
  readChangesAtDoor,
  readGuestsAtDoor,
} from "./door-reads.js";
import { getGuestEvent } from "./guest-store.js";
import { commitCheckIn, commitWalkIn, previewCheckIn, previewWalkIn } from "./volunteer-changes.js";

export type VolunteerServices = GuestRouteServices & { door: DoorSessions };

type Public = ContextOf<"public", VolunteerServices>;
type Volunteer = ContextOf<"volunteer", VolunteerServices>;

/** Everything that somebody with a door link may do: nothing else has the access `volunteer`. */
export const volunteerRoutes: ConsoleRoute<VolunteerServices>[] = [
  defineConsoleRoute("openDoor", {
    access: "public",
    async handle({ services, request }: Public, { body }) {
      const { setCookie } = await services.door.open(body.token, body.pin.trim(), request.ip);
      // A device has one door: the one before is closed.
      await services.door.close(request.cookie);
      return { setCookie: [setCookie] };
    },
  }),
  defineConsoleRoute("closeDoor", {
    access: "public",
    async handle({ services, request }: Public) {
      const { setCookie } = await services.door.close(request.cookie);
      return { setCookie: [setCookie] };
    },
  }),
  defineConsoleRoute("openedDoor", { access: "volunteer", handle: openedLink }),
  defineConsoleRoute("volunteerGuests", {
    access: "volunteer",
    async handle(context: Volunteer, { query }) {
      const { items, ...page } = await readGuestsAtDoor(await readsOf(context), query.cursor);
      return consoleJson({ ...page, items: items.map(asVolunteersSee) });
    },
  }),
  defineConsoleRoute("volunteerChanges", {
    access: "volunteer",
    async handle(context: Volunteer, { query }) {
      const { items, ...changes } = await readChangesAtDoor(await readsOf(context), query.since);
      return consoleJson({ ...changes, items: items.map(asVolunteersSee) });
    },
  }),
  defineConsoleRoute("volunteerGuest", {
    access: "volunteer",
    async handle(context: Volunteer, { params }) {
      return consoleJson({ guest: asVolunteersSee(await getGuestAtDoor(await readsOf(context), params.registration)) });
    },
  }),
  defineConsoleRoute("volunteerScan", {
    access: "volunteer",
    async handle(context: Volunteer, { body }) {
      return consoleJson({ guest: asVolunteersSee(await getScannedGuest(await readsOf(context), body.code)) });
    },
  }),
  defineConsoleRoute("previewVolunteerCheckIn", {
    access: "volunteer",
    handle: async (context: Volunteer, { body }) => consoleJson(await previewCheckIn(context, body)),
  }),
  defineConsoleRoute("volunteerCheckIn", {
    access: "volunteer",
    async handle(context: Volunteer, { body }) {
      await commitCheckIn(context, body);
      return {};
    },
  }),
  defineConsoleRoute("previewVolunteerWalkIn", {
    access: "volunteer",
    handle: async (context: Volunteer, { body }) => consoleJson(await previewWalkIn(context, body)),
  }),
  defineConsoleRoute("volunteerWalkIn", {
    access: "volunteer",
    handle: async (context: Volunteer, { body }) => consoleJson(await commitWalkIn(context, body)),
  }),
];

async function openedLink({ db, baseUrl, door }: Volunteer): Promise<ConsoleResponse> {
  const [event, organization] = await Promise.all([
    getGuestEvent(db, door.eventId),
    getOrganizationDetails(db, door.organizationId, ["name", "brand_primary_color"], baseUrl),
  ]);
  return consoleJson({ link: { id: door.id, name: door.name }, maker: door.maker.name, event, organization });
}

/** The event is the one of the link: nothing that a request contains can name another. */
const readsOf = async ({ db, door, services }: Volunteer): Promise<DoorReads> => ({
  db,
  eventId: door.eventId,
  codes: await codesOf(services),
});

const asVolunteersSee = <Guest extends { email: string }>({ email: _, ...guest }: Guest): Omit<Guest, "email"> => guest;
