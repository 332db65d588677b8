import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { Reply } from "../support/call.js";
import { useService } from "../support/setup.js";

/** A change of state is visible to the next request, in every list and on every path. */

const { service, db, make } = useService();

const idsOf = (reply: Reply): string[] => reply.json.items.map((item: { id: string }) => item.id);

async function createPublishedPoster() {
  const organization = await make.organization();
  const conference = await make.conference();
  const event = await make.event(conference, { hosts: [organization] });
  const poster = await make.poster(event);
  const keys = [
    await make.superAdminKey(),
    await make.conferenceKey(conference),
    await make.organizationKey(organization),
  ];
  const statuses = async () => {
    const paths = [`conferences/${conference}/events`, `events/${event}/posters`, `posters/${poster}`];
    const replies = keys.map((key) => paths.map((path) => service.call(`/api/svc/${path}`, { key })));
    return Promise.all(replies.map(async (row) => (await Promise.all(row)).map(({ status }) => status)));
  };
  const listed = async (path: string, id: string) =>
    Promise.all(
      keys.slice(1).map(async (key) => {
        const reply = await service.call(`/api/svc/${path}`, { key });
        return reply.status === 200 && idsOf(reply).includes(id);
      }),
    );
  return { organization, conference, event, poster, statuses, listed };
}
const all = (status: number) => [0, 1, 2].map(() => [status, status, status]);

it.each(["draft", "archived"])(
  "a conference set to %s hides everything in it until it is approved again",
  async (status) => {
    const { conference, event, poster, statuses, listed } = await createPublishedPoster();
    const set = (value: string) => db.query(sql`update conferences set status = ${value} where id = ${conference}`);
    const lists = () =>
      Promise.all([
        listed("conferences", conference),
        listed(`conferences/${conference}/events`, event),
        listed("posters", poster),
        listed(`posters?conference_id=${conference}`, poster),
      ]);
    const shown = [
      [true, true],
      [true, true],
      [true, true],
      [true, true],
    ];
    expect(await statuses()).toEqual(all(200));
    expect(await lists()).toEqual(shown);
    await set(status);
    expect(await statuses()).toEqual(all(404));
    expect((await lists()).flat()).not.toContain(true);
    await set("approved");
    expect(await statuses()).toEqual(all(200));
    expect(await lists()).toEqual(shown);
  },
);

it.each(["draft", "archived"])("an event set to %s hides its posters, but not its conference", async (status) => {
  const { event, poster, statuses, listed } = await createPublishedPoster();
  await db.query(sql`update events set status = ${status} where id = ${event}`);
  expect(await statuses()).toEqual([
    [200, 404, 404],
    [200, 404, 404],
    [403, 404, 404],
  ]);
  expect(await listed("posters", poster)).toEqual([false, false]);
  await db.query(sql`update events set status = 'published' where id = ${event}`);
  expect(await statuses()).toEqual(all(200));
  expect(await listed("posters", poster)).toEqual([true, true]);
});

it("a draft event stays hidden when its conference becomes visible again", async () => {
  const { conference, event, statuses } = await createPublishedPoster();
  await db.query(sql`update conferences set status = 'draft' where id = ${conference}`);
  await db.query(sql`update events set status = 'draft' where id = ${event}`);
  await db.query(sql`update conferences set status = 'published' where id = ${conference}`);
  expect((await statuses())[0]).toEqual([200, 404, 404]);
});

it("an organization sees an event and its posters while it is a co-host", async () => {
  const { event, poster } = await createPublishedPoster();
  const guest = await make.organization();
  const key = await make.organizationKey(guest);
  const status = async () => (await service.call(`/api/svc/posters/${poster}`, { key })).status;
  const posters = async () => idsOf(await service.call("/api/svc/posters", { key }));
  expect(await status()).toBe(403);
  await db.query(sql`
    insert into event_hosts (event_id, organization_id, role) values (${event}, ${guest}, 'co_host')`);
  const later = await make.poster(event, { sort_order: 9 });
  expect(await status()).toBe(200);
  expect(await posters()).toEqual([poster, later]);
  await db.query(sql`delete from event_hosts where event_id = ${event} and organization_id = ${guest}`);
  expect(await status()).toBe(403);
  expect(await posters()).toEqual([]);
});

it("lists reflect that a poster was published, moved or deleted", async () => {
  const { poster, organization, event } = await createPublishedPoster();
  const key = await make.organizationKey(organization);
  const ids = async (query: string) => idsOf(await service.call(`/api/svc/posters?${query}`, { key }));
  const second = await make.poster(event, { published: false, sort_order: 5 });
  expect(await ids("published=true")).toEqual([poster]);
  await db.query(sql`update posters set published = true, sort_order = -5 where id = ${second}`);
  expect(await ids("published=true")).toEqual([second, poster]);
  await db.query(sql`delete from posters where id = ${second}`);
  expect(await ids("")).toEqual([poster]);
});

it("posters move to another conference with their event", async () => {
  const { conference, event, poster, organization } = await createPublishedPoster();
  const target = await make.conference();
  await db.query(sql`update events set conference_id = ${target} where id = ${event}`);
  const key = await make.organizationKey(organization);
  expect((await service.call(`/api/svc/posters/${poster}`, { key })).json.conference_id).toBe(target);
  expect(idsOf(await service.call(`/api/svc/posters?conference_id=${target}`, { key }))).toEqual([poster]);
  expect((await service.call(`/api/svc/posters?conference_id=${conference}`, { key })).status).toBe(403);
});
