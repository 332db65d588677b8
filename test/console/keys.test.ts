import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { listExpiringKeys, maximumActiveKeys } from "../../src/access/organization-keys.js";
import { useService } from "../support/setup.js";
import { type ConsoleService, startConsole } from "./support.js";

const { service, make } = useService(startConsole);

const posting = { name: "Posting agent", scopes: ["conferences:read", "events:write"], lifetime_days: 30 };

const newOrganization = () => service.newOrganization();
const change: ConsoleService["change"] = (...given) => service.change(...given);

const list = async (organizationId: string, cookie: string) =>
  (await service.get(`organizations/${organizationId}/keys`, cookie)).json;

const ping = async (key: string) => (await service.call("/api/svc/ping", { key })).status;

describe("a key that an owner creates", () => {
  it("works at once, is listed without its secret, and is refused after it was revoked", async () => {
    const { organizationId, ownerId, owner } = await newOrganization();
    const created = await change(organizationId, owner, "create_api_key", posting);
    expect(created.json.key).toMatch(/^svc_mk_[0-9A-Za-z]{43}$/);
    expect(await ping(created.json.key)).toBe(200);

    const listed = await list(organizationId, owner);
    expect(listed).toMatchObject({ ended_keys: [], ended_count: 0 });
    expect(listed.keys).toMatchObject([
      {
        id: created.json.after.key.id,
        prefix: created.json.key.slice(0, 12),
        name: "Posting agent",
        scopes: posting.scopes,
        created_by: { id: ownerId, role: "owner" },
        days_left: 30,
        expires_soon: false,
        state: "active",
        last_used_at: null,
      },
    ]);

    const key_id = created.json.after.key.id;
    const revoked = await change(organizationId, owner, "revoke_api_key", { key_id });
    expect(revoked.json.after.key.state).toBe("revoked");
    expect(await ping(created.json.key)).toBe(401);
    expect(await list(organizationId, owner)).toMatchObject({ keys: [], ended_keys: [{ id: key_id }], ended_count: 1 });
  });

  it("has its scopes in the declared order, each once", async () => {
    const { organizationId, owner } = await newOrganization();
    const scopes = ["events:write", "org:read", "events:write"];
    const created = await change(organizationId, owner, "create_api_key", { ...posting, scopes });
    expect(created.json.after.key.scopes).toEqual(["org:read", "events:write"]);
  });

  it.each([
    ["scopes", { scopes: [] }],
    ["scopes", { scopes: ["events:write", "everything"] }],
    ["lifetime_days", { lifetime_days: 91 }],
    ["lifetime_days", { lifetime_days: 0 }],
    ["name", { name: "  " }],
    ["name", { name: `svc_mk_${"a".repeat(43)}` }],
  ])("needs valid %s: %j", async (field, wrong) => {
    const { organizationId, owner } = await newOrganization();
    const { status, json } = await change(organizationId, owner, "create_api_key", { ...posting, ...wrong });
    expect(status).toBe(400);
    expect(json.error).toContain(field);
  });

  it("is one of a limited number", async () => {
    const { organizationId, ownerId, owner } = await newOrganization();
    await service.db.query(sql`
      insert into api_keys (name, key_hash, key_prefix, organization_id, scopes, created_by, expires_at)
      select 'key ' || n, sha256((${organizationId} || n)::bytea), 'svc_mk_aaaaa', ${organizationId}, array['org:read'],
        ${ownerId}, now() + interval '30 days' from generate_series(1, ${maximumActiveKeys}) n`);
    const refused = await change(organizationId, owner, "create_api_key", posting);
    expect(refused).toMatchObject({ status: 409, json: { code: "conflict" } });
    const [first] = (await list(organizationId, owner)).keys;
    const rotate = (keep_old_hours: number) =>
      change(organizationId, owner, "rotate_api_key", { key_id: first.id, lifetime_days: 90, keep_old_hours });
    expect((await rotate(24)).status).toBe(409);
    expect((await rotate(0)).status).toBe(200);
  });
});

