import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.js";
import { legacy, post } from "../mcp/messages.js";
import type { Reply } from "../support/call.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";
import { specTable } from "./spec-table.js";

// Section 8 of the specification: limits, with the service's defaults.

const { service, db, make } = useService(() =>
  startService({ limits: loadConfig({}).limits, ticketing: { url: "http://127.0.0.1:9/v1", apiKey: "none" } }),
);

const ping = (key: string) => service.call("/api/svc/ping", { key });
const times = async (count: number, send: () => Promise<Reply>) => {
  const replies: Reply[] = [];
  for (let sent = 0; sent < count; sent++) replies.push(await send());
  return replies;
};
const isRefused = ({ status }: Reply) => status === 429;

/** Of one key, one after another: the last exceeds the limit. */
let replies: Reply[];
beforeAll(async () => {
  const key = await make.superAdminKey();
  replies = await times(61, () => ping(key));
});

describe("8: REST requests | 60 per minute | per API key, on /api/svc/*", () => {
  it("60 requests are served, the next is a 429", () => {
    expect(replies.map(isRefused)).toEqual([...Array(60).fill(false), true]);
  });

  it("per API key: another key has its own", async () => {
    expect((await ping(await make.superAdminKey())).headers.get("x-ratelimit-remaining")).toBe("59");
  });

  it.each(["ping", "conferences?limit=1", "posters?limit=1", "posters/not-a-uuid", "marketing/queue"])(
    "on /api/svc/*: %s is counted",
    async (path) => {
      const key = await make.superAdminKey();
      await service.call(`/api/svc/${path}`, { key });
      expect((await ping(key)).headers.get("x-ratelimit-remaining")).toBe("58");
    },
  );

  it("GET /api/svc, which needs no key, is not counted", async () => {
    const key = await make.superAdminKey();
    await service.call("/api/svc", { key });
    expect((await ping(key)).headers.get("x-ratelimit-remaining")).toBe("59");
  });
});

describe("8: Ticketing proxy requests | 30 per minute | per organization, on /api/ticketing/*", () => {
  const send = (key: string) => service.call("/api/ticketing/event/get", { key });

  it("30 requests are served, the next is a 429", async () => {
    const key = await make.organizationKey(await make.organization());
    const sent = await times(31, () => send(key));
    expect(sent.map(isRefused)).toEqual([...Array(30).fill(false), true]);
    expect(sent[30]?.json.error).toMatch(/^Rate limit exceeded/);
  });

  it("per organization: its keys share the limit, another organization has its own", async () => {
    const organization = await make.organization();
    const [one, two] = [await make.organizationKey(organization), await make.organizationKey(organization)];
    expect((await send(one)).headers.get("x-ratelimit-remaining")).toBe("29");
    expect((await send(two)).headers.get("x-ratelimit-remaining")).toBe("28");
    const other = await make.organizationKey(await make.organization());
    expect((await send(other)).headers.get("x-ratelimit-remaining")).toBe("29");
  });

  it("is counted beside REST requests of the same key", async () => {
    const key = await make.organizationKey(await make.organization());
    await send(key);
    expect((await ping(key)).headers.get("x-ratelimit-remaining")).toBe("59");
  });
});

describe("8: Page size `limit` | default 50, maximum 200 | all list endpoints", () => {
  let organization: string;
  let conference: string;
  let event: string;
  beforeAll(async () => {
    organization = await make.organization();
    conference = await make.conference();
    event = await make.event(conference, { hosts: [organization] });
    await createMany(organization, conference, event);
  });

  const lists = specTable(`
    | Path |
    |---|
    | /api/svc/conferences |
    | /api/svc/conferences/{id}/events |
    | /api/svc/posters |
    | /api/svc/events/{id}/posters |`);

  it.each(lists)("%s", async (list) => {
    const key = await make.organizationKey(organization);
    const path = list
      .replace("conferences/{id}", `conferences/${conference}`)
      .replace("events/{id}", `events/${event}`);
    const count = async (query: string) => (await service.call(path + query, { key })).json.pagination.count;
    expect(await count("")).toBe(50);
    expect(await count("?limit=1")).toBe(1);
    expect(await count("?limit=200")).toBe(200);
    expect(await count("?limit=201")).toBe(200);
    expect(await count("?limit=1000000")).toBe(200);
    expect((await service.call(`${path}?limit=0`, { key })).status).toBe(400);
  });
});

