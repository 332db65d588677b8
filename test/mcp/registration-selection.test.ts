import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { countStatements } from "../support/count-statements.js";
import { createEventFixture } from "../support/event-fixture.js";
import { expectRefused } from "../support/expect-refused.js";
import { makerOn } from "../support/make.js";
import { useDatabase, useEvent } from "../support/setup.js";
import { createToolRunner } from "../support/tool-runner.js";

const { db } = useDatabase(24);
const { fixture, tools } = useEvent(db);
const name = "batch_update_event_registrations";

type Guest = { name: string; email: string; status?: string };

/** In the order of the list. */
const addGuests = async (guests: Guest[], eventId = fixture.eventId): Promise<string[]> => {
  const rows = await db.query<{ id: string }>(sql`
    insert into registrations (event_id, name, email, status, registered_at)
    select ${eventId}, g->>'name', g->>'email', coalesce(g->>'status', 'pending'), now() - interval '1 day' + n * interval '1 s'
    from jsonb_array_elements(${JSON.stringify(guests)}) with ordinality as given (g, n) returning id`);
  return rows.map(({ id }) => id);
};

const manyGuests = (count: number, domain = "many.example") =>
  Array.from({ length: count }, (_, n) => ({ name: `Guest ${n}`, email: `g${n}@${domain}` }));

