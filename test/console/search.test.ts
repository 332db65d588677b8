import sql from "sql-template-tag";
import { beforeAll, expect, it } from "vitest";
import { foundRows, searchedEvents } from "../../src/modules/organizations/search-store.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

const { service, make } = useService(startConsole);
let fixture: EventFixture;
let member: string;

beforeAll(async () => {
  fixture = await createEventFixture(service.db);
  member = await service.signIn(await make.member(fixture.organizationId, "member"));
});

const search = (query: string, organization = fixture.organizationId, cookie: string | undefined = member) =>
  service.get(`organizations/${organization}/search?query=${encodeURIComponent(query)}`, cookie);

const addGuests = (eventId: string, name: string, count: number) =>
  service.db.query(sql`
    insert into registrations (event_id, name, email)
    select ${eventId}, ${name}, gen_random_uuid() || '@example.com' from generate_series(1, ${count}::int)`);

it("finds events and guests by words, without accents", async () => {
  await service.db.query(sql`update events set name = 'São Jorge opening' where id = ${fixture.eventId}`);
  await addGuests(fixture.eventId, "Zoë Šimek", 1);
  const events = await search("opening sao");
  expect(events.json).toMatchObject({ events: [{ id: fixture.eventId, name: "São Jorge opening" }], guests: [] });
  const guests = await search("simek zoe");
  const event = { id: fixture.eventId, name: "São Jorge opening" };
  expect(guests.json).toMatchObject({ events: [], guests: [{ name: "Zoë Šimek", event }] });
});

it("finds nothing of events that the organization does not host", async () => {
  const owner = await service.signIn(await make.member(fixture.otherOrganizationId, "owner"));
  expect((await search("simek", fixture.otherOrganizationId, owner)).json).toEqual({ events: [], guests: [] });
  expect((await search("s")).status).toBe(400);
});

it("finds guests of the next events, and of those that started within 31 days", async () => {
  const organization = await make.organization();
  const cookie = await service.signIn(await make.member(organization));
  const addEvent = async (start: string) => {
    const id = await make.event(await make.conference(), { hosts: [organization] });
    await service.db.query(sql`
      update events set start_time = now() + ${start}::interval, end_time = now() + ${start}::interval + interval '1 hour'
      where id = ${id}`);
    await addGuests(id, "Ana Reis", 1);
    return id;
  };
  const found = async () =>
    (await search("reis", organization, cookie)).json.guests.map(({ event }: { event: { id: string } }) => event.id);
  await addEvent("-31 days -1 hour");
  expect(await found()).toEqual([]);
  const recent = await addEvent("-30 days -23 hours");
  const next = await addEvent("1 day");
  expect(await found()).toEqual([recent, next]);
});

it("is limited to a few rows, and to the guests of the next events", async () => {
  const organization = await make.organization();
  const cookie = await service.signIn(await make.member(organization));
  const conference = await make.conference();
  const eventIds: string[] = [];
  for (let n = 0; n <= searchedEvents; n++) {
    const id = await make.event(conference, { hosts: [organization] });
    await service.db.query(sql`
      update events set name = 'Supper', start_time = now() + ${n + 1} * interval '1 day',
        end_time = now() + ${n + 2} * interval '1 day' where id = ${id}`);
    eventIds.push(id);
  }
  expect((await search("supper", organization, cookie)).json.events).toMatchObject(
    eventIds.slice(0, foundRows).map((id) => ({ id })),
  );
  const past = await make.event(conference, { hosts: [organization] });
  await service.db.query(sql`
    update events set start_time = now() - interval '2 days', end_time = now() - interval '1 day' where id = ${past}`);
  await addGuests(past, "Ana Reis", 1);
  await addGuests(eventIds[searchedEvents] ?? "", "Ana Reis", 1);
  expect((await search("reis", organization, cookie)).json.guests).toEqual([]);
  await addGuests(eventIds[searchedEvents - 1] ?? "", "Ana Reis", foundRows + 1);
  expect((await search("reis", organization, cookie)).json.guests).toHaveLength(foundRows);
});
