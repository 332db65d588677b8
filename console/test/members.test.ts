import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { Role } from "../../contract/roles.js";
import { savePasswordHash } from "../../src/sign-in/passwords.js";
import { formatDay, localZone } from "../src/format/times.ts";
import { loseNextCommit } from "./lost-response.ts";
import { type Page, withPages } from "./pages.ts";

const { service, make, open } = withPages();

async function addMember(organizationId: string, role: Role, name: string) {
  const id = await make.member(organizationId, role);
  await service.db.query(sql`update users set name = ${name} where id = ${id}`);
  return { id, cookie: await service.signIn(id) };
}

/** The roles of the members, by name. */
async function storedRoles(organizationId: string): Promise<Record<string, string>> {
  const rows = await service.db.query<{ name: string; role: string }>(sql`
    select name, role from members join users on id = user_id where organization_id = ${organizationId}`);
  return Object.fromEntries(rows.map(({ name, role }) => [name, role]));
}

const openInvitations = (organizationId: string) =>
  service.db.query(sql`
    select email, role, invited_by from invitations
    where organization_id = ${organizationId} and withdrawn_at is null`);

const invite = async (page: Page, email: string) => {
  await page.press("Invite person");
  const dialog = await page.dialog(/^Invite somebody/);
  await page.enter(dialog.getByLabelText(/E-mail/), email);
  return dialog;
};

async function closeLink(page: Page): Promise<void> {
  await page.user.click(await page.findByRole("checkbox", { name: "I have stored it" }));
  await page.press("Done");
}

it("invites somebody, and shows the link once", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const page = await open(`/o/${organizationId}/settings/members`, owner);
  await invite(page, "nobody@example.com");
  await page.press("Cancel");
  await page.press("Discard");
  await expect.poll(() => page.path()).toBe(`/o/${organizationId}/settings/members`);
  const dialog = await invite(page, " ines@example.com ");
  expect(dialog.getByRole("radio", { name: /^Member/ })).toHaveProperty("checked", true);
  await page.user.click(dialog.getByRole("radio", { name: /^Admin/ }));
  await page.press("Invite person");
  const shown = await page.dialog("ines@example.com is invited");
  const link = await shown.findByText(/\/invite\/[0-9A-Za-z]{43}$/);
  expect(link.textContent).toMatch(/^https:\/\/svc\.test\/invite\//);
  shown.getByText(/^Send this link to the person: no e-mail was sent\./);
  expect(await openInvitations(organizationId)).toEqual([
    { email: "ines@example.com", role: "admin", invited_by: "Test Person" },
  ]);
  await page.user.keyboard("{Escape}");
  shown.getByText("Store the link first: it is not shown again.");
  expect(shown.queryByRole("button", { name: "Close" })).toBeNull();
  await closeLink(page);
  await page.findByRole("row", { name: /ines@example\.com.*Admin.*Test Person/ });
  expect(document.body.textContent).not.toContain("/invite/");
  expect(page.path()).toBe(`/o/${organizationId}/settings/members`);
});

it("invites as a member unless another role is chosen, and says so when the link did not arrive", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const page = await open(`/o/${organizationId}/settings/members`, owner);
  await invite(page, "ines@example.com");
  loseNextCommit();
  await page.press("Invite person");
  const dialog = await page.dialog("ines@example.com is invited, but the link did not arrive here");
  dialog.getByText(/Create a new link for ines@example\.com in the list: it replaces this one\.$/);
  expect(await openInvitations(organizationId)).toMatchObject([{ email: "ines@example.com", role: "member" }]);
});

it("says at the field why somebody cannot be invited", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const { id } = await addMember(organizationId, "member", "Ana Reis");
  const [member] = await service.db.query<{ email: string }>(sql`select email from users where id = ${id}`);
  const page = await open(`/o/${organizationId}/settings/members?invite=true`, owner);
  const dialog = await page.dialog(/^Invite somebody/);
  await page.press("Invite person");
  const field = dialog.getByLabelText(/E-mail/);
  expect(field.getAttribute("aria-invalid")).toBe("true");
  dialog.getByText("Enter an e-mail address");
  await page.enter(field, member?.email ?? "");
  await page.user.keyboard("{Enter}");
  await expect.poll(() => dialog.queryByText("Enter an e-mail address")).toBeNull();
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  expect(await openInvitations(organizationId)).toEqual([]);
});

