import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { localTime } from "../../src/modules/organizations/event-line.js";
import { useEvent, useService } from "../support/setup.js";

const { service, db, make } = useService();
const { fixture, tools } = useEvent(db);

const snapshot = (args: object = {}) => tools.run("get_organization_admin_snapshot", args);
const idsOf = ({ events }: { events: { id: string }[] }) => events.map(({ id }) => id);
const found = async (args: object) => idsOf(await snapshot(args));
/** One moment for all tests, so that events at the same hour start at the same time. */
const startedAt = Date.now();
const at = (hours: number) => new Date(startedAt + hours * 3_600_000).toISOString();
const makePosted = async (eventId: string, platform: string) => {
  const id = await make.poster(eventId, { published: true });
  await db.query(sql`
    update posters set posted_urls = jsonb_build_object(${platform}::text, 'https://posts.test/1') where id = ${id}`);
};

/** Events of the fixture's organization in a new conference, at these hours from now. */
async function addEvents(hours: number[], conference?: string): Promise<string[]> {
  const conferenceId = conference ?? (await make.conference());
  const ids: string[] = [];
  for (const hour of hours) {
    ids.push(await make.event(conferenceId, { hosts: [fixture.organizationId], start_time: at(hour) }));
  }
  return ids;
}

async function readAll(args: object): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  for (let pages = 1; ; pages += 1) {
    const page = await snapshot({ ...args, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...idsOf(page));
    cursor = page.pagination.next_cursor;
    expect(page.pagination).toMatchObject({ has_more: cursor !== null, count: page.events.length });
    if (pages > 1) expect(Object.keys(page)).toEqual(["events", "pagination"]);
    if (cursor === null) return { ids, pages };
  }
}

it.each([
  ["LinkedIn", "LINKEDIN"],
  ["ВКонтакте", "вконтакте"],
  ["ΣΑΣ", "σας"],
  ["Éclair", "ÉCLAIR"],
  ["Straße", "STRASSE"],
  ["Caf\u00e9", "Cafe\u0301"],
])("%s and %s are the same platform for a report and for not_posted_on, or for neither", async (posted, asked) => {
  const { eventId, posterId } = fixture;
  await db.query(sql`update posters set published = true where id = ${posterId}`);
  const key = await make.superAdminKey();
  const patch = (name: string) =>
    service.call(`/api/svc/posters/${posterId}`, {
      key,
      method: "PATCH",
      body: { posted_urls: { [name]: "https://posts.test/1" } },
    });
  await patch(posted);
  const isUnposted = (await found({ not_posted_on: asked })).includes(eventId);
  const names = Object.keys((await patch(asked)).json.posted_urls);
  expect(names).toHaveLength(isUnposted ? 2 : 1);
});

describe("a line", () => {
  it("has conference, local time, venue, speakers, guests, posters and the run of show", async () => {
    const { eventId } = fixture;
    await db.query(
      sql`update events set venue = 'Pier 7', timezone = 'Asia/Kathmandu', capacity = 80 where id = ${eventId}`,
    );
    await make.poster(eventId, { published: true });
    await makePosted(eventId, "instagram");
    await db.query(sql`
      insert into speakers (event_id, name, position) select ${eventId}, 'Speaker ' || n, 10 + n from generate_series(1, 9) n`);
    await tools.commit("set_event_run_of_show_publication", { published: true });
    const [line] = (await snapshot()).events;
    expect(line).toMatchObject({
      id: eventId,
      conference: "Test",
      venue: "Pier 7",
      capacity: 80,
      run_of_show_published: true,
      local_time: "Thu 2031-05-01 23:45–Fri 2031-05-02 01:45",
      timezone: "Asia/Kathmandu",
      guests: { pending: 1, approved: 1, waitlisted: 1, declined: 1, checked_in: 0 },
      posters: { published: 2, unposted: 1, drafts: 1 },
    });
    expect(line.speakers).toHaveLength(9);
    expect(line.speakers.slice(-2)).toEqual(["Speaker 5", "and 4 more"]);
  });

  it("has the time on the clocks of the venue", () => {
    expect(localTime("2031-03-30T00:30:00Z", "2031-03-30T02:30:00Z", "Europe/Berlin")).toBe(
      "Sun 2031-03-30 01:30–04:30",
    );
    expect(localTime("2031-01-01T00:00:00Z", "2031-01-01T01:00:00Z", "UTC")).toBe("Wed 2031-01-01 00:00–01:00");
  });

  it("survives a time zone that the database does not know", async () => {
    await db.query(sql`update events set timezone = 'Nowhere/Else' where id = ${fixture.eventId}`);
    const [row] = await db.query<{ date: string }>(
      sql`select local_date('2031-05-01T23:00Z', 'Nowhere/Else')::text as date`,
    );
    expect(row?.date).toBe("2031-05-01");
    await db.query(sql`update events set timezone = 'europe/lisbon' where id = ${fixture.eventId}`);
    expect(await found({ from: "2031-05-01", to: "2031-05-01" })).toEqual([fixture.eventId]);
  });
});

