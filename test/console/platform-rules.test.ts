import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { emailOf } from "../sign-in/sign-in-fixture.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { useService } from "../support/setup.js";
import { createPlatformFixture, type PlatformFixture, platformExamples } from "./platform-examples.js";
import { startConsole } from "./support.js";

// How many platform administrators there are matters, so these tests use a separate database.

const fresh = useFreshDatabase();
const { service, make } = useService(() => startConsole({}, {}, { connection: fresh.connection }));
let fixture: PlatformFixture;
let cookie: string;

beforeEach(async () => {
  await service.db.query(sql`update users set platform_admin = false where platform_admin`);
  fixture = await createPlatformFixture(service.db);
  cookie = await service.signIn(fixture.administratorId);
});

const run = (tool: string, body: object, session = cookie) => service.post(`admin/tools/${tool}`, session, body);

const commit = (tool: string, input: object, session = cookie) => service.administer(session, tool, input);

describe("from nothing to a published event, without SQL", () => {
  it("creates conference, organization, event, owner and key", async () => {
    const slug = `c-${randomUUID()}`;
    const conference = await commit("create_conference", { ...platformExamples.create_conference?.(fixture), slug });
    expect(conference.json.after).toMatchObject({ slug, status: "draft" });
    const conferenceId = conference.json.after.id;
    const organization = await commit("create_organization", { name: "New Org", slug: `o-${randomUUID()}` });
    const organizationId = organization.json.after.id;
    const event = await commit("create_event", {
      ...platformExamples.create_event?.(fixture),
      conference_id: conferenceId,
      organization_id: organizationId,
      status: "published",
    });
    expect(event.json.after).toMatchObject({ host: "New Org", event: { name: "Opening", status: "published" } });
    await commit("set_conference_status", { conference_id: conferenceId, status: "published" });
    const key = await commit("create_platform_key", { tier: "conference", name: "Bot", conference_id: conferenceId });
    const listed = await service.call(`/api/svc/conferences/${conferenceId}/events`, { key: key.json.key });
    expect(listed.json.items).toMatchObject([{ name: "Opening" }]);
    const invited = await commit("invite_person", {
      email: "owner@example.com",
      organization_id: organizationId,
      role: "owner",
    });
    expect(invited.json.link).toMatch(/^https:\/\/svc\.test\/invite\/[0-9A-Za-z]{43}$/);
  });
});

describe("secrets", () => {
  it("of a key are in its commit only, neither in the record nor in a repeated commit", async () => {
    const preview = await run("create_platform_key", { tier: "super-admin", name: "Operations" });
    const request = { ...preview.json.commit_with, reason: "for the test" };
    const first = await run("create_platform_key", request);
    const { key } = first.json;
    expect(key).toMatch(/^svc_mk_/);
    expect((await service.call("/api/svc/ping", { key })).status).toBe(200);
    expect((await run("create_platform_key", request)).text).not.toContain(key);
    const records = await service.db.query<{ text: string }>(sql`select r::text as text from mutation_records r`);
    expect(records.filter(({ text }) => text.includes(key))).toEqual([]);
    await commit("revoke_platform_key", { key_id: first.json.after.key.id });
    expect((await service.call("/api/svc/ping", { key })).status).toBe(401);
  });

  it("of an invitation are not recorded", async () => {
    const { link } = (await commit("invite_person", { email: "a@example.com", platform_admin: true })).json;
    const token = link.split("/").at(-1);
    const records = await service.db.query<{ text: string }>(sql`select r::text as text from mutation_records r`);
    expect(records.filter(({ text }) => text.includes(token))).toEqual([]);
  });
});

describe("the expiry of a key", () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

  it("is moved while the key works, and never brings a key back", async () => {
    const key_id = fixture.keyId;
    const until = inDays(1).toISOString();
    expect((await commit("set_platform_key_expiry", { key_id, expires_at: until })).json.after.expires_at).toBe(until);
    expect((await commit("set_platform_key_expiry", { key_id, expires_at: null })).json.after.expires_at).toBeNull();
    for (const wrong of [inDays(-1), inDays(3_651)]) {
      const reply = await run("set_platform_key_expiry", { key_id, expires_at: wrong.toISOString() });
      expect([reply.status, reply.json.error]).toEqual([400, expect.stringMatching(/^expires_at: /)]);
    }
    await service.db.query(sql`update api_keys set expires_at = now() where id = ${key_id}`);
    const expired = await run("set_platform_key_expiry", { key_id, expires_at: until });
    expect([expired.status, expired.json.error]).toEqual([409, expect.stringContaining("create a new key")]);
  });
});

