import { toolPermissions } from "../support/tool-permissions.js";
import { type Event, type Key, type Role, roles, type World } from "./model-world.js";

/**
 * The access rules of the service, written a second time and as literally as possible: no indexes, no SQL, nothing of src/.
 * What it expects is compared with what the service responds.
 */

export type Question =
  | { kind: "ping" }
  | { kind: "conferences" }
  | { kind: "events"; conference: string; category?: string }
  | { kind: "posters"; event_id?: string; conference_id?: string; published?: boolean }
  | { kind: "event posters"; event: string; published?: boolean }
  | { kind: "poster"; poster: string }
  | { kind: "patch"; poster: string }
  | { kind: "ticketing"; event: string; write: boolean }
  | { kind: "tools" }
  | { kind: "tool"; name: string; event: string }
  | { kind: "registration"; event: string; registration: string };

/**
 * A status, with the ids that a 200 lists. Of a tool that the caller has, only whether it was reached is compared: what it
 * then does with its arguments is tested elsewhere.
 */
export type Answer =
  | { status: 200; ids: string[] }
  | { status: 400 | 401 | 403 | 404 | 409 | 502 }
  | { status: "unknown tool" | "not_found" | "forbidden" | "reached" };

/** The role that a PATCH needs. */
export const patchRole: Role = "admin";
/** The role that a write through the ticketing proxy needs. */
export const ticketingWriteRole: Role = "admin";

export function expectedAnswer(world: World, key: Key, question: Question): Answer {
  const role = roleOf(world, key);
  if (key.state !== "active" || (key.organization !== null && role === undefined)) return { status: 401 };
  if (question.kind === "ping") return { status: 200, ids: [] };
  if (question.kind === "tools" || question.kind === "tool" || question.kind === "registration") {
    return key.organization === null ? { status: 403 } : ofTools(world, key, role ?? "member", question);
  }
  if (question.kind === "ticketing") {
    if (key.organization === null) return { status: 403 };
    if (!hasScope(key, question.write ? "registrations:write" : "org:read")) return { status: 403 };
    if (question.write && !atLeast(role, ticketingWriteRole)) return { status: 403 };
    const event = world.events.find(({ id }) => id === question.event);
    const refused = refusal(world, key, event);
    if (refused !== undefined) return refused;
    return { status: event?.ticketing_event_id === null ? 409 : 502 };
  }
  if (!restScopes(question).some((scope) => hasScope(key, scope))) return { status: 403 };
  if (question.kind === "patch" && key.organization !== null && !atLeast(role, patchRole)) return { status: 403 };
  return ofRest(world, key, question);
}

/** One of these is enough. */
function restScopes({ kind }: Question): string[] {
  if (kind === "patch") return ["events:write"];
  return kind === "conferences" || kind === "events" ? ["conferences:read", "org:read"] : ["conferences:read"];
}

type RestQuestion = Exclude<Question, { kind: "ping" | "ticketing" | "tools" | "tool" | "registration" }>;

function ofRest(world: World, key: Key, question: RestQuestion): Answer {
  switch (question.kind) {
    case "conferences":
      return ids(
        inOrder(
          world.conferences.filter((row) => seesConference(world, key, row.id)),
          (row) => [row.start_date],
        ),
      );
    case "events": {
      const refused = refusalOfConference(world, key, question.conference);
      if (refused !== undefined) return refused;
      const events = world.events.filter(
        (event) =>
          event.conference === question.conference &&
          seesEvent(world, key, event) &&
          (question.category === undefined || event.category === question.category),
      );
      return ids(inOrder(events, (event) => [event.start_time]));
    }
    case "event posters": {
      const event = world.events.find(({ id }) => id === question.event);
      return refusal(world, key, event) ?? ofPosters(world, key, { ...question, event_id: question.event });
    }
    case "posters":
      return ofPosters(world, key, question);
    case "poster":
    case "patch": {
      const poster = world.posters.find(({ id }) => id === question.poster);
      const refused = refusal(world, key, poster && eventOf(world, poster.event));
      return refused ?? { status: 200, ids: [question.poster] };
    }
  }
}

type PosterFilters = { event_id?: string; conference_id?: string; published?: boolean };

function ofPosters(world: World, key: Key, filters: PosterFilters): Answer {
  const event = world.events.find(({ id }) => id === filters.event_id);
  const refusals = [
    filters.event_id === undefined ? undefined : refusal(world, key, event),
    filters.conference_id === undefined ? undefined : refusalOfConference(world, key, filters.conference_id),
  ];
  // What nobody has is no error in a filter.
  if (refusals.some((refused) => refused?.status === 403)) return { status: 403 };
  const posters = world.posters.filter((poster) => {
    const of = eventOf(world, poster.event);
    return (
      seesEvent(world, key, of) &&
      (filters.event_id === undefined || poster.event === filters.event_id) &&
      (filters.conference_id === undefined || of.conference === filters.conference_id) &&
      (filters.published === undefined || poster.published === filters.published)
    );
  });
  return ids(inOrder(posters, (poster) => [poster.sort_order]));
}