it("withdraws one of several invitations", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const [withdrawn, kept] = [await make.invitation(organizationId, "admin"), await make.invitation(organizationId)];
  await service.db.query(sql`
    update invitations set email = 'ines@example.com', expires_at = now() + interval '3 days' where id = ${withdrawn}`);
  await service.db.query(sql`update invitations set email = 'rui@example.com' where id = ${kept}`);
  const page = await open(`/o/${organizationId}/settings/members`, owner);
  const row = await page.findByRole("row", { name: /ines@example\.com/ });
  const [invitation] = await service.db.query<{ at: Date }>(
    sql`select expires_at as at from invitations where id = ${withdrawn}`,
  );
  expect([...row.querySelectorAll("td")].slice(0, 3).map(({ textContent }) => textContent)).toEqual([
    ...["Admin", "Test Person", formatDay(invitation?.at ?? 0, localZone())],
  ]);
  await page.user.click(within(row).getByRole("button", { name: "Withdraw" }));
  await page.dialog("Withdraw the invitation of ines@example.com");
  await page.press("Withdraw invitation");
  await page.findByText("The invitation is withdrawn");
  await expect.poll(() => page.queryByText("ines@example.com")).toBeNull();
  expect(await openInvitations(organizationId)).toMatchObject([{ email: "rui@example.com", role: "member" }]);
});

it("makes a new link for an invitation whose link nobody has, and ends the one before", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const page = await open(`/o/${organizationId}/settings/members`, owner);
  const dialog = await invite(page, "ines@example.com");
  await page.user.click(dialog.getByRole("radio", { name: /^Admin/ }));
  await page.press("Invite person");
  const shownLink = async () =>
    (await (await page.dialog("ines@example.com is invited")).findByText(/\/invite\//)).textContent?.split(
      "/invite/",
    )[1];
  const first = await shownLink();
  await closeLink(page);
  const row = await page.findByRole("row", { name: /ines@example\.com/ });
  await page.press(/^New link/);
  // The list has the new invitation instead of the one before.
  await expect.poll(() => document.contains(row)).toBe(false);
  const second = await shownLink();
  await closeLink(page);
  const statusOf = async (token = "") => (await service.get(`invitations/${token}`, owner)).status;
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
  expect(await openInvitations(organizationId)).toMatchObject([{ email: "ines@example.com", role: "admin" }]);
});

it("makes a link for a new password of a member, once, and says why it cannot for others", async () => {
  const { organizationId, owner } = await service.newOrganization();
  await addMember(organizationId, "member", "Ana Reis");
  const { id } = await addMember(organizationId, "member", "Rui Costa");
  await service.db.query(
    sql`insert into members (organization_id, user_id, role) values (${await make.organization()}, ${id}, 'member')`,
  );
  const page = await open(`/o/${organizationId}/settings/members`, owner);
  await page.choose("Actions for Ana Reis", /^Create password link/);
  await page.dialog("Create a password link for Ana Reis");
  await page.press("Create link");
  const shown = await page.dialog("A new password for Ana Reis");
  await shown.findByText(/\/reset\/[0-9A-Za-z]{43}$/);
  await closeLink(page);
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(document.body.textContent).not.toContain("/reset/");
  await page.choose("Actions for Rui Costa", /^Create password link/);
  await page.dialog("Create a password link for Rui Costa");
  await page.press("Create link");
  await page.findByText(/only an administrator of the platform can make a link for it/);
  await page.press("Cancel");
  await page.press("Actions for Test Person");
  await page.findByRole("menuitem", { name: "Leave organization" });
  expect(page.queryByRole("menuitem", { name: /password link/ })).toBeNull();
});

it("says whom to ask for a new password where no mail can be sent", async () => {
  const page = await open("/sign-in?forgot=true");
  await page.findByText("This installation sends no e-mail. Ask somebody for a link.");
  page.getByText(/^An owner of your organization can create a link/);
  expect(page.queryByRole("button", { name: "Send link" })).toBeNull();
});

it("marks people whose address nobody has verified, and warns before they get more rights", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const { id } = await addMember(organizationId, "member", "Ines Duarte");
  await savePasswordHash(service.db, id, "salt:hash");
  const page = await open(`/o/${organizationId}/settings/members`, owner);
  const row = within(await page.findByRole("row", { name: /Ines Duarte/ }));
  row.getByText("Address not verified");
  expect(page.getAllByText("Address not verified")).toHaveLength(1);
  await page.choose("Actions for Ines Duarte", /^Owner/);
  await page.findByText(/^Nobody has verified that .*@example.com belongs to the person who uses this account/);
});

