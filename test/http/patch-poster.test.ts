import { randomUUID } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CallOptions } from "../support/call.js";
import { errorBody } from "../support/error-body.js";
import type { Service } from "../support/service.js";
import { useService } from "../support/setup.js";

const { service, db, make } = useService();
let key: string;
let organization: string;
let conference: string;
let event: string;
let poster: string;

beforeAll(async () => {
  key = await make.superAdminKey();
  organization = await make.organization();
  conference = await make.conference();
  event = await make.event(conference, { hosts: [organization] });
});
beforeEach(async () => {
  poster = await make.poster(event);
});

const patch = (body: unknown, options: CallOptions = {}, by: Service = service) =>
  by.call(`/api/svc/posters/${poster}`, { key, method: "PATCH", body, ...options });

const patchUrls = (posted_urls: unknown) => patch({ posted_urls });

const storedUrls = async (): Promise<Record<string, string> | null> =>
  (await service.call(`/api/svc/posters/${poster}`, { key })).json.posted_urls;

type RecordedPoster = { poster: { posted_urls: object | null } };

const records = () =>
  db.query<{ tool: string; request: object; before: RecordedPoster; after: RecordedPoster } & Record<string, unknown>>(
    sql`select * from mutation_records where request->>'poster_id' = ${poster} order by at`,
  );

const url = (name: string) => `https://social.example.com/${name}`;

describe("merging", () => {
  it("adds, replaces and removes by platform, and returns the whole poster", async () => {
    expect(await storedUrls()).toBeNull();
    await patchUrls({ x: url("1"), instagram: url("2") });
    const reply = await patchUrls({ x: url("3"), bluesky: url("4"), instagram: null });
    expect(reply.status).toBe(200);
    expect(reply.json.posted_urls).toEqual({ x: url("3"), bluesky: url("4") });
    expect(reply.json).toEqual((await service.call(`/api/svc/posters/${poster}`, { key })).json);
  });

  it("an empty object changes nothing", async () => {
    await patchUrls({ x: url("1") });
    expect((await patchUrls({})).json.posted_urls).toEqual({ x: url("1") });
  });

  it("a patch that changes nothing writes nothing and leaves no record", async () => {
    const version = () => db.query<{ xmin: string }>(sql`select xmin::text from posters where id = ${poster}`);
    const untouched = await version();
    for (const urls of [{}, { x: null }, { x: null, y: null }]) {
      const reply = await patchUrls(urls);
      expect(reply.status).toBe(200);
      expect(reply.json.posted_urls).toBeNull();
    }
    expect(await version()).toEqual(untouched);
    await patchUrls({ x: url("1") });
    const changed = await version();
    for (const urls of [{}, { x: url("1") }, { y: null }]) {
      expect((await patchUrls(urls)).json.posted_urls).toEqual({ x: url("1") });
    }
    expect(await version()).toEqual(changed);
    expect(await records()).toHaveLength(1);
  });

  it("removing the last link leaves none, as before the first", async () => {
    await patchUrls({ x: url("1") });
    expect((await patchUrls({ x: null, y: null })).json.posted_urls).toBeNull();
  });

  it("changes no other field", async () => {
    const before = (await service.call(`/api/svc/posters/${poster}`, { key })).json;
    expect((await patchUrls({ x: url("1") })).json).toEqual({ ...before, posted_urls: { x: url("1") } });
  });
});

describe("access", () => {
  it("is granted to super-admin keys, the conference's key, and hosts and co-hosts with events:write and the role admin", async () => {
    const coHost = await make.organization();
    await db.query(sql`
      insert into event_hosts (event_id, organization_id, role) values (${event}, ${coHost}, 'co_host')`);
    const allow: Record<string, [string, number]> = {
      "super-admin": [key, 200],
      "its conference": [await make.conferenceKey(conference), 200],
      "another conference": [await make.conferenceKey(await make.conference()), 403],
      "the host": [await make.organizationKey(organization, { scopes: ["events:write"] }), 200],
      "the host, by a plain member": [await make.organizationKey(organization, { role: "member" }), 403],
      "the host, by an admin": [await make.organizationKey(organization, { role: "admin" }), 200],
      "a co-host": [await make.organizationKey(coHost, { scopes: ["events:write"] }), 200],
      "the host without the scope": [await make.organizationKey(organization, { scopes: ["conferences:read"] }), 403],
      "another organization": [await make.organizationKey(await make.organization()), 403],
    };
    for (const [who, [callerKey, status]] of Object.entries(allow)) {
      const reply = await patch({ posted_urls: { [who]: url("1") } }, { key: callerKey });
      expect(reply.status, who).toBe(status);
    }
    const allowed = Object.keys(allow).filter((who) => allow[who]?.[1] === 200);
    expect(Object.keys((await storedUrls()) ?? {}).sort()).toEqual(allowed.sort());
    expect(await records()).toHaveLength(allowed.length);
  });

  it("an unknown poster is a 404", async () => {
    poster = randomUUID();
    const reply = await patchUrls({ x: url("1") });
    expect(reply.status).toBe(404);
    expect(reply.json).toEqual(errorBody("not_found", "Poster not found"));
  });
});

