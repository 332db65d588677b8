import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { maximumResultBytes } from "../../src/mcp/results.js";
import { createEventFixture } from "../support/event-fixture.js";
import { expectRefused } from "../support/expect-refused.js";
import { makerOn } from "../support/make.js";
import { useDatabase, useEvent } from "../support/setup.js";
import { changesOf, createToolRunner } from "../support/tool-runner.js";

const { db } = useDatabase();
const { fixture, tools } = useEvent(db);
let ids: typeof fixture.registrationIds;
beforeEach(() => {
  ids = fixture.registrationIds;
});

const one = (registration_id: string, more = {}) => ({ registration_id, ...more });
const setCapacity = (capacity: number | null) =>
  db.query(sql`update events set capacity = ${capacity} where id = ${fixture.eventId}`);
const stateOf = async (id: string) => {
  const [row] = await db.query<{ status: string; previous_status: string | null; checked_in: boolean }>(sql`
    select status, previous_status, checked_in_at is not null as checked_in from registrations where id = ${id}`);
  return row;
};

describe("transitions of one registration", () => {
  it("can be waitlisted, approved, checked in, checked out, declined and restored", async () => {
    const registration = one(ids.pending);
    await tools.commit("waitlist_event_registration", registration);
    await tools.commit("approve_event_registration", registration);
    await tools.commit("set_event_registration_check_in", { ...registration, checked_in: "true" });
    for (const name of ["decline_event_registration", "waitlist_event_registration"]) {
      const refused = await tools.refusal(name, registration);
      expect(refused.code).toBe("invalid_transition");
      expect(refused.message).toContain("approved, checked in. Check the guest out first");
      expect(refused.details).toEqual({ status: "approved", checked_in: true, open_moves: ["check_out"] });
    }
    await tools.commit("set_event_registration_check_in", { ...registration, checked_in: false });
    await tools.commit("decline_event_registration", registration);
    expect(await stateOf(ids.pending)).toEqual({ status: "declined", previous_status: "approved", checked_in: false });
    const restored = await tools.commit("restore_event_registration", registration);
    expect(changesOf(restored.preview)).toEqual([
      { path: "registration.status", from: "declined", to: "approved" },
      { path: "registration.previous_status", from: "approved", to: null },
    ]);
  });

  it("keeps the time of the first check-in", async () => {
    await db.query(sql`update registrations set checked_in_at = '2031-05-01T18:00:00Z' where id = ${ids.approved}`);
    await tools.commit("set_event_registration_check_in", one(ids.approved, { checked_in: true }));
    const details = await tools.run("get_event_registration_details", one(ids.approved));
    expect(details.registration.checked_in_at).toBe("2031-05-01T18:00:00.000Z");
    expect(details.open_moves).toEqual(["check_out"]);
  });
});

describe("capacity", () => {
  it("is enforced by every tool that approves, with the numbers in the refusal", async () => {
    await setCapacity(1);
    for (const [name, args] of waysToApprove()) {
      const refused = await tools.refusal(name, args);
      expect(refused).toMatchObject({ code: "conflict", details: { approved: 1, capacity: 1, free: 0, requested: 1 } });
      expect(refused.message).toContain("1 of 1 seats are taken");
      expect(changesOf(await tools.run(name, { ...args, allow_over_capacity: true }))).not.toEqual([]);
    }
    const waiting = await tools.run("add_event_guest", { ...guest(), status: "pending" });
    expect(waiting.current).toEqual({ registration: null, registration_counts: expect.any(Object) });
    expect(changesOf(await tools.run("approve_event_registration", one(ids.approved)))).toEqual([]);
    await setCapacity(2);
    const last = await tools.commit("approve_event_registration", one(ids.pending));
    expect(last.after.seats).toEqual({ approved: 2, capacity: 2 });
    expect((await tools.refusal("approve_event_registration", one(ids.waitlisted))).code).toBe("conflict");
  });

  it("refuses an earlier preview only where the last seat was taken meanwhile", async () => {
    const commitAfterOther = async () => {
      const preview = await tools.run("approve_event_registration", one(ids.pending));
      await tools.commit("approve_event_registration", one(ids.waitlisted));
      return { ...preview.commit_with, reason: "second" };
    };
    await setCapacity(2);
    const late = await tools.refusal("approve_event_registration", await commitAfterOther());
    expect(late).toMatchObject({ code: "conflict", details: { approved: 2, capacity: 2 } });
    await tools.commit("waitlist_event_registration", one(ids.waitlisted));
    await setCapacity(10);
    const { after } = await tools.run("approve_event_registration", await commitAfterOther());
    expect(after).toMatchObject({ registration: { status: "approved" }, seats: { approved: 3 } });
  });

  const guest = () => ({ name: "New", email: "new@example.com" });
  const waysToApprove = (): [tool: string, args: Record<string, unknown>][] => [
    ["approve_event_registration", one(ids.pending)],
    ["restore_event_registration", one(ids.declined)],
    ["add_event_guest", guest()],
    ["batch_update_event_registrations", { action: "approve", registration_ids: [ids.pending] }],
    ["batch_update_event_registrations", { action: "restore", registration_ids: [ids.declined] }],
  ];
});

