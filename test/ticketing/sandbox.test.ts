import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunningSandbox, startTestSandbox } from "./support/sandbox.js";
import { event, other } from "./support/sandbox-events.js";

let sandbox: RunningSandbox;

beforeEach(async () => {
  sandbox = await startTestSandbox({ events: [event, other] });
});

afterEach(() => sandbox.close());

const inEvent = { event_id: "evt-Talk" };

describe("basics", () => {
  it("returns 401 without the key or with another one", async () => {
    expect((await sandbox.get("event/get", { id: "evt-Talk" }, "wrong")).status).toBe(401);
    expect((await fetch(`${sandbox.url}/event/get?id=evt-Talk`)).status).toBe(401);
  });

  it("finds an event by id or api_id, not by event_id", async () => {
    const reply = await sandbox.get("event/get", { id: "evt-Talk" });
    expect(reply.json).toMatchObject({
      event: { id: "evt-Talk", api_id: "evt-Talk", name: "A talk", duration_interval: "PT1H30M", visibility: "public" },
      hosts: [{ name: "Harbor Labs", email: "hello@harbor.example.com" }],
    });
    expect((await sandbox.get("event/get", { api_id: "evt-Talk" })).status).toBe(200);
    const missing = await sandbox.get("event/get", { event_id: "evt-Talk" });
    expect([missing.status, missing.json]).toEqual([400, { message: "Missing event identifier" }]);
    expect((await sandbox.get("event/get", { id: "evt-None" })).status).toBe(404);
    expect((await sandbox.get("event/get-guests", { event_api_id: "evt-Talk" })).status).toBe(200);
  });

  it("returns 404 for unknown paths, 405 for other methods and 400 for invalid JSON", async () => {
    expect((await sandbox.get("event/nothing")).status).toBe(404);
    expect((await sandbox.get("constructor")).status).toBe(404);
    expect((await sandbox.post("event/get", inEvent)).status).toBe(405);
    expect((await sandbox.get("event/add-guests")).status).toBe(405);
    expect((await sandbox.post("event/add-guests", "not json")).status).toBe(400);
  });

  it("blocks the key for a minute once the rate limit is exceeded", async () => {
    const limited = await startTestSandbox({ events: [event] }, { requestsPerMinute: 3 });
    try {
      const call = () => limited.get("event/get", { id: "evt-Talk" });
      for (let request = 0; request < 3; request += 1) expect((await call()).status).toBe(200);
      limited.advance(30_000);
      const refused = await call();
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
      limited.advance(45_000);
      const still = await call();
      expect([still.status, still.headers.get("retry-after")]).toEqual([429, "15"]);
      limited.advance(15_000);
      for (let request = 0; request < 3; request += 1) expect((await call()).status).toBe(200);
      limited.advance(60_000);
      expect((await call()).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

describe("guests", () => {
  const guests = async (fields: Record<string, string> = {}) =>
    (await sandbox.get("event/get-guests", { ...inEvent, ...fields })).json;

  it("are listed with a nested copy, filtered, sorted and paginated", async () => {
    const { entries } = await guests();
    expect(entries).toHaveLength(3);
    const { guest, ...flat } = entries[0];
    expect(flat).toEqual(guest);
    expect(guest).toMatchObject({
      user_email: "Ada@example.com",
      user_first_name: "Ada",
      user_last_name: "Byron King",
      approval_status: "approved",
      check_in_qr_code: expect.stringContaining("pk=g-"),
      event_tickets: [{ name: "Standard", amount: 2500, currency: "eur", is_captured: true }],
    });
    expect((await guests({ approval_status: "declined" })).entries).toHaveLength(1);
    expect((await sandbox.get("event/get-guests", { ...inEvent, approval_status: "odd" })).status).toBe(400);
    const byEmail = await guests({ sort_column: "email", sort_direction: "desc" });
    expect(byEmail.entries.map((entry: { user_email: string }) => entry.user_email[0])).toEqual(["c", "b", "A"]);
    const first = await guests({ sort_column: "email", pagination_limit: "2" });
    expect([first.entries.length, first.has_more]).toEqual([2, true]);
    const last = await guests({ sort_column: "email", pagination_limit: "2", pagination_cursor: first.next_cursor });
    expect([last.entries.length, last.has_more, "next_cursor" in last]).toEqual([1, false, false]);
    expect((await sandbox.get("event/get-guests", { ...inEvent, pagination_cursor: "???" })).status).toBe(400);
  });

  it("are found by id, key, ticket id or e-mail, only within their event", async () => {
    const { entries } = await guests();
    const { id, check_in_qr_code, event_tickets } = entries[0];
    const names = { id, proxy_key: check_in_qr_code.split("pk=")[1], email: "ada@EXAMPLE.com" };
    for (const [name, value] of [...Object.entries(names), ["id", event_tickets[0].id], ["api_id", id]]) {
      const reply = await sandbox.get("event/get-guest", { ...inEvent, [name]: value });
      expect([name, reply.json.guest?.id]).toEqual([name, id]);
      expect(reply.json.guest.event_ticket_orders).toHaveLength(1);
    }
    expect((await sandbox.get("event/get-guest", { event_id: "evt-Other", id })).status).toBe(404);
    expect((await sandbox.get("event/get-guest", inEvent)).status).toBe(400);
  });

  it("are added without payment or approval, with an e-mail each", async () => {
    const { ticket_types: types } = (await sandbox.get("event/ticket-types/list", inEvent)).json;
    const ticket = { event_ticket_type_id: types[0].id };
    const added = await sandbox.post("event/add-guests", {
      ...inEvent,
      guests: [{ email: "new@example.com", name: "New One" }, { email: "bo@example.com" }],
      ticket,
    });
    expect([added.status, added.json]).toEqual([200, {}]);
    const { guest } = (await sandbox.get("event/get-guest", { ...inEvent, email: "new@example.com" })).json;
    expect(guest).toMatchObject({ approval_status: "approved", event_tickets: [{ name: "Standard" }] });
    expect((await guests()).entries).toHaveLength(4);
    const known = (await sandbox.get("event/get-guest", { ...inEvent, email: "bo@example.com" })).json.guest;
    expect([known.approval_status, known.event_tickets.length]).toEqual(["approved", 2]);
    expect((await sandbox.outbox()).map(({ to, kind }) => [to, kind])).toEqual([
      ["new@example.com", "guest_added"],
      ["bo@example.com", "guest_added"],
    ]);
    await sandbox.post("event/add-guests", { ...inEvent, guests: [{ email: "quiet@example.com" }], send_email: false });
    expect(await sandbox.outbox()).toHaveLength(2);
  });

  it("are rejected with both ticket and tickets, unknown ticket types or invalid e-mails", async () => {
    const { ticket_types: types } = (await sandbox.get("event/ticket-types/list", inEvent)).json;
    const ticket = { event_ticket_type_id: types[0].id };
    const people = [{ email: "new@example.com" }];
    for (const fields of [
      { guests: people, ticket, tickets: [ticket] },
      { guests: people, ticket: { event_ticket_type_id: "none" } },
      { guests: [{ email: "nobody" }] },
      { guests: [] },
      {},
    ]) {
      const reply = await sandbox.post("event/add-guests", { ...inEvent, ...fields });
      expect([reply.status, reply.json]).toEqual([400, { message: expect.any(String) }]);
    }
    expect(await sandbox.outbox()).toEqual([]);
  });

  it("change status, with an e-mail per actual change", async () => {
    const set = (guest: object, status: string, more = {}) =>
      sandbox.post("event/update-guest-status", { ...inEvent, guest, status, ...more });
    expect((await set({ type: "email", email: "bo@example.com" }, "approved")).json).toEqual({});
    await set({ type: "email", email: "bo@example.com" }, "approved");
    const { id } = (await guests({ sort_column: "email" })).entries[0];
    await set({ type: "api_id", api_id: id }, "declined", { should_refund: true });
    const { guest } = (await sandbox.get("event/get-guest", { ...inEvent, id })).json;
    expect([guest.approval_status, guest.event_tickets[0].is_captured]).toEqual(["declined", false]);
    expect((await sandbox.outbox()).map(({ kind }) => kind)).toEqual(["guest_approved", "guest_declined"]);
    expect((await set({ type: "email", email: "nobody@example.com" }, "approved")).status).toBe(404);
    expect((await set({ type: "email", email: "bo@example.com" }, "session")).status).toBe(400);
  });
});

describe("ticket types", () => {
  const list = async (fields: Record<string, string> = {}) =>
    (await sandbox.get("event/ticket-types/list", { ...inEvent, ...fields })).json.ticket_types as {
      id: string;
      name: string;
    }[];
  const named = async (name: string) => (await list({ include_hidden: "true" })).find((type) => type.name === name)?.id;

  it("are listed, hidden ones on request, and returned without their event", async () => {
    expect((await list()).map(({ name }) => name)).toEqual(["Standard", "Student"]);
    expect((await list({ include_hidden: "true" })).map(({ name }) => name)).toEqual(["Standard", "Student", "Crew"]);
    const reply = await sandbox.get("event/ticket-types/get", { event_ticket_type_id: (await named("Crew")) ?? "" });
    expect(reply.json.ticket_type).toMatchObject({ name: "Crew", is_hidden: true, cents: null });
    expect((await sandbox.get("event/ticket-types/get", { event_ticket_type_id: "none" })).status).toBe(404);
    expect((await sandbox.get("event/ticket-types/get")).status).toBe(400);
  });

  it("are deleted unless sold or the last visible one", async () => {
    const remove = async (name: string) =>
      (await sandbox.post("event/ticket-types/delete", { event_ticket_type_id: await named(name) })).status;
    expect([await remove("Standard"), await remove("Student"), await remove("Crew")]).toEqual([400, 400, 200]);
    const [first, second] = (await sandbox.get("event/ticket-types/list", { event_id: "evt-Other" })).json.ticket_types;
    const removeOther = async (id: string) =>
      (await sandbox.post("event/ticket-types/delete", { event_ticket_type_id: id })).status;
    expect([await removeOther(first.id), await removeOther(second.id)]).toEqual([200, 400]);
  });
});

describe("coupons", () => {
  const create = (code: string, more: object = {}) =>
    sandbox.post("event/create-coupon", {
      ...inEvent,
      code,
      discount: { discount_type: "amount", cents_off: 500, currency: "eur" },
      ...more,
    });

  it("have case-insensitively unique codes", async () => {
    const created = await create("FRIENDS", { remaining_count: 3 });
    expect(created.json.coupon).toMatchObject({
      code: "FRIENDS",
      remaining_count: 3,
      cents_off: 500,
      percent_off: null,
    });
    expect((await create("friends")).status).toBe(400);
    expect((await create("EARLY")).status).toBe(400);
    expect((await create("x".repeat(21))).status).toBe(400);
    expect((await create("NONE", { discount: undefined })).status).toBe(400);
    expect((await sandbox.get("event/coupons", inEvent)).json).toMatchObject({
      entries: [{ code: "Early" }, { code: "FRIENDS" }],
      has_more: false,
    });
  });
});
