import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { factsNow } from "../../src/modules/posters/store.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

const { service, make } = useService(startConsole);
let fixture: EventFixture;
let owner: string;

beforeEach(async () => {
  fixture = await createEventFixture(service.db);
  owner = await service.signIn(fixture.caller.userId);
});

const pathOf = (rest: string, organization = fixture.organizationId) => `organizations/${organization}/${rest}`;
const read = async (rest = "dashboard", cookie = owner, organization = fixture.organizationId) => {
  const { status, json } = await service.get(pathOf(rest, organization), cookie);
  expect(status).toBe(200);
  return json;
};
const report = async (posterId: string, links: Record<string, string | null>) => {
  const key = await make.organizationKey(fixture.organizationId);
  const reply = await service.call(`/api/svc/posters/${posterId}`, {
    method: "PATCH",
    key,
    body: { posted_urls: links },
  });
  expect(reply.status).toBe(200);
};
const moveVisit = (by: string) =>
  service.db.query(sql`
    update visits set visited_at = visited_at - ${by}::interval, previous_visit_at = previous_visit_at - ${by}::interval
    where organization_id = ${fixture.organizationId}`);

describe("what needs attention", () => {
  it("names the event, the kind and how many", async () => {
    await make.poster(fixture.eventId, { published: true });
    await service.db.query(
      sql`update events set start_time = now() + interval '3 days', end_time = now() + interval '4 days' where id = ${fixture.eventId}`,
    );
    const { attention } = await read();
    const event = { id: fixture.eventId, name: "Test Event", timezone: "Europe/Lisbon" };
    expect(attention).toMatchObject({
      lines: [
        {
          kind: "event",
          event,
          needs: [
            { kind: "pending_guests", count: 1 },
            { kind: "unpublished_run_of_show", count: 1 },
            { kind: "unposted_posters", count: 1 },
            { kind: "draft_posters", count: 1 },
          ],
        },
      ],
      events: 1,
    });
  });

  it("leaves out events that are over, and hidden ones", async () => {
    await service.db.query(
      sql`update events set start_time = now() - interval '3 days', end_time = now() - interval '2 days' where id = ${fixture.eventId}`,
    );
    expect((await read()).attention.lines).toEqual([]);
    await service.db.query(sql`
      update events set end_time = now() + interval '2 days', status = 'draft' where id = ${fixture.eventId}`);
    expect((await read()).attention.lines).toEqual([]);
  });

  it("has offers of events to the organization, newest first, and none that it made", async () => {
    const { organizationId, otherOrganizationId, cohostOrganizationId, eventId } = fixture;
    await make.hostOffer(eventId, organizationId, otherOrganizationId);
    const person = await service.signIn(await make.member(otherOrganizationId, "member"));
    const { attention } = await read("dashboard", person, otherOrganizationId);
    expect(attention).toMatchObject({
      lines: [
        {
          kind: "host_offer",
          event: { id: eventId, name: "Test Event", timezone: "Europe/Lisbon" },
          from: { id: organizationId, name: "Harbour Works" },
          to: { id: otherOrganizationId },
        },
      ],
      events: 0,
    });
    const kinds = (await read()).attention.lines.map(({ kind }: { kind: string }) => kind);
    expect(kinds).not.toContain("host_offer");
    const cohost = await service.signIn(await make.member(cohostOrganizationId, "owner"));
    const pageOf = async (cookie: string, organization: string) =>
      (await service.get(pathOf(`events/${eventId}`, organization), cookie)).json;
    expect((await pageOf(owner, organizationId)).host_offer).toMatchObject({ to: { id: otherOrganizationId } });
    expect((await pageOf(cohost, cohostOrganizationId)).host_offer).toBeNull();
  });

  it("has keys that expire soon, without their value", async () => {
    const newKey = async () => make.keyId(await make.organizationKey(fixture.organizationId));
    const [soon, later] = [await newKey(), await newKey()];
    await service.db.query(sql`
      update api_keys set created_at = now() - interval '60 days', expires_at = now() + interval '13 days' where id = ${soon}`);
    await service.db.query(sql`update api_keys set expires_at = now() + interval '15 days' where id = ${later}`);
    const key = { id: soon, name: "test", expires_at: expect.any(String) };
    const { lines } = (await read()).attention;
    expect(lines[0]).toEqual({ kind: "expiring_key", key });
    expect(lines.filter(({ kind }: { kind: string }) => kind === "expiring_key")).toHaveLength(1);
  });
});

