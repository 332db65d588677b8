import sql from "sql-template-tag";
import { beforeAll, expect, it } from "vitest";
import { consoleOperations, type Operation } from "../../contract/console/operations.js";
import { consolePaths, type OperationName } from "../../contract/console/paths.js";
import { createDashboardFixture, type DashboardFixture } from "../support/dashboard-fixture.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

/** Requests that find something of everything that a response can contain: `call` compares each with the contract. */
const queries: Partial<Record<OperationName, string>> = {
  search: "query=opening",
  hostCandidates: "query=harbour",
  guestChanges: "since=2020-01-01T00:00:00Z",
  adminInvitations: "organization=:organization",
};

/** Covered by the tests of sign-in, connected apps and tools, which `call` compares with the contract too. */
const elsewhere: OperationName[] = [
  ...(["signIn", "reset", "invitation", "acceptInvitation", "accountSessions", "scanCode"] as const),
  ...(["connectRequest", "decideConnectRequest", "runTool", "runAdminTool"] as const),
  ...(["uploadImage", "uploadAdminImage"] as const),
  ...(["openedDoor", "volunteerGuests", "volunteerChanges", "volunteerGuest", "volunteerScan"] as const),
  ...(["previewVolunteerCheckIn", "previewVolunteerWalkIn", "volunteerWalkIn"] as const),
];

const { service, make } = useService(startConsole);
let fixture: DashboardFixture;
let cookie: string;
const ids = new Map<string, string>();

beforeAll(async () => {
  fixture = await createDashboardFixture(service.db);
  const { organizationId, ownerId } = fixture;
  await service.db.query(sql`update users set platform_admin = true where id = ${ownerId}`);
  cookie = await service.signIn(ownerId);
  await make.invitation(organizationId);
  await make.member(organizationId, "admin");
  await make.superAdminKey();
  await make.drawnPoster(fixture.eventIds[0] ?? "", { shows: { venue: "Hall Nine" } });
  ids.set("key", await make.keyId(await make.organizationKey(organizationId, { userId: ownerId })));
  const ended = await make.keyId(await make.organizationKey(organizationId, { userId: ownerId }));
  await service.db.query(sql`update api_keys set revoked_at = now() where id = ${ended}`);
  await make.connectedApp(organizationId, ownerId);
  const endedApp = await make.connectedApp(organizationId, ownerId);
  await service.db.query(sql`update connected_apps set ended_at = now() where id = ${endedApp}`);
  const event = fixture.eventIds[0] ?? "";
  const change = async (tool: string, args: object) => {
    const { status, text, json } = await service.change(organizationId, cookie, tool, { event_id: event, ...args });
    expect(status, text).toBe(200);
    return json;
  };
  await change("add_event_speaker", { name: "Ana Costa" });
  await change("create_event_segment", {
    title: "Welcome",
    kind: "talk",
    start_time: await startOf(event),
    duration_minutes: 15,
  });
  await change("set_event_primary_host", { organization_id: await make.organization() });
  await change("duplicate_event", { start_time: "2031-06-01T18:00:00Z" });
  await change("create_door_link", { name: "Main entrance" });
  const guest = await change("add_event_guest", { name: "Ola Opening", email: "ola@example.com" });
  ids.set("registration", guest.after.registration.id);
  ids.set("record", guest.record_id);
});

async function startOf(event: string): Promise<string> {
  const [row] = await service.db.query<{ at: string }>(
    sql`select iso8601(start_time) as at from events where id = ${event}`,
  );
  return row?.at ?? "";
}

/** What `:id` names in the path of an operation. */
const idsOf: Partial<Record<OperationName, () => string | undefined>> = {
  adminConference: () => fixture.conferenceIds[0],
  adminEvent: () => fixture.eventIds[0],
  adminOrganization: () => fixture.organizationId,
};

const reading = (Object.keys(consolePaths) as OperationName[]).filter((name) => {
  const operation: Operation = consoleOperations[name];
  return operation.response !== undefined && !elsewhere.includes(name);
});

it.each(reading)("%s returns what the contract says", async (name) => {
  const values: Record<string, string | undefined> = {
    ...Object.fromEntries(ids),
    organization: fixture.organizationId,
    event: fixture.eventIds[0],
    id: idsOf[name]?.(),
  };
  const filled = (text: string) => text.replaceAll(/:([a-z]+)/g, (_, parameter: string) => values[parameter] ?? "");
  const path = filled(consolePaths[name].replace("GET /api/console/", ""));
  const query = queries[name];
  const { status, text, json } = await service.get(query === undefined ? path : `${path}?${filled(query)}`, cookie);
  expect(status, text).toBe(200);
  for (const list of Object.values<unknown>(json).filter(Array.isArray)) {
    expect(list, text).not.toEqual([]);
  }
});
