import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { generateKey } from "../../src/access/api-key.js";
import { createKey } from "../../src/access/key-store.js";
import { useService } from "../support/setup.js";

const { service, db, make } = useService();

describe("a key", () => {
  it("is svc_mk_ followed by 43 unique base62 characters", () => {
    const keys = Array.from({ length: 500 }, () => generateKey().key);
    for (const key of keys) expect(key).toMatch(/^svc_mk_[0-9A-Za-z]{43}$/);
    expect(new Set(keys).size).toBe(keys.length);
    // 256 random bits: every character occurs, and the last one varies.
    expect(new Set(keys.flatMap((key) => [...key.slice(7)])).size).toBe(62);
    expect(new Set(keys.map((key) => key.at(-1))).size).toBeGreaterThan(40);
  });

  it("is stored only as its SHA-256 and its first 12 characters", async () => {
    const { key } = await createKey(db, {
      tier: "super-admin",
      name: "stored",
      lifetimeDays: null,
      createdBy: null,
    });
    const id = await make.keyId(key);
    const [row] = await db.query<{ hash: string; prefix: string; everything: string }>(sql`
      select encode(key_hash, 'hex') as hash, key_prefix as prefix, row_to_json(k)::text as everything
      from api_keys k where id = ${id}`);
    expect(row?.hash).toBe(createHash("sha256").update(key).digest("hex"));
    expect(row?.prefix).toBe(key.slice(0, 12));
    expect(row?.everything).not.toContain(key.slice(0, 13));
  });

  it("is accepted only from a Bearer header; the scheme is case-insensitive", async () => {
    const key = await make.superAdminKey();
    for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER  ${key}`]) {
      expect((await service.call("/api/svc/ping", { headers: { authorization } })).status).toBe(200);
    }
    for (const query of [`?api_key=${key}`, `?access_token=${key}`, `?key=${key}`]) {
      expect((await service.call(`/api/svc/ping${query}`)).status).toBe(401);
    }
    expect((await service.call("/api/svc/ping", { headers: { "x-api-key": key } })).status).toBe(401);
    expect((await service.call("/api/svc/ping", { headers: { cookie: `key=${key}` } })).status).toBe(401);
  });
});

describe("the lifetime of a key", () => {
  const lifetime = async (key: string) => {
    const [row] = await db.query<{ days: number | null }>(sql`
      select extract(epoch from expires_at - created_at) / 86400 as days from api_keys
      where id = ${await make.keyId(key)}`);
    return row?.days === null ? null : Number(row?.days);
  };

  it("is unlimited for super-admin and conference keys, and 90 days for organization keys", async () => {
    expect(await lifetime(await make.superAdminKey())).toBeNull();
    expect(await lifetime(await make.conferenceKey(await make.conference()))).toBeNull();
    expect(await lifetime(await make.organizationKey(await make.organization()))).toBe(90);
  });

  it("cannot exceed 90 days for an organization key: the database rejects it", async () => {
    const id = await make.keyId(await make.organizationKey(await make.organization()));
    const set = (value: ReturnType<typeof sql>) =>
      db.query(sql`update api_keys set expires_at = ${value} where id = ${id}`);
    await expect(set(sql`created_at + interval '90 days 1 second'`)).rejects.toThrow(/check constraint/);
    await expect(set(sql`null`)).rejects.toThrow(/check constraint/);
  });
});