describe("what is new", () => {
  it("counts from the end of the visit before", async () => {
    expect(await read()).toMatchObject({ since: null, news: null });
    await service.post(pathOf("visits"), owner);
    expect(await read()).toMatchObject({ since: null, news: null });
    await moveVisit("31 minutes");
    const published = await make.poster(fixture.eventId);
    await report(published, { x: "https://x.example/1", bluesky: "https://bsky.example/1" });
    await service.db.query(
      sql`insert into registrations (event_id, name, email) values (${fixture.eventId}, 'New', 'new@example.com')`,
    );
    // Before the new visit is noted and after: the same.
    // The guests of the fixture registered after the visit, which was moved to before them.
    const news = { links: 2, guests: 5, changes: 0, counted_at_most: 1000 };
    const first = await read();
    expect(first.news).toEqual(news);
    await service.post(pathOf("visits"), owner);
    expect(await read()).toMatchObject({ since: first.since, news });
    // A second look, ten minutes into the visit, is part of it.
    await moveVisit("10 minutes");
    await service.post(pathOf("visits"), owner);
    expect(Date.parse(first.since) - Date.parse((await read()).since)).toBe(600_000);
    await moveVisit("30.5 minutes");
    await service.post(pathOf("visits"), owner);
    expect((await read()).since > first.since).toBe(true);
  });

  it("notes a visit at most once a minute", async () => {
    const visitedAt = async () =>
      (
        await service.db.query<{ visited_at: Date }>(
          sql`select visited_at from visits where organization_id = ${fixture.organizationId}`,
        )
      )[0]?.visited_at.getTime();
    await service.post(pathOf("visits"), owner);
    const first = await visitedAt();
    await service.post(pathOf("visits"), owner);
    expect(await visitedAt()).toBe(first);
    await moveVisit("2 minutes");
    await service.post(pathOf("visits"), owner);
    expect(await visitedAt()).toBeGreaterThanOrEqual(first ?? 0);
  });

  it("counts changes of others and of the person's own agents, but not the person's own in the console", async () => {
    await service.post(pathOf("visits"), owner);
    await moveVisit("31 minutes");
    const change = (cookie: string, description: string) =>
      service.change(fixture.organizationId, cookie, "update_organization_profile", { description });
    await change(owner, "Mine");
    expect((await read()).news.changes).toBe(0);
    await change(await service.signIn(await make.member(fixture.organizationId)), "Theirs");
    expect((await read()).news.changes).toBe(1);
    await service.db.query(sql`
      insert into mutation_records (tool, organization_id, event_id, via, request, request_hash)
      values ('t', ${fixture.cohostOrganizationId}, ${fixture.eventId}, 'key', '{}', 'x'),
        ('t', ${fixture.cohostOrganizationId}, null, 'key', '{}', 'x')`);
    expect((await read()).news.changes).toBe(2);
  });
});

describe("links", () => {
  it("are listed by the time of their report, and follow what is reported later", async () => {
    const poster = await make.poster(fixture.eventId);
    await report(poster, { x: "https://x.example/1" });
    await report(poster, { bluesky: "https://bsky.example/1" });
    const platforms = async () => (await read()).links.items.map(({ platform }: { platform: string }) => platform);
    expect(await platforms()).toEqual(["bluesky", "x"]);
    await report(poster, { x: "https://x.example/2" });
    expect(await platforms()).toEqual(["x", "bluesky"]);
    await report(poster, { bluesky: null });
    const { links } = await read();
    expect(links.items).toMatchObject([
      { platform: "x", url: "https://x.example/2", poster: { id: poster, event: { id: fixture.eventId } } },
    ]);
  });

  it("of posters that arrive with links have the time of the poster", async () => {
    await service.db.query(sql`
      insert into posters (event_id, image_url, published, posted_urls, created_at)
      values (${fixture.eventId}, 'https://images.example.com/1.png', true, '{"x": "https://x.example/1"}', '2026-01-01T00:00:00Z')`);
    expect((await read("links")).items).toMatchObject([{ reported_at: "2026-01-01T00:00:00.000Z" }]);
  });

  it("are paged and filtered by platform", async () => {
    const poster = await make.poster(fixture.eventId);
    const links = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`network-${i}`, `https://n.example/${i}`]));
    await report(poster, links);
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await read(`links?limit=3${cursor}`);
      found.push(...page.items.map(({ platform }: { platform: string }) => platform));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(found.sort()).toEqual(Object.keys(links).sort());
    for (const name of ["network-3", "Network-3", "%20NETWORK-3"]) {
      expect((await read(`links?platform=${name}`)).items).toMatchObject([{ url: "https://n.example/3" }]);
    }
  });
});