describe("8: Organization key lifetime | 90 days | organization keys", () => {
  it("a key of an organization expires 90 days after it was made", async () => {
    const { expires_at } = (await ping(await make.organizationKey(await make.organization()))).json;
    const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThanOrEqual(90.01);
  });

  it("a key whose time has come is refused", async () => {
    const key = await make.organizationKey(await make.organization());
    expect((await ping(key)).status).toBe(200);
    await db.query(sql`
      update api_keys set created_at = created_at - interval '90 days', expires_at = expires_at - interval '90 days'
      where id = ${await make.keyId(key)}`);
    expect((await ping(key)).status).toBe(401);
  });
});

describe("8: rate-limit response headers", () => {
  const meanings: Record<string, (values: number[]) => void> = {
    "maximum requests per window": (limits) => expect(new Set(limits)).toEqual(new Set([60])),
    "requests remaining in the current window": (remaining) =>
      expect(remaining).toEqual([...Array(60).keys()].toReversed().concat(0)),
    "Unix timestamp when the window resets": (resets) => {
      const sentAt = Date.parse(replies[0]?.headers.get("date") ?? "") / 1000;
      for (const reset of resets) {
        expect(Number.isInteger(reset)).toBe(true);
        expect(reset - sentAt).toBeGreaterThan(0);
        expect(Math.abs(reset - (resets[0] ?? 0))).toBeLessThanOrEqual(1);
      }
      expect((resets[0] ?? 0) - sentAt).toBeLessThanOrEqual(62);
    },
  };

  it.each(
    specTable(`
      | Header | Meaning |
      |---|---|
      | X-RateLimit-Limit | maximum requests per window |
      | X-RateLimit-Remaining | requests remaining in the current window |
      | X-RateLimit-Reset | Unix timestamp when the window resets |`),
  )("%s: %s", (header, meaning) => {
    expect(Object.keys(meanings)).toContain(meaning);
    meanings[meaning]?.(replies.map(({ headers }) => Number(headers.get(header))));
  });

  it("are on every authenticated answer, errors and 304 too", async () => {
    const key = await make.superAdminKey();
    const etag = (await ping(key)).headers.get("etag") ?? "";
    const answers = [
      await service.call("/api/svc/ping", { key, headers: { "if-none-match": etag } }),
      await service.call("/api/svc/posters/not-a-uuid", { key }),
      await service.call("/api/svc/marketing/queue", { key }),
      await service.call("/api/ticketing/event/get", { key }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([304, 400, 410, 403]);
    for (const { headers } of answers) {
      for (const name of ["limit", "remaining", "reset"]) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
    }
  });
});

describe("8: when exceeded", () => {
  it("status 429, with Retry-After in seconds", () => {
    const reply = replies.at(-1);
    expect(reply?.status).toBe(429);
    expect(reply?.json.error).toMatch(/^Rate limit exceeded/);
    const wait = Number(reply?.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
  });

  it("MCP endpoint: 120 per minute per key, with the same headers", async () => {
    const key = await make.organizationKey(await make.organization());
    const sent = await times(121, () => post(service, key, legacy("ping")));
    expect(sent.map(isRefused)).toEqual([...Array(120).fill(false), true]);
    expect(sent[0]?.headers.get("x-ratelimit-limit")).toBe("120");
    expect(sent[0]?.headers.get("x-ratelimit-remaining")).toBe("119");
  });
});

/** 200 more conferences in each of which the organization hosts an event, events of the conference, and posters of the event. */
async function createMany(organization: string, conference: string, event: string): Promise<void> {
  await db.query(sql`
    insert into conferences (name, slug, short_name, description, city, start_date, end_date, timezone, status, category)
    select 'Test Conference', ${organization} || '-' || n, 'Test', '', 'Lisbon', '2031-05-01', '2031-05-02', 'Europe/Lisbon',
      'published', 'mainline'
    from generate_series(1, 200) n`);
  await db.query(sql`
    insert into events (conference_id, name, start_time, end_time, timezone, status, category)
    select conference, ${`Event of ${organization}`}, '2031-05-01T18:00Z', '2031-05-01T20:00Z', 'Europe/Lisbon', 'published',
      'mainline'
    from (
      select id as conference from conferences where slug like ${`${organization}-%`}
      union all
      select ${conference}::uuid from generate_series(1, 200)) c`);
  await db.query(sql`
    insert into event_hosts (event_id, organization_id, role)
    select id, ${organization}, 'host' from events where name = ${`Event of ${organization}`}`);
  await make.posters(
    event,
    Array.from({ length: 201 }, () => ({})),
  );
}
