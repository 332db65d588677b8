import { randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createInvitation } from "../../src/modules/users/invitation-store.js";
import { createResetLink, getReset } from "../../src/modules/users/reset-links.js";
import { resetPassword } from "../../src/sign-in/password-reset.js";
import { client, cookieOf, openSignIn, password, type SignInFixture, unknownEmail } from "./sign-in-fixture.js";

let fixture: SignInFixture;

beforeAll(() => {
  fixture = openSignIn();
});
afterAll(() => fixture.close());

const baseUrl = "https://svc.test";
const next = "a new and longer phrase";
const notFound = { code: "not_found" };

async function resetToken(userId: string): Promise<string> {
  return (await createResetLink(fixture.db, baseUrl, { userId, createdBy: null })).replace(`${baseUrl}/reset/`, "");
}

const reset = (token: string, given = next) => resetPassword(fixture.db, token, given);

it("sets the password once and ends all sessions", async () => {
  const { id, email } = await fixture.person();
  const { setCookie } = await fixture.signIn.createSessionFor(id, client);
  const token = await resetToken(id);
  expect(await getReset(fixture.db, token)).toEqual({ id, email, createdBy: null });
  expect(await reset(token)).toMatchObject({ user_id: id, email, sessions_ended: 1 });
  expect(await fixture.signIn.findSession(cookieOf(setCookie))).toBeUndefined();
  expect(await fixture.signIn.signIn(email, password, client)).toBeUndefined();
  expect(await fixture.signIn.signIn(email, next, client)).toBeDefined();
  await expect(getReset(fixture.db, token)).rejects.toMatchObject(notFound);
  await expect(reset(token)).rejects.toMatchObject(notFound);
});

it("ends the keys, apps, invitations, offers and door links of an account whose address nobody had verified, once", async () => {
  const { id } = await fixture.person();
  const organizationId = await fixture.make.organization();
  await fixture.db.query(
    sql`insert into members (organization_id, user_id, role) values (${organizationId}, ${id}, 'owner')`,
  );
  const keyOf = async () => fixture.make.keyId(await fixture.make.organizationKey(organizationId, { userId: id }));
  const invite = () =>
    fixture.db.transaction((tx) =>
      createInvitation(tx, "", {
        email: unknownEmail(),
        inviter: { userId: id, name: "Somebody" },
        platformAdmin: false,
        organizationId,
        role: "owner",
      }),
    );
  const conference = await fixture.make.conference();
  const event = await fixture.make.event(conference, { hosts: [organizationId] });
  const doorLink = () =>
    fixture.db.query(sql`
      insert into door_links (event_id, organization_id, created_by, name, token_hash, pin_hash)
      values (${event}, ${organizationId}, ${id}, 'Main entrance', ${randomBytes(32)}, ${randomBytes(32)})`);
  await doorLink();
  const [key, app] = [await keyOf(), await fixture.make.connectedApp(organizationId, id), await invite()];
  expect(await reset(await resetToken(id))).toMatchObject({
    keys_revoked: [key],
    apps_ended: [app],
    invitations_withdrawn: 1,
    offers_withdrawn: 0,
    door_links_revoked: 1,
  });
  const records = await fixture.db.query(
    sql`select result -> 'keys_revoked' as keys from mutation_records where tool = 'console:reset_password' and user_id = ${id}`,
  );
  expect(records).toEqual([{ keys: [key] }]);
  await keyOf();
  await invite();
  await doorLink();
  expect(await reset(await resetToken(id))).not.toHaveProperty("keys_revoked");
  const open = await fixture.db.query(sql`
    select from api_keys where created_by = ${id} and revoked_at is null
    union all select from connected_apps where user_id = ${id} and ended_at is null
    union all select from invitations where inviter_id = ${id} and withdrawn_at is null
    union all select from door_links where created_by = ${id} and revoked_at is null`);
  expect(open).toHaveLength(3);
});

it("gives a first password to somebody who has none", async () => {
  const id = await fixture.make.user();
  const { email } = await reset(await resetToken(id));
  expect((await fixture.signIn.signIn(email, next, client))?.person.userId).toBe(id);
});

it("works once, also for requests at the same time", async () => {
  const { id } = await fixture.person();
  const token = await resetToken(id);
  const results = await Promise.allSettled([
    reset(token, "the first new phrase"),
    reset(token, "the second new phrase"),
  ]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

it("works with the newest link only, until it expires or the password changes", async () => {
  const { id } = await fixture.person();
  const first = await resetToken(id);
  const second = await resetToken(id);
  await expect(getReset(fixture.db, first)).rejects.toMatchObject(notFound);
  await fixture.db.query(sql`update password_resets set expires_at = now() where user_id = ${id}`);
  await expect(reset(second)).rejects.toMatchObject(notFound);
  const third = await resetToken(id);
  await expect(reset(third, "short")).rejects.toMatchObject({ code: "invalid_input", field: "password" });
  const fourth = await resetToken(id);
  await reset(fourth);
  await expect(getReset(fixture.db, third)).rejects.toMatchObject(notFound);
});

it.each(["", "x", "a".repeat(43)])("does not find the token %j", async (token) => {
  await expect(getReset(fixture.db, token)).rejects.toMatchObject(notFound);
});
