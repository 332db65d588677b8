import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Make, makerOn } from "../support/make.js";
import { type Reply, type Service, startService } from "../support/service.js";

/** A change of state shows with the next request, in every list and under every address. */

let service: Service;
let make: Make;

beforeAll(async () => {
  service = await startService();
  make = makerOn(service.db);
});
afterAll(() => service.close());

const idsOf = (reply: Reply): string[] => reply.json.items.map((item: { id: string }) => item.id);

async function scene() {
  const organization = await make.organization();
  const conference = await make.conference();
  const event = await make.event(conference, { hosts: [organization] });
  const poster = await make.poster(event);
  const sceneKeys = [
    await make.superAdminKey(),
    await make.conferenceKey(conference),
    await make.organizationKey(organization),
  ];
  const statuses = async () => {
    const paths = [`conferences/${conference}/events`, `events/${event}/posters`, `posters/${poster}`];
    const replies = sceneKeys.map((key) => paths.map((path) => service.call(`/api/svc/${path}`, { key })));
    return Promise.all(replies.map(async (row) => (await Promise.all(row)).map(({ status }) => status)));
  };
  const listed = async (path: string, id: string) =>
    Promise.all(
      sceneKeys.slice(1).map(async (key) => {
        const reply = await service.call(`/api/svc/${path}`, { key });
        return reply.status === 200 && idsOf(reply).includes(id);
      }),
    );
  return { organization, conference, event, poster, statuses, listed };
}
const all = (status: number) => [0, 1, 2].map(() => [status, status, status]);

it.each(["draft", "archived"])("a conference set to %s hides all below it, and brings it back", async (status) => {
  const { conference, event, poster, statuses, listed } = await scene();
  const set = (value: string) =>
    service.db.query(sql`update conferences set status = ${value} where id = ${conference}`);
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
});

it.each(["draft", "archived"])("an event set to %s hides its posters, not its conference", async (status) => {
  const { event, poster, statuses, listed } = await scene();
  await service.db.query(sql`update events set status = ${status} where id = ${event}`);
  expect(await statuses()).toEqual([
    [200, 404, 404],
    [200, 404, 404],
    [403, 404, 404],
  ]);
  expect(await listed("posters", poster)).toEqual([false, false]);
  await service.db.query(sql`update events set status = 'published' where id = ${event}`);
  expect(await statuses()).toEqual(all(200));
  expect(await listed("posters", poster)).toEqual([true, true]);
});

it("a draft event of a hidden conference stays hidden when the conference comes back", async () => {
  const { conference, event, statuses } = await scene();
  await service.db.query(sql`update conferences set status = 'draft' where id = ${conference}`);
  await service.db.query(sql`update events set status = 'draft' where id = ${event}`);
  await service.db.query(sql`update conferences set status = 'published' where id = ${conference}`);
  expect((await statuses())[0]).toEqual([200, 404, 404]);
});

it("an organization that becomes a co-host sees the event and all its posters, and no longer once it is removed", async () => {
  const { event, poster } = await scene();
  const guest = await make.organization();
  const key = await make.organizationKey(guest);
  const status = async () => (await service.call(`/api/svc/posters/${poster}`, { key })).status;
  const posters = async () => idsOf(await service.call("/api/svc/posters", { key }));
  expect(await status()).toBe(403);
  await service.db.query(sql`
    insert into event_hosts (event_id, organization_id, role) values (${event}, ${guest}, 'co_host')`);
  const later = await make.poster(event, { sort_order: 9 });
  expect(await status()).toBe(200);
  expect(await posters()).toEqual([poster, later]);
  await service.db.query(sql`delete from event_hosts where event_id = ${event} and organization_id = ${guest}`);
  expect(await status()).toBe(403);
  expect(await posters()).toEqual([]);
});

it("a poster that is published, moved or deleted is listed as it is now", async () => {
  const { poster, organization, event } = await scene();
  const key = await make.organizationKey(organization);
  const ids = async (query: string) => idsOf(await service.call(`/api/svc/posters?${query}`, { key }));
  const second = await make.poster(event, { published: false, sort_order: 5 });
  expect(await ids("published=true")).toEqual([poster]);
  await service.db.query(sql`update posters set published = true, sort_order = -5 where id = ${second}`);
  expect(await ids("published=true")).toEqual([second, poster]);
  await service.db.query(sql`delete from posters where id = ${second}`);
  expect(await ids("")).toEqual([poster]);
});

it("an event moved to another conference takes its posters along", async () => {
  const { conference, event, poster, organization } = await scene();
  const target = await make.conference();
  await service.db.query(sql`update events set conference_id = ${target} where id = ${event}`);
  const key = await make.organizationKey(organization);
  expect((await service.call(`/api/svc/posters/${poster}`, { key })).json.conference_id).toBe(target);
  expect(idsOf(await service.call(`/api/svc/posters?conference_id=${target}`, { key }))).toEqual([poster]);
  expect((await service.call(`/api/svc/posters?conference_id=${conference}`, { key })).status).toBe(403);
});
