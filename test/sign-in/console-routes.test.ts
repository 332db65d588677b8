import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceVersion } from "../../src/infra/version.js";
import { createInvitation } from "../../src/modules/users/invitation-store.js";
import { hashPassword } from "../../src/sign-in/password-hashes.js";
import { savePasswordHash } from "../../src/sign-in/passwords.js";
import { makerOn } from "../support/make.js";
import { createMemoryLog } from "../support/memory-log.js";
import { type Service, startService } from "../support/service.js";
import { emailOf } from "./sign-in-fixture.js";

const password = "four unrelated words";
let passwordHash: string;
let service: Service;
const { log, text } = createMemoryLog("debug");

beforeAll(async () => {
  passwordHash = await hashPassword(password);
  service = await startService({ logLevel: "debug" }, undefined, log);
});
afterAll(() => service.close());

const get = (path: string, cookie = "") => service.call(`/api/console/${path}`, { headers: { cookie } });
const post = (path: string, body: object = {}, cookie = "", origin = service.url) =>
  service.call(`/api/console/${path}`, { method: "POST", body, headers: { cookie, origin } });

async function person(): Promise<{ id: string; email: string; organizationId: string }> {
  const make = makerOn(service.db);
  const organizationId = await make.organization("Harbour Works");
  const id = await make.member(organizationId, "admin");
  await savePasswordHash(service.db, id, passwordHash);
  return { id, email: await emailOf(service.db, id), organizationId };
}

const cookieOf = (reply: { headers: Headers }) => reply.headers.getSetCookie()[0]?.split(";")[0] ?? "";

async function signedIn() {
  const known = await person();
  const reply = await post("sign-in", { email: known.email, password });
  return { ...known, reply, cookie: cookieOf(reply) };
}

describe("the session", () => {
  it("begins with sign-in and ends with sign-out", async () => {
    const { id, email, organizationId, reply, cookie } = await signedIn();
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      person: { id, name: "Test Person", email, platform_admin: false },
      organizations: [
        {
          id: organizationId,
          slug: expect.any(String),
          name: "Harbour Works",
          role: "admin",
          logo_url: null,
          brand_primary_color: null,
          visited_at: null,
        },
      ],
      sign_in: { oidc: null, mail: false },
      version: serviceVersion,
      public_url: "https://svc.test",
    });
    expect((await get("session", cookie)).json).toEqual(reply.json);
    const out = await post("sign-out", {}, cookie);
    expect([out.status, out.headers.get("set-cookie")]).toEqual([
      204,
      "svc_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure",
    ]);
    expect((await get("session", cookie)).json).toEqual({ ...reply.json, person: null, organizations: [] });
  });

  it("is replaced by the next sign-in of the same browser", async () => {
    const { email, cookie } = await signedIn();
    const reply = await post("sign-in", { email, password }, cookie);
    expect((await get("session", cookie)).json.person).toBeNull();
    expect((await get("session", cookieOf(reply))).json.person).not.toBeNull();
  });

  it("does not begin with a wrong password, for an unknown e-mail, or from another site", async () => {
    const { email } = await person();
    const wrong = await post("sign-in", { email, password: "something else" });
    const unknown = await post("sign-in", { email: `${randomUUID()}@example.com`, password });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.json.error).toBe(unknown.json.error);
    expect(wrong.headers.get("set-cookie")).toBeNull();
    expect((await post("sign-in", { email, password }, "", "https://evil.example")).status).toBe(403);
    for (const body of [{}, { email }, { email, password: "x".repeat(129) }, { email, password: ["x"] }]) {
      expect((await post("sign-in", body)).status).toBe(400);
    }
    expect((await post("sign-in", { email: "a\0b@example.com", password })).status).toBe(400);
  });

  it("is throttled after ten wrong passwords, with Retry-After", async () => {
    const { email } = await person();
    for (let i = 0; i < 10; i++) expect((await post("sign-in", { email, password: "wrong" })).status).toBe(401);
    const reply = await post("sign-in", { email, password });
    expect([reply.status, reply.json.code]).toEqual([429, "rate_limited"]);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(800);
  });
});

describe("an invitation", () => {
  async function invite(email: string, organizationId: string): Promise<string> {
    const { link } = await service.db.transaction((tx) =>
      createInvitation(tx, "", {
        email,
        inviter: { userId: null, name: "Sofia" },
        platformAdmin: false,
        organizationId,
        role: "member",
      }),
    );
    return link.replace("/invite/", "");
  }

  it("of somebody known needs their session and keeps it", async () => {
    const { organizationId } = await person();
    const { email, cookie } = await signedIn();
    const token = await invite(email, organizationId);
    expect((await get(`invitations/${token}`)).json).toMatchObject({ email, has_account: true });
    const phrase = "another long phrase";
    expect((await post(`invitations/${token}/accept`, { name: "X", password: phrase })).status).toBe(401);
    const other = await signedIn();
    expect((await post(`invitations/${token}/accept`, {}, other.cookie)).status).toBe(401);
    expect((await post("sign-in", { email, password: phrase })).status).toBe(401);
    const reply = await post(`invitations/${token}/accept`, {}, cookie);
    expect([reply.status, reply.json.organizations.length]).toEqual([200, 2]);
    expect(reply.headers.get("set-cookie")).toBeNull();
  });
});

