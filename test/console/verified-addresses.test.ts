import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { createInvitation } from "../../src/modules/users/invitation-store.js";
import { createResetLink } from "../../src/modules/users/reset-links.js";
import { acceptInvitation } from "../../src/sign-in/accept-invitation.js";
import { resetPassword } from "../../src/sign-in/password-reset.js";
import { runCommand } from "../cli/run-command.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

// Accounts whose address nobody has verified are marked, and giving them rights warns.

const fresh = useFreshDatabase();
const { service, make } = useService(() => startConsole({}, {}, { connection: fresh.connection }));

const password = "a long enough phrase";

/** Somebody who has accepted an invitation by a person, or by an operator. */
async function accepted(organizationId: string, inviterId: string | null): Promise<{ id: string; email: string }> {
  const email = `${randomUUID()}@example.com`;
  const inviter = { userId: inviterId, name: "Sofia" };
  const { link } = await service.db.transaction((tx) =>
    createInvitation(tx, "", { email, inviter, platformAdmin: false, organizationId, role: "member" }),
  );
  const given = { name: "Inês Duarte", password };
  const { userId } = await acceptInvitation(service.db, link.replace("/invite/", ""), given, undefined);
  return { id: userId, email };
}

it("an account is marked for members, administrators and operators until its address is verified", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  const administrator = await make.platformAdministrator();
  const cookie = await service.signIn(administrator);
  const invited = await accepted(organizationId, ownerId);
  const vouched = await accepted(organizationId, null);
  const marks = async ({ id, email }: { id: string; email: string }) => {
    const { members } = (await service.get(`organizations/${organizationId}/members`, owner)).json;
    const people = (await service.get(`admin/people?id=${id}`, cookie)).json.items;
    const listed = JSON.parse((await runCommand(["users", "list", "--json"], fresh.env)).stdout);
    return [
      members.find((member: { user_id: string }) => member.user_id === id).unverified,
      people[0].unverified,
      listed.find((user: { email: string }) => user.email === email).unverified,
    ];
  };
  expect(await marks(invited)).toEqual([true, true, true]);
  expect(await marks(vouched)).toEqual([false, false, false]);
  // Nobody can sign in to it yet, except through the address.
  const withoutPassword = await make.member(organizationId);
  expect((await service.get(`admin/people?id=${withoutPassword}`, cookie)).json.items[0].unverified).toBe(false);
  const token = (await createResetLink(service.db, "", { userId: invited.id, createdBy: null })).replace("/reset/", "");
  await resetPassword(service.db, token, `${password} again`);
  expect(await marks(invited)).toEqual([false, false, false]);
});

it("rights for such an account come with a warning", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  const administrator = await make.platformAdministrator();
  const cookie = await service.signIn(administrator);
  const { id, email } = await accepted(organizationId, ownerId);
  const codes = async (path: string, session: string, args: object) =>
    (await service.post(path, session, args)).json.warnings.map(({ code }: { code: string }) => code);
  const role = `organizations/${organizationId}/tools/set_member_role`;
  const warned = ["address_unverified"];
  expect(await codes(role, owner, { user_id: id, role: "admin" })).toEqual(warned);
  expect(await codes(role, owner, { user_id: ownerId, role: "owner" })).toEqual([]);
  const administer = { person_id: id, platform_admin: true };
  expect(await codes("admin/tools/set_platform_admin", cookie, administer)).toEqual(warned);
  const invite = { email, organization_id: organizationId, role: "owner" };
  expect(await codes("admin/tools/invite_person", cookie, invite)).toEqual(warned);
  await service.change(organizationId, owner, "set_member_role", { user_id: id, role: "admin" });
  expect(await codes(role, owner, { user_id: id, role: "member" })).toEqual([]);
  await service.db.query(sql`update users set email_verified_at = now() where id = ${id}`);
  for (const [path, session, args] of [
    [role, owner, { user_id: id, role: "owner" }],
    ["admin/tools/set_platform_admin", cookie, administer],
    ["admin/tools/invite_person", cookie, invite],
  ] as const) {
    expect(await codes(path, session, args), path).toEqual([]);
  }
});

it("an invitation by an operator says so, and one by an owner elsewhere does not tell that there is an account", async () => {
  const { organizationId, ownerId } = await service.newOrganization();
  const { email } = await accepted(organizationId, ownerId);
  const inviting = ["users", "invite", email, "--platform-admin"];
  expect((await runCommand(inviting, fresh.env)).stderr).toContain(`Nobody has verified that ${email} belongs`);
  const other = await service.newOrganization();
  const invite = `organizations/${other.organizationId}/tools/invite_member`;
  expect((await service.post(invite, other.owner, { email, role: "owner" })).json.warnings).toEqual([]);
  await service.db.query(sql`update users set email_verified_at = now() where email = ${email}`);
  expect((await runCommand(inviting, fresh.env)).stderr).toBe("");
});

it("an import that gives such an account rights says so", async () => {
  const { organizationId, ownerId } = await service.newOrganization();
  const [raised, untouched, verified] = [
    await accepted(organizationId, ownerId),
    await accepted(organizationId, ownerId),
    await accepted(organizationId, ownerId),
  ];
  await service.db.query(sql`update members set role = 'owner' where user_id = ${untouched.id}`);
  await service.db.query(sql`update users set email_verified_at = now() where id = ${verified.id}`);
  const folder = await mkdtemp(join(tmpdir(), "svc-test-"));
  const file = join(folder, "people.json");
  const users = [raised, verified].map(({ email }) => ({ email, name: "Inês Duarte", platform_admin: true }));
  const slug = `o-${randomUUID()}`;
  const members = [raised, verified, untouched].map(({ email }, index) => ({
    email,
    role: index < 2 ? "admin" : "member",
  }));
  await writeFile(file, JSON.stringify({ users, organizations: [{ slug, name: "New", members }] }));
  const said = async (...options: string[]) => (await runCommand(["import", file, ...options], fresh.env)).stderr;
  const warning = (becomes: string) =>
    `Nobody has verified the address of ${raised.email}, who ${becomes} admin of ${slug}, platform administrator: see "Verified addresses" in docs/sign-in.md.\n`;
  expect(await said("--check")).toBe(warning("would become"));
  expect(await said()).toBe(warning("is now"));
  expect(await said()).toBe("");
  await rm(folder, { recursive: true });
});