describe("posters", () => {
  it("are filtered by state and platform, newest first", async () => {
    const posted = await make.poster(fixture.eventId, { created_at: "2026-01-02T00:00:00Z" });
    const unposted = await make.poster(fixture.eventId, { created_at: "2026-01-03T00:00:00Z" });
    await report(posted, { x: "https://x.example/1" });
    const idsOf = async (query: string) => (await read(`posters?${query}`)).items.map(({ id }: { id: string }) => id);
    expect(await idsOf("")).toEqual([unposted, posted, fixture.posterId]);
    expect(await idsOf("state=draft")).toEqual([fixture.posterId]);
    expect(await idsOf("state=published")).toEqual([unposted, posted]);
    expect(await idsOf("state=posted")).toEqual([posted]);
    expect(await idsOf("state=unposted")).toEqual([unposted]);
    expect(await idsOf("platform=x")).toEqual([posted]);
    expect(await idsOf("platform=X")).toEqual([posted]);
    expect(await idsOf("platform=y")).toEqual([]);
    const refused = await service.get(pathOf("posters?state=lost"), owner);
    expect([refused.status, refused.json.field]).toEqual([400, "state"]);
    const [item] = (await read("posters?state=posted")).items;
    expect(item).toMatchObject({ published: true, links: [{ platform: "x", url: "https://x.example/1" }] });
  });

  it("say what is old on them", async () => {
    await service.db.query(sql`
      update posters p set drawn_from = ${factsNow} from events e where e.id = p.event_id and p.id = ${fixture.posterId}`);
    const [drawn] = (await read("posters")).items;
    expect(drawn).toMatchObject({ id: fixture.posterId, stale: [] });
    expect(drawn).not.toHaveProperty("drawn_from");
    await service.db.query(sql`update events set venue = 'Hall 9' where id = ${fixture.eventId}`);
    expect((await read("posters")).items).toMatchObject([{ stale: ["place"] }]);
    expect((await read("dashboard")).posters.items).toMatchObject([{ stale: ["place"] }]);
  });
});

describe("the dashboard", () => {
  it("is empty for an organization without events", async () => {
    const organization = await make.organization();
    const cookie = await service.signIn(await make.member(organization, "member"));
    const empty = { items: [], next_cursor: null };
    expect(await read("dashboard", cookie, organization)).toEqual({
      attention: { lines: [], events: 0 },
      next: null,
      first_steps: { events: false, logo: false, colleague: false },
      platforms: [],
      since: null,
      news: null,
      links: empty,
      posters: empty,
    });
  });

  it("leads with the event that runs or comes next", async () => {
    const conference = await make.conference();
    const hosts = [fixture.organizationId];
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const later = await make.event(conference, { start_time: at(2), end_time: at(3), hosts });
    expect((await read()).next.id).toBe(later);
    const running = await make.event(conference, { start_time: at(-2), end_time: at(1), hosts });
    await make.event(conference, { start_time: at(-2), end_time: at(-1), hosts });
    expect((await read()).next).toMatchObject({ id: running, role: "host", needs: [] });
  });

  it("knows which of the first steps are done", async () => {
    const organization = await make.organization();
    const cookie = await service.signIn(await make.member(organization, "owner"));
    const steps = async () => (await read("dashboard", cookie, organization)).first_steps;
    // Their own invitation, which they have accepted.
    await service.db.query(sql`
      update invitations set accepted_at = now() where id = ${await make.invitation(organization)}`);
    expect(await steps()).toEqual({ events: false, logo: false, colleague: false });
    await make.event(await make.conference(), { hosts: [organization] });
    await service.db.query(
      sql`update organizations set logo_url = 'https://x.example/logo.png' where id = ${organization}`,
    );
    expect(await steps()).toEqual({ events: true, logo: true, colleague: false });
    await service.change(organization, cookie, "invite_member", { email: "ines@example.com", role: "member" });
    expect((await steps()).colleague).toBe(true);
    await service.db.query(sql`delete from invitations where organization_id = ${organization}`);
    await make.member(organization, "member");
    expect((await steps()).colleague).toBe(true);
  });

  it("is not sent again while nothing has changed", async () => {
    const first = await service.get(pathOf("dashboard"), owner);
    const etag = first.headers.get("etag") ?? "";
    const headers = { cookie: owner, "if-none-match": etag };
    const path = `/api/console/${pathOf("dashboard")}`;
    expect((await service.call(path, { headers })).status).toBe(304);
    await report(fixture.posterId, { x: "https://x.example/1" });
    expect((await service.call(path, { headers })).status).toBe(200);
  });
});