it("changes a role, takes that back, and removes somebody", async () => {
  const { organizationId, owner } = await service.newOrganization();
  await addMember(organizationId, "member", "Ana Reis");
  const page = await open(`/o/${organizationId}/settings/members`, owner);
  await page.press("Actions for Ana Reis");
  const current = await page.findByRole("menuitem", { name: /^Member/ });
  expect(current.getAttribute("aria-disabled")).toBe("true");
  await page.user.click(page.getByRole("menuitem", { name: /^Admin/ }));
  await page.findByRole("row", { name: /Ana Reis.*Admin/ });
  expect(await storedRoles(organizationId)).toMatchObject({ "Ana Reis": "admin" });
  await page.findByText("Ana Reis is now an admin");
  await page.undo();
  expect(await storedRoles(organizationId)).toMatchObject({ "Ana Reis": "member" });
  await page.findByRole("row", { name: /Ana Reis.*Member/ });
  await page.choose("Actions for Ana Reis", "Remove from organization");
  await page.dialog("Remove Ana Reis");
  await page.press("Cancel");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(await storedRoles(organizationId)).toMatchObject({ "Ana Reis": "member" });
  await page.choose("Actions for Ana Reis", "Remove from organization");
  await page.press("Remove person");
  await page.findByText("Ana Reis was removed");
  await expect.poll(() => page.queryByRole("row", { name: /Ana Reis/ })).toBeNull();
  expect(await storedRoles(organizationId)).toEqual({ "Test Person": "owner" });
});

it("warns owners who change their own role, and takes the controls away afterwards", async () => {
  const { organizationId, owner } = await service.newOrganization();
  await addMember(organizationId, "owner", "Ana Reis");
  const page = await open(`/o/${organizationId}/settings/members`, owner);
  await page.choose("Actions for Test Person", /^Member/);
  await page.dialog("Make Test Person a member");
  await page.findByText("This is your own role.");
  await page.press("Change role");
  await page.findByText("Test Person is now a member");
  await page.findByText("Owners manage people");
  expect(page.queryByRole("button", { name: /^Invite person|^Actions for Ana/ })).toBeNull();
  expect(await storedRoles(organizationId)).toMatchObject({ "Test Person": "member" });
});

it("does not let the last owner leave", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const page = await open(`/o/${organizationId}/settings/members`, owner);
  await page.choose("Actions for Test Person", "Leave organization");
  await page.findByText("This change is not possible");
  expect(page.queryByRole("button", { name: "Leave organization" })).toBeNull();
  expect(await storedRoles(organizationId)).toEqual({ "Test Person": "owner" });
});

it("lets admins look and leave, not manage people", async () => {
  const { organizationId, ownerId } = await service.newOrganization();
  await make.organizationKey(organizationId, { userId: ownerId });
  await make.invitation(organizationId);
  const { cookie } = await addMember(organizationId, "admin", "Ana Reis");
  const page = await open(`/o/${organizationId}/settings/members?invite=true`, cookie);
  await page.findByText("Owners manage people");
  await page.findByRole("row", { name: /Test Person.*Owner.*1 key/ });
  await page.findByRole("row", { name: /Ana Reis.*You.*None/ });
  expect(page.queryByRole("button", { name: /Invite person|Withdraw|Actions for Test Person/ })).toBeNull();
  expect(page.queryByRole("dialog")).toBeNull();
  await page.press("Actions for Ana Reis");
  const items = await page.findAllByRole("menuitem");
  expect(items.map(({ textContent }) => textContent)).toEqual(["Leave organization"]);
  for (const item of items) await page.user.click(item);
  await page.dialog(/^Leave /);
  await page.press("Cancel");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(page.path()).toContain(`/o/${organizationId}/settings/members`);
  await page.choose("Actions for Ana Reis", "Leave organization");
  await page.press("Leave organization");
  await page.findByRole("heading", { level: 1, name: "Your account" });
  expect(page.path()).toBe("/account");
  expect(await storedRoles(organizationId)).toEqual({ "Test Person": "owner" });
});
