import { beforeAll, describe, expect, it } from "vitest";
import { consoleRoutes } from "../../src/registry.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

/**
 * Who may make which request, written out, so that a changed declaration fails. 401, 403 and 404 are refusals of access,
 * before the input is looked at; `ok` is everything else.
 */
type Outcome = "ok" | 401 | 403 | 404;
type Row = [signedOut: Outcome, stranger: Outcome, member: Outcome, admin: Outcome, owner: Outcome, platform: Outcome];

const everyone: Row = ["ok", "ok", "ok", "ok", "ok", "ok"];
const signedIn: Row = [401, "ok", "ok", "ok", "ok", "ok"];
const members: Row = [401, 404, "ok", "ok", "ok", 404];
const admins: Row = [401, 404, 403, "ok", "ok", 404];
const volunteers: Row = [401, 401, 401, 401, 401, 401];
const administrators: Row = [401, 403, 403, 403, 403, "ok"];

const table: Record<string, Row> = {
  "GET session": everyone,
  "POST sign-in": everyone,
  "POST sign-out": everyone,
  "GET sign-in/oidc": everyone,
  "GET sign-in/oidc/callback": everyone,
  "POST password/request-reset": everyone,
  "GET password/resets/:token": everyone,
  "POST password/resets/:token": everyone,
  "GET invitations/:token": everyone,
  "POST invitations/:token/accept": everyone,
  "GET connect/:uid": everyone,
  "GET connect/:uid/request": signedIn,
  "POST connect/:uid/request": signedIn,
  "GET account/sessions": signedIn,
  "POST account/sessions/:id/revoke": signedIn,
  "POST account/password": signedIn,
  "POST account/profile": signedIn,
  "POST organizations/:organization/tools/:tool": members,
  "GET organizations/:organization/changes": members,
  "GET organizations/:organization/keys": members,
  "GET organizations/:organization/keys/:key": members,
  "GET organizations/:organization/apps": members,
  "GET organizations/:organization/members": members,
  "GET organizations/:organization/dashboard": members,
  "POST organizations/:organization/visits": members,
  "GET organizations/:organization/events": members,
  "GET organizations/:organization/proposals": members,
  "GET organizations/:organization/conferences": members,
  "GET organizations/:organization/posters": members,
  "GET organizations/:organization/links": members,
  "GET organizations/:organization/search": members,
  "POST organizations/:organization/images": members,
  "GET organizations/:organization/activity": members,
  "GET organizations/:organization/activity/export": members,
  "GET organizations/:organization/activity/:record/parts": members,
  "GET organizations/:organization/activity/people": members,
  "GET organizations/:organization/host-candidates": admins,
  "GET organizations/:organization/events/:event": members,
  "GET organizations/:organization/events/:event/speakers": members,
  "GET organizations/:organization/events/:event/posters": members,
  "GET organizations/:organization/events/:event/pictures.zip": members,
  "GET organizations/:organization/events/:event/poster-preview": admins,
  "GET organizations/:organization/events/:event/guests/changes": members,
  "GET organizations/:organization/events/:event/guests/selection": members,
  "GET organizations/:organization/events/:event/guests.csv": members,
  "GET organizations/:organization/events/:event/guests/codes": members,
  "GET organizations/:organization/events/:event/guests/:registration/code": members,
  "GET organizations/:organization/events/:event/door": members,
  "POST organizations/:organization/events/:event/door/scan": members,
  "GET organizations/:organization/events/:event/door.webmanifest": members,
  "GET organizations/:organization/events/:event/door-links": admins,
  "GET organizations/:organization/events/:event/run-of-show": members,
  // What volunteers may do: test/console/door-links.test.ts.
  "POST door": everyone,
  "POST door/close": everyone,
  "GET door": volunteers,
  "GET door/guests": volunteers,
  "GET door/guests/changes": volunteers,
  "GET door/guests/:registration": volunteers,
  "POST door/scan": volunteers,
  "POST door/check-ins/preview": volunteers,
  "POST door/check-ins": volunteers,
  "POST door/walk-ins/preview": volunteers,
  "POST door/walk-ins": volunteers,
  "POST admin/tools/:tool": administrators,
  "GET admin/changes": administrators,
  "POST admin/images": administrators,
  "GET admin/overview": administrators,
  "GET admin/conferences": administrators,
  "GET admin/conferences/:id": administrators,
  "GET admin/events": administrators,
  "GET admin/events/:id": administrators,
  "GET admin/organizations": administrators,
  "GET admin/organizations/:id": administrators,
  "GET admin/people": administrators,
  "GET admin/invitations": administrators,
  "GET admin/keys": administrators,
  "GET admin/records": administrators,
  "GET admin/records/export": administrators,
};

const visitors = ["signed out", "stranger", "member", "admin", "owner", "platform administrator"] as const;

const { service, make } = useService(() => startConsole({}, { consoleLimit: 100_000 }));
let fixture: EventFixture;
const cookies = new Map<string, string>();

beforeAll(async () => {
  fixture = await createEventFixture(service.db);
  const administrator = await make.platformAdministrator();
  const people = {
    stranger: await make.member(fixture.otherOrganizationId, "owner"),
    member: await make.member(fixture.organizationId, "member"),
    admin: await make.member(fixture.organizationId, "admin"),
    owner: fixture.caller.userId,
    "platform administrator": administrator,
  };
  for (const [visitor, userId] of Object.entries(people)) cookies.set(visitor, await service.signIn(userId));
});

it("has a row for every console request", () => {
  const declared = consoleRoutes.map(({ method, path }) => `${method} ${path.replace("/api/console/", "")}`);
  expect(declared.sort()).toEqual(Object.keys(table).sort());
});

/** Streams never end: only their status is read. */
async function outcomeOf(request: string, cookie: string | undefined): Promise<Outcome> {
  const [method = "", path = ""] = request.split(" ");
  const ids: Record<string, string> = {
    ":organization": fixture.organizationId,
    ":event": fixture.eventId,
    ":registration": fixture.registrationIds.approved,
    ":tool": "get_organization_admin_snapshot",
  };
  const url = path.replaceAll(/:\w+/g, (name) => ids[name] ?? fixture.eventId);
  const response = await fetch(`${service.url}/api/console/${url}`, {
    method,
    redirect: "manual",
    headers: { origin: service.url, ...(cookie === undefined ? {} : { cookie }), "content-type": "application/json" },
    ...(method === "POST" ? { body: "{}" } : {}),
  });
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const { error = "" } = isJson ? ((await response.json()) as { error?: string }) : {};
  if (!isJson) await response.body?.cancel();
  return refusals.find(({ status, says }) => status === response.status && error.startsWith(says))?.status ?? "ok";
}

const refusals = [
  { status: 401, says: "Sign in first" },
  { status: 401, says: "Open the door link first" },
  { status: 403, says: "This requires the role" },
  { status: 403, says: "Only platform administrators" },
  { status: 404, says: "Organization not found" },
] as const;

describe.each(Object.entries(table))("%s", (request, row) => {
  it.each(visitors.map((visitor, place) => [visitor, row[place]] as const))("%s: %s", async (visitor, outcome) => {
    expect(await outcomeOf(request, cookies.get(visitor))).toBe(outcome);
  });
});
