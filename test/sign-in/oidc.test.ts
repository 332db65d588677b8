import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createInvitation } from "../../src/modules/users/invitation-store.js";
import { getInvitation } from "../../src/sign-in/accept-invitation.js";
import { findLinkedUser, unlinkAccounts } from "../../src/sign-in/linked-accounts.js";
import { localPath } from "../../src/sign-in/oidc.js";
import { savePasswordHash } from "../../src/sign-in/passwords.js";
import { runCommand } from "../cli/run-command.js";
import { type Make, makerOn } from "../support/make.js";
import { testOperator } from "../support/operator.js";
import { type Service, startService } from "../support/service.js";
import { workerDatabase } from "../support/worker-database.js";
import { type Issuer, startIssuer } from "./issuer.js";
import { emailOf } from "./sign-in-fixture.js";

let issuer: Issuer;
let service: Service;
let make: Make;

beforeAll(async () => {
  issuer = await startIssuer();
  const { url, clientId, clientSecret } = issuer;
  service = await startService({ oidc: { issuer: url, clientId, clientSecret, label: "Example ID" } });
  make = makerOn(service.db);
});
afterAll(async () => {
  await service.close();
  await issuer.close();
});
beforeEach(() => {
  issuer.next = { claims: {} };
});

const path = "/api/console/sign-in/oidc";
const cookiesOf = (headers: Headers) => headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");

async function start(returnTo = "/o/tidewater") {
  const reply = await service.call(`${path}?return_to=${encodeURIComponent(returnTo)}`);
  expect(reply.status).toBe(302);
  const [cookie = ""] = cookiesOf(reply.headers);
  return { page: reply.headers.get("location") ?? "", cookie, setCookie: reply.headers.get("set-cookie") };
}

async function finish(callback: URL, cookie: string) {
  const reply = await service.call(`${path}/callback${callback.search}`, { headers: { cookie } });
  const session = cookiesOf(reply.headers).find((each) => each.startsWith("svc_session="));
  return { status: reply.status, location: reply.headers.get("location"), session };
}

/** From the sign-in page to the page after it. */
async function signInWith(claims: Record<string, unknown>, rest: Partial<Issuer["next"]> = {}) {
  issuer.next = { claims, ...rest };
  const { page, cookie } = await start();
  return finish(issuer.authorize(page).callback, cookie);
}

async function knownPerson(): Promise<{ id: string; email: string }> {
  const id = await make.user();
  return { id, email: await emailOf(service.db, id) };
}

it("is offered to visitors, and not where it is not configured", async () => {
  expect((await service.call("/api/console/session")).json.sign_in).toEqual({
    oidc: { label: "Example ID" },
    mail: false,
  });
  const without = await startService();
  expect((await without.call("/api/console/session")).json.sign_in).toEqual({ oidc: null, mail: false });
  expect((await without.call(path)).status).toBe(404);
  await without.close();
});

it("sends the browser to the issuer with state, nonce and a code challenge, and a cookie for this path only", async () => {
  const { page, setCookie } = await start();
  const query = Object.fromEntries(new URL(page).searchParams);
  expect(query).toMatchObject({
    client_id: "svc",
    response_type: "code",
    scope: "openid email profile",
    code_challenge_method: "S256",
    redirect_uri: "https://svc.test/api/console/sign-in/oidc/callback",
  });
  for (const name of ["state", "nonce", "code_challenge"]) expect(query[name]).toMatch(/^[\w-]{43}$/);
  expect(setCookie).toMatch(/; Max-Age=600; Path=\/api\/console\/sign-in\/oidc; HttpOnly; SameSite=Lax; Secure$/);
});

it("signs in a known person with a verified e-mail, links the account, and ends what was there before", async () => {
  const { id, email } = await knownPerson();
  await savePasswordHash(service.db, id, "salt:hash");
  const subject = randomUUID();
  const first = await signInWith({ sub: subject, email: email.toUpperCase(), email_verified: true });
  expect(first).toMatchObject({ status: 302, location: "/o/tidewater", session: expect.any(String) });
  const session = await service.call("/api/console/session", { headers: { cookie: first.session ?? "" } });
  expect(session.json.person).toMatchObject({ id, email });
  expect(await service.db.query(sql`select provider_id, account_id from accounts where user_id = ${id}`)).toEqual([
    { provider_id: issuer.url, account_id: subject },
  ]);
  // From then on the subject counts, not the e-mail.
  const second = await signInWith({ sub: subject, email: "renamed@example.com", email_verified: true });
  const again = await service.call("/api/console/session", { headers: { cookie: second.session ?? "" } });
  expect(again.json.person).toMatchObject({ id });
  const records = await service.db.query(
    sql`select via, user_id from mutation_records where tool = 'console:link_account' and user_id = ${id}`,
  );
  expect(records).toEqual([{ via: "console", user_id: id }]);
});

