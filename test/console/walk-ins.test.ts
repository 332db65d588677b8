import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeEach, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useDatabase } from "../support/setup.js";
import { createToolRunner, type ToolRunner } from "../support/tool-runner.js";

const { db } = useDatabase();
let fixture: EventFixture;
let tools: ToolRunner;

beforeEach(async () => {
  fixture = await createEventFixture(db);
  tools = createToolRunner(db, fixture).as({ role: "member" });
});

const ada = { name: "Ada Walker", email: "Ada@example.com" };

it("adds a guest who is approved and checked in, in one recorded change that can be undone", async () => {
  const { after, record_id } = await tools.commit("add_walk_in", ada);
  const { id } = after.registration;
  expect(after.registration).toEqual({
    ...ada,
    id: expect.any(String),
    status: "approved",
    previous_status: null,
    checked_in: true,
    ticket_type: null,
  });
  const details = await tools.run("get_event_registration_details", { registration_id: id });
  expect(details).toMatchObject({
    registration: { source: "door", checked_in_at: expect.any(String), registered_at: expect.any(String) },
    history: [{ tool: "add_walk_in", from: null, to: "approved, checked in" }],
  });
  await tools.commit("revert_change", { record_id });
  const gone = await tools.refusal("get_event_registration_details", { registration_id: id });
  expect(gone.code).toBe("not_found");
});

it("refuses an address that is on the list already, in any case, and says in which state the guest is", async () => {
  const refused = await tools.refusal("add_walk_in", { ...ada, email: "WaitListed@example.com" });
  expect(refused).toMatchObject({
    code: "conflict",
    message:
      "WaitListed@example.com is on the guest list already, waitlisted. Nothing was changed. Find that guest in the list",
    details: { registration_id: fixture.registrationIds.waitlisted },
  });
});

it("warns of a full event, and adds the guest who stands there all the same", async () => {
  const [{ approved = 0 } = {}] = await db.query<{ approved: number }>(
    sql`select approved from rosters where event_id = ${fixture.eventId}`,
  );
  const limit = (capacity: number) =>
    db.query(sql`update events set capacity = ${capacity} where id = ${fixture.eventId}`);
  await limit(approved + 1);
  expect((await tools.commit("add_walk_in", ada)).warnings).toEqual([]);
  const full = await tools.commit("add_walk_in", { ...ada, email: `${randomUUID()}@example.com` });
  expect(full.warnings).toEqual([
    {
      code: "over_capacity",
      message: `The event is full: with this guest, ${approved + 2} are approved for ${approved + 1} seats`,
      path: "seats",
    },
  ]);
});

it("is not disturbed by other guests, adds once however often it is sent, and refuses the same address then", async () => {
  const { commit_with } = await tools.run("add_walk_in", ada);
  await tools.commit("add_walk_in", { ...ada, email: "other@example.com" });
  const first = await tools.run("add_walk_in", { ...commit_with, reason: "At the door" });
  const again = await tools.run("add_walk_in", { ...commit_with, reason: "At the door" });
  expect(again.record_id).toBe(first.record_id);
  const late = await tools.refusal("add_walk_in", { ...ada, name: "Somebody else" });
  expect(late.message).toContain("is on the guest list already, approved, checked in");
});