describe("pages", () => {
  it("have every event once, in order, whatever their size", async () => {
    const hours = [-500, -30, -30, -30, -5, -1, -0.5, 2, 2, 2, 40, 700];
    const ids = await addEvents(hours);
    const placed = hours.map((hour, index) => ({ hour, id: ids[index] ?? "" }));
    const later = (one: { hour: number; id: string }, other: { hour: number; id: string }) =>
      one.hour - other.hour || (one.id < other.id ? -1 : 1);
    const expected = [
      ...placed.filter(({ hour }) => hour > -2).sort(later),
      { id: fixture.eventId },
      ...placed
        .filter(({ hour }) => hour <= -2)
        .sort(later)
        .reverse(),
    ].map(({ id }) => id);
    for (const limit of [1, 5, 12, 13]) {
      const { ids: read, pages } = await readAll({ limit });
      expect(read, `limit ${limit}`).toEqual(expected);
      expect(pages).toBe(Math.ceil(13 / limit));
    }
  });

  it("do not change their order while time passes and events are added", async () => {
    const ids = await addEvents([1, 2, 3]);
    const first = await snapshot({ limit: 2 });
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    await addEvents([0.5, -1]);
    const second = await snapshot({ limit: 10, cursor: first.pagination.next_cursor });
    expect(idsOf(second).slice(0, 2)).toEqual([ids[2], fixture.eventId]);
    expect(idsOf(second)).not.toContain(ids[0]);
  });

  it("end early when lines are long, without losing any", async () => {
    const ids = await addEvents(Array.from({ length: 40 }, (_, n) => n + 1));
    await db.query(
      sql`update events set name = ${"名".repeat(200)}, venue = ${"場".repeat(200)} where id = any (${ids}::uuid[])`,
    );
    const { ids: read, pages } = await readAll({ limit: 100 });
    expect(pages).toBeGreaterThan(1);
    expect(read).toEqual([...ids, fixture.eventId]);
  });

  it("refuse a cursor of other filters or another organization", async () => {
    await addEvents([1, 2]);
    const { next_cursor: cursor } = (await snapshot({ limit: 1 })).pagination;
    expect(
      (await tools.refusal("get_organization_admin_snapshot", { cursor, pending_guests: true })).message,
    ).toContain("cursor: expected the next_cursor");
    const other = tools.as({ organizationId: fixture.cohostOrganizationId });
    for (const wrong of [cursor, "x", "", `${cursor}x`]) {
      expect((await other.refusal("get_organization_admin_snapshot", { cursor: wrong })).code).toBe("invalid_input");
    }
    for (const limit of [0, 101, 1.5, "ten"]) {
      const error = await tools.refusal("get_organization_admin_snapshot", { limit });
      expect(error.message).toContain("limit: expected an integer from 1 to 100");
    }
  });
});