describe("concurrent requests to two services", () => {
  const { service: second } = useService();
  const times = Array.from({ length: 20 }, (_, i) => i);
  const patchAll = (urlsOf: (i: number) => object) =>
    Promise.all(times.map((i) => patch({ posted_urls: urlsOf(i) }, {}, i % 2 === 0 ? service : second)));

  it("for 20 platforms are all stored", async () => {
    const replies = await patchAll((i) => ({ [`platform-${i}`]: url(String(i)) }));
    expect(replies.map(({ status }) => status)).toEqual(times.map(() => 200));
    expect(await storedUrls()).toEqual(Object.fromEntries(times.map((i) => [`platform-${i}`, url(String(i))])));
  });

  it("for one platform leave one link and a history without gaps", async () => {
    await patchAll((i) => ({ x: url(String(i)) }));
    const history = await records();
    const last = await storedUrls();
    expect(Object.keys(last ?? {})).toEqual(["x"]);
    // Each record starts from the state in which exactly one other ended: the changes were serialized.
    const ends = history.map(({ after }) => JSON.stringify(after.poster.posted_urls)).sort();
    const begins = [...history.map(({ before }) => JSON.stringify(before.poster.posted_urls)), JSON.stringify(last)];
    expect(begins.filter((links) => links !== "null").sort()).toEqual(ends);
  });

  it("do not exceed the limit of 50 platforms", async () => {
    await patchUrls(Object.fromEntries(Array.from({ length: 45 }, (_, i) => [`old-${i}`, url("1")])));
    const replies = await patchAll((i) => ({ [`new-${i}`]: url("1") }));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(Object.keys((await storedUrls()) ?? {})).toHaveLength(50);
  });
});

describe("the mutation record", () => {
  it("contains who changed what, with the state before and after", async () => {
    const userId = await make.member(organization, "admin");
    const organizationKey = await make.organizationKey(organization, { userId });
    await patchUrls({ x: url("1"), y: url("2") });
    await patch({ posted_urls: { x: null, z: url("3") } }, { key: organizationKey });
    const [first, second] = await records();
    expect(first).toMatchObject({
      tool: "patch_poster",
      organization_id: null,
      user_id: null,
      api_key_id: await make.keyId(key),
      before: { poster: { id: poster, title: expect.any(String), posted_urls: null } },
      after: { poster: { id: poster, title: expect.any(String), posted_urls: { x: url("1"), y: url("2") } } },
    });
    expect(second).toMatchObject({
      tool: "patch_poster",
      organization_id: organization,
      event_id: event,
      user_id: userId,
      api_key_id: await make.keyId(organizationKey),
      idempotency_key: null,
      request: { poster_id: poster, posted_urls: { x: null, z: url("3") } },
      before: { poster: { posted_urls: { x: url("1"), y: url("2") } } },
      after: { poster: { posted_urls: { y: url("2"), z: url("3") } } },
    });
    const text = JSON.stringify([first, second]);
    expect(text).not.toContain(key);
    expect(text).not.toContain(organizationKey);
    expect(text).not.toContain("svc_mk_");
  });

  it("is written in the transaction of the change; the response reveals no internals", async () => {
    const name = `refuse_${randomUUID().replaceAll("-", "")}`;
    await db.query(
      raw(`
      create function ${name}() returns trigger language plpgsql as $$
      begin raise exception 'no space left for records'; end $$`),
    );
    await db.query(
      raw(`
      create trigger ${name} before insert on mutation_records for each row
      when (new.request->>'poster_id' = '${poster}') execute function ${name}()`),
    );
    try {
      const reply = await patchUrls({ x: url("1") });
      expect(reply.status).toBe(500);
      expect(reply.text).not.toMatch(/no space|mutation_records|insert|trigger/);
      expect(reply.json.error).toContain(reply.headers.get("x-request-id"));
      expect(await storedUrls()).toBeNull();
    } finally {
      await db.query(raw(`drop function ${name}() cascade`));
    }
    expect((await patchUrls({ x: url("1") })).status).toBe(200);
  });

  it("can be neither changed nor removed", async () => {
    await patchUrls({ x: url("1") });
    for (const statement of [
      "update mutation_records set reason = 'changed'",
      "update mutation_records set reason = 'changed' where false",
      "delete from mutation_records",
      "truncate mutation_records cascade",
    ]) {
      await expect(db.query(raw(statement)), statement).rejects.toThrow("mutation records are append-only");
    }
    expect(await records()).toHaveLength(1);
  });
});