const signedInAs = async (session: string | undefined) =>
  (await service.call("/api/console/session", { headers: { cookie: session ?? "" } })).json.person?.id;

it("takes an address for another that the database would take for the same", async () => {
  // Lowercase of the Kelvin sign is k.
  const [id, name] = [await make.user(), `kim-${randomUUID()}`];
  await service.db.query(sql`update users set email = ${`${name}@example.com`} where id = ${id}`);
  const refused = await signInWith({
    sub: randomUUID(),
    email: `\u212a${name.slice(1)}@example.com`,
    email_verified: true,
  });
  expect(refused).toEqual({ status: 302, location: "/sign-in?error=oidc_unknown", session: undefined });
  expect(await service.db.query(sql`select from accounts where user_id = ${id}`)).toEqual([]);
  const same = await signInWith({
    sub: randomUUID(),
    email: `${name.toUpperCase()}@EXAMPLE.com`,
    email_verified: true,
  });
  expect(await signedInAs(same.session)).toBe(id);
});

it("refuses a second account of the issuer with the same address, until the first is unlinked", async () => {
  const { id, email } = await knownPerson();
  const [first, second] = [randomUUID(), randomUUID()];
  const claims = { email, email_verified: true };
  await signInWith({ sub: first, ...claims });
  const refused = await signInWith({ sub: second, ...claims });
  expect(refused).toEqual({ status: 302, location: "/sign-in?error=oidc_other_account", session: undefined });
  const { session } = await signInWith({ sub: first, ...claims });
  expect(await signedInAs(session)).toBe(id);
  const unlinked = await unlinkAccounts(service.db, testOperator, email);
  expect(unlinked).toMatchObject({ issuers: [issuer.url], sessions_ended: 2 });
  expect(await signedInAs(session)).toBeUndefined();
  expect(await signedInAs((await signInWith({ sub: second, ...claims })).session)).toBe(id);
  expect((await unlinkAccounts(service.db, testOperator, email.toUpperCase())).issuers).toEqual([issuer.url]);
  expect((await unlinkAccounts(service.db, testOperator, email)).issuers).toEqual([]);
});

it("links one of two accounts that sign in at the same time", async () => {
  const { id, email } = await knownPerson();
  const identities = [randomUUID(), randomUUID()].map((subject) => ({ subject, email }));
  const outcomes = await Promise.all(
    identities.map((identity) => findLinkedUser(service.db, issuer.url, { ...identity })),
  );
  expect(outcomes.map((outcome) => Object.keys(outcome)[0]).sort()).toEqual(["problem", "userId"]);
  expect(await service.db.query(sql`select from accounts where user_id = ${id}`)).toHaveLength(1);
});

it("ends keys from before the address was verified, and those only that no operator made", async () => {
  const works = async (key: string) => (await service.call("/api/svc/ping", { key })).status === 200;
  const { id, email } = await knownPerson();
  await savePasswordHash(service.db, id, "salt:hash");
  const organizations = [await make.organization(), await make.organization()];
  const keys: string[] = [];
  for (const organization of organizations) {
    await service.db.query(
      sql`insert into members (organization_id, user_id, role) values (${organization}, ${id}, 'owner')`,
    );
    keys.push(await make.organizationKey(organization, { userId: id }));
  }
  const access = ["--organization", organizations[0] ?? "", "--user", email, "--scopes", "org:read"];
  const made = await runCommand(
    ["keys", "create", "--json", "--tier", "organization", "--name", "Agent", ...access],
    workerDatabase.env,
  );
  const byOperator = JSON.parse(made.stdout).key;
  const colleague = await make.organizationKey(organizations[0] ?? "", {
    userId: await make.member(organizations[0] ?? "", "admin"),
  });
  await signInWith({ sub: randomUUID(), email, email_verified: true });
  expect(await Promise.all([...keys, colleague, byOperator].map(works))).toEqual([false, false, true, true]);
  const [record] = await service.db.query<{ result: { keys_revoked: string[] } }>(
    sql`select result from mutation_records where tool = 'console:link_account' and user_id = ${id}`,
  );
  expect(record?.result.keys_revoked).toHaveLength(2);
});

