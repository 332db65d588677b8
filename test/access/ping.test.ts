import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { createKey } from "../../src/access/key-store.js";
import { useService } from "../support/setup.js";

const { service, db, make } = useService();

const ping = async (key: string) => (await service.call("/api/svc/ping", { key })).json;

it("describes a super-admin key", async () => {
  const { key } = await createKey(db, {
    tier: "super-admin",
    name: "Night shift",
    lifetimeDays: null,
    createdBy: null,
  });
  expect(await ping(key)).toEqual({
    name: "Night shift",
    tier: "super-admin",
    scope: "super-admin",
    scopes: null,
    conference_id: null,
    organization_id: null,
    expires_at: null,
    last_used_at: null,
  });
});

it("describes a conference key", async () => {
  const conference = await make.conference();
  expect(await ping(await make.conferenceKey(conference))).toEqual({
    name: "test",
    tier: "conference",
    scope: "conference",
    scopes: null,
    conference_id: conference,
    organization_id: null,
    expires_at: null,
    last_used_at: null,
  });
});

it("describes an organization key", async () => {
  const organization = await make.organization();
  const key = await make.organizationKey(organization, { scopes: ["org:read", "events:write"] });
  const [row] = await db.query<{ expires_at: Date }>(
    sql`select expires_at from api_keys where id = ${await make.keyId(key)}`,
  );
  expect(await ping(key)).toEqual({
    name: "test",
    tier: "organization",
    scope: "organization",
    scopes: ["org:read", "events:write"],
    conference_id: null,
    organization_id: organization,
    expires_at: row?.expires_at.toISOString(),
    last_used_at: null,
  });
});

it("shows when the key was last used", async () => {
  const key = await make.superAdminKey();
  await db.query(sql`
    update api_keys set last_used_at = '2026-02-03T04:05:06.007Z' where id = ${await make.keyId(key)}`);
  expect((await ping(key)).last_used_at).toBe("2026-02-03T04:05:06.007Z");
});

it("has an ETag that does not change by asking", async () => {
  const key = await make.superAdminKey();
  const { headers } = await service.call("/api/svc/ping", { key });
  const etag = headers.get("etag") ?? "";
  await db.query(sql`update api_keys set last_used_at = now() where id = ${await make.keyId(key)}`);
  expect((await service.call("/api/svc/ping", { key })).headers.get("etag")).toBe(etag);
  expect((await service.call("/api/svc/ping", { key, headers: { "if-none-match": etag } })).status).toBe(304);
  await db.query(sql`update api_keys set name = 'renamed' where id = ${await make.keyId(key)}`);
  expect((await service.call("/api/svc/ping", { key })).headers.get("etag")).not.toBe(etag);
});
