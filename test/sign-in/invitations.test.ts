import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Role } from "../../contract/roles.js";
import { findMemberRole } from "../../src/modules/organizations/store.js";
import {
  createInvitation,
  listOpenInvitations,
  maximumOpenInvitations,
  withdrawInvitation,
} from "../../src/modules/users/invitation-store.js";
import { removeUser } from "../../src/modules/users/remove-user.js";
import { acceptInvitation, getInvitation } from "../../src/sign-in/accept-invitation.js";
import { testOperator } from "../support/operator.js";
import { client, openSignIn, type SignInFixture, unknownEmail } from "./sign-in-fixture.js";

let fixture: SignInFixture;

beforeAll(() => {
  fixture = openSignIn();
});
afterAll(() => fixture.close());

const baseUrl = "https://svc.test";
const newcomer = { name: "Inês Duarte", password: "a long enough phrase" };
const notOpen = { code: "not_found" };

async function invite(email: string, organizationId: string, role: Role = "member", platformAdmin = false) {
  const invitation = await fixture.db.transaction((tx) =>
    createInvitation(tx, baseUrl, {
      email,
      inviter: { userId: null, name: "Sofia" },
      platformAdmin,
      organizationId,
      role,
    }),
  );
  return { ...invitation, token: invitation.link.replace(`${baseUrl}/invite/`, "") };
}

const accept = (token: string, given: { name?: string; password?: string } = newcomer, userId?: string) =>
  acceptInvitation(fixture.db, token, given, userId);

