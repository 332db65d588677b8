import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import type { Queryable } from "../../src/infra/database/db.js";
import { emailOf } from "../sign-in/sign-in-fixture.js";
import { isWaitedFor } from "../support/lock-waits.js";
import { useService } from "../support/setup.js";
import { type ConsoleService, startConsole } from "./support.js";

const { service, make } = useService(startConsole);

const newOrganization = () => service.newOrganization();
const change: ConsoleService["change"] = (...given) => service.change(...given);

const read = async (organizationId: string, cookie: string) =>
  (await service.get(`organizations/${organizationId}/members`, cookie)).json;

describe("the list of members", () => {
  it("is for all of them; invitations are for owners", async () => {
    const { organizationId, ownerId, owner } = await newOrganization();
    const memberId = await make.member(organizationId, "member");
    await make.organizationKey(organizationId, { userId: memberId });
    // Keys elsewhere are nobody's business here.
    const elsewhere = await make.organization();
    await make.organizationKey(elsewhere, { userId: memberId });
    const invitationId = await make.invitation(organizationId);
    expect(await read(organizationId, owner)).toMatchObject({
      members: [
        { user_id: ownerId, role: "owner", active_keys: 0 },
        { user_id: memberId, role: "member", active_keys: 1 },
      ],
      member_count: 2,
      invitations: [{ id: invitationId }],
    });
    const seen = await read(organizationId, await service.signIn(memberId));
    expect(seen.members).toHaveLength(2);
    expect(seen.invitations).toBeNull();
    const stranger = await service.signIn(await make.user());
    expect((await service.get(`organizations/${organizationId}/members`, stranger)).status).toBe(404);
  });
});

describe("inviting somebody", () => {
  it("returns a link once, and a new invitation replaces the last", async () => {
    const { organizationId, owner } = await newOrganization();
    const args = { email: "ines@example.com", role: "admin" };
    const first = await change(organizationId, owner, "invite_member", args);
    expect(first.json).toMatchObject({ mailed: false, link: expect.stringMatching(/\/invite\/[0-9A-Za-z]{43}$/) });
    const second = await change(organizationId, owner, "invite_member", { ...args, role: "member" });
    const { invitations } = await read(organizationId, owner);
    expect(invitations).toMatchObject([{ id: second.json.after.invitation.id, email: args.email, role: "member" }]);
    expect(JSON.stringify(invitations)).not.toContain(second.json.link.slice(-43));
  });

  it("is possible again when an invitation has expired", async () => {
    const { organizationId, owner } = await newOrganization();
    const args = { email: "late@example.com", role: "admin" };
    await change(organizationId, owner, "invite_member", args);
    await service.db.query(sql`
      update invitations set created_at = now() - interval '30 days', expires_at = now() - interval '1 day'
      where organization_id = ${organizationId}`);
    expect((await change(organizationId, owner, "invite_member", args)).status).toBe(200);
    expect((await read(organizationId, owner)).invitations).toHaveLength(1);
  });

  it("is refused for a member, before the commit", async () => {
    const { organizationId, owner } = await newOrganization();
    const email = (await emailOf(service.db, await make.member(organizationId, "member"))).toUpperCase();
    const path = `organizations/${organizationId}/tools/invite_member`;
    const refused = await service.post(path, owner, { email, role: "owner" });
    expect(refused).toMatchObject({ status: 409, json: { field: "email" } });
  });

  it("does not tell whether somebody has an account", async () => {
    const { organizationId, owner } = await newOrganization();
    const known = await emailOf(service.db, await make.user());
    const path = `organizations/${organizationId}/tools/invite_member`;
    const shape = async (email: string) =>
      JSON.stringify((await service.post(path, owner, { email, role: "member" })).json.proposed).replace(email, "");
    expect(await shape(known)).toBe(await shape("nobody-yet@example.com"));
  });

  it("ends when it is withdrawn, once", async () => {
    const { organizationId, owner } = await newOrganization();
    const invitation_id = await make.invitation(organizationId);
    expect((await change(organizationId, owner, "withdraw_invitation", { invitation_id })).status).toBe(200);
    expect((await read(organizationId, owner)).invitations).toEqual([]);
    expect((await change(organizationId, owner, "withdraw_invitation", { invitation_id })).status).toBe(404);
  });
});

describe("an organization keeps an owner", () => {
  it("when the last one leaves, is removed or becomes something else", async () => {
    const { organizationId, ownerId, owner } = await newOrganization();
    await make.member(organizationId, "admin");
    for (const [tool, args] of [
      ["leave_organization", {}],
      ["remove_member", { user_id: ownerId }],
      ["set_member_role", { user_id: ownerId, role: "admin" }],
    ] as const) {
      const refused = await change(organizationId, owner, tool, args);
      expect(refused, tool).toMatchObject({ status: 409, json: { code: "conflict" } });
    }
    expect((await change(organizationId, owner, "set_member_role", { user_id: ownerId, role: "owner" })).status).toBe(
      200,
    );
  });

  it("when two owners leave at the same time", async () => {
    const { organizationId, owner } = await newOrganization();
    const other = await service.signIn(await make.member(organizationId, "owner"));
    const replies = await Promise.all(
      [owner, other].map((cookie) => change(organizationId, cookie, "leave_organization")),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("when one leaves while an operator removes the other", async () => {
    const { organizationId, owner } = await newOrganization();
    const otherId = await make.member(organizationId, "owner");
    const path = `organizations/${organizationId}/tools/leave_organization`;
    const { commit_with } = (await service.post(path, owner)).json;
    const leaving = await service.db.transaction(async (tx) => {
      await tx.query(sql`delete from users where id = ${otherId}`);
      const reply = service.post(path, owner, { ...commit_with, reason: "for the test" });
      await waitForLock(tx);
      return { reply };
    });
    // On the embedded database the removal is over before the other change begins, which then finds another version.
    expect(await leaving.reply).toMatchObject({ status: 409, json: { code: expect.stringMatching(/conflict$/) } });
    const [owners] = await service.db.query<{ count: number }>(
      sql`select count(*) from members where organization_id = ${organizationId} and role = 'owner'`,
    );
    expect(owners?.count).toBe(1);
  });
});

/** Until another transaction waits for this one, or long enough for it to have passed by. */
async function waitForLock(tx: Queryable): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    if (await isWaitedFor(tx)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("removing a member", () => {
  it("revokes the keys that act for them, also if they come back", async () => {
    const { organizationId, owner } = await newOrganization();
    const userId = await make.member(organizationId, "admin");
    const key = await make.organizationKey(organizationId, { userId });
    const elsewhere = await make.organization();
    await service.db.query(
      sql`insert into members (organization_id, user_id, role) values (${elsewhere}, ${userId}, 'owner')`,
    );
    const otherKey = await make.organizationKey(elsewhere, { userId });
    const path = `organizations/${organizationId}/tools/remove_member`;
    const preview = await service.post(path, owner, { user_id: userId });
    const message = expect.stringContaining("1 API key");
    expect(preview.json.warnings).toEqual([{ code: "keys_revoked", message, path: "keys" }]);
    const cookie = await service.signIn(userId);
    expect((await change(organizationId, owner, "remove_member", { user_id: userId })).status).toBe(200);
    expect((await service.get(`organizations/${organizationId}/members`, cookie)).status).toBe(404);
    await service.db.query(
      sql`insert into members (organization_id, user_id, role) values (${organizationId}, ${userId}, 'admin')`,
    );
    const statuses = [key, otherKey].map(async (each) => (await service.call("/api/svc/ping", { key: each })).status);
    expect(await Promise.all(statuses)).toEqual([401, 200]);
  });
});
