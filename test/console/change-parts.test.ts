import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { maximumParts } from "../../contract/change-parts.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

const { service, make } = useService(startConsole);
let fixture: EventFixture;
let owner: string;
let guests: string[];

beforeAll(async () => {
  fixture = await createEventFixture(service.db);
  owner = await service.signIn(fixture.caller.userId);
});

beforeEach(async () => {
  const { eventId, organizationId } = fixture;
  await service.db.query(sql`delete from registrations where event_id = ${eventId}`);
  const rows = await service.db.query<{ id: string }>(sql`
    insert into registrations (event_id, name, email, status)
    select ${eventId}, 'Guest ' || n, n || '@example.com', 'pending' from generate_series(1, 6) n returning id`);
  guests = rows.map(({ id }) => id);
  await service.db.transaction(async (tx) => {
    await tx.query(sql`select set_config('svc.change_records', 'archive', true)`);
    await tx.query(sql`delete from mutation_records where organization_id = ${organizationId}`);
  });
});

type Part = { tool?: string; args?: object; reason?: string; partOf?: string; cookie?: string };

async function commit({ tool = "batch_update_event_registrations", args = {}, reason = "Too small", ...rest }: Part) {
  const { partOf, cookie = owner } = rest;
  const path = `organizations/${fixture.organizationId}/tools/${tool}`;
  const preview = await service.post(path, cookie, args);
  expect(preview.status, preview.text).toBe(200);
  const query = partOf === undefined ? "" : `?part_of=${partOf}`;
  return service.post(path + query, cookie, { ...preview.json.commit_with, reason });
}

const decline = (ids: string[], part: Part = {}) =>
  commit({ args: { event_id: fixture.eventId, action: "decline", registration_ids: ids }, ...part });

const revert = (id: string, partOf?: string) =>
  commit({
    tool: "revert_change",
    args: { record_id: id },
    reason: "Undo",
    ...(partOf === undefined ? {} : { partOf }),
  });

async function declineInParts(): Promise<string> {
  const first = (await decline(guests.slice(0, 2))).json.record_id;
  for (const ids of [guests.slice(2, 4), guests.slice(4)]) {
    expect((await decline(ids, { partOf: first })).status).toBe(200);
  }
  return first;
}

const listed = async () =>
  (await service.get(`organizations/${fixture.organizationId}/activity`, owner)).json.items as Record<
    string,
    unknown
  >[];

const openParts = async (id: string) =>
  (await service.get(`organizations/${fixture.organizationId}/activity/${id}/parts`, owner)).json.items as {
    id: string;
    changed: number;
  }[];

const statuses = async () =>
  (
    await service.db.query<{ status: string }>(sql`
    select status from registrations where event_id = ${fixture.eventId} order by name`)
  ).map(({ status }) => status);

it("a change in parts is listed once, with what all parts changed, and undone as one", async () => {
  const first = await declineInParts();
  expect(await listed()).toMatchObject([
    { id: first, reverted_by: null, revertible: true, parts: { count: 3, changed: 6, reverted: 0 } },
  ]);
  const parts = await openParts(first);
  expect(parts.map(({ changed }) => changed)).toEqual([2, 2, 2]);
  expect(parts.at(-1)?.id).toBe(first);

  // The last part first, as one who closes the page in between leaves it.
  const undone = (await revert(parts[0]?.id ?? "")).json.record_id;
  expect(await listed()).toMatchObject([
    { id: undone, parts: null },
    { id: first, revertible: true, parts: { count: 3, changed: 6, reverted: 1 } },
  ]);
  const rest = await openParts(first);
  expect(rest).toEqual(parts.slice(1));
  for (const { id } of rest) expect((await revert(id, undone)).status).toBe(200);
  expect(await statuses()).toEqual(guests.map(() => "pending"));
  expect(await openParts(first)).toEqual([]);
  expect(await listed()).toMatchObject([
    { id: undone, revertible: true, parts: { count: 3, changed: 6, reverted: 0 } },
    { id: first, revertible: false, parts: { count: 3, changed: 6, reverted: 3 } },
  ]);

  // Undoing the undoing makes the change again.
  const again = await openParts(undone);
  const redone = (await revert(again[0]?.id ?? "")).json.record_id;
  for (const { id } of again.slice(1)) await revert(id, redone);
  expect(await statuses()).toEqual(guests.map(() => "declined"));
});

it("a part that somebody changed since stays, and the others are undone", async () => {
  const first = await declineInParts();
  await commit({
    tool: "restore_event_registration",
    args: { event_id: fixture.eventId, registration_id: guests[0] },
    reason: "A mistake",
  });
  await commit({
    tool: "approve_event_registration",
    args: { event_id: fixture.eventId, registration_id: guests[0] },
    reason: "A speaker",
  });
  const [last, middle] = await openParts(first);
  const undone = (await revert(last?.id ?? "")).json.record_id;
  expect((await revert(middle?.id ?? "", undone)).status).toBe(200);
  const path = `organizations/${fixture.organizationId}/tools/revert_change`;
  const refused = await service.post(path, owner, { record_id: first });
  expect(refused.status).toBe(409);
  expect(refused.json.error).toContain("because the status");
  expect((await openParts(first)).map(({ id }) => id)).toEqual([first]);
});