const countOf = async (status: string) => {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from registrations where event_id = ${fixture.eventId} and status = ${status}`);
  return row?.count;
};

const namesIn = (state: { registrations: { name: string }[] }) => state.registrations.map((row) => row.name);

const commitOf = ({ commit_with }: { commit_with: object }) => ({ ...commit_with, reason: "for the test" });

describe("by e-mail address", () => {
  it("finds guests in any case, in the order of the request", async () => {
    await addGuests([
      { name: "Zoë Ξένη 🎟️", email: "Zoe@Example.com" },
      { name: "Bo", email: "bo@example.org" },
    ]);
    const emails = ["BO@EXAMPLE.ORG", " zoe@example.COM "];
    const { after, preview, selected } = await tools.commit(name, { action: "approve", emails });
    expect(selected).toBe(2);
    expect(namesIn(preview.current)).toEqual(["Bo", "Zoë Ξένη 🎟️"]);
    expect(after.registrations).toMatchObject([
      { name: "Bo", email: "bo@example.org", status: "approved" },
      { name: "Zoë Ξένη 🎟️", status: "approved" },
    ]);
  });

  it("names all unknown addresses, and changes nothing", async () => {
    const other = await createEventFixture(db);
    await addGuests([{ name: "Elsewhere", email: "elsewhere@example.com" }], other.eventId);
    const emails = ["pending@example.com", "elsewhere@example.com", "nobody@example.com", "not an address"];
    const error = await tools.refusal(name, { action: "approve", emails });
    expect(error).toMatchObject({ code: "not_found", details: { unknown_emails: emails.slice(1) } });
    expect(error.message).toContain("3 e-mail addresses are not registered for this event: elsewhere@example.com, nob");
    expect(await countOf("approved")).toBe(1);
  });

  it("refuses what is not valid", () =>
    expectRefused(
      tools,
      name,
      (
        [
          [["a@example.com", "A@example.COM"], "emails: expected each address once; repeated: a@example.com"],
          [[], "emails: expected 1 to 500 e-mail addresses"],
          [Array.from({ length: 501 }, (_, n) => `${n}@example.com`), "emails: expected 1 to 500 e-mail addresses"],
          [["x".repeat(255)], "emails[0]: expected at most 254 characters"],
          [[1], "emails[0]: expected a string"],
          [["a\u0000@example.com"], "emails[0]: expected valid Unicode"],
        ] as [unknown, string][]
      ).map(([emails, text]) => [{ action: "approve", emails }, text]),
    ));
});

describe("by filter", () => {
  it("takes the earliest, a mail domain, and the rest", async () => {
    await db.query(sql`delete from registrations where event_id = ${fixture.eventId}`);
    await addGuests([
      ...manyGuests(12, "early.example"),
      { name: "Vendor one", email: "One@Vendor.example" },
      { name: "Vendor two", email: "two@vendor.EXAMPLE" },
      { name: "Not them", email: "three@sub.vendor.example" },
      { name: "@vendor.example", email: "four@vendor.example.org" },
      { name: "Five", email: "five@notvendor.example" },
    ]);
    const approved = await tools.commit(name, { action: "approve", filter: { status: "pending", limit: 10 } });
    expect(namesIn(approved.preview.current)).toEqual(Array.from({ length: 10 }, (_, n) => `Guest ${n}`));
    const declined = await tools.commit(name, { action: "decline", filter: { email_domain: "@VENDOR.example" } });
    expect(namesIn(declined.after)).toEqual(["Vendor one", "Vendor two"]);
    const rest = await tools.commit(name, { action: "waitlist", filter: { status: "pending" } });
    expect(rest).toMatchObject({ selected: 5, changed: 5 });
    expect([await countOf("approved"), await countOf("declined"), await countOf("waitlisted")]).toEqual([10, 2, 5]);
  });

  it("searches as list_event_registrations does", async () => {
    await addGuests([{ name: "Gonçalo Antunes", email: "ga@example.com" }]);
    const filter = { query: "antunes goncalo" };
    const { items } = await tools.run("list_event_registrations", filter);
    const { current } = await tools.run(name, { action: "approve", filter });
    expect(current.registrations.map(({ id }: { id: string }) => id)).toEqual(
      items.map(({ id }: { id: string }) => id),
    );
  });

  it("is pinned to the guests of the preview: more, fewer or others are refused", async () => {
    const args = { action: "approve", filter: { status: "pending" } };
    const more = await tools.run(name, args);
    const [added] = await addGuests([{ name: "Late", email: "late@example.com" }]);
    expect(await tools.refusal(name, commitOf(more))).toMatchObject({ code: "version_conflict" });
    const fewer = await tools.run(name, args);
    expect(fewer.selected).toBe(2);
    await tools.commit("decline_event_registration", { registration_id: added });
    expect(await tools.refusal(name, commitOf(fewer))).toMatchObject({ code: "version_conflict" });
    const others = await tools.run(name, args);
    await db.query(sql`delete from registrations where id = ${fixture.registrationIds.pending}`);
    await addGuests([{ name: "Another", email: "another@example.com" }]);
    expect(await tools.refusal(name, commitOf(others))).toMatchObject({ code: "version_conflict" });
    expect(await countOf("approved")).toBe(1);
  });

  it("accepts up to 500, and says how to go on with more", async () => {
    await addGuests(manyGuests(500));
    const filter = { status: "pending" };
    const error = await tools.refusal(name, { action: "waitlist", filter });
    expect([error.code, error.message]).toEqual([
      ...["invalid_input", expect.stringContaining("more than 500 guests match")],
    ]);
    const { after } = await tools.commit(name, { action: "waitlist", filter: { ...filter, limit: 500 } });
    expect(after).toMatchObject({ registrations: { length: 100 }, left_out: { registrations: 400 } });
    await tools.commit(name, { action: "waitlist", filter });
    expect(await countOf("pending")).toBe(0);
  });

  it("refuses what is not valid", () =>
    expectRefused(
      tools,
      name,
      (
        [
          [{}, "filter: expected at least one of status, checked_in, query and email_domain"],
          [{ limit: 5 }, "filter: expected at least one of"],
          [{ status: "declined, was approved" }, "filter.status: expected one of"],
          [{ email_domain: "a@example.com" }, "filter.email_domain: expected a mail domain, such as example.com"],
          [{ email_domain: "@" }, "filter.email_domain: expected a mail domain"],
          [{ query: " " }, "filter.query: expected a string that is not blank"],
          [{ status: "pending", limit: 501 }, "filter.limit: expected an integer from 1 to 500"],
          [{ state: "pending" }, "filter.state: unknown field"],
        ] as [unknown, string][]
      ).map(([filter, text]) => [{ action: "approve", filter }, text]),
    ));

  it("that finds nobody is refused, also for wildcards of SQL", async () => {
    for (const filter of [
      { email_domain: "%" },
      { email_domain: "example_com" },
      { query: "%" },
      { checked_in: true },
    ]) {
      const error = await tools.refusal(name, { action: "decline", filter });
      expect([error.code, error.message]).toEqual(["not_found", expect.stringContaining("No guest of this event")]);
    }
  });
});

it("exactly one selection is required", async () => {
  const { pending } = fixture.registrationIds;
  for (const selections of [{}, { registration_ids: [pending], emails: ["pending@example.com"] }]) {
    const error = await tools.refusal(name, { action: "approve", ...selections });
    expect(error.message).toContain("Send exactly one of registration_ids, emails, filter");
  }
});

describe("check-in of many", () => {
  it("checks in and out, keeps the first time, and refuses guests who are not approved", async () => {
    const [first] = await addGuests(manyGuests(5).map((guest) => ({ ...guest, status: "approved" })));
    await db.query(sql`update registrations set checked_in_at = '2031-05-01T18:00Z' where id = ${first}`);
    const emails = manyGuests(5).map(({ email }) => email.toUpperCase());
    const arrived = await tools.commit(name, { action: "check_in", emails });
    expect(arrived).toMatchObject({ selected: 5, changed: 4 });
    const times = await db.query<{ at: string }>(sql`
      select iso8601(checked_in_at) as at from registrations
      where event_id = ${fixture.eventId} and checked_in_at is not null order by registered_at`);
    expect(times).toHaveLength(5);
    expect(times[0]?.at).toBe("2031-05-01T18:00:00.000Z");
    const undone = await tools.commit("set_event_registration_check_in", {
      email: "G0@many.example",
      checked_in: false,
    });
    expect(undone.after.registration).toMatchObject({ id: first, name: "Guest 0", checked_in: false });
    const left = await tools.commit(name, { action: "check_out", filter: { checked_in: true } });
    expect(left).toMatchObject({ selected: 4, changed: 4 });
    const { pending } = fixture.registrationIds;
    const refused = await tools.refusal(name, { action: "check_in", registration_ids: [first, pending] });
    expect(refused.message).toContain("Cannot check in 1 of 2 registrations: Guest pending.");
  });

  it("by one address: unknown, missing and superfluous ones are refused", async () => {
    const refusal = (args: object) => tools.refusal("set_event_registration_check_in", { checked_in: true, ...args });
    expect(await refusal({ email: "nobody@example.com" })).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("No registration of this event has the e-mail address nobody@example.com."),
    });
    const both = { email: "approved@example.com", registration_id: fixture.registrationIds.approved };
    for (const args of [{}, both]) {
      expect((await refusal(args)).message).toContain("Send exactly one of registration_id, email");
    }
  });
});

describe("add_event_guest with several guests", () => {
  it("adds all, with names and addresses as they are", async () => {
    const guests = [
      { name: "Zoë  Ξένη", email: "Zoe@Example.com", ticket_type: "VIP" },
      { name: "مرحبا", email: "m@example.com", status: "pending" },
    ];
    const { preview, after } = await tools.commit("add_event_guest", { guests });
    expect(preview.current.registrations).toEqual([]);
    expect(preview.proposed.registration_counts).toEqual({
      ...preview.current.registration_counts,
      approved: preview.current.registration_counts.approved + 1,
      pending: preview.current.registration_counts.pending + 1,
    });
    expect(preview.proposed.registrations).toEqual([
      { id: null, name: "Zoë  Ξένη", email: "Zoe@Example.com", status: "approved", ticket_type: "VIP" },
      { id: null, name: "مرحبا", email: "m@example.com", status: "pending", ticket_type: null },
    ]);
    expect(after.registrations.map((guest: object) => ({ ...guest, id: null }))).toEqual(
      preview.proposed.registrations,
    );
    const [{ id: registration_id }] = after.registrations;
    const { history, registration } = await tools.run("get_event_registration_details", { registration_id });
    expect(registration).toMatchObject({ email: "Zoe@Example.com", source: "agent", ticket_type: "VIP" });
    expect(history).toMatchObject([{ tool: "add_event_guest", from: null, to: "approved", reason: "for the test" }]);
  });

  it("adds nobody when some are registered, and names them", async () => {
    const guests = ["new@example.com", "PENDING@example.com", "declined@example.com"].map((email) => ({
      name: "Again",
      email,
    }));
    const error = await tools.refusal("add_event_guest", { guests });
    const { pending, declined } = fixture.registrationIds;
    expect(error).toMatchObject({
      code: "conflict",
      details: {
        registered: [
          { email: "pending@example.com", registration_id: pending, status: "pending" },
          { email: "declined@example.com", registration_id: declined, status: "declined" },
        ],
      },
    });
    expect(error.message).toContain(
      "Already registered: pending@example.com (pending), declined@example.com (declined).",
    );
    expect(await countOf("approved")).toBe(1);
  });

  it("refuses what is not valid", () =>
    expectRefused(tools, "add_event_guest", [
      [{ guests: manyGuests(101) }, "guests: expected 1 to 100 guests: send the rest in another call"],
      [{ guests: [] }, "guests: expected 1 to 100 guests"],
      [
        {
          guests: [
            { name: "A", email: "a@b.example" },
            { name: "B", email: "A@b.example" },
          ],
        },
        "repeated: a@b.example",
      ],
      [
        {
          guests: [
            { name: "A", email: "a@b.example" },
            { name: "B", email: "b" },
          ],
        },
        "guests[1].email: expected an e-mail",
      ],
      [
        { guests: [{ name: "A", email: "a@b.example", status: "declined" }] },
        "guests[0].status: expected one of approved",
      ],
      [{ guests: [{ name: "A", email: "a@b.example" }], name: "A" }, "guests: send guests or name, not both"],
    ]));

  it("counts them against the capacity", async () => {
    await db.query(sql`update events set capacity = 3 where id = ${fixture.eventId}`);
    const error = await tools.refusal("add_event_guest", { guests: manyGuests(3) });
    expect(error).toMatchObject({ code: "conflict", details: { approved: 1, capacity: 3, free: 2, requested: 3 } });
    await tools.commit("add_event_guest", { guests: manyGuests(3), allow_over_capacity: true });
    expect(await countOf("approved")).toBe(4);
  });
});

it("of two batches that exclude each other, one happens", async () => {
  const filter = { status: "pending" };
  const previews = await Promise.all(["approve", "decline"].map((action) => tools.run(name, { action, filter })));
  const outcomes = await Promise.allSettled(previews.map((preview) => tools.run(name, commitOf(preview))));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

it("a repeated commit by filter returns the first result, although the filter finds nobody any more", async () => {
  const preview = await tools.run(name, { action: "decline", filter: { status: "pending" } });
  const first = await tools.run(name, commitOf(preview));
  const again = await tools.run(name, commitOf(preview));
  expect(again).toEqual(first);
});

it("history shows changes however they were selected, to the host and a co-host", async () => {
  const { pending: registration_id } = fixture.registrationIds;
  await tools.commit(name, { action: "waitlist", filter: { status: "pending" } }, "by filter");
  await tools.commit(name, { action: "approve", emails: ["pending@example.com"] }, "by address");
  await tools.commit(name, { action: "check_in", registration_ids: [registration_id] }, "by id");
  const { history } = await tools.run("get_event_registration_details", { registration_id });
  expect(history.map(({ from, to, reason }: Record<string, string>) => [from, to, reason])).toEqual([
    ["approved", "approved, checked in", "by id"],
    ["waitlisted", "approved", "by address"],
    ["pending", "waitlisted", "by filter"],
  ]);
  const cohost = createToolRunner(db, {
    eventId: fixture.eventId,
    caller: {
      ...fixture.caller,
      organizationId: fixture.cohostOrganizationId,
      userId: await makerOn(db).member(fixture.cohostOrganizationId, "owner"),
    },
  });
  const seen = await cohost.run("get_event_registration_details", { registration_id });
  expect(seen.history).toHaveLength(3);
});

it("a record of 500 by id, whose request is too long to be kept, is found for each guest", async () => {
  const registration_ids = await addGuests(manyGuests(500));
  await tools.commit(name, { action: "waitlist", registration_ids });
  const { history } = await tools.run("get_event_registration_details", { registration_id: registration_ids[499] });
  expect(history).toMatchObject([{ tool: name, from: "pending", to: "waitlisted" }]);
});

it("500 registrations and 100 guests need as many statements as one", async () => {
  await addGuests(manyGuests(500));
  const counted = countStatements(db);
  const counting = createToolRunner(counted.db, { ...fixture });
  const statementsOf = async (tool: string, args: object) => {
    counted.reset();
    await counting.commit(tool, args);
    return counted.reset();
  };
  const select = (limit: number) => ({ action: "waitlist", filter: { query: "many.example", limit } });
  const first = await statementsOf(name, select(1));
  expect(await statementsOf(name, select(500))).toBe(first);
  const emails = manyGuests(500).map(({ email }) => email);
  const one = await statementsOf(name, { action: "decline", emails: emails.slice(0, 1) });
  expect(await statementsOf(name, { action: "decline", emails })).toBe(one);
  const added = await statementsOf("add_event_guest", { name: "One", email: `${randomUUID()}@one.example` });
  expect(await statementsOf("add_event_guest", { guests: manyGuests(100, "hundred.example") })).toBe(added);
});
