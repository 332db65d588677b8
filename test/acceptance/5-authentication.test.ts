import { createHash, randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { type Scope, scopes } from "../../contract/scopes.js";
import { type ConsoleService, startConsole } from "../console/support.js";
import { callTool, legacy, listNames, post } from "../mcp/messages.js";
import { createRestFixture, type RestFixture } from "../support/rest-fixture.js";
import { useService } from "../support/setup.js";
import { platformKey } from "../ticketing/support/proxy.js";
import {
  httpResponse,
  type RecordingUpstream,
  startRecordingUpstream,
} from "../ticketing/support/recording-upstream.js";
import { specTable } from "./spec-table.js";

// Section 5 of the specification: keys, their tiers, lifetime and scopes.

let upstream: RecordingUpstream;
const { service, db, make } = useService(async () => {
  upstream = await startRecordingUpstream(() => httpResponse(200, {}));
  const started = await startConsole({}, { ticketing: { url: upstream.url, apiKey: platformKey } });
  const close = async () => {
    await started.close();
    await upstream.close();
  };
  return { ...started, close };
});
const people = service as ConsoleService;
let fixture: RestFixture;

beforeAll(async () => {
  fixture = await createRestFixture(make);
  await db.query(sql`update events set ticketing_event_id = ${`evt-${fixture.event}`} where id = ${fixture.event}`);
});

const statusOf = async (path: string, key: string) => (await service.call(`/api/svc/${path}`, { key })).status;
const newKey = { name: "Posting agent", scopes: ["conferences:read"], lifetime_days: 90 };

describe("5 rule 1: every request except GET /api/svc carries Authorization: Bearer <API_KEY>", () => {
  it.each(
    specTable(`
      | Method | Path |
      |---|---|
      | GET | /api/svc/ping |
      | GET | /api/svc/conferences |
      | GET | /api/svc/conferences/{id}/events |
      | GET | /api/svc/posters |
      | GET | /api/svc/events/{id}/posters |
      | GET | /api/svc/posters/{id} |
      | PATCH | /api/svc/posters/{id} |
      | GET | /api/svc/marketing/queue |
      | GET | /api/ticketing/event/get |
      | POST | /api/mcp |`),
  )("%s %s without it is a 401", async (method, path) => {
    const id = path.includes("conferences/")
      ? fixture.conference
      : path.includes("events/")
        ? fixture.event
        : fixture.poster;
    expect((await service.call(path.replace("{id}", id), { method })).status).toBe(401);
  });

  it("GET /api/svc needs none", async () => {
    expect((await service.call("/api/svc")).status).toBe(200);
  });

  it("the key counts in this header only", async () => {
    const key = await make.superAdminKey();
    expect((await service.call("/api/svc/ping", { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
    expect((await service.call("/api/svc/ping", { headers: { authorization: `Basic ${key}` } })).status).toBe(401);
    expect((await service.call("/api/svc/ping", { headers: { "x-api-key": key } })).status).toBe(401);
    expect((await service.call(`/api/svc/ping?api_key=${key}`)).status).toBe(401);
  });
});

describe("5 rule 2: keys", () => {
  it("Key format: svc_mk_{random}", async () => {
    const { organizationId, owner } = await people.newOrganization();
    const create = async () => (await people.change(organizationId, owner, "create_api_key", newKey)).json.key;
    const keys = [await create(), await create()];
    for (const key of keys) expect(key).toMatch(/^svc_mk_[0-9A-Za-z]{43}$/);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it("Keys are stored hashed (SHA-256): the hash in the database is what makes a key valid", async () => {
    const key = `svc_mk_${randomBytes(40).toString("hex").slice(0, 43)}`;
    expect(await statusOf("ping", key)).toBe(401);
    const hash = createHash("sha256").update(key).digest();
    await db.query(sql`
      insert into api_keys (name, key_hash, key_prefix, scopes) select 'by hash', ${hash}, ${key.slice(0, 12)}, scopes
      from api_keys where id = ${await make.keyId(fixture.keys["super-admin"])}`);
    expect(await statusOf("ping", key)).toBe(200);
  });

  it("The raw key is shown once at creation and cannot be retrieved later", async () => {
    const { organizationId, owner } = await people.newOrganization();
    const path = `organizations/${organizationId}/tools/create_api_key`;
    const preview = await people.post(path, owner, newKey);
    const commit = { ...preview.json.commit_with, reason: "for the test" };
    const created = await people.post(path, owner, commit);
    const { key } = created.json;
    expect(await statusOf("ping", key)).toBe(200);
    const { result } = await callTool(service, await make.organizationKey(organizationId), "list_changes");
    const later = [
      (await people.post(path, owner, commit)).text,
      (await people.get(`organizations/${organizationId}/keys`, owner)).text,
      (await people.get(`organizations/${organizationId}/dashboard`, owner)).text,
      (await service.call("/api/svc/ping", { key })).text,
      JSON.stringify(result),
    ];
    for (const text of [preview.text, ...later]) expect(text).not.toContain(key.slice(12));
  });
});

describe('5 rule 3: 401 with error "Invalid or expired API key" for a key that is', () => {
  const changed = async (statement: (id: string) => ReturnType<typeof sql>) => {
    const key = await make.organizationKey(fixture.organization);
    expect(await statusOf("ping", key)).toBe(200);
    await db.query(statement(await make.keyId(key)));
    return key;
  };
  const keys: [string, () => Promise<string>][] = [
    ["missing", async () => ""],
    ["invalid", async () => `svc_mk_${"a".repeat(43)}`],
    ["of another format", async () => "sk_live_1"],
    [
      "expired",
      () =>
        changed(
          (id) => sql`update api_keys set created_at = now() - interval '90 days', expires_at = now() where id = ${id}`,
        ),
    ],
    ["inactive (revoked)", () => changed((id) => sql`update api_keys set revoked_at = now() where id = ${id}`)],
    ["deleted", () => changed((id) => sql`delete from api_keys where id = ${id}`)],
    [
      "of a user who left the organization",
      () =>
        changed((id) => sql`delete from members where user_id = (select created_by from api_keys where id = ${id})`),
    ],
  ];

  it.each(keys)("%s", async (_state, create) => {
    const key = await create();
    for (const path of ["/api/svc/ping", "/api/svc/posters", "/api/svc/marketing/queue", "/api/ticketing/event/get"]) {
      const { status, json } = await service.call(path, key === "" ? {} : { key });
      expect([status, json.error]).toEqual([401, "Invalid or expired API key"]);
    }
    const mcp = await post(service, key === "" ? undefined : key, legacy("tools/list"));
    expect([mcp.status, mcp.json.error.message]).toEqual([401, "Invalid or expired API key"]);
  });
});

describe("5 rule 4: a key without access to the requested resource gives 403", () => {
  it.each(["conference", "organization"] as const)("a key of the tier %s", async (tier) => {
    const elsewhere = await make.conference();
    const event = await make.event(elsewhere);
    const poster = await make.poster(event);
    const key = fixture.keys[tier];
    for (const path of [
      ...[`conferences/${elsewhere}/events`, `events/${event}/posters`, `posters/${poster}`],
      ...[`posters?event_id=${event}`, `posters?conference_id=${elsewhere}`],
    ]) {
      expect([path, await statusOf(path, key)]).toEqual([path, 403]);
    }
    const body = { posted_urls: {} };
    expect((await service.call(`/api/svc/posters/${poster}`, { key, body })).status).toBe(403);
  });
});

describe.each(
  specTable(`
    | Tier | conference_id | organization_id | Access | Created by |
    |---|---|---|---|---|
    | super-admin | null | null | all conferences and events | platform admins |
    | conference | set | null | one conference and its events | platform administrators on request |
    | organization | null | set | events where the organization is host or co-host, across conferences; also the ticketing proxy and MCP endpoint | organization owners, from the organization's API-keys settings page |`),
)("5 key tier %s", (tier, conferenceId, organizationId, access, createdBy) => {
  const keyOf = () => fixture.keys[tier as keyof RestFixture["keys"]];

  it(`conference_id: ${conferenceId}, organization_id: ${organizationId}`, async () => {
    const { json } = await service.call("/api/svc/ping", { key: keyOf() });
    expect(json.conference_id).toBe(conferenceId === "set" ? fixture.conference : null);
    expect(json.organization_id).toBe(organizationId === "set" ? fixture.organization : null);
  });

  it(`Access: ${access}`, async () => {
    const [conference, elsewhere] = [await make.conference(), await make.conference()];
    const [organization, other] = [await make.organization(), await make.organization()];
    const events = {
      hosted: await make.event(conference, { hosts: [organization] }),
      coHosted: await make.event(elsewhere, { hosts: [other, organization] }),
      inConference: await make.event(conference, { hosts: [other] }),
      elsewhere: await make.event(elsewhere, { hosts: [other] }),
    };
    const keys: Record<string, () => Promise<string>> = {
      "super-admin": make.superAdminKey,
      conference: () => make.conferenceKey(conference),
      organization: () => make.organizationKey(organization),
    };
    const visible: Record<string, number[]> = {
      "super-admin": [200, 200, 200, 200],
      conference: [200, 403, 200, 403],
      organization: [200, 200, 403, 403],
    };
    const key = (await keys[tier]?.()) ?? "";
    const statuses = Object.values(events).map((event) => statusOf(`events/${event}/posters`, key));
    expect(await Promise.all(statuses)).toEqual(visible[tier]);
    const reaches = tier === "organization" ? 200 : 403;
    expect((await post(service, keyOf(), legacy("tools/list"))).status).toBe(reaches);
    const proxied = await service.call(`/api/ticketing/event/get?event_id=${fixture.event}`, { key: keyOf() });
    expect(proxied.status).toBe(reaches);
  });

  it(`Created by: ${createdBy}`, async () => {
    const { organizationId: id, ownerId, owner } = await people.newOrganization();
    const admin = await people.signIn(await make.member(id, "admin"));
    if (tier === "organization") {
      expect((await people.change(id, owner, "create_api_key", newKey)).status).toBe(200);
      expect((await people.change(id, admin, "create_api_key", newKey)).status).toBe(403);
      return;
    }
    const args = { tier, name: "Bot", ...(tier === "conference" ? { conference_id: fixture.conference } : {}) };
    const create = async (cookie: string) => {
      const preview = await people.post("admin/tools/create_platform_key", cookie, args);
      if (preview.status !== 200) return preview;
      return people.post("admin/tools/create_platform_key", cookie, { ...preview.json.commit_with, reason: "asked" });
    };
    expect((await create(owner)).status).toBe(403);
    await db.query(sql`update users set platform_admin = true where id = ${ownerId}`);
    const created = await create(await people.signIn(ownerId));
    expect(created.status, created.text).toBe(200);
    const { json } = await service.call("/api/svc/ping", { key: created.json.key });
    expect(json.tier).toBe(tier);
  });
});

describe("5: organization key lifetime: 90 days", () => {
  const lifetimeOf = async (lifetime_days: number) => {
    const { organizationId, owner } = await people.newOrganization();
    return people.change(organizationId, owner, "create_api_key", { ...newKey, lifetime_days });
  };

  it("a key lives 90 days at most", async () => {
    const { json } = await lifetimeOf(90);
    const { expires_at } = (await service.call("/api/svc/ping", { key: json.key })).json;
    const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThanOrEqual(90.01);
    expect((await lifetimeOf(91)).status).toBe(400);
  });

  it("keys of the other tiers have no end unless one is given", async () => {
    for (const tier of ["super-admin", "conference"] as const) {
      const { json } = await service.call("/api/svc/ping", { key: fixture.keys[tier] });
      expect(json.expires_at).toBeNull();
    }
  });
});

/** What a key with the scope alone can do, and one with all other scopes cannot. */
const granted: Record<Scope, { reads?: string[]; tools?: string[]; ticketing?: [string, string][]; patches?: true }> = {
  "conferences:read": { reads: ["posters", "posters/{poster}", "events/{event}/posters"] },
  "org:read": {
    tools: ["get_organization_admin_snapshot", "get_event_admin_snapshot", "get_event_host_snapshot"],
    ticketing: [["GET", "event/get"]],
  },
  "org:write": {
    tools: ["update_organization_profile", "update_organization_branding", "set_organization_logo_urls"],
  },
  "events:write": {
    tools: [
      ...["update_event_details", "add_event_cohost", "add_event_speaker", "generate_event_poster_draft"],
      ...["set_event_poster_publication", "create_event_segment", "set_event_run_of_show_publication"],
    ],
    patches: true,
  },
  "registrations:read": {
    tools: ["list_event_registrations", "get_event_registration_details"],
    ticketing: [
      ["GET", "event/get-guests"],
      ["GET", "event/get-guest"],
      ["GET", "event/ticket-types"],
      ["GET", "event/coupons"],
    ],
  },
  "registrations:write": {
    tools: [
      ...["add_event_guest", "approve_event_registration", "decline_event_registration"],
      ...["waitlist_event_registration", "restore_event_registration", "set_event_registration_check_in"],
    ],
    ticketing: [
      ["POST", "event/add-guests"],
      ["POST", "event/update-guest-status"],
      ["POST", "event/ticket-types"],
      ["POST", "event/coupons"],
    ],
  },
};

describe("5: organization scopes", () => {
  it.each(
    specTable(`
      | Scope | Grants |
      |---|---|
      | conferences:read | browse public conferences, events, schedules, speakers and artwork |
      | org:read | read the organization profile, hosted events and aggregate event statistics |
      | org:write | edit the organization profile and branding |
      | events:write | manage owned event details, hosts, speakers, posters and run of show |
      | registrations:read | read guest rosters and registration details of owned events |
      | registrations:write | add guests; approve, decline, waitlist, restore or check in guests; manage ticket configuration |`),
  )("%s: %s", async (scope) => {
    const only = await make.organizationKey(fixture.organization, { scopes: [scope as Scope] });
    const others = await make.organizationKey(fixture.organization, {
      scopes: scopes.filter((each) => each !== scope),
    });
    const { reads = [], tools = [], ticketing = [], patches } = granted[scope as Scope];
    for (const [key, status] of [
      [only, 200],
      [others, 403],
    ] as const) {
      for (const read of reads) {
        const path = read.replace("{poster}", fixture.poster).replace("{event}", fixture.event);
        expect([read, await statusOf(path, key)]).toEqual([read, status]);
      }
      for (const [method, path] of ticketing) {
        const about = { event_id: fixture.event };
        const reply = await service.call(
          `/api/ticketing/${path}${method === "GET" ? `?${new URLSearchParams(about)}` : ""}`,
          { key, method, ...(method === "GET" ? {} : { body: about }) },
        );
        expect([path, reply.status]).toEqual([path, status]);
      }
      if (patches) {
        const reply = await service.call(`/api/svc/posters/${fixture.poster}`, { key, body: { posted_urls: {} } });
        expect(reply.status).toBe(status);
      }
      const listed = await listNames(service, key);
      expect(tools.filter((name) => listed.includes(name))).toEqual(status === 200 ? tools : []);
    }
  });

  it.each(["conferences:read", "org:read"] as const)("%s is enough to list conferences and events", async (scope) => {
    const key = await make.organizationKey(fixture.organization, { scopes: [scope] });
    expect(await statusOf("conferences", key)).toBe(200);
    expect(await statusOf(`conferences/${fixture.conference}/events`, key)).toBe(200);
  });

  it("ping needs no scope", async () => {
    const key = await make.organizationKey(fixture.organization, { scopes: ["registrations:write"] });
    expect(await statusOf("ping", key)).toBe(200);
    expect(await statusOf("conferences", key)).toBe(403);
  });
});