it("a repeated part returns the first result", async () => {
  const first = (await decline(guests.slice(0, 2))).json.record_id;
  const path = `organizations/${fixture.organizationId}/tools/batch_update_event_registrations`;
  const args = { event_id: fixture.eventId, action: "decline", registration_ids: guests.slice(2) };
  const { json } = await service.post(path, owner, args);
  const send = () => service.post(`${path}?part_of=${first}`, owner, { ...json.commit_with, reason: "Too small" });
  const [one, other] = [await send(), await send()];
  expect(other.json).toEqual(one.json);
  expect(await listed()).toMatchObject([{ parts: { count: 2, changed: 6 } }]);
});

it("parts of two people at once end as two changes", async () => {
  const admin = await service.signIn(await make.member(fixture.organizationId, "admin"));
  const [mine, theirs] = await Promise.all([
    decline(guests.slice(0, 1)),
    decline(guests.slice(1, 2), { cookie: admin }),
  ]);
  const rest = await Promise.all([
    decline(guests.slice(2, 4), { partOf: mine.json.record_id }),
    decline(guests.slice(4), { partOf: theirs.json.record_id, cookie: admin }),
  ]);
  expect(rest.map(({ status }) => status)).toEqual([200, 200]);
  expect((await listed()).map(({ parts }) => parts)).toEqual([
    { count: 2, changed: 3, reverted: 0 },
    { count: 2, changed: 3, reverted: 0 },
  ]);
});

describe("a part is refused", () => {
  let first: string;
  beforeEach(async () => {
    first = (await decline(guests.slice(0, 1))).json.record_id;
  });
  const rest = () => guests.slice(1, 2);
  const cases: [string, () => ReturnType<typeof commit>][] = [
    ["of an unknown change", () => decline(rest(), { partOf: randomUUID() })],
    ["with another reason", () => decline(rest(), { partOf: first, reason: "No reason" })],
    [
      "with another action",
      () =>
        commit({ args: { event_id: fixture.eventId, action: "waitlist", registration_ids: rest() }, partOf: first }),
    ],
    [
      "of another person's change",
      async () =>
        decline(rest(), {
          partOf: first,
          cookie: await service.signIn(await make.member(fixture.organizationId, "admin")),
        }),
    ],
    [
      "of a change by another tool",
      () =>
        commit({
          tool: "decline_event_registration",
          args: { event_id: fixture.eventId, registration_id: rest()[0] },
          partOf: first,
        }),
    ],
    [
      "of a change of the day before",
      async () => {
        await service.db.transaction(async (tx) => {
          await tx.query(sql`alter table mutation_records disable trigger append_only`);
          await tx.query(sql`update mutation_records set at = at - interval '25 hours' where id = ${first}`);
          await tx.query(sql`alter table mutation_records enable trigger append_only`);
        });
        return decline(rest(), { partOf: first });
      },
    ],
  ];
  const expectRefused = async (send: () => ReturnType<typeof commit>) => {
    const before = await statuses();
    const { status, json } = await send();
    expect(status).toBe(400);
    expect(json.error).toContain("part_of: expected the record of the first part of this change");
    expect(await statuses()).toEqual(before);
  };

  it.each(cases)("%s", (_, send) => expectRefused(send));

  it("of a further part", async () => {
    const further = (await decline(rest(), { partOf: first })).json.record_id;
    await expectRefused(() => decline(guests.slice(2, 3), { partOf: further }));
  });

  it("beyond the most that a change may have", async () => {
    await service.db.query(sql`
      insert into mutation_records (tool, organization_id, event_id, user_id, via, reason, request, request_hash, part_of)
      select tool, organization_id, event_id, user_id, via, reason, request, request_hash, ${first}::uuid
      from mutation_records, generate_series(2, ${maximumParts}::int) where id = ${first}`);
    const { status, json } = await decline(rest(), { partOf: first });
    expect(status).toBe(409);
    expect(json.error).toContain(`at most ${maximumParts} parts`);
  });
});

it("parts are shown to those who see the change", async () => {
  const first = await declineInParts();
  const path = (organization: string) => `organizations/${organization}/activity/${first}/parts`;
  const stranger = await service.signIn(await make.member(fixture.otherOrganizationId, "owner"));
  expect((await service.get(path(fixture.otherOrganizationId), stranger)).status).toBe(404);
  const cohost = await service.signIn(await make.member(fixture.cohostOrganizationId, "member"));
  expect((await service.get(path(fixture.cohostOrganizationId), cohost)).json.items).toHaveLength(3);
});