it("ends invitations and offers from before the address was verified, and those only", async () => {
  const { id, email } = await knownPerson();
  await savePasswordHash(service.db, id, "salt:hash");
  const [organizationId, recipientId] = [await make.organization(), await make.organization()];
  await service.db.query(
    sql`insert into members (organization_id, user_id, role) values (${organizationId}, ${id}, 'owner')`,
  );
  const colleagueId = await make.member(organizationId, "owner");
  const invite = async (userId: string) => {
    const invitation = { email: `${randomUUID()}@example.com`, inviter: { userId, name: "Somebody" } };
    const { link } = await service.db.transaction((tx) =>
      createInvitation(tx, "", { ...invitation, platformAdmin: false, organizationId, role: "owner" }),
    );
    return link.replace("/invite/", "");
  };
  const offer = async (userId: string) => {
    const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
    await service.db.query(sql`
      insert into host_offers (event_id, from_organization_id, to_organization_id, offered_by)
      values (${eventId}, ${organizationId}, ${recipientId}, ${userId})`);
    return eventId;
  };
  const [mine, colleagues] = [await invite(id), await invite(colleagueId)];
  const [myEvent, colleaguesEvent] = [await offer(id), await offer(colleagueId)];
  await signInWith({ sub: randomUUID(), email, email_verified: true });
  await expect(getInvitation(service.db, mine, "")).rejects.toThrow();
  expect(await getInvitation(service.db, colleagues, "")).toMatchObject({ role: "owner" });
  expect(
    await service.db.query(sql`select event_id from host_offers where from_organization_id = ${organizationId}`),
  ).toEqual([{ event_id: colleaguesEvent }]);
  const records = await service.db.query<{ tool: string; request: object; result: object }>(
    sql`
      select tool, request, result from mutation_records
      where organization_id = ${recipientId} or user_id = ${id} order by tool desc`,
  );
  expect(records).toMatchObject([
    { tool: "host_offer_withdrawn", request: { event_id: myEvent } },
    { tool: "console:link_account", result: { invitations_withdrawn: 1, offers_withdrawn: 1 } },
  ]);
  // What the owner of the address makes from now on stays, also when another issuer is linked.
  const [later, laterEvent] = [await invite(id), await offer(id)];
  await findLinkedUser(service.db, "https://other.example", { subject: randomUUID(), email });
  expect(await getInvitation(service.db, later, "")).toMatchObject({ role: "owner" });
  expect(await service.db.query(sql`select from host_offers where event_id = ${laterEvent}`)).toHaveLength(1);
});

it("leaves password, sessions and later keys of a person whose address was verified before", async () => {
  const { id, email } = await knownPerson();
  await savePasswordHash(service.db, id, "salt:hash");
  const organization = await make.organization();
  await service.db.query(
    sql`insert into members (organization_id, user_id, role) values (${organization}, ${id}, 'owner')`,
  );
  const [earlier, later] = [
    await make.organizationKey(organization, { userId: id }),
    await make.organizationKey(organization, { userId: id }),
  ];
  await service.db.query(sql`update users set email_verified_at = now() - interval '1 hour' where id = ${id}`);
  await service.db.query(sql`
    update api_keys set created_at = now() - interval '2 hours', expires_at = now() + interval '1 day'
    where id = (select id from api_keys where created_by = ${id} order by created_at limit 1)`);
  await signInWith({ sub: randomUUID(), email, email_verified: true });
  const statuses = [earlier, later].map(async (key) => (await service.call("/api/svc/ping", { key })).status);
  expect(await Promise.all(statuses)).toEqual([401, 200]);
  const passwords = await service.db.query(
    sql`select from accounts where user_id = ${id} and provider_id = 'credential'`,
  );
  expect(passwords).toHaveLength(1);
});

it("ends the session that the browser had, like any sign-in", async () => {
  const [first, second] = [await knownPerson(), await knownPerson()];
  const { session = "" } = await signInWith({ sub: randomUUID(), email: first.email, email_verified: true });
  issuer.next = { claims: { sub: randomUUID(), email: second.email, email_verified: true } };
  const { page, cookie } = await start();
  await finish(issuer.authorize(page).callback, `${session}; ${cookie}`);
  const before = await service.call("/api/console/session", { headers: { cookie: session } });
  expect(before.json.person).toBeNull();
});

it("returns to a path in any script", async () => {
  const { email } = await knownPerson();
  issuer.next = { claims: { sub: randomUUID(), email, email_verified: true } };
  const { page, cookie } = await start("/docs?q=São 東京");
  const { location } = await finish(issuer.authorize(page).callback, cookie);
  expect(decodeURI(location ?? "")).toBe("/docs?q=São 東京");
});

