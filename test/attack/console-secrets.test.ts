import { randomUUID } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "../../src/sign-in/password-hashes.js";
import { savePasswordHash } from "../../src/sign-in/passwords.js";
import { type MailServer, startMailServer } from "../sign-in/mail-server.js";
import type { Reply } from "../support/call.js";
import { type Make, makerOn } from "../support/make.js";
import { createMemoryLog } from "../support/memory-log.js";
import { type Service, startService } from "../support/service.js";

/** People with real sessions, links and keys: what is secret stays so, and what has ended is over at once. */

const password = "four unrelated words";
const newPassword = "some quite different words";
const { log, text: logged } = createMemoryLog("trace");
let mails: MailServer;
let service: Service;
let make: Make;

beforeAll(async () => {
  mails = await startMailServer();
  const mail = { smtpUrl: `smtp://127.0.0.1:${mails.port}`, from: "Events <events@example.com>" };
  service = await startService({ mail, consoleLimit: 10_000 }, undefined, log);
  make = makerOn(service.db);
});
afterAll(async () => {
  await service.close();
  mails.close();
});

const get = (path: string, cookie: string) => service.call(`/api/console/${path}`, { headers: { cookie } });
const post = (path: string, cookie: string, body: object = {}) =>
  service.call(`/api/console/${path}`, { method: "POST", body, headers: { cookie, origin: service.url } });
const cookieOf = (reply: Reply) => reply.headers.getSetCookie()[0]?.split(";")[0] ?? "";

async function signedIn(organizationId: string, role: "owner" | "admin" | "member" = "owner") {
  const id = await make.member(organizationId, role);
  await savePasswordHash(service.db, id, await hashPassword(password));
  const [row] = await service.db.query<{ email: string }>(sql`select email from users where id = ${id}`);
  const email = row?.email ?? "";
  return { id, email, cookie: cookieOf(await post("sign-in", "", { email, password })) };
}

const toolPath = (organizationId: string, tool: string) => `organizations/${organizationId}/tools/${tool}`;

async function preview(organizationId: string, cookie: string, tool: string, args: object) {
  const reply = await post(toolPath(organizationId, tool), cookie, args);
  expect(reply.status, reply.text).toBe(200);
  return { ...reply.json.commit_with, reason: "for the test" };
}

const change = async (organizationId: string, cookie: string, tool: string, args: object) =>
  post(toolPath(organizationId, tool), cookie, await preview(organizationId, cookie, tool, args));

