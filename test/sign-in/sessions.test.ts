import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeUser } from "../../src/modules/users/remove-user.js";
import { newHashes } from "../../src/sign-in/password-hashes.js";
import { sessionsPerPerson } from "../../src/sign-in/session-store.js";
import { testOperator } from "../support/operator.js";
import {
  client,
  cookieOf,
  emailOf,
  openSignIn,
  password,
  type SignInFixture,
  unknownEmail,
} from "./sign-in-fixture.js";

let fixture: SignInFixture;

beforeAll(() => {
  fixture = openSignIn();
});
afterAll(() => fixture.close());

async function signedIn() {
  const person = await fixture.person();
  const session = await fixture.signIn.signIn(person.email, password, client);
  if (session === undefined) throw new Error("sign-in failed");
  return { ...person, ...session, cookie: cookieOf(session.setCookie) };
}

describe("signing in", () => {
  it("accepts the password, in any case of the e-mail, and finds the session by its cookie", async () => {
    const { id, email } = await fixture.person();
    const userAgent = "a".repeat(5_000);
    const session = await fixture.signIn.signIn(email.toUpperCase(), password, { ip: "2001:db8::1", userAgent });
    expect(session?.setCookie).toMatch(
      /^svc_session=[0-9A-Za-z]{32}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const person = { sessionId: expect.any(String), userId: id, name: "Test Person", email, platformAdmin: false };
    expect(session?.person).toEqual(person);
    expect(await fixture.signIn.findSession(`theme=dark; ${cookieOf(session?.setCookie ?? "")}`)).toEqual(person);
    expect(await fixture.signIn.listSessions(id)).toEqual([
      expect.objectContaining({
        id: session?.person.sessionId,
        user_agent: userAgent.slice(0, 400),
        ip_address: "2001:db8::1",
      }),
    ]);
  });

  it("finds an e-mail that is stored with capitals", async () => {
    const { id } = await fixture.person();
    const email = `Person.${randomUUID()}@Example.com`;
    await fixture.db.query(sql`update users set email = ${email} where id = ${id}`);
    expect((await fixture.signIn.signIn(email.toLowerCase(), password, client))?.person.userId).toBe(id);
  });

  it.each([
    ["somebody without a password", async () => [await withoutPassword(), password]],
    ["text that is no e-mail", async () => ["'; drop table users --", password]],
    ["an endless password", async () => [(await fixture.person()).email, "x".repeat(10_000)]],
  ])("refuses %s", async (_, given) => {
    const [email = "", tried = ""] = await given();
    expect(await fixture.signIn.signIn(email, tried, client)).toBeUndefined();
  });

  it("hashes a password for an unknown e-mail too, so that the time says nothing", async () => {
    const { cost } = newHashes;
    // scrypt accepts powers of two only: whatever hashes now fails.
    newHashes.cost = 3;
    for (const email of [unknownEmail(), await withoutPassword()]) {
      await expect(fixture.signIn.signIn(email, password, client)).rejects.toThrow(/scrypt/i);
    }
    newHashes.cost = cost;
  });

  it("stores neither the token nor the password, and logs neither", async () => {
    const { cookie, id } = await signedIn();
    const token = cookie.split("=")[1] ?? "";
    const rows = await fixture.db.query(sql`
      select s::text as session, a::text as account from sessions s join accounts a using (user_id) where user_id = ${id}`);
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(Buffer.from(token).toString("hex"));
    expect(stored).not.toContain(password);
    expect(fixture.logged()).not.toContain(token);
    expect(fixture.logged()).not.toContain(password);
  });

  it("keeps a limited number of sessions and ends the one used least recently", async () => {
    const { id, cookie, person } = await signedIn();
    await fixture.db.query(sql`
      insert into sessions (user_id, token_hash, last_used_at, expires_at)
      select ${id}, sha256(gen_random_uuid()::text::bytea), now() + n * interval '1 s', now() + interval '1 day'
      from generate_series(1, ${sessionsPerPerson - 1}) n`);
    expect(await fixture.signIn.findSession(cookie)).toEqual(person);
    await fixture.signIn.createSessionFor(id, client);
    // The new one is older than the ones in the future: only the count matters here.
    expect(await fixture.signIn.listSessions(id)).toHaveLength(sessionsPerPerson);
    expect(await fixture.signIn.findSession(cookie)).toBeUndefined();
  });
});

describe("a session", () => {
  it.each([
    "",
    "svc_session=",
    "svc_session=short",
    `svc_session=${"a".repeat(32)}`,
    `svc_session=${"a".repeat(33)}`,
    `xsvc_session=${"a".repeat(32)}`,
  ])("is not found for the cookie %j", async (cookie) => {
    expect(await fixture.signIn.findSession(cookie)).toBeUndefined();
  });

  it("is found by another process with the same secret, and not with another secret", async () => {
    const { cookie, person } = await signedIn();
    expect(await fixture.start().findSession(cookie)).toEqual(person);
    const other = fixture.start({ config: { publicUrl: "https://svc.test", secretKey: "x".repeat(32) } });
    expect(await other.findSession(cookie)).toBeUndefined();
  });

  it("ends with the removal of its person", async () => {
    const { email, cookie } = await signedIn();
    await removeUser(fixture.db, testOperator, email);
    expect(await fixture.signIn.findSession(cookie)).toBeUndefined();
  });

  it("expires", async () => {
    const { id, cookie } = await signedIn();
    await fixture.db.query(sql`update sessions set expires_at = now() where user_id = ${id}`);
    expect(await fixture.signIn.findSession(cookie)).toBeUndefined();
    expect(await fixture.signIn.listSessions(id)).toEqual([]);
  });

  it("is extended while it is used, at most once an hour and not beyond its longest life", async () => {
    const { id, cookie } = await signedIn();
    const daysLeft = async () => {
      const [row] = await fixture.db.query<{ days: number }>(
        sql`select extract(epoch from expires_at - now())::float8 / 86400 as days from sessions where user_id = ${id}`,
      );
      return Math.round((row?.days ?? 0) * 10) / 10;
    };
    await fixture.db.query(sql`update sessions set expires_at = now() + interval '1 day' where user_id = ${id}`);
    await fixture.signIn.findSession(cookie);
    expect(await daysLeft()).toBe(1);
    await fixture.db.query(sql`update sessions set last_used_at = now() - interval '2 hours' where user_id = ${id}`);
    await fixture.signIn.findSession(cookie);
    await expect.poll(daysLeft).toBe(14);
    await fixture.db.query(sql`
      update sessions set last_used_at = now() - interval '2 hours', created_at = now() - interval '85 days'
      where user_id = ${id}`);
    await fixture.signIn.findSession(cookie);
    await expect.poll(daysLeft).toBe(5);
  });

  it("ends with a changed password, except the one that changed it", async () => {
    const { id, email, cookie, person } = await signedIn();
    const other = await fixture.signIn.createSessionFor(id, client);
    const changed = { current: password, next: "another four words" };
    expect(await fixture.signIn.changePassword(person, changed, client)).toMatchObject({
      sessions_ended: 1,
    });
    expect(await fixture.signIn.findSession(cookie)).toEqual(person);
    expect(await fixture.signIn.findSession(cookieOf(other.setCookie))).toBeUndefined();
    expect(await fixture.signIn.signIn(email, password, client)).toBeUndefined();
    expect((await fixture.signIn.signIn(email, changed.next, client))?.person.userId).toBe(id);
    const records = await fixture.db.query(
      sql`select request, result from mutation_records where tool = 'console:change_password' and request->>'user_id' = ${id}`,
    );
    expect(records).toEqual([{ request: { user_id: id }, result: { sessions_ended: 1 } }]);
  });

  it("cannot change the password without the current one, nor to one that is easy to guess", async () => {
    const { person, email } = await signedIn();
    const change = (current: string, next: string) => fixture.signIn.changePassword(person, { current, next }, client);
    await expect(change("wrong password", "another four words")).rejects.toMatchObject({ code: "forbidden" });
    for (const next of ["short", email, "aaaaaaaaaaaa", "1234567890", "password123", "x".repeat(129)]) {
      await expect(change(password, next)).rejects.toMatchObject({ code: "invalid_input", field: "new_password" });
    }
    expect(await fixture.signIn.signIn(email, password, client)).toBeDefined();
  });
});

const withoutPassword = async () => emailOf(fixture.db, await fixture.make.user());