describe("add_event_guest", () => {
  it("adds an approved or a pending guest", async () => {
    const name = "Zoë  Ξένη 🎟️ O'Brien";
    const added = await tools.commit("add_event_guest", {
      name,
      email: "Zoe@Example.com",
      ticket_type: "VIP",
    });
    expect(added.after.registration).toMatchObject({
      name,
      email: "Zoe@Example.com",
      status: "approved",
      ticket_type: "VIP",
    });
    const pending = await tools.commit("add_event_guest", {
      name,
      email: "z2@example.com",
      status: "pending",
    });
    const details = await tools.run("get_event_registration_details", one(pending.after.registration.id));
    expect(details).toMatchObject({
      registration: { name, status: "pending", source: "agent", answers: {} },
      history: [{ tool: "add_event_guest", from: null, to: "pending", reason: "for the test" }],
      open_moves: ["approve", "decline", "waitlist"],
    });
  });

  it("refuses an address that is registered in any case, and names the registration", async () => {
    const refused = await tools.refusal("add_event_guest", {
      name: "Again",
      email: "WaitListed@example.com",
    });
    expect(refused).toMatchObject({
      code: "conflict",
      details: { registration_id: ids.waitlisted, status: "waitlisted" },
    });
    expect(refused.message).toContain(`registration ${ids.waitlisted}, waitlisted`);
    const elsewhere = await createEventFixture(db);
    await createToolRunner(db, elsewhere).commit("add_event_guest", {
      event_id: elsewhere.eventId,
      name: "Again",
      email: "guest@example.com",
    });
    expect((await tools.run("add_event_guest", { name: "Again", email: "guest@example.com" })).dry_run).toBe(true);
  });

  it("refuses invalid input and names the field", () =>
    expectRefused(tools, "add_event_guest", [
      [{ name: "A", email: "not an address" }, "email: expected an e-mail address"],
      [{ name: "\u0000", email: "a@example.com" }, "name: expected"],
      [{ name: "\ud800", email: "a@example.com" }, "name: expected valid Unicode"],
      [{ name: "A", email: "a@example.com", status: "declined" }, "status: expected one of approved, pending"],
      [{ email: "a@example.com" }, "name: is required: expected a string"],
    ]));
});

