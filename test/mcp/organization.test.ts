import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { expectRefused } from "../support/expect-refused.js";
import { publicUrl } from "../support/service.js";
import { useEvent, useService } from "../support/setup.js";
import { changesOf } from "../support/tool-runner.js";

const { service, db, make } = useService();
const { fixture, tools } = useEvent(db);

const stored = async () => {
  const [row] = await db.query<Record<string, unknown>>(
    sql`select * from organizations where id = ${fixture.organizationId}`,
  );
  return row ?? {};
};

describe("get_organization_admin_snapshot", () => {
  it("shows the organization, its members, events and keys", async () => {
    const key = await make.organizationKey(fixture.organizationId, {
      scopes: ["org:read"],
      userId: fixture.caller.userId,
    });
    const snapshot = await tools.run("get_organization_admin_snapshot", { include: ["members", "keys"] });
    expect(snapshot.organization).toMatchObject({
      id: fixture.organizationId,
      name: "Harbour Works",
      social_links: {},
    });
    expect(snapshot.members).toEqual([
      { user_id: fixture.caller.userId, email: expect.any(String), name: "Test Person", role: "owner" },
    ]);
    expect(snapshot.events).toEqual([
      {
        id: fixture.eventId,
        name: "Test Event",
        conference: "Test",
        local_time: "Thu 2031-05-01 19:00–21:00",
        timezone: "Europe/Lisbon",
        start_time: "2031-05-01T18:00:00.000Z",
        venue: null,
        status: "published",
        role: "host",
        speakers: expect.any(Array),
        guests: { pending: 1, approved: 1, waitlisted: 1, declined: 1, checked_in: 0 },
        capacity: null,
        posters: { published: 0, unposted: 0, drafts: 1 },
        run_of_show_published: false,
      },
    ]);
    expect(snapshot.pagination).toEqual({ has_more: false, next_cursor: null, count: 1 });
    expect(snapshot.counts).toEqual({ members: 1, events: 1, posters: 1, published_posters: 0 });
    expect(snapshot.keys).toEqual([
      {
        id: await make.keyId(key),
        name: "test",
        key_prefix: key.slice(0, 12),
        scopes: ["org:read"],
        created_by: snapshot.members[0].email,
        expires_at: expect.any(String),
        last_used_at: null,
      },
    ]);
    expect(JSON.stringify(snapshot)).not.toContain(key.slice(0, 13));
  });

  it.each([
    ["revoked", (id: string) => sql`update api_keys set revoked_at = now() where id = ${id}`],
    [
      "expired",
      (id: string) => sql`
        update api_keys set created_at = now() - interval '9 days', expires_at = now() - interval '1 day' where id = ${id}`,
    ],
    [
      "of a user who has left",
      (id: string) => sql`
        delete from members m using api_keys k
        where k.id = ${id} and m.user_id = k.created_by and m.organization_id = k.organization_id`,
    ],
  ])("omits a key that is %s, as it would get a 401", async (_state, change) => {
    const key = await make.organizationKey(fixture.organizationId, { role: "member" });
    const listed = async () => (await tools.run("get_organization_admin_snapshot", { include: ["keys"] })).keys;
    expect(await listed()).toHaveLength(1);
    await db.query(change(await make.keyId(key)));
    expect(await listed()).toEqual([]);
    expect((await service.call("/api/svc/ping", { key })).status).toBe(401);
  });

  it("shows keys to owners only", async () => {
    await make.organizationKey(fixture.organizationId);
    for (const role of ["admin", "member"] as const) {
      const other = tools.as({ role });
      expect((await other.run("get_organization_admin_snapshot", { include: ["keys"] })).keys).toBeNull();
    }
    const unasked = await tools.run("get_organization_admin_snapshot");
    expect(Object.keys(unasked)).toEqual(["organization", "conferences", "counts", "events", "pagination"]);
  });

  it("omits drafts, archived events and events of others, with their posters", async () => {
    const conference = await make.conference();
    const hidden = [
      await make.event(conference, { hosts: [fixture.organizationId], status: "draft" }),
      await make.event(conference, { hosts: [fixture.organizationId], status: "archived" }),
      await make.event(await make.conference({ status: "draft" }), { hosts: [fixture.organizationId] }),
      await make.event(conference, { hosts: [fixture.otherOrganizationId] }),
    ];
    for (const event of hidden) await make.poster(event, { published: true });
    const coHosted = await make.event(conference, { hosts: [fixture.otherOrganizationId, fixture.organizationId] });
    const { events, counts } = await tools.run("get_organization_admin_snapshot");
    expect(events.map(({ id, role }: { id: string; role: string }) => [id, role]).sort()).toEqual(
      [
        [fixture.eventId, "host"],
        [coHosted, "co_host"],
      ].sort(),
    );
    await make.poster(coHosted, { published: true });
    expect(counts).toMatchObject({ events: 2, posters: 1, published_posters: 0 });
    const later = await tools.run("get_organization_admin_snapshot");
    expect(later.counts).toMatchObject({ posters: 2, published_posters: 1 });
  });

  it("is bounded for a large organization, with complete counts", async () => {
    const long = "名".repeat(200);
    await db.query(sql`
      with people as (
        insert into users (email, name) select gen_random_uuid() || '@example.com', ${long} from generate_series(1, 299)
        returning id)
      insert into members (organization_id, user_id, role) select ${fixture.organizationId}, id, 'member' from people`);
    await db.query(sql`
      with added as (
        insert into events (conference_id, name, start_time, end_time, timezone, status, category)
        select e.conference_id, ${long}, e.start_time + n * interval '1 hour', e.end_time + n * interval '1 hour',
          e.timezone, e.status, e.category
        from events e, generate_series(1, 299) n where e.id = ${fixture.eventId} returning id)
      insert into event_hosts (event_id, organization_id, role) select id, ${fixture.organizationId}, 'host' from added`);
    await db.query(sql`
      insert into api_keys (name, key_hash, key_prefix, organization_id, scopes, created_by, expires_at)
      select ${long}, sha256(gen_random_uuid()::text::bytea), 'svc_mk_abcde', ${fixture.organizationId},
        array['org:read', 'org:write', 'events:write'], ${fixture.caller.userId}, now() + interval '80 days'
      from generate_series(1, 150)`);
    await db.query(
      sql`update organizations set description = ${"說".repeat(20_000)} where id = ${fixture.organizationId}`,
    );
    const snapshot = await tools.run("get_organization_admin_snapshot", { include: ["members", "keys"], limit: 100 });
    expect(Buffer.byteLength(JSON.stringify(snapshot))).toBeLessThan(90_000);
    expect(snapshot.counts).toMatchObject({ members: 300, events: 300 });
    expect(snapshot.events.length).toBeGreaterThan(25);
    expect(snapshot.pagination).toMatchObject({ has_more: true, count: snapshot.events.length });
    expect(snapshot.members[0].role).toBe("owner");
    expect(snapshot.organization.description).toMatch(/^說{4000}…$/);
  });

  it("finds an event by part of its name", async () => {
    await make.event(await make.conference(), { hosts: [fixture.organizationId] });
    await db.query(sql`update events set name = '100%_Ünder the Sea, Soirée' where id = ${fixture.eventId}`);
    for (const event_name of ["ünder", "100%_", "UNDER", "sea under", "u\u0308nder", "soiree"]) {
      const found = await tools.run("get_organization_admin_snapshot", { event_name });
      expect(found.events).toMatchObject([{ id: fixture.eventId }]);
      expect(Object.keys(found)).toEqual(["events", "pagination"]);
    }
    expect((await tools.run("get_organization_admin_snapshot", { event_name: "%" })).events).toHaveLength(1);
    expect((await tools.refusal("get_organization_admin_snapshot", { event_name: " " })).code).toBe("invalid_input");
  });
});

