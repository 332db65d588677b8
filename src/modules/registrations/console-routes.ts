import { Readable } from "node:stream";
import type { GuestFilters } from "../../../contract/console/guests.js";
import { ServiceError } from "../../../contract/errors.js";
import { getHosting, requireHosted } from "../../access/hosting.js";
import { type ConsoleRoute, type ContextOf, consoleJson, defineConsoleRoute } from "../../console-route.js";
import { byteOrderMark, csvLine } from "../../infra/csv.js";
import type { Queryable } from "../../infra/database/db.js";
import type { DeriveKey } from "../../sign-in/secret-key.js";
import { codeHash, type GuestCodes, guestCodes } from "./guest-code.js";
import {
  type DoorGuest,
  type ExportedGuest,
  exportGuests,
  findDoorGuest,
  getGuestEvent,
  listQuestions,
  readDoorChanges,
  readDoorPage,
  readDoorTime,
  selectGuests,
} from "./guest-store.js";
import { getRosterCounts, type RosterFilter } from "./roster-store.js";
import { unknownRegistrations } from "./store.js";

/** Guest codes are signed with a key that is derived from the secret of the service. */
export type GuestRouteServices = { signIn: { deriveKey: DeriveKey } };

type Member = ContextOf<"member", GuestRouteServices>;

/** What the guests tab and the door read. Changes go through the tools. */
export const guestRoutes: ConsoleRoute<GuestRouteServices>[] = [
  defineConsoleRoute("guestChanges", {
    access: "member",
    async handle(context: Member, { params, query }) {
      const time = await readDoorTime(context.db);
      const event = await getGuestEvent(context.db, await requireEvent(context, params.event));
      const counts = await getRosterCounts(context.db, event.id);
      const changed = query.since === undefined ? [] : await readDoorChanges(context.db, event.id, query.since);
      const items = await withCodeHashes(context, event.id, changed ?? []);
      return consoleJson({ event, counts, ...time, reload: changed === null, items });
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
        filename: `${fileNameOf(event.name)}-guests.csv`,
      };
    },
  }),
  defineConsoleRoute("guestCodes", {
    access: "member",
    async handle(context: Member, { params, query }) {
      const event = await getGuestEvent(context.db, await requireEvent(context, params.event));
      const codes = await codesOf(context);
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
      return consoleJson({ code: (await codesOf(context)).codeOf(event, guest.id) });
    },
  }),
  defineConsoleRoute("door", {
    access: "member",
    async handle(context: Member, { params, query }) {
      // The time is read before the guests, so that a change between the two is read again with the next changes.
      const time = await readDoorTime(context.db);
      const event = await getGuestEvent(context.db, await requireEvent(context, params.event));
      const { items, nextCursor } = await readDoorPage(context.db, event.id, { status: undefined }, query.cursor);
      const guests = await withCodeHashes(context, event.id, items);
      return consoleJson({ event, ...time, items: guests, next_cursor: nextCursor });
    },
  }),
  defineConsoleRoute("scanCode", {
    access: "member",
    async handle(context: Member, { params, body }) {
      const event = await requireEvent(context, params.event);
      const id = (await codesOf(context)).verify(event, body.code);
      const guest = id === undefined ? undefined : await findDoorGuest(context.db, event, id);
      if (guest === undefined) throw new ServiceError("not_found", "This is not the code of a guest of this event");
      const [found] = await withCodeHashes(context, event, [guest]);
      return consoleJson({ guest: found });
    },
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

const codesOf = async ({ services }: Member): Promise<GuestCodes> =>
  guestCodes(await services.signIn.deriveKey("guest codes"));

async function withCodeHashes(context: Member, eventId: string, guests: DoorGuest[]) {
  const codes = await codesOf(context);
  return guests.map((guest) => ({ ...guest, code_hash: codeHash(codes.codeOf(eventId, guest.id)) }));
}

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

/** In letters that every system and header can hold. */
function fileNameOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  return plain.replaceAll(/^-|-$/g, "").slice(0, 60) || "event";
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