function ofTools(
  world: World,
  key: Key,
  role: Role,
  question: Extract<Question, { kind: "tools" | "tool" | "registration" }>,
): Answer {
  const hostsAny = world.events.some((event) => seesEvent(world, key, event));
  const available = toolPermissions.filter(
    (tool) =>
      [tool.scope].flat().some((scope) => hasScope(key, scope)) &&
      atLeast(role, tool.role) &&
      (tool.event === null || hostsAny),
  );
  if (question.kind === "tools") return { status: 200, ids: available.map(({ name }) => name) };
  const name = question.kind === "tool" ? question.name : "get_event_registration_details";
  const tool = available.find((candidate) => candidate.name === name);
  if (tool === undefined) return { status: "unknown tool" };
  if (tool.event === null) return { status: "reached" };
  const event = world.events.find(({ id }) => id === question.event);
  const refused = event !== undefined && isItsOwn(world, key, event) ? undefined : refusal(world, key, event);
  if (refused !== undefined) return { status: refused.status === 404 ? "not_found" : "forbidden" };
  const host = event?.hosts.find(({ organization }) => organization === key.organization);
  if (tool.event !== "host_or_co_host" && host?.role !== "host") return { status: "forbidden" };
  const registrations = world.registrations.filter((row) => row.event === question.event);
  if (question.kind === "registration") {
    const found = registrations.some(({ id }) => id === question.registration);
    return found ? { status: 200, ids: [question.registration] } : { status: "reached" };
  }
  if (name === "list_event_registrations") return { status: 200, ids: registrations.map(({ id }) => id).sort() };
  return { status: "reached" };
}

function isShown(row: { status: string } | undefined): boolean {
  return row?.status === "approved" || row?.status === "published";
}

function isListed(world: World, event: Event): boolean {
  return isShown(event) && isShown(world.conferences.find(({ id }) => id === event.conference));
}

function seesEvent(world: World, key: Key, event: Event): boolean {
  if (!isListed(world, event)) return false;
  if (key.conference !== null) return event.conference === key.conference;
  return key.organization === null || event.hosts.some(({ organization }) => organization === key.organization);
}

/**
 * A draft that the organization has proposed, or an event that it has cancelled, of a conference that is shown: tools of its
 * host find it. What they then do with one that is cancelled is tested elsewhere.
 */
function isItsOwn(world: World, key: Key, event: Event): boolean {
  const isHost = event.hosts.some(({ organization, role }) => organization === key.organization && role === "host");
  if (!isHost || !isShown(world.conferences.find(({ id }) => id === event.conference))) return false;
  if (event.status === "archived") return event.cancelled;
  return event.status === "draft" && event.proposed_by === key.organization;
}

function seesConference(world: World, key: Key, id: string): boolean {
  if (!isShown(world.conferences.find((conference) => conference.id === id))) return false;
  if (key.conference !== null) return id === key.conference;
  return (
    key.organization === null || world.events.some((event) => event.conference === id && seesEvent(world, key, event))
  );
}

/** What nobody sees does not exist; what this key does not see is forbidden. */
function refusal(world: World, key: Key, event: Event | undefined): { status: 403 | 404 } | undefined {
  if (event === undefined || !isListed(world, event)) return { status: 404 };
  return seesEvent(world, key, event) ? undefined : { status: 403 };
}

function refusalOfConference(world: World, key: Key, id: string): { status: 403 | 404 } | undefined {
  if (!isShown(world.conferences.find((conference) => conference.id === id))) return { status: 404 };
  return seesConference(world, key, id) ? undefined : { status: 403 };
}

function eventOf(world: World, id: string): Event {
  const event = world.events.find((candidate) => candidate.id === id);
  if (event === undefined) throw new Error("a poster without an event");
  return event;
}

function roleOf(world: World, key: Key): Role | undefined {
  return world.members.find(({ organization, user }) => organization === key.organization && user === key.user)?.role;
}

function atLeast(role: Role | undefined, wanted: Role): boolean {
  return role !== undefined && roles.indexOf(role) >= roles.indexOf(wanted);
}

/** Only organization keys have scopes. */
function hasScope(key: Key, scope: string): boolean {
  return key.organization === null || (key.scopes ?? []).includes(scope);
}

function ids(rows: { id: string }[]): Answer {
  return { status: 200, ids: rows.map(({ id }) => id) };
}

/** By the sort key, then by id; rows of the model were all created at the same time. */
function inOrder<Row extends { id: string }>(rows: Row[], sortKey: (row: Row) => (string | number)[]): Row[] {
  const key = (row: Row) => [...sortKey(row), row.id].join(" ");
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