describe("update_organization_profile", () => {
  it("changes and shows only the given fields; null clears a field", async () => {
    await tools.commit("update_organization_profile", { description: "Old", website_url: "https://old.test/" });
    const name = "Ørgänizatiøn “𝕏” 🦜";
    const result = await tools.commit("update_organization_profile", { name, website_url: null });
    expect(changesOf(result.preview)).toEqual([
      { path: "name", from: "Harbour Works", to: name },
      { path: "website_url", from: "https://old.test/", to: null },
    ]);
    expect(result.after).toEqual({ name, website_url: null });
    expect(await stored()).toMatchObject({ name, website_url: null, description: "Old", social_links: {} });
  });

  it("replaces all links, regardless of their names", async () => {
    await tools.commit("update_organization_profile", { social_links: { x: "https://x.test/", y: "https://y.test/" } });
    const social_links = { constructor: "https://c.test/", "a.b [c]": "https://d.test/" };
    const result = await tools.commit("update_organization_profile", { social_links });
    expect(changesOf(result.preview)).toContainEqual({
      path: "social_links.constructor",
      from: null,
      to: "https://c.test/",
    });
    expect(await stored()).toMatchObject({ social_links });
    const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`l${n}`, "https://l.test/"]));
    await tools.commit("update_organization_profile", { social_links: twenty });
    await tools.commit("update_organization_profile", { social_links: {} });
    expect((await stored()).social_links).toEqual({});
  });

  it("refuses what is not valid", () =>
    expectRefused(tools, "update_organization_profile", [
      [{ name: null }, "name: expected a string"],
      [{ name: " \t" }, "name: expected a string that is not blank"],
      [{ name: "A\u0000B" }, "name: expected valid Unicode without NUL characters"],
      [{ name: "\ud800" }, "name: expected valid Unicode without NUL characters"],
      [{ name: "A\u2028B\n" }, "name: expected one line"],
      [{ name: "n".repeat(201) }, "name: expected at most 200 characters"],
      [{ description: "d".repeat(4001) }, "description: expected at most 4000 characters"],
      [{ website_url: "/about" }, "website_url: expected an absolute http or https URL"],
      [{ website_url: "javascript:alert(1)" }, "website_url: expected an absolute http or https URL"],
      [{ website_url: `https://x.test/${"p".repeat(2048)}` }, "website_url: expected an absolute http or https URL"],
      [{ contact_email: "nobody" }, "contact_email: expected an e-mail address"],
      [{ social_links: null }, "social_links: expected"],
      [{ social_links: { x: null } }, "social_links.x: expected a URL"],
      [{ social_links: { " ": "https://x.test" } }, "expected a string that is not blank"],
      [
        { social_links: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [n, "https://l.test/"])) },
        "social_links: expected at most 20 links",
      ],
      [{ slug: "new" }, "slug: unknown field"],
      [{ organization_id: randomUUID() }, "organization_id: unknown field"],
    ]));
});