describe("get_event_registration_details", () => {
  it("returns who changed what, when and why, newest first", async () => {
    const make = makerOn(db);
    const key = await make.organizationKey(fixture.organizationId, { userId: fixture.caller.userId });
    const keyId = await make.keyId(key);
    const agent = createToolRunner(db, {
      ...fixture,
      caller: { ...fixture.caller, via: { ...fixture.caller.via, keyId } },
    });
    await agent.commit("approve_event_registration", one(ids.pending), "paid");
    await agent.commit("set_event_registration_check_in", one(ids.pending, { checked_in: true }), "at the door");
    await agent.commit("set_event_registration_check_in", one(ids.pending, { checked_in: false }), "wrong badge");
    const batch = { action: "decline", registration_ids: [ids.waitlisted, ids.pending] };
    await agent.commit("batch_update_event_registrations", batch, "new date");
    await agent.commit("decline_event_registration", one(ids.approved), "someone else");
    const { history, open_moves, registration } = await tools.run("get_event_registration_details", one(ids.pending));
    expect(history.map(({ tool, from, to, reason }: Record<string, string>) => [tool, from, to, reason])).toEqual([
      ["batch_update_event_registrations", "approved", "declined, was approved", "new date"],
      ["set_event_registration_check_in", "approved, checked in", "approved", "wrong badge"],
      ["set_event_registration_check_in", "approved", "approved, checked in", "at the door"],
      ["approve_event_registration", "pending", "approved", "paid"],
    ]);
    expect(history[0]).toMatchObject({ user: { name: "Test Person", email: expect.any(String) }, key: "test" });
    expect(open_moves).toEqual(["restore"]);
    expect(registration).toMatchObject({ id: ids.pending, status: "declined", previous_status: "approved" });
  });

  it("shows states that batches recorded in words before they recorded data", async () => {
    await db.query(sql`
      insert into mutation_records (tool, event_id, via, request, request_hash, before, after)
      select 'batch_update_event_registrations', ${fixture.eventId}, 'key',
        jsonb_build_object('registration_ids', jsonb_build_array(${ids.pending}::text)), 'x',
        jsonb_build_object('registrations', jsonb_build_object(${ids.pending}::text, 'approved, checked in')),
        jsonb_build_object('registrations', jsonb_build_object(${ids.pending}::text, 'declined, was approved'))`);
    const { history } = await tools.run("get_event_registration_details", one(ids.pending));
    expect(history).toMatchObject([{ from: "approved, checked in", to: "declined, was approved" }]);
  });

  it("returns at most 50 entries, and leaves out answers that are too long", async () => {
    await addRecords(60, "why");
    const answers = { a: "x".repeat(20_000), diet: "vegan" };
    await db.query(sql`update registrations set answers = ${JSON.stringify(answers)} where id = ${ids.pending}`);
    const details = await tools.run("get_event_registration_details", one(ids.pending));
    expect(details.history).toHaveLength(50);
    expect(details.registration).toMatchObject({ answers: { diet: "vegan" }, answers_left_out: 1 });
  });

  it("keeps to the limit of a result, whatever the lengths of note, answers and reasons", async () => {
    await addRecords(50, "理".repeat(500));
    const answers = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`q${n}`, "答".repeat(300)]));
    const save = (note: string) =>
      db.query(
        sql`update registrations set note = ${note}, answers = ${JSON.stringify(answers)} where id = ${ids.pending}`,
      );
    await save("記".repeat(20_000));
    const details = await tools.run("get_event_registration_details", one(ids.pending));
    expect(Buffer.byteLength(JSON.stringify(details))).toBeLessThan(maximumResultBytes);
    expect(details.registration.note).toMatch(/^記{3000,}…$/);
    expect(details.history.length).toBeGreaterThan(10);
    expect(details.registration.answers_left_out).toBeGreaterThan(0);
    await save("n".repeat(20_000));
    const { registration } = await tools.run("get_event_registration_details", one(ids.pending));
    expect(registration.note).toHaveLength(20_000);
  });

  const addRecords = (count: number, reason: string) =>
    db.query(sql`
      insert into mutation_records (tool, event_id, via, reason, request, request_hash)
      select 'approve_event_registration', ${fixture.eventId}, 'key', ${reason},
        jsonb_build_object('registration_id', ${ids.pending}::text), 'x'
      from generate_series(1, ${count}::integer)`);
});

describe("registrations of other events", () => {
  it("are unknown to every tool", async () => {
    const other = await createEventFixture(db);
    const foreign = other.registrationIds.pending;
    const names = ["approve", "decline", "waitlist", "restore"].map((name) => `${name}_event_registration`);
    for (const name of [...names, "get_event_registration_details"]) {
      expect((await tools.refusal(name, one(foreign))).code).toBe("not_found");
      expect((await tools.refusal(name, { event_id: other.eventId, registration_id: foreign })).code).toBe("forbidden");
      expect((await tools.refusal(name, { event_id: randomUUID(), registration_id: foreign })).code).toBe("not_found");
    }
    const checkIn = one(foreign, { checked_in: true });
    expect((await tools.refusal("set_event_registration_check_in", checkIn)).code).toBe("not_found");
    expect((await tools.refusal("list_event_registrations", { event_id: other.eventId })).code).toBe("forbidden");
  });
});
