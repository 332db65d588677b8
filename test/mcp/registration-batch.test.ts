import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { maximumResultBytes } from "../../src/mcp/results.js";
import { createEventFixture } from "../support/event-fixture.js";
import { useDatabase, useEvent } from "../support/setup.js";
import { changesOf } from "../support/tool-runner.js";

const { db } = useDatabase();
const { fixture, tools } = useEvent(db);
let ids: typeof fixture.registrationIds;
beforeEach(() => {
  ids = fixture.registrationIds;
});

const one = (registration_id: string, more = {}) => ({ registration_id, ...more });
const stateOf = async (id: string) => {
  const [row] = await db.query<{ status: string; previous_status: string | null; checked_in: boolean }>(sql`
    select status, previous_status, checked_in_at is not null as checked_in from registrations where id = ${id}`);
  return row;
};

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

const guest = (status: keyof typeof ids) => ({
  id: ids[status],
  name: `Guest ${status}`,
  email: `${status}@example.com`,
});

describe("batch_update_event_registrations", () => {
  const batch = (action: string, ...registration_ids: string[]) => ({ action, registration_ids });

  it("applies the transition to all registrations, and shows their names", async () => {
    const result = await tools.commit(
      "batch_update_event_registrations",
      batch("decline", ids.pending, ids.approved, ids.declined),
    );
    for (const report of [result, result.preview]) {
      expect(report).toMatchObject({
        selected: 3,
        changed: 2,
        verdicts: [
          { ...guest("pending"), from: "pending", to: "declined" },
          { ...guest("approved"), from: "approved", to: "declined" },
          { ...guest("declined"), from: "declined", to: "declined" },
        ],
      });
    }
    expect(changesOf(result.preview)).toEqual([
      { path: `registrations[${ids.pending}].status`, from: "pending", to: "declined" },
      { path: `registrations[${ids.pending}].previous_status`, from: null, to: "pending" },
      { path: `registrations[${ids.approved}].status`, from: "approved", to: "declined" },
      { path: `registrations[${ids.approved}].previous_status`, from: null, to: "approved" },
    ]);
    expect(result.after.registrations).toEqual([
      { ...guest("pending"), status: "declined", previous_status: "pending", checked_in: false },
      { ...guest("approved"), status: "declined", previous_status: "approved", checked_in: false },
      { ...guest("declined"), status: "declined", previous_status: "approved", checked_in: false },
    ]);
    expect(await stateOf(ids.approved)).toMatchObject({ status: "declined", previous_status: "approved" });
    const [record] = await db.query<{ after: unknown }>(
      sql`select after from mutation_records where id = ${result.record_id}`,
    );
    expect(record?.after).toEqual(result.after);
  });

  it.each([
    ["decline", "approved"],
    ["restore", "declined"],
    ["check_in", "approved"],
    ["check_out", "approved"],
  ] as const)("%s shows the same fields of both states", async (action, status) => {
    if (action === "check_out") await tools.commit("batch_update_event_registrations", batch("check_in", ids[status]));
    const { preview, before, after } = await tools.commit(
      "batch_update_event_registrations",
      batch(action, ids[status]),
    );
    const fields = ["checked_in", "email", "id", "name", "previous_status", "status"];
    for (const { registrations } of [preview.current, preview.proposed, before, after])
      expect(Object.keys(registrations[0]).sort()).toEqual(fields);
  });

  it("changes nothing when one registration does not allow the transition", async () => {
    await tools.commit("set_event_registration_check_in", one(ids.approved, { checked_in: true }));
    const refused = await tools.refusal(
      "batch_update_event_registrations",
      batch("waitlist", ids.pending, ids.approved, ids.waitlisted, ids.declined),
    );
    expect(refused.code).toBe("invalid_transition");
    expect(refused.details).toEqual({
      refused: 2,
      verdicts: [
        { ...guest("approved"), from: "approved", refused: expect.stringContaining("Check the guest out first") },
        {
          ...guest("declined"),
          from: "declined",
          refused: "Cannot waitlist: the registration is declined, was approved. Allowed actions: restore",
        },
      ],
    });
    expect(refused.message).toContain("Cannot waitlist 2 of 4 registrations: Guest approved, Guest declined.");
    expect(await stateOf(ids.pending)).toMatchObject({ status: "pending" });
  });

  it("requires 1 to 500 distinct ids of this event", async () => {
    const other = await createEventFixture(db);
    const stranger = randomUUID();
    const unknown = await tools.refusal(
      "batch_update_event_registrations",
      batch("approve", ids.pending, other.registrationIds.pending, stranger),
    );
    expect(unknown).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("2 of registration_ids are not registrations of this event: see unknown_ids"),
      details: { unknown_ids: [other.registrationIds.pending, stranger] },
    });
    const twice = await tools.refusal(
      "batch_update_event_registrations",
      batch("approve", ids.pending, ids.pending.toUpperCase()),
    );
    expect(twice.message).toContain(`expected each id once; repeated: ${ids.pending}`);
    expect((await tools.refusal("batch_update_event_registrations", batch("approve"))).message).toContain(
      "1 to 500 ids",
    );
    const many = Array.from({ length: 501 }, () => randomUUID());
    expect((await tools.refusal("batch_update_event_registrations", batch("approve", ...many))).message).toContain(
      "1 to 500",
    );
    expect((await tools.refusal("batch_update_event_registrations", batch("erase", ids.pending))).message).toContain(
      "action: expected one of approve, decline, waitlist, restore, check_in, check_out",
    );
  });

  it("changes 100 registrations in the order of the request, in results below the limit", async () => {
    await db.query(sql`update events set capacity = 1000000 where id = ${fixture.eventId}`);
    const rows = await db.query<{ id: string }>(sql`
      insert into registrations (event_id, name, email, status)
      select ${fixture.eventId}, 'Guest ' || n, n || '@batch.example', 'waitlisted' from generate_series(1, 100) n returning id`);
    const hundred = rows.map(({ id }) => id).reverse();
    for (const action of ["decline", "restore", "approve", "waitlist"]) {
      const { preview, ...result } = await tools.commit("batch_update_event_registrations", batch(action, ...hundred));
      for (const states of [preview.current, preview.proposed]) expect(idsOf(states.registrations)).toEqual(hundred);
      expect(preview.commit_with.registration_ids).toEqual(hundred);
      for (const report of [preview, result]) {
        expect(report).toMatchObject({ selected: 100, changed: 100 });
        expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThan(maximumResultBytes);
      }
    }
  });
});