describe("rotating a key", () => {
  it("replaces it at once, or lets it work for some hours", async () => {
    const { organizationId, owner } = await newOrganization();
    const first = (await change(organizationId, owner, "create_api_key", posting)).json;
    const rotate = (key_id: string, keep_old_hours: number) =>
      change(organizationId, owner, "rotate_api_key", { key_id, lifetime_days: 60, keep_old_hours });

    const second = (await rotate(first.after.key.id, 0)).json;
    expect([await ping(first.key), await ping(second.key)]).toEqual([401, 200]);
    expect(second.after.new_key).toMatchObject({ name: posting.name, scopes: posting.scopes });

    const third = (await rotate(second.after.new_key.id, 24)).json;
    expect([await ping(second.key), await ping(third.key)]).toEqual([200, 200]);
    const { keys } = await list(organizationId, owner);
    const old = keys.find(({ id }: { id: string }) => id === second.after.new_key.id);
    expect(old).toMatchObject({ days_left: 1, expires_soon: false, replaced_at: expect.any(String) });
    const again = await rotate(second.after.new_key.id, 0);
    expect(again).toMatchObject({ status: 409, json: { error: expect.stringContaining("already replaced") } });
  });

  it("never lengthens the life of the old key", async () => {
    const { organizationId, owner } = await newOrganization();
    const { after } = (await change(organizationId, owner, "create_api_key", { ...posting, lifetime_days: 1 })).json;
    const args = { key_id: after.key.id, lifetime_days: 90, keep_old_hours: 72 };
    const rotated = (await change(organizationId, owner, "rotate_api_key", args)).json;
    expect(rotated.after.old_key.expires_at).toBe(after.key.expires_at);
  });

  it("renews an expired key, and refuses a revoked one", async () => {
    const { organizationId, owner } = await newOrganization();
    const { after } = (await change(organizationId, owner, "create_api_key", posting)).json;
    const args = { key_id: after.key.id, lifetime_days: 90 };
    await service.db.query(
      sql`update api_keys set created_at = created_at - interval '40 days', expires_at = now() where id = ${after.key.id}`,
    );
    const renewed = await change(organizationId, owner, "rotate_api_key", args);
    expect(renewed.json.after.old_key).toMatchObject({ state: "expired", revoked_at: null });
    expect(await ping(renewed.json.key)).toBe(200);
    const key_id = renewed.json.after.new_key.id;
    await change(organizationId, owner, "revoke_api_key", { key_id });
    expect((await change(organizationId, owner, "rotate_api_key", { ...args, key_id })).status).toBe(409);
  });

  it("gives the new key to whoever rotates it, and warns of that", async () => {
    const { organizationId, owner, ownerId } = await newOrganization();
    const key = await make.organizationKey(organizationId, { role: "member" });
    const args = { key_id: await make.keyId(key), lifetime_days: 90 };
    const preview = await service.post(`organizations/${organizationId}/tools/rotate_api_key`, owner, args);
    const message = "The new key acts for you, the old one for another member";
    expect(preview.json.warnings).toEqual([{ code: "acts_for_other", message, path: "new_key" }]);
    const rotated = await change(organizationId, owner, "rotate_api_key", args);
    expect(rotated.json.after.new_key.created_by).toBe(ownerId);
  });

  it("happens once if two people do it at the same time", async () => {
    const { organizationId, owner } = await newOrganization();
    const { after } = (await change(organizationId, owner, "create_api_key", posting)).json;
    const other = await service.signIn(await make.member(organizationId, "owner"));
    const path = `organizations/${organizationId}/tools/rotate_api_key`;
    const args = { key_id: after.key.id, lifetime_days: 90 };
    const commits = await Promise.all(
      [owner, other].map(async (cookie) => {
        const { commit_with } = (await service.post(path, cookie, args)).json;
        return { cookie, body: { ...commit_with, reason: "it leaked" } };
      }),
    );
    const replies = await Promise.all(commits.map(({ cookie, body }) => service.post(path, cookie, body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(replies.find(({ status }) => status === 409)?.json.code).toBe("version_conflict");
    expect((await list(organizationId, owner)).keys).toHaveLength(1);
  });
});

describe("keys are safe from", () => {
  it("owners of other organizations", async () => {
    const mine = await newOrganization();
    const theirs = await newOrganization();
    const { after, key } = (await change(theirs.organizationId, theirs.owner, "create_api_key", posting)).json;
    const key_id = after.key.id;
    const inMine = await change(mine.organizationId, mine.owner, "revoke_api_key", { key_id });
    expect(inMine).toMatchObject({ status: 404, json: { code: "not_found" } });
    const rotation = { key_id, lifetime_days: 90 };
    expect((await change(mine.organizationId, mine.owner, "rotate_api_key", rotation)).status).toBe(404);
    expect((await change(theirs.organizationId, mine.owner, "revoke_api_key", { key_id })).status).toBe(404);
    expect((await service.get(`organizations/${theirs.organizationId}/keys`, mine.owner)).status).toBe(404);
    const unknown = await change(mine.organizationId, mine.owner, "revoke_api_key", { key_id: randomUUID() });
    expect(unknown.json.error.replace(/[0-9a-f-]{36}/, "")).toBe(inMine.json.error.replace(/[0-9a-f-]{36}/, ""));
    expect(await ping(key)).toBe(200);
  });
});

it("a key is reported before it expires, unless it was replaced or has ended", async () => {
  const { organizationId, owner } = await newOrganization();
  const create = async (lifetime_days: number) =>
    (await change(organizationId, owner, "create_api_key", { ...posting, lifetime_days })).json.after.key.id as string;
  const [soon, later, short, replaced, revoked] = [
    await create(90),
    await create(90),
    await create(7),
    await create(7),
    await create(7),
  ];
  const leave = (id: string, days: number) =>
    service.db.query(sql`
      update api_keys set created_at = now() + ${days} * interval '1 day' - (expires_at - created_at),
        expires_at = now() + ${days} * interval '1 day' where id = ${id}`);
  await leave(soon, 14);
  await leave(later, 15);
  await leave(short, 4);
  const args = { key_id: replaced, lifetime_days: 90, keep_old_hours: 24 };
  await change(organizationId, owner, "rotate_api_key", args);
  await change(organizationId, owner, "revoke_api_key", { key_id: revoked });
  const expiring = await listExpiringKeys(service.db, organizationId);
  expect(expiring).toEqual([{ id: soon, name: "Posting agent", expires_at: expect.any(String) }]);
  const { keys } = await list(organizationId, owner);
  const marked = keys.filter(({ expires_soon }: { expires_soon: boolean }) => expires_soon);
  expect(marked).toMatchObject([{ id: soon, days_left: 14 }]);
  expect(keys.map(({ id }: { id: string }) => id)).toContain(later);
  // A short life has a short notice: a new key does not begin with a warning.
  await leave(short, 3);
  expect((await listExpiringKeys(service.db, organizationId)).map(({ id }) => id)).toEqual([short, soon]);
});
