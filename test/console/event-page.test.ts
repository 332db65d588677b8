import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

const { service, make } = useService(startConsole);
let fixture: EventFixture;
let owner: string;
let member: string;
let cohost: string;
let outsider: string;

beforeAll(async () => {
  fixture = await createEventFixture(service.db);
  owner = await service.signIn(fixture.caller.userId);
  member = await service.signIn(await make.member(fixture.organizationId, "member"));
  cohost = await service.signIn(await make.member(fixture.cohostOrganizationId, "owner"));
  outsider = await service.signIn(await make.member(fixture.otherOrganizationId, "owner"));
});

const eventPath = (organization: string, rest = "", event = fixture.eventId) =>
  `organizations/${organization}/events/${event}${rest}`;

describe("an event's page", () => {
  it("has the event, the hosts and counts, for members of hosts and co-hosts", async () => {
    const { status, json } = await service.get(eventPath(fixture.organizationId), member);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      event: { id: fixture.eventId, timezone: "Europe/Lisbon", conference: { name: "Test Conference" } },
      my_role: "host",
      hosts: [
        { id: fixture.organizationId, role: "host" },
        { id: fixture.cohostOrganizationId, role: "co_host" },
      ],
      guests: { pending: 1, approved: 1, waitlisted: 1, declined: 1, checked_in: 0 },
      posters: { drafts: 1, published: 0, unposted: 0 },
      speakers: { all: 3, without_photo: 3 },
      segments: 3,
    });
    const other = await service.get(eventPath(fixture.cohostOrganizationId), cohost);
    expect(other.json.my_role).toBe("co_host");
  });

  it("does not shorten a long description, which the form edits", async () => {
    const description = "long ".repeat(3000);
    await service.db.query(sql`update events set description = ${description} where id = ${fixture.eventId}`);
    const { json } = await service.get(eventPath(fixture.organizationId), member);
    expect(json.event.description).toBe(description);
  });

  it("is refused to organizations that do not host it, and not found while nobody sees it", async () => {
    expect((await service.get(eventPath(fixture.otherOrganizationId), outsider)).status).toBe(403);
    expect((await service.get(eventPath(fixture.organizationId, "", randomUUID()), owner)).status).toBe(404);
    expect((await service.get(eventPath(fixture.organizationId, "", "nonsense"), owner)).status).toBe(400);
    const draft = await make.event(await make.conference(), { status: "draft", hosts: [fixture.organizationId] });
    expect((await service.get(eventPath(fixture.organizationId, "", draft), owner)).status).toBe(404);
  });
});

describe("the speakers of an event", () => {
  it("are all listed in their order, with what they speak in", async () => {
    const { status, json } = await service.get(eventPath(fixture.organizationId, "/speakers"), member);
    expect(status).toBe(200);
    expect(json.speakers.map(({ id }: { id: string }) => id)).toEqual(fixture.speakerIds);
    expect(json.speakers[0].segments).toEqual([{ id: fixture.segmentIds[0], title: "Segment 0" }]);
    expect(json.speakers[1]).toMatchObject({ bio: null, links: {}, segments: [] });
    expect((await service.get(eventPath(fixture.otherOrganizationId, "/speakers"), outsider)).status).toBe(403);
  });
});