it("warns when a changed event has room for fewer than are approved", async () => {
  const { eventId: event_id } = fixture;
  await service.db.query(sql`
    insert into registrations (event_id, name, email, status) values (${event_id}, 'Guest', 'g@example.com', 'approved')`);
  const preview = await run("update_event", { event_id, capacity: 0 });
  expect(preview.json.warnings).toMatchObject([{ code: "below_approved" }]);
});

describe("refusals", () => {
  const refused = async (tool: string, input: object, code: string, text: string | RegExp) => {
    const reply = await run(tool, input);
    expect(reply.json).toMatchObject({ code, error: expect.stringMatching(text) });
  };

  it("not a conference of one day", async () => {
    const conference = platformExamples.create_conference?.(fixture) as { start_date: string };
    const oneDay = { ...conference, slug: "one-day", end_date: conference.start_date };
    expect((await run("create_conference", oneDay)).status).toBe(200);
  });

  it("a taken slug, dates and times in the wrong order", async () => {
    const conference = platformExamples.create_conference?.(fixture);
    await commit("create_conference", { ...conference });
    await refused("create_conference", { ...conference }, "conflict", /^slug: .* is the slug of Meridian/);
    await refused(
      "create_conference",
      { ...conference, slug: "x", end_date: "2031-04-30" },
      "invalid_input",
      /end_date/,
    );
    const event = { ...platformExamples.create_event?.(fixture), end_time: "2031-05-01T17:00:00Z" };
    await refused("create_event", event, "invalid_input", /end_time/);
    await refused("update_conference", { conference_id: fixture.conferenceId }, "invalid_input", /at least one/);
    await refused("update_organization", { organization_id: fixture.organizationId }, "invalid_input", /at least one/);
    await refused("update_event", { event_id: fixture.eventId }, "invalid_input", /at least one/);
    const backwards = { event_id: fixture.eventId, end_time: "2000-01-01T00:00:00Z" };
    await refused("update_event", backwards, "invalid_input", /end_time/);
  });

  it("status and ticketing of an event among its details", async () => {
    const { eventId: event_id } = fixture;
    await refused("update_event", { event_id, status: "published" }, "invalid_input", /status/);
    await refused("update_event", { event_id, luma_url: null }, "invalid_input", /luma_url/);
  });

  it("unknown rows", async () => {
    const id = randomUUID();
    await refused("set_conference_status", { conference_id: id, status: "draft" }, "not_found", "conference");
    await refused("set_event_status", { event_id: id, status: "draft" }, "not_found", "event");
    await refused("set_event_host", { event_id: fixture.eventId, organization_id: id }, "not_found", "organization");
    const event = { ...platformExamples.create_event?.(fixture), organization_id: id };
    await refused("create_event", event, "not_found", "organization");
    await refused("remove_person", { person_id: id }, "not_found", "person");
    await refused("revoke_platform_key", { key_id: id }, "not_found", "key");
    await refused("set_platform_key_expiry", { key_id: id, expires_at: null }, "not_found", "key");
    await refused("update_event", { event_id: id, venue: null }, "not_found", "event");
    await refused("update_organization", { organization_id: id, name: "x" }, "not_found", "organization");
    await refused("withdraw_invitation", { invitation_id: id }, "not_found", "invitation");
  });

  it("a ticketing event that another event has, at once and under a concurrent change", async () => {
    const link = { ticketing_event_id: `evt-${randomUUID()}` };
    await commit("set_event_ticketing_link", { event_id: fixture.eventId, ...link });
    const other = await make.event(fixture.conferenceId);
    await refused("set_event_ticketing_link", { event_id: other, ...link }, "conflict", /already linked to Test Event/);
    const wrong = { event_id: other, ticketing_event_id: "7Yx2kQpLmN" };
    await refused("set_event_ticketing_link", wrong, "invalid_input", /evt-/);
    const free = { ticketing_event_id: `evt-${randomUUID()}` };
    const previews = [fixture.eventId, other].map((event_id) => run("set_event_ticketing_link", { event_id, ...free }));
    const commits = (await Promise.all(previews)).map(({ json }) =>
      run("set_event_ticketing_link", { ...json.commit_with, reason: "for the test" }),
    );
    expect((await Promise.all(commits)).map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("keys that say neither or both", async () => {
    const { conferenceId: conference_id } = fixture;
    await refused("create_platform_key", { tier: "conference", name: "x" }, "invalid_input", /conference_id/);
    await refused("create_platform_key", { tier: "super-admin", name: "x", conference_id }, "invalid_input", /conf/);
    await refused("create_platform_key", { tier: "organization", name: "x" }, "invalid_input", /tier/);
  });

  it("keys of organizations", async () => {
    const id = await make.keyId(await make.organizationKey(fixture.organizationId));
    await refused("revoke_platform_key", { key_id: id }, "not_found", "key");
  });

  it("invitations to nothing, to half of something, or to what a person has", async () => {
    const { organizationId: organization_id, personId } = fixture;
    await refused("invite_person", { email: "a@example.com" }, "invalid_input", "organization_id");
    await refused("invite_person", { email: "a@example.com", organization_id }, "invalid_input", "role");
    await refused("invite_person", { email: "a@example.com", role: "owner" }, "invalid_input", "organization_id");
    const again = { email: await emailOf(service.db, personId), organization_id, role: "member" };
    await refused("invite_person", again, "conflict", /already member/);
  });
});

describe("platform administrators", () => {
  it("cannot demote or remove themselves", async () => {
    const own = { person_id: fixture.administratorId };
    expect((await run("set_platform_admin", { ...own, platform_admin: false })).status).toBe(409);
    expect((await run("remove_person", own)).status).toBe(409);
  });

  it("cannot demote each other at the same time", async () => {
    const other = await createPlatformFixture(service.db);
    const otherCookie = await service.signIn(other.administratorId);
    const [first, second] = await Promise.all([
      run("set_platform_admin", { person_id: other.administratorId, platform_admin: false }),
      run("set_platform_admin", { person_id: fixture.administratorId, platform_admin: false }, otherCookie),
    ]);
    const replies = await Promise.all([
      run("set_platform_admin", { ...first.json.commit_with, reason: "for the test" }),
      run("set_platform_admin", { ...second.json.commit_with, reason: "for the test" }, otherCookie),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [left] = await service.db.query(sql`select count(*)::int as count from users where platform_admin`);
    expect(left).toEqual({ count: 1 });
  });

  it.each([
    ["set_event_status", { status: "approved" }],
    ["return_event_proposal", { message: "Name the speakers" }],
  ])("decide on a proposal once, when another %s at the same time", async (tool, input) => {
    const other = await createPlatformFixture(service.db);
    const decisions: [string, object, string][] = [
      ["set_event_status", { status: "approved" }, cookie],
      [tool, input, await service.signIn(other.administratorId)],
    ];
    const event_id = fixture.proposedEventId;
    const previews = await Promise.all(
      decisions.map(([name, given, session]) => run(name, { event_id, ...given }, session)),
    );
    const replies = await Promise.all(
      decisions.map(([name, , session], n) =>
        run(name, { ...previews[n]?.json.commit_with, reason: "for the test" }, session),
      ),
    );
    const won = replies.findIndex(({ status }) => status === 200);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, expect.toBeOneOf([404, 409])]);
    const records = await service.db.query(sql`select tool from mutation_records where event_id = ${event_id}`);
    expect(records).toEqual([{ tool: decisions[won]?.[0] }]);
    const [event] = await service.db.query(sql`
      select e.status, p.return_reason from events e join event_proposals p on p.event_id = e.id where e.id = ${event_id}`);
    const isAccepted = decisions[won]?.[0] === "set_event_status";
    expect(event).toEqual(
      isAccepted
        ? { status: "approved", return_reason: null }
        : { status: "draft", return_reason: "Name the speakers" },
    );
  });

  it("cannot remove the only owner of an organization", async () => {
    const owner = await make.member(fixture.organizationId, "owner");
    const refused = await run("remove_person", { person_id: owner });
    expect(refused.json).toMatchObject({ code: "conflict", error: expect.stringMatching(/only owner.*Invite one/) });
  });

  it("remove a person with keys and memberships", async () => {
    const key = await make.organizationKey(fixture.organizationId, { userId: fixture.personId });
    const removed = await commit("remove_person", { person_id: fixture.personId });
    expect(removed.json.after).toEqual({ person: null });
    expect((await service.call("/api/svc/ping", { key })).status).toBe(401);
  });
});

it("a platform key outlives the person who made it", async () => {
  const other = await createPlatformFixture(service.db);
  const made = await commit(
    "create_platform_key",
    { tier: "super-admin", name: "x" },
    await service.signIn(other.administratorId),
  );
  await commit("remove_person", { person_id: other.administratorId });
  expect((await service.call("/api/svc/ping", { key: made.json.key })).status).toBe(200);
});