describe("filters", () => {
  it("by conference: id, slug, name, a unique part of them, or next", async () => {
    const conference = await make.conference({ start_date: "2030-02-01" });
    const slug = `summit-${randomUUID()}`;
    await db.query(sql`
      update conferences set name = 'Summit of Tests', slug = ${slug}, short_name = ${`S ${slug}`} where id = ${conference}`);
    const [soon] = await addEvents([5], conference);
    const exact = [conference, conference.toUpperCase(), slug, "summit of tests", `s ${slug}`];
    for (const named of [...exact, "Summit of", slug.slice(3, 20), "next", "NEXT"]) {
      const result = await snapshot({ conference: named });
      expect(idsOf(result), named).toEqual([soon]);
      expect(result.conferences).toEqual([
        {
          id: conference,
          name: "Summit of Tests",
          slug,
          city: "Lisbon",
          timezone: "Europe/Lisbon",
          start_date: "2030-02-01",
          end_date: "2031-12-31",
          events: 1,
        },
      ]);
    }
    expect((await snapshot()).conferences.map(({ slug: each }: { slug: string }) => each)).toEqual([
      slug,
      expect.any(String),
    ]);
  });

  it("by conference: says which there are, and does not find those of others", async () => {
    const other = await make.conference();
    await make.event(other, { hosts: [fixture.otherOrganizationId] });
    const hidden = await make.conference({ status: "draft" });
    await make.event(hidden, { hosts: [fixture.organizationId] });
    const [mine] = (await snapshot()).conferences;
    for (const conference of [other, hidden, randomUUID(), "no-such", "Ünknown"]) {
      const error = await tools.refusal("get_organization_admin_snapshot", { conference });
      expect(error.code).toBe("not_found");
      expect(error.message).toBe(
        `conference: Your organization hosts events in no conference with the id, slug or name ${conference}: the next are ${mine.slug}`,
      );
    }
    const again = await make.conference();
    await addEvents([3], again);
    for (const conference of ["test conference", "st conf"]) {
      const several = await tools.refusal("get_organization_admin_snapshot", { conference });
      expect(several).toMatchObject({
        code: "conflict",
        message: expect.stringMatching(`^conference: several match ${conference}; use a slug: .*${mine.slug}`),
      });
    }
    const lastDay = (daysAgo: number) =>
      db.query(sql`
        update conferences set start_date = current_date - 9, end_date = current_date - ${daysAgo}::int
        where id = any (${[again, mine.id]}::uuid[])`);
    await lastDay(0);
    await tools.run("get_organization_admin_snapshot", { conference: "next" });
    await lastDay(1);
    const none = await tools.refusal("get_organization_admin_snapshot", { conference: "next" });
    expect(none.message).toContain("no next conference: none of its conferences is to come");
  });

  it("by local date, both ends included", async () => {
    const { eventId } = fixture;
    await db.query(sql`
      update events set start_time = '2031-05-01T12:30Z', end_time = '2031-05-01T13:30Z', timezone = 'Pacific/Kiritimati'
      where id = ${eventId}`);
    const isFound = async (range: object) => (await found(range)).includes(eventId);
    expect(await isFound({ from: "2031-05-02", to: "2031-05-02" })).toBe(true);
    expect(await isFound({ from: "2031-05-01", to: "2031-05-01" })).toBe(false);
    await db.query(sql`update events set timezone = 'Pacific/Pago_Pago' where id = ${eventId}`);
    expect(await isFound({ from: "2031-05-01", to: "2031-05-01" })).toBe(true);
    expect(await isFound({ from: "2031-05-02" })).toBe(false);
    expect(await isFound({ to: "2031-04-30" })).toBe(false);
    expect(await isFound({ from: "2031-05-02", to: "2031-05-01" })).toBe(false);
    // 22:30 there.
    await db.query(sql`
      update events set start_time = '2031-05-02T09:30Z', end_time = '2031-05-02T10:30Z' where id = ${eventId}`);
    expect(await isFound({ from: "2031-05-01", to: "2031-05-01" })).toBe(true);
    const error = await tools.refusal("get_organization_admin_snapshot", { from: "1 May" });
    expect(error.message).toContain("from: expected a date such as 2027-03-01");
  });

  it("by guests who wait for a decision", async () => {
    const [empty] = await addEvents([4]);
    expect(await found({ pending_guests: true })).toEqual([fixture.eventId]);
    expect(await found({ pending_guests: false })).toEqual([empty]);
    await tools.commit("approve_event_registration", { registration_id: fixture.registrationIds.pending });
    expect(await found({ pending_guests: true })).toEqual([]);
  });

  it("by posters that were not posted, anywhere or on a platform", async () => {
    const [posted, unposted, draft] = (await addEvents([1, 2, 3])) as [string, string, string];
    await makePosted(posted, "instagram");
    await make.poster(unposted, { published: true });
    await make.poster(draft, { published: false });
    for (const anywhere of ["anywhere", "Anywhere", "anywhere "]) {
      expect(await found({ not_posted_on: anywhere })).toEqual([unposted]);
    }
    expect(await found({ not_posted_on: "instagram" })).toEqual([unposted]);
    expect(await found({ not_posted_on: "Instagram" })).toEqual([unposted]);
    const onX = await snapshot({ not_posted_on: "x" });
    expect(idsOf(onX)).toEqual([posted, unposted]);
    expect(onX.events.map(({ posters }: { posters: object }) => posters)).toEqual([
      { published: 1, unposted: 1, drafts: 0 },
      { published: 1, unposted: 1, drafts: 0 },
    ]);
  });

  it("combine, and page", async () => {
    const ids = await addEvents([1, 2, 3, 4, 5, 6]);
    await db.query(sql`update events set name = 'Ünder the Sea' where id = any (${ids.slice(0, 5)}::uuid[])`);
    for (const id of ids.slice(1)) await make.poster(id, { published: true });
    const { ids: read, pages } = await readAll({ event_name: "sea under", not_posted_on: "anywhere", limit: 2 });
    expect(read).toEqual(ids.slice(1, 5));
    expect(pages).toBe(2);
  });
});