it("no password, session, link or key is in the log or in any table", async () => {
  const organizationId = await make.organization("Evil\r\nBcc: eve@example.com");
  const owner = await signedIn(organizationId);
  const email = `${randomUUID()}@example.com`;

  const invited = await change(organizationId, owner.cookie, "invite_member", { email, role: "member" });
  expect(invited.json).toMatchObject({ mailed: true });
  const link = String(invited.json.link);
  const invitation = link.split("/").at(-1) ?? "";
  expect((await get(`invitations/${invitation}`, "")).json).toMatchObject({ email });
  const accept = () => post(`invitations/${invitation}/accept`, "", { name: "Ines", password });
  const accepted = await Promise.all([accept(), accept(), accept()]);
  expect(accepted.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  const member = cookieOf(accepted.find(({ status }) => status === 200) as Reply);

  expect((await post("password/request-reset", "", { email })).status).toBe(204);
  await expect.poll(() => mails.messages.length).toBe(2);
  const reset = /\/reset\/([\w-]+)/.exec(mails.messages[1]?.replaceAll("=\r\n", "") ?? "")?.[1] ?? "";
  expect((await get(`password/resets/${reset}`, "")).json).toEqual({ email });
  const set = (next: string) => post(`password/resets/${reset}`, "", { password: next });
  const sets = await Promise.all([set(newPassword), set(`${newPassword} too`)]);
  expect(sets.map(({ status }) => status).sort()).toEqual([204, 404]);
  expect((await get("account/sessions", member)).status).toBe(401);

  const key = (
    await change(organizationId, owner.cookie, "create_api_key", {
      name: "Bot",
      scopes: ["org:read"],
      lifetime_days: 30,
    })
  ).json;
  expect(key.key).toMatch(/^svc_mk_/);
  const next = (
    await change(organizationId, owner.cookie, "rotate_api_key", { key_id: key.after.key.id, lifetime_days: 30 })
  ).json;
  expect(next.key).toMatch(/^svc_mk_/);
  const passwords = { current_password: password, new_password: newPassword };
  expect(
    (await post("account/password", owner.cookie, { ...passwords, current_password: "wrong words here" })).status,
  ).toBe(403);
  expect((await post("account/password", owner.cookie, passwords)).status).toBe(204);

  const tokens = [owner.cookie, member].map((cookie) => cookie.split("=")[1] ?? "");
  const secrets = [password, newPassword, ...tokens, invitation, reset, key.key, next.key];
  expect(new Set(secrets.filter((secret) => secret.length > 15)).size).toBe(secrets.length);
  for (const secret of secrets) expect(logged().includes(secret), `log: ${secret}`).toBe(false);
  expect(await tablesWith(secrets)).toEqual([]);
  expect(await tablesWith([email])).toEqual(["invitations", "mutation_records", "users"]);
  for (const message of mails.messages) expect(message.split("\r\n\r\n")[0]).not.toMatch(/^bcc:/im);
});

/** The tables in which a row contains one of these. */
async function tablesWith(values: string[]): Promise<string[]> {
  const tables = await service.db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'images' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await service.db.query(sql`
      select from ${raw(name)} t where to_jsonb(t)::text like any (${values.map((value) => `%${value}%`)}::text[]) limit 1`);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

describe("a session stays open, but", () => {
  it("what an owner has previewed is refused when they are none any more", async () => {
    const organizationId = await make.organization();
    const [first, second] = [await signedIn(organizationId), await signedIn(organizationId)];
    const invite = await preview(organizationId, second.cookie, "invite_member", {
      email: "a@example.com",
      role: "owner",
    });
    const demote = { user_id: second.id, role: "member" };
    expect((await change(organizationId, first.cookie, "set_member_role", demote)).status).toBe(200);
    expect((await post(toolPath(organizationId, "invite_member"), second.cookie, invite)).status).toBe(403);
    expect((await get(`organizations/${organizationId}/members`, second.cookie)).json.invitations).toBeNull();
  });

  it("a member who was removed sees nothing, and their preview cannot be committed", async () => {
    const organizationId = await make.organization();
    const [owner, member] = [await signedIn(organizationId), await signedIn(organizationId)];
    const edit = await preview(organizationId, member.cookie, "update_organization_profile", { description: "Mine" });
    expect((await change(organizationId, owner.cookie, "remove_member", { user_id: member.id })).status).toBe(200);
    expect((await post(toolPath(organizationId, "update_organization_profile"), member.cookie, edit)).status).toBe(404);
    expect((await get(`organizations/${organizationId}/changes`, member.cookie)).status).toBe(404);
    expect((await get("session", member.cookie)).json.organizations).toEqual([]);
  });

  it("ends when it expires", async () => {
    const { id, cookie } = await signedIn(await make.organization());
    expect((await get("account/sessions", cookie)).status).toBe(200);
    await service.db.query(sql`update sessions set expires_at = now() where user_id = ${id}`);
    expect((await get("account/sessions", cookie)).status).toBe(401);
    expect((await post("account/profile", cookie, { name: "Eve" })).status).toBe(401);
  });
});

it("an invitation stands when the mail server refuses it, and its link is shown", async () => {
  const refusing = await startMailServer({ recipientReply: "550 nobody here" });
  const mail = { smtpUrl: `smtp://127.0.0.1:${refusing.port}`, from: "events@example.com" };
  const other = await startService({ mail }, undefined, log);
  const organizationId = await make.organization();
  const { cookie } = await signedIn(organizationId);
  const args = await preview(organizationId, cookie, "invite_member", {
    email: `${randomUUID()}@example.com`,
    role: "admin",
  });
  const reply = await other.call(`/api/console/${toolPath(organizationId, "invite_member")}`, {
    method: "POST",
    body: args,
    headers: { cookie, origin: other.url },
  });
  expect(reply.json).toMatchObject({ mailed: false, link: expect.stringContaining("/invite/") });
  const token = String(reply.json.link).split("/").at(-1);
  expect((await get(`invitations/${token}`, "")).status).toBe(200);
  expect(logged()).toContain("550 nobody here");
  expect(logged()).not.toContain(token);
  await other.close();
  refusing.close();
});
