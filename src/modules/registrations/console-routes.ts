import { Readable } from "node:stream";
import { asciiSlug } from "../../../contract/ascii-slug.js";
import type { GuestFilters } from "../../../contract/console/guests.js";
import { getHosting, requireHosted } from "../../access/hosting.js";
import { type ConsoleRoute, type ContextOf, consoleJson, defineConsoleRoute } from "../../console-route.js";
import { byteOrderMark, csvLine } from "../../infra/csv.js";
import type { Queryable } from "../../infra/database/db.js";
import {
  codesOf,
  type DoorReads,
  type GuestRouteServices,
  getScannedGuest,
  readChangesAtDoor,
  readGuestsAtDoor,
} from "./door-reads.js";
import {
  type ExportedGuest,
  exportGuests,
  findDoorGuest,
  getGuestEvent,
  listQuestions,
  readDoorPage,
  selectGuests,
} from "./guest-store.js";
import { getRosterCounts, type RosterFilter } from "./roster-store.js";
import { unknownRegistrations } from "./store.js";

export type { GuestRouteServices } from "./door-reads.js";

type Member = ContextOf<"member", GuestRouteServices>;

/** What the guests tab and the door read. Changes go through the tools. */
export const guestRoutes: ConsoleRoute<GuestRouteServices>[] = [
  defineConsoleRoute("guestChanges", {
    access: "member",
    async handle(context: Member, { params, query }) {
      const reads = await readsOf(context, params.event);
      const [changes, counts] = [
        await readChangesAtDoor(reads, query.since),
        await getRosterCounts(reads.db, params.event),
      ];
      return consoleJson({ ...changes, counts });
    },
  }),
  defineConsoleRoute("guestSelection", {
    access: "member",
    async handle(context: Member, { params, query }) {
      const event = await requireEvent(context, params.event);
      return consoleJson({ items: await selectGuests(context.db, event, filterOf(query)) });
    },
  }),
  defineConsoleRoute("exportGuests", {
    access: "member",
    async handle(context: Member, { params, query }) {
      const event = await getGuestEvent(context.db, await requireEvent(context, params.event));
      const questions = await listQuestions(context.db, event.id);
      const lines = csvLines(context.db, event.id, filterOf(query), questions);
      return {
        body: Readable.from(lines, { highWaterMark: 1 }),
        contentType: "text/csv; charset=utf-8",
        filename: `${asciiSlug(event.name, 60) || "event"}-guests.csv`,
      };
    },
  }),
  defineConsoleRoute("guestCodes", {
    access: "member",
    async handle(context: Member, { params, query }) {
      const event = await getGuestEvent(context.db, await requireEvent(context, params.event));
      const codes = await codesOf(context.services);
      const { items, nextCursor } = await readDoorPage(context.db, event.id, { status: "approved" }, query.cursor);
      const printed = items.map(({ id, name, ticket_type }) => ({
        id,
        name,
        ticket_type,
        code: codes.codeOf(event.id, id),
      }));
      return consoleJson({ event, items: printed, next_cursor: nextCursor });
    },
  }),
  defineConsoleRoute("guestCode", {
    access: "member",
    async handle(context: Member, { params }) {
      const event = await requireEvent(context, params.event);
      const guest = await findDoorGuest(context.db, event, params.registration);
      if (guest === undefined) throw unknownRegistrations([params.registration]);
      return consoleJson({ code: (await codesOf(context.services)).codeOf(event, guest.id) });
    },
  }),
  defineConsoleRoute("door", {
    access: "member",
    handle: async (context: Member, { params, query }) =>
      consoleJson(await readGuestsAtDoor(await readsOf(context, params.event), query.cursor)),
  }),
  defineConsoleRoute("scanCode", {
    access: "member",
    handle: async (context: Member, { params, body }) =>
      consoleJson({ guest: await getScannedGuest(await readsOf(context, params.event), body.code) }),
  }),
  defineConsoleRoute("doorManifest", {
    access: "member",
    async handle(context: Member, { params }) {
      const event = await getGuestEvent(context.db, await requireEvent(context, params.event));
      return {
        body: JSON.stringify(manifestOf(event, context.organization.slug)),
        contentType: "application/manifest+json; charset=utf-8",
      };
    },
  }),
];

async function requireEvent({ db, caller }: Member, eventId: string): Promise<string> {
  return requireHosted(await getHosting(db, caller, eventId), "host_or_co_host").id;
}

const readsOf = async (context: Member, eventId: string): Promise<DoorReads> => ({
  db: context.db,
  eventId: await requireEvent(context, eventId),
  codes: await codesOf(context.services),
});

function filterOf(query: GuestFilters): RosterFilter {
  return { status: query.status, checkedIn: query.checked_in, query: query.query };
}

async function* csvLines(
  db: Queryable,
  eventId: string,
  filter: RosterFilter,
  questions: string[],
): AsyncGenerator<string> {
  const titles = ["Name", "Email", "Status", "Ticket type", "Registered at", "Checked in at", "Source", "Note"];
  yield byteOrderMark + csvLine([...titles, ...questions]);
  for await (const guests of exportGuests(db, eventId, filter)) {
    yield guests.map((guest) => csvLine(cellsOf(guest, questions))).join("");
  }
}

function cellsOf(guest: ExportedGuest, questions: string[]): (string | null)[] {
  const { name, email, status, ticket_type, registered_at, checked_in_at, source, note } = guest;
  const answers = questions.map((question) => {
    const answer = guest.answers[question];
    return answer === undefined || answer === null || typeof answer === "string" ? (answer ?? null) : inWords(answer);
  });
  return [name, email, status, ticket_type, registered_at, checked_in_at, source, note, ...answers];
}

function inWords(answer: unknown): string {
  return Array.isArray(answer) && answer.every((part) => typeof part === "string")
    ? answer.join("; ")
    : JSON.stringify(answer);
}

function manifestOf({ id, name }: { id: string; name: string }, organization: string) {
  const start = `/o/${organization}/events/${id}/door`;
  return {
    id: start,
    start_url: start,
    scope: "/",
    display: "standalone",
    orientation: "portrait",
    name: `Check-in: ${name}`,
    short_name: "Check-in",
    lang: "en",
    background_color: "#171513",
    theme_color: "#171513",
    icons: [192, 512].map((size) => ({
      src: `/door-icon-${size}.png`,
      sizes: `${size}x${size}`,
      type: "image/png",
      purpose: "any maskable",
    })),
  };
}