describe("a forgotten password", () => {
  it("gets the same answer for everybody, and no link without mail", async () => {
    const { id, email } = await person();
    for (const each of [email, `${randomUUID()}@example.com`]) {
      expect((await post("password/request-reset", { email: each })).status).toBe(204);
    }
    expect(await service.db.query(sql`select from password_resets where user_id = ${id}`)).toEqual([]);
  });

  it("is not looked up for an e-mail that no database can hold", async () => {
    expect((await post("password/request-reset", { email: "a\0b@example.com" })).status).toBe(400);
  });

  it("is limited per e-mail", async () => {
    const email = `${randomUUID()}@example.com`;
    for (let i = 0; i < 5; i++) expect((await post("password/request-reset", { email })).status).toBe(204);
    expect((await post("password/request-reset", { email })).status).toBe(429);
  });
});

describe("the account", () => {
  it("lists sessions and ends one", async () => {
    const { email, cookie } = await signedIn();
    const other = cookieOf(await post("sign-in", { email, password }));
    const { sessions } = (await get("account/sessions", cookie)).json;
    expect(sessions).toHaveLength(2);
    expect(sessions.filter((each: { current: boolean }) => each.current)).toHaveLength(1);
    expect(sessions[0]).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      expires_at: expect.any(String),
      user_agent: "node",
      ip_address: "127.0.0.1",
      current: expect.any(Boolean),
    });
    const { id } = sessions.find((each: { current: boolean }) => !each.current);
    const stranger = await signedIn();
    expect((await post(`account/sessions/${id}/revoke`, {}, stranger.cookie)).status).toBe(404);
    expect((await post(`account/sessions/${id}/revoke`, {}, cookie)).status).toBe(204);
    expect((await get("account/sessions", other)).status).toBe(401);
    expect((await post(`account/sessions/${id}/revoke`, {}, cookie)).status).toBe(404);
  });

  it("changes password and name, and records who did", async () => {
    const { id, cookie } = await signedIn();
    const next = { current_password: password, new_password: "yet another phrase" };
    expect((await post("account/password", { ...next, current_password: "wrong" }, cookie)).json).toMatchObject({
      code: "forbidden",
      field: "current_password",
    });
    expect((await post("account/password", next, cookie)).status).toBe(204);
    expect((await post("account/profile", { name: "Inês Duarte" }, cookie)).status).toBe(204);
    expect((await post("account/profile", { name: "Inês Duarte" }, cookie)).status).toBe(204);
    expect((await post("account/profile", { name: " " }, cookie)).status).toBe(400);
    expect((await get("session", cookie)).json.person.name).toBe("Inês Duarte");
    const records = await service.db.query(sql`
      select tool, via, after from mutation_records where user_id = ${id} order by at, tool`);
    expect(records).toEqual([
      { tool: "console:change_password", via: "console", after: null },
      { tool: "console:update_profile", via: "console", after: { name: "Inês Duarte" } },
    ]);
  });
});

it("is not logged with tokens, passwords or e-mail addresses", async () => {
  const { email, cookie } = await signedIn();
  expect(text()).toContain("/api/console/sign-in");
  expect(text()).toContain("/api/console/invitations/:token/accept");
  for (const secret of [password, email, cookie.split("=")[1] ?? ""]) expect(text()).not.toContain(secret);
});

it("believes X-Forwarded-For only of a trusted proxy", async () => {
  const { email } = await person();
  const addressWith = async (trustedProxy: number | string | false) => {
    const proxied = await startService({ trustedProxy });
    const headers = { origin: proxied.url, "x-forwarded-for": "203.0.113.66, 203.0.113.9" };
    const reply = await proxied.call("/api/console/sign-in", { method: "POST", body: { email, password }, headers });
    const sessions = await proxied.call("/api/console/account/sessions", { headers: { cookie: cookieOf(reply) } });
    await proxied.close();
    return sessions.json.sessions.find((each: { current: boolean }) => each.current).ip_address;
  };
  expect(await addressWith(false)).toBe("127.0.0.1");
  expect(await addressWith(2)).toBe("203.0.113.66");
  expect(await addressWith("127.0.0.0/8")).toBe("203.0.113.9");
});