it.each([
  ["an e-mail that is not verified", { email_verified: false }, "oidc_unverified"],
  ["no word about the e-mail", {}, "oidc_unverified"],
  ["an e-mail that only says it is verified", { email_verified: "true" }, "oidc_unverified"],
])("refuses %s", async (_, claims, problem) => {
  const { id, email } = await knownPerson();
  const refused = await signInWith({ sub: randomUUID(), email, ...claims });
  expect(refused).toEqual({ status: 302, location: `/sign-in?error=${problem}`, session: undefined });
  expect(await service.db.query(sql`select from accounts where user_id = ${id}`)).toEqual([]);
});

it("creates nobody", async () => {
  const email = `${randomUUID()}@example.com`;
  const refused = await signInWith({ sub: randomUUID(), email, email_verified: true });
  expect(refused).toEqual({ status: 302, location: "/sign-in?error=oidc_unknown", session: undefined });
  expect(await service.db.query(sql`select from users where email = ${email}`)).toEqual([]);
});

it.each<[string, Partial<Issuer["next"]>]>([
  ["another nonce", { nonce: "another" }],
  ["another audience", { audience: "somebody-else" }],
  ["the signature of another key", { signedByOther: true }],
])("refuses an ID token with %s", async (_, wrong) => {
  const { email } = await knownPerson();
  const refused = await signInWith({ sub: randomUUID(), email, email_verified: true }, wrong);
  expect(refused).toEqual({ status: 302, location: "/sign-in?error=oidc_failed", session: undefined });
});

it("refuses a callback with the state or the cookie of another sign-in, a changed cookie, or none", async () => {
  const { email } = await knownPerson();
  issuer.next = { claims: { sub: randomUUID(), email, email_verified: true } };
  const [mine, other] = [await start(), await start()];
  const { callback } = issuer.authorize(mine.page);
  expect(await finish(callback, other.cookie)).toMatchObject({ location: "/sign-in?error=oidc_failed" });
  const expired = { location: "/sign-in?error=oidc_expired", session: undefined };
  expect(await finish(callback, "")).toMatchObject(expired);
  const [name, value = ""] = mine.cookie.split("=");
  const [payload = "", signature] = value.split(".");
  const state = JSON.parse(Buffer.from(payload, "base64url").toString());
  const changed = Buffer.from(JSON.stringify({ ...state, returnTo: "/admin" })).toString("base64url");
  expect(await finish(callback, `${name}=${changed}.${signature}`)).toMatchObject(expired);
  expect(await finish(issuer.authorize(mine.page).callback, mine.cookie)).toMatchObject({ location: "/o/tidewater" });
});

it("refuses a code that was used, and what the issuer refused", async () => {
  const { email } = await knownPerson();
  issuer.next = { claims: { sub: randomUUID(), email, email_verified: true } };
  const { page, cookie } = await start();
  const { callback } = issuer.authorize(page);
  expect((await finish(callback, cookie)).session).toBeDefined();
  expect(await finish(callback, cookie)).toMatchObject({ location: "/sign-in?error=oidc_failed" });
  const denied = new URL(callback);
  denied.search = new URLSearchParams({
    error: "access_denied",
    state: new URL(page).searchParams.get("state") ?? "",
  }).toString();
  expect(await finish(denied, cookie)).toMatchObject({ location: "/sign-in?error=oidc_failed" });
});

it("explains an issuer that cannot be reached", async () => {
  const oidc = { issuer: "http://127.0.0.1:9", clientId: "svc", clientSecret: "x", label: "Gone" };
  const alone = await startService({ oidc });
  const reply = await alone.call(path);
  expect({ status: reply.status, location: reply.headers.get("location") }).toEqual({
    status: 302,
    location: "/sign-in?error=oidc_unavailable",
  });
  await alone.close();
});

it("refuses an issuer that its configuration names otherwise, because people are linked with it by name", async () => {
  const { clientId, clientSecret, url } = issuer;
  const slashed = await startService({ oidc: { issuer: `${url}/`, clientId, clientSecret, label: "Slashed" } });
  expect((await slashed.call(path)).headers.get("location")).toBe("/sign-in?error=oidc_unavailable");
  await slashed.close();
});

it.each([
  ["/o/x?tab=guests#a", "/o/x?tab=guests#a"],
  ["https://evil.example", "/"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/\tx", "/"],
  ["/\ud800", "/%EF%BF%BD"],
  [`/${"é".repeat(200)}`, "/"],
  ["", "/"],
])("returns from %j to %j", (given, expected) => {
  expect(localPath(given)).toBe(expected);
});