describe("update_organization_branding", () => {
  it("sets one colour and keeps the other; null clears it", async () => {
    await tools.commit("update_organization_branding", { brand_primary_color: "#0A7f5a" });
    await tools.commit("update_organization_branding", { brand_secondary_color: "#ffffff" });
    expect(await stored()).toMatchObject({ brand_primary_color: "#0A7f5a", brand_secondary_color: "#ffffff" });
    await tools.commit("update_organization_branding", { brand_primary_color: null });
    expect(await stored()).toMatchObject({ brand_primary_color: null, brand_secondary_color: "#ffffff" });
  });

  it("refuses what is no colour", () =>
    expectRefused(
      tools,
      "update_organization_branding",
      ["red", "#fff", "#12345g", "0a7f5a", "#0a7f5a ", "", 7].map((brand_primary_color) => [
        { brand_primary_color },
        "brand_primary_color: expected a colour",
      ]),
    ));
});

describe("set_organization_logo_urls", () => {
  const path = `/images/${"a".repeat(64)}.png`;
  beforeEach(() =>
    db.query(
      sql`update organizations set logo_url = ${path}, logo_dark_url = ${path} where id = ${fixture.organizationId}`,
    ),
  );

  it("keeps the stored path of a logo that is not changed or whose URL is sent back", async () => {
    const logo_dark_url = "https://logos.test/dark.svg";
    await tools.commit("set_organization_logo_urls", { logo_dark_url });
    expect(await stored()).toMatchObject({ logo_url: path, logo_dark_url });
    const sentBack = { logo_url: `${publicUrl}${path}`, logo_dark_url: null };
    const result = await tools.commit("set_organization_logo_urls", sentBack);
    expect(result.after).toEqual(sentBack);
    expect(changesOf(result.preview)).toEqual([{ path: "logo_dark_url", from: logo_dark_url, to: null }]);
    expect(await stored()).toMatchObject({ logo_url: path, logo_dark_url: null });
  });

  it("refuses what is no address", () =>
    expectRefused(
      tools,
      "set_organization_logo_urls",
      [path, "logo.png", "//x.test/logo.png", "data:image/png;base64,AAAA", "file:///etc/passwd", "http://"].map(
        (logo_url) => [{ logo_url }, "logo_url: expected an absolute http or https URL"],
      ),
    ));
});
