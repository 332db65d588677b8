import { beforeAll, expect, it } from "vitest";
import type { Reply } from "../support/call.js";
import { errorBody } from "../support/error-body.js";
import { useService } from "../support/setup.js";

const { service, make } = useService();
let key: string;
let conference: string;
let event: string;
let poster: string;

beforeAll(async () => {
  key = await make.superAdminKey();
  conference = await make.conference();
  event = await make.event(conference);
  poster = await make.poster(event);
});

const get = (path: string, who = key) => service.call(`/api/svc/${path}`, { key: who });
const idsOf = (reply: Reply): string[] => reply.json.items.map((item: { id: string }) => item.id);

it("category returns the events of that category, for every tier", async () => {
  const organization = await make.organization();
  const conference = await make.conference();
  const byCategory: Record<string, string> = {};
  for (const category of ["mainline", "community", "sponsored", "vip"]) {
    byCategory[category] = await make.event(conference, { category, hosts: [organization] });
  }
  for (const who of [key, await make.conferenceKey(conference), await make.organizationKey(organization)]) {
    for (const [category, id] of Object.entries(byCategory)) {
      const reply = await service.call(`/api/svc/conferences/${conference}/events?category=${category}`, { key: who });
      expect(idsOf(reply)).toEqual([id]);
    }
  }
});

it.each(["Mainline", "headline", "vip&category=vip", "mainline,vip"])("category=%s is a 400", async (value) => {
  const reply = await get(`conferences/${conference}/events?category=${value}`);
  expect(reply.status).toBe(400);
  const problem = value.includes("&") ? "once, but it is given 2 times" : "one of mainline, community, sponsored, vip";
  expect(reply.json).toEqual(errorBody("invalid_input", `category: expected ${problem}`, "category"));
});

it("published returns only posters in that state, and both by default, for every tier", async () => {
  const organization = await make.organization();
  const conference = await make.conference();
  const event = await make.event(conference, { hosts: [organization] });
  const shown = await make.poster(event, { published: true, sort_order: 1 });
  const hidden = await make.poster(event, { published: false, sort_order: 2 });
  for (const who of [key, await make.conferenceKey(conference), await make.organizationKey(organization)]) {
    for (const list of [
      `posters?event_id=${event}`,
      `posters?conference_id=${conference}`,
      `events/${event}/posters?`,
    ]) {
      const ids = async (more: string) => idsOf(await service.call(`/api/svc/${list}${more}`, { key: who }));
      expect(await ids("")).toEqual([shown, hidden]);
      expect(await ids("&published=true")).toEqual([shown]);
      expect(await ids("&published=false")).toEqual([hidden]);
    }
  }
});

it.each(["TRUE", "1", "0", "yes", "null", "true&published=true"])("published=%s is a 400", async (value) => {
  for (const list of ["posters?", `events/${event}/posters?`]) {
    const reply = await get(`${list}published=${value}`);
    expect(reply.status).toBe(400);
    const problem = value.includes("&") ? "once, but it is given 2 times" : "true or false";
    expect(reply.json).toEqual(errorBody("invalid_input", `published: expected ${problem}`, "published"));
  }
});

it.each(["x", "00000000", "g0000000-0000-4000-8000-000000000000", "{00000000-0000-4000-8000-000000000000}", "%00"])(
  "a malformed uuid (%s) is a 400 that names its field",
  async (value) => {
    for (const [path, field] of [
      [`posters?event_id=${value}`, "event_id"],
      [`posters?conference_id=${value}`, "conference_id"],
      ...[`posters/${value}`, `events/${value}/posters`, `conferences/${value}/events`].map((p) => [p, "id"]),
    ]) {
      const reply = await get(path ?? "");
      expect(reply.status, path).toBe(400);
      expect(reply.json.error).toBe(`${field}: expected a uuid, as lists return it in id`);
    }
  },
);

it("a uuid is case-insensitive", async () => {
  expect(idsOf(await get(`posters?event_id=${event.toUpperCase()}`))).toEqual([poster]);
  expect((await get(`posters/${poster.toUpperCase()}`)).json.id).toBe(poster);
});

it("an event outside of conference_id gives an empty page if the key sees both", async () => {
  const organization = await make.organization();
  const [here, there] = [await make.conference(), await make.conference()];
  const hosted = await make.event(here, { hosts: [organization] });
  await make.poster(hosted);
  await make.event(there, { hosts: [organization] });
  for (const who of [key, await make.organizationKey(organization)]) {
    const reply = await get(`posters?event_id=${hosted}&conference_id=${there}`, who);
    expect(reply.status).toBe(200);
    expect(reply.json.items).toEqual([]);
  }
  const reply = await get(`posters?event_id=${hosted}`, await make.conferenceKey(there));
  expect(reply.status).toBe(403);
  expect(reply.json).toEqual(errorBody("forbidden", "This key has no access to this event"));
});

it("a parameter without a value counts as absent", async () => {
  const own = `event_id=${event}`;
  for (const [path, same] of [
    ["posters?cursor=&limit=&published=&conference_id=&EVENT", "posters?EVENT"],
    ["posters?event_id=", "posters"],
    [`events/${event}/posters?published=&cursor=`, `events/${event}/posters`],
    [`conferences/${conference}/events?category=&limit=`, `conferences/${conference}/events`],
  ]) {
    const [given, expected] = [
      await get((path ?? "").replace("EVENT", own)),
      await get((same ?? "").replace("EVENT", own)),
    ];
    expect(given.status, path).toBe(200);
    expect(given.text).toBe(expected.text);
    expect(given.headers.get("x-ignored-query-parameters")).toBeNull();
  }
});

it("unknown query parameters are ignored, and a header names them", async () => {
  const reply = await get(`posters?event_id=${event}&sort=name&__proto__=1&constructor=2&page[]=1&Published=false`);
  expect(idsOf(reply)).toEqual([poster]);
  const names = reply.headers.get("x-ignored-query-parameters");
  expect(names).toBe("sort, __proto__, constructor, page%5B%5D, Published");
  expect((await get(`posters?event_id=${event}`)).headers.get("x-ignored-query-parameters")).toBeNull();
});

it("the header of ignored parameters is on every route and every response, and is bounded", async () => {
  const ignored = async (path: string) => (await get(path)).headers.get("x-ignored-query-parameters");
  expect(await ignored("ping?limit=1")).toBe("limit");
  expect(await ignored(`posters/${poster}?published=true`)).toBe("published");
  expect(await ignored("posters?limit=0&Limit=5")).toBe("Limit");
  const names = Array.from({ length: 50 }, (_, i) => `p${i}${"é".repeat(20)}${"x".repeat(100)}`);
  const long = (await ignored(`ping?${names.map((name) => `${name}=1`).join("&")}`)) ?? "";
  expect(long.split(", ")).toHaveLength(11);
  expect(long.endsWith(", ...")).toBe(true);
  expect(long.length).toBeLessThan(10 * 64 * 6 + 50);
});