describe("an invitation", () => {
  it("shows what it is for, creates the person, and lets them sign in", async () => {
    const organizationId = await fixture.make.organization("Harbour Works");
    const email = unknownEmail();
    const { token, link, id } = await invite(email, organizationId, "admin");
    expect(link).toMatch(/^https:\/\/svc\.test\/invite\/[0-9A-Za-z]{43}$/);
    expect(await getInvitation(fixture.db, token, baseUrl)).toEqual({
      email,
      organization: { name: "Harbour Works", slug: expect.any(String), logo_url: null },
      role: "admin",
      platform_admin: false,
      invited_by: "Sofia",
      expires_at: expect.any(String),
      has_account: false,
    });
    const accepted = await accept(token);
    expect(accepted).toMatchObject({ organizationId, role: "admin", isNew: true });
    const session = await fixture.signIn.signIn(email, newcomer.password, client);
    expect(session?.person).toMatchObject({ userId: accepted.userId, name: "Inês Duarte", platformAdmin: false });
    expect(await findMemberRole(fixture.db, organizationId, accepted.userId)).toBe("admin");
    const records = await fixture.db.query(sql`
      select via, user_id, organization_id, request, after from mutation_records
      where tool = 'console:accept_invitation' and request->>'invitation_id' = ${id}`);
    expect(records).toEqual([
      {
        via: "console",
        user_id: accepted.userId,
        organization_id: organizationId,
        request: { invitation_id: id },
        after: { user_id: accepted.userId, role: "admin" },
      },
    ]);
  });

  it("stores only a hash of its token", async () => {
    const { token, id } = await invite(unknownEmail(), await fixture.make.organization());
    const rows = await fixture.db.query(sql`select i::text from invitations i where id = ${id}`);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString("hex"));
  });

  it("is accepted once, also by requests at the same time", async () => {
    const { token } = await invite(unknownEmail(), await fixture.make.organization());
    const results = await Promise.allSettled([accept(token), accept(token), accept(token)]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(accept(token)).rejects.toMatchObject(notOpen);
    await expect(getInvitation(fixture.db, token, baseUrl)).rejects.toMatchObject(notOpen);
  });

  it.each([
    ["expired", sql`expires_at = now()`],
    ["withdrawn", sql`withdrawn_at = now()`],
  ])("that is %s is not found", async (_, change) => {
    const { token, id } = await invite(unknownEmail(), await fixture.make.organization());
    await fixture.db.query(sql`update invitations set ${change} where id = ${id}`);
    await expect(getInvitation(fixture.db, token, baseUrl)).rejects.toMatchObject(notOpen);
    await expect(accept(token)).rejects.toMatchObject(notOpen);
  });

  it.each(["", "x", "a".repeat(43), "' or true --"])("is not found by the token %j", async (token) => {
    await expect(getInvitation(fixture.db, token, baseUrl)).rejects.toMatchObject(notOpen);
    await expect(accept(token)).rejects.toMatchObject(notOpen);
  });

  it("needs a name and a good password of somebody new", async () => {
    const email = unknownEmail();
    const { token } = await invite(email, await fixture.make.organization());
    await expect(accept(token, { password: newcomer.password })).rejects.toMatchObject({ field: "name" });
    await expect(accept(token, { name: "A" })).rejects.toMatchObject({ field: "password" });
    await expect(accept(token, { name: "A", password: "short" })).rejects.toMatchObject({ field: "password" });
    await expect(accept(token, { name: "A", password: email })).rejects.toMatchObject({ field: "password" });
    expect((await accept(token)).isNew).toBe(true);
  });

  it("raises a role and never lowers one", async () => {
    const organizationId = await fixture.make.organization();
    const { id, email } = await fixture.person();
    const first = await invite(email, organizationId, "admin");
    await accept(first.token, {}, id);
    await expect(invite(email, organizationId, "member")).rejects.toMatchObject({ code: "conflict" });
    const { token } = await invite(email, organizationId, "owner");
    await fixture.db.query(sql`update members set role = 'owner' where user_id = ${id}`);
    expect(await accept(token, {}, id)).toMatchObject({ role: "owner" });
    const lower = await fixture.person();
    const pending = await invite(lower.email, organizationId, "member");
    await fixture.db.query(
      sql`insert into members (organization_id, user_id, role) values (${organizationId}, ${lower.id}, 'owner')`,
    );
    expect(await accept(pending.token, {}, lower.id)).toMatchObject({ role: "owner" });
    expect(await findMemberRole(fixture.db, organizationId, lower.id)).toBe("owner");
  });

  it("makes a platform administrator, without an organization", async () => {
    const email = unknownEmail();
    const { link } = await fixture.db.transaction((tx) =>
      createInvitation(tx, baseUrl, {
        email,
        inviter: { userId: null, name: "root" },
        platformAdmin: true,
        organizationId: null,
        role: null,
      }),
    );
    const { userId } = await accept(link.replace(`${baseUrl}/invite/`, ""));
    const [user] = await fixture.db.query(sql`select platform_admin from users where id = ${userId}`);
    expect(user).toEqual({ platform_admin: true });
  });

  it("replaces an earlier one, can be withdrawn by its organization, and goes with its person", async () => {
    const organizationId = await fixture.make.organization();
    const { email } = await fixture.person();
    const first = await invite(email, organizationId);
    const second = await invite(email.toUpperCase(), organizationId, "owner");
    await expect(getInvitation(fixture.db, first.token, baseUrl)).rejects.toMatchObject(notOpen);
    expect((await listOpenInvitations(fixture.db, organizationId)).map(({ id }) => id)).toEqual([second.id]);
    const other = await fixture.make.organization();
    expect(await withdrawInvitation(fixture.db, other, second.id)).toBeUndefined();
    expect(await withdrawInvitation(fixture.db, organizationId, second.id)).toMatchObject({
      email: email.toUpperCase(),
    });
    expect(await listOpenInvitations(fixture.db, organizationId)).toEqual([]);
    await removeUser(fixture.db, testOperator, email);
    expect(await fixture.db.query(sql`select from invitations where lower(email) = lower(${email})`)).toEqual([]);
  });

  it("is one of a limited number that are open", async () => {
    const organizationId = await fixture.make.organization();
    await fixture.db.query(sql`
      insert into invitations (token_hash, email, organization_id, role, invited_by, by_operator, expires_at)
      select sha256(gen_random_uuid()::text::bytea), gen_random_uuid() || '@example.com', ${organizationId}, 'member', 'x',
        true, now() + interval '1 day'
      from generate_series(1, ${maximumOpenInvitations})`);
    await expect(invite(unknownEmail(), organizationId)).rejects.toMatchObject({ code: "conflict" });
  });
});