describe("the posters of an event", () => {
  it("come in pages, with drafts and metadata", async () => {
    const eventId = await make.event(await make.conference(), { hosts: [fixture.organizationId] });
    const ids = await make.posters(eventId, [
      { sort_order: 1, published: false },
      { sort_order: 2 },
      { sort_order: 3 },
    ]);
    await service.db.query(sql`
      update posters set drawn_from = jsonb_build_object('name', 'Another name', 'start_time', e.start_time, 'end_time',
        e.end_time, 'timezone', e.timezone, 'venue', 'Another hall', 'city', c.city, 'speakers', '[]'::jsonb)
      from events e join conferences c on c.id = e.conference_id where posters.id = ${ids[1]} and e.id = ${eventId}`);
    const first = await service.get(eventPath(fixture.organizationId, "/posters?limit=2", eventId), member);
    expect(first.json.items).toMatchObject([
      { id: ids[0], published: false, metadata: {}, stale: [] },
      { id: ids[1], stale: ["name", "place"] },
    ]);
    expect(first.json.items[1]).not.toHaveProperty("drawn_from");
    const rest = await service.get(
      eventPath(fixture.organizationId, `/posters?limit=2&cursor=${first.json.next_cursor}`, eventId),
      member,
    );
    expect(rest.json).toMatchObject({ items: [{ id: ids[2] }], next_cursor: null });
    expect((await service.get(eventPath(fixture.otherOrganizationId, "/posters"), outsider)).status).toBe(403);
  });

  it("are those of an event that is proposed or cancelled, too", async () => {
    const proposed = await make.proposal(await make.conference(), fixture.organizationId);
    const cancelled = await make.event(await make.conference(), { hosts: [fixture.organizationId] });
    const posters = [await make.poster(proposed), await make.poster(cancelled)];
    await service.db.query(sql`update events set status = 'archived', cancelled_at = now() where id = ${cancelled}`);
    for (const [place, eventId] of [proposed, cancelled].entries()) {
      const { json } = await service.get(eventPath(fixture.organizationId, "/posters", eventId), member);
      expect(json.items.map(({ id }: { id: string }) => id)).toEqual([posters[place]]);
    }
  });

  it("can be looked at before they are drawn, by those who may draw them", async () => {
    const path = eventPath(fixture.organizationId, "/poster-preview?template=headline&format=square");
    const { status, headers } = await service.get(path, owner);
    expect([status, headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(headers.get("etag")).not.toBeNull();
    expect((await service.get(path, member)).status).toBe(403);
    expect((await service.get(path.replace("headline", "nothing"), owner)).status).toBe(400);
    const [row] = await service.db.query<{ count: number }>(
      sql`select count(*) as count from posters where event_id = ${fixture.eventId}`,
    );
    expect(row?.count).toBe(1);
  });
});

describe("organizations that can become hosts", () => {
  const find = async (query: string, cookie = owner) => {
    const reply = await service.get(
      `organizations/${fixture.organizationId}/host-candidates?query=${encodeURIComponent(query)}`,
      cookie,
    );
    expect(reply.status).toBe(200);
    return reply.json.organizations.map(({ name }: { name: string }) => name);
  };

  it("are found by name in the conferences in which both host a listed event", async () => {
    const word = `Zw${randomUUID().slice(0, 8)}`;
    const conference = await make.conference();
    await make.event(conference, { hosts: [fixture.organizationId] });
    await make.event(conference, { hosts: [await make.organization(`${word} Fellow`)] });
    await make.event(conference, { status: "draft", hosts: [await make.organization(`${word} Unlisted`)] });
    await make.event(await make.conference(), { hosts: [await make.organization(`${word} Elsewhere`)] });
    expect(await find(word)).toEqual([`${word} Fellow`]);
    expect(await find(`${word.toUpperCase()} féll`)).toEqual([`${word} Fellow`]);
  });

  it("are found anywhere by their exact slug, as the tools do", async () => {
    const [row] = await service.db.query<{ slug: string }>(
      sql`select slug from organizations where id = ${fixture.otherOrganizationId}`,
    );
    expect(await find(row?.slug ?? "")).toEqual(["Far Away"]);
    expect(await find((row?.slug ?? "").slice(0, 20))).toEqual([]);
    expect(await find("Far Away")).toEqual([]);
  });

  it("are at most ten, and only for admins", async () => {
    const word = `Zy${randomUUID().slice(0, 8)}`;
    const hosts = [fixture.organizationId];
    for (let number = 0; number < 12; number++) hosts.push(await make.organization(`${word} ${number}`));
    await make.event(await make.conference(), { hosts });
    expect(await find(word)).toHaveLength(10);
    const path = `organizations/${fixture.organizationId}/host-candidates?query=${word}`;
    expect((await service.get(path, member)).status).toBe(403);
    expect((await service.get(path.replace(word, "x"), owner)).status).toBe(400);
  });
});
