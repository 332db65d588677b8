import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { Role } from "../../contract/roles.js";
import { createInvitation } from "../../src/modules/users/invitation-store.js";
import { createResetLink } from "../../src/modules/users/reset-links.js";
import { unknownEmail } from "../../test/sign-in/sign-in-fixture.js";
import { publicUrl } from "../../test/support/service.js";
import { formatDay, localZone } from "../src/format/times.ts";
import { type Page, withPages } from "./pages.ts";
import { type Account, password, startSignInService } from "./sign-in-service.ts";

const { service, make, open, takeErrors } = withPages(startSignInService);

const next = "a harbour full of boats";

/** Somebody who belongs to an organization with this path. */
async function newMember(role: Role = "owner") {
  const account = await service.newAccount("Ana Silva");
  const organizationId = await make.organization("Harbour Works");
  await service.db.query(
    sql`insert into members (organization_id, user_id, role) values (${organizationId}, ${account.id}, ${role})`,
  );
  const [row] = await service.db.query<{ slug: string }>(
    sql`select slug from organizations where id = ${organizationId}`,
  );
  return { account, organizationId, path: `/o/${row?.slug}` };
}

async function invite(email: string, organizationId: string, role: Role = "member"): Promise<string> {
  const invitation = { email, inviter: { userId: null, name: "Sofia" }, platformAdmin: false, organizationId, role };
  const { link } = await service.db.transaction((tx) => createInvitation(tx, publicUrl, invitation));
  return new URL(link).pathname;
}

const signIn = async (page: Page, { email }: Account, given = password) => {
  const [emailField, passwordField] = [await page.findByLabelText("E-mail"), page.getByLabelText("Password")];
  await page.user.clear(emailField);
  await page.enter(emailField, email);
  await page.enter(passwordField, given);
  await page.press("Sign in");
};

it("says why signing in elsewhere has failed, and whom to ask", async () => {
  for (const [code, message] of [
    ["oidc_other_account", /signs in with another account\. Ask an administrator of this platform/],
    ["oidc_unknown", /^Nobody here has your e-mail address/],
    ["something_new", /^The sign-in service refused/],
  ] as const) {
    const page = await open(`/sign-in?error=${code}`);
    await page.findByText(message);
  }
});

it("signs in after a wrong password, and signs out", async () => {
  const { account, path } = await newMember();
  const page = await open("/sign-in");
  const link = await page.findByRole("link", { name: "Continue with Harbour ID" });
  expect(link.getAttribute("href")).toBe("/api/console/sign-in/oidc");
  expect(page.queryByText("Sign in to continue where you were.")).toBeNull();
  await page.press("Sign in");
  await page.findByText("Enter your e-mail address and your password.");
  await signIn(page, account, "not the password");
  await page.findByText(/^The e-mail address or the password is wrong\./);
  expect(page.getByLabelText("Password")).toHaveProperty("value", "");
  await signIn(page, account);
  await page.findByRole("heading", { level: 1, name: "Harbour Works" });
  expect(page.path()).toBe(path);
  const cookie = page.cookie();
  expect(await service.isSignedIn(cookie)).toBe(true);
  await page.choose("Account of Ana Silva", "Sign out");
  await page.findByRole("heading", { level: 1, name: "Sign in" });
  expect(page.cookie()).toBeUndefined();
  expect(await service.isSignedIn(cookie)).toBe(false);
});

it("returns to the page that somebody wanted", async () => {
  const { account, path } = await newMember();
  const page = await open(`${path}/settings/members?invite=true`);
  await page.findByText("Sign in to continue where you were.");
  await signIn(page, account);
  const dialog = await page.dialog("Invite somebody to Harbour Works");
  expect(page.path()).toBe(`${path}/settings/members?invite=true`);
  // This service has a mail server.
  const email = unknownEmail();
  await page.enter(dialog.getByLabelText(/E-mail/), email);
  await page.press("Invite person");
  await page.findByText(/^We sent the link by e-mail\./);
  expect(service.mailsTo(email)).toHaveLength(1);
  // Nothing is lost: it was sent.
  expect(page.queryByRole("checkbox", { name: "I have stored it" })).toBeNull();
  await page.press("Done");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
});

it.each(["https://evil.example", "//evil.example", "/\\evil.example"])("stays on the site for %s", async (address) => {
  const { account } = await newMember();
  const query = new URLSearchParams({ return_to: address });
  const page = await open(`/sign-in?${query}`, await service.signIn(account));
  await expect.poll(() => page.path()).not.toMatch(/^\/sign-in\?/);
  // A document cannot be left here: trying to would be logged as an error.
  expect(takeErrors()).toEqual([]);
});

it("leads people who are signed in to their organization, and others to their account", async () => {
  const { account, path } = await newMember();
  const page = await open("/sign-in", await service.signIn(account));
  await page.findByRole("heading", { level: 1, name: "Harbour Works" });
  expect(page.path()).toBe(path);
  const alone = await open("/sign-in", await service.signIn(await service.newAccount()));
  await alone.findByRole("heading", { level: 1, name: "Your account" });
  const wanted = await open(
    `/sign-in?return_to=${encodeURIComponent(`${path}/settings/keys`)}`,
    await service.signIn(account),
  );
  await wanted.findByRole("heading", { level: 1, name: "API keys" });
});

it("leads to the organization that was used last, also from another browser", async () => {
  const { account } = await newMember();
  const other = await make.organization("Aqueduct");
  await service.db.query(
    sql`insert into members (organization_id, user_id, role) values (${other}, ${account.id}, 'member')`,
  );
  const visit = (organizationId: string, days: number) =>
    service.db.query(sql`
      insert into visits (user_id, organization_id, visited_at)
      values (${account.id}, ${organizationId}, now() - ${days} * interval '1 day')
      on conflict (user_id, organization_id) do update set visited_at = excluded.visited_at`);
  await visit(other, 1);
  const page = await open("/sign-in", await service.signIn(account));
  await page.findByRole("heading", { level: 1, name: "Aqueduct" });
});

it("tells somebody without an organization what to do", async () => {
  const account = await service.newAccount();
  const page = await open("/account", await service.signIn(account));
  await page.findByText("You are not a member of an organization");
  page.getByText(new RegExp(`An owner of one can invite ${account.email}`));
});

it("says when to try again after too many attempts", async () => {
  const account = await service.newAccount();
  for (let attempt = 0; attempt < 10; attempt++) await service.signIn(account, "a guess");
  const page = await open("/sign-in");
  await signIn(page, account);
  await page.findByText(/^Too many requests\. Try again in \d+ minutes\.$/);
});

it("offers to sign in with the identity provider, and to come back", async () => {
  const page = await open("/sign-in?return_to=%2Faccount");
  const link = await page.findByRole("link", { name: "Continue with Harbour ID" });
  expect(link.getAttribute("href")).toBe("/api/console/sign-in/oidc?return_to=%2Faccount");
});

const requestLink = async (page: Page, email: string) => {
  await page.user.click(await page.findByRole("link", { name: "Forgot your password?" }));
  await page.enter(await page.findByLabelText("E-mail"), email);
  await page.press("Send link");
  await page.findByText("Check your inbox");
  return page.getByText(/^If there is an account for/).textContent?.replace(email, "…");
};

it("mails a link for a new password, and says the same where there is no account", async () => {
  const account = await service.newAccount();
  const stranger = unknownEmail();
  const said = await requestLink(await open("/sign-in"), stranger);
  expect(await requestLink(await open("/sign-in"), account.email)).toBe(said);
  await expect.poll(() => service.mailsTo(account.email)).toHaveLength(1);
  expect(service.mailsTo(stranger)).toEqual([]);
  const [, token] = /\/reset\/([0-9A-Za-z]+)/.exec(service.mailsTo(account.email)[0] ?? "") ?? [];
  const page = await open(`/reset/${token}`);
  await page.findByText(`For ${account.email}. All other devices are signed out.`);
});

it("asks for an e-mail address before it sends a link", async () => {
  const page = await open("/sign-in?forgot=true");
  await page.press("Send link");
  await page.findByText("Enter the e-mail address of your account.");
});

it("resets a password with a link, once", async () => {
  const account = await service.newAccount();
  const cookie = await service.signIn(account);
  const { pathname } = new URL(await createResetLink(service.db, publicUrl, { userId: account.id, createdBy: null }));
  const page = await open(pathname, cookie);
  const field = await page.findByLabelText("New password", { selector: "input" });
  await page.enter(field, "short");
  await page.press("Save password");
  await page.findByText("Expected at least 10 characters.");
  await page.user.clear(field);
  await page.enter(field, next);
  await page.press("Save password");
  await page.findByText("Your password is changed");
  expect(await service.isSignedIn(cookie)).toBe(false);
  await page.user.click(page.getByRole("link", { name: "Sign in" }));
  await page.findByRole("heading", { level: 1, name: "Sign in" });
  expect(page.path()).toBe("/sign-in");
  expect([await service.signIn(account), await service.signIn(account, next)]).toEqual([undefined, expect.any(String)]);
  const again = await open(pathname);
  await again.findByText("This link no longer works");
  await again.user.click(again.getByRole("link", { name: "Request another link" }));
  await again.findByRole("heading", { level: 1, name: "Reset your password" });
});

const rolesIn = async (organizationId: string) =>
  service.db.query(sql`
    select name, email, role from members join users on id = user_id where organization_id = ${organizationId}`);

it("makes an account for somebody who is invited, once", async () => {
  const organizationId = await make.organization("Harbour Works");
  const email = unknownEmail();
  const path = await invite(email, organizationId, "admin");
  const page = await open(path);
  await page.findByRole("heading", { level: 1, name: "Join Harbour Works" });
  page.getByText(new RegExp(`invites ${email} as an admin`));
  await page.enter(page.getByLabelText("Your name"), " Inês Duarte ");
  await page.enter(page.getByLabelText("Password"), "short");
  await page.press("Create account and join");
  await page.findByText("Expected at least 10 characters.");
  await page.user.clear(page.getByLabelText("Password"));
  await page.enter(page.getByLabelText("Password"), password);
  await page.press("Create account and join");
  await page.findByRole("heading", { level: 1, name: "Harbour Works" });
  expect(await rolesIn(organizationId)).toEqual([{ name: "Inês Duarte", email, role: "admin" }]);
  expect(await service.isSignedIn(page.cookie())).toBe(true);
  const again = await open(path, page.cookie());
  await again.findByText("This link no longer works");
  expect(again.getByRole("link", { name: "Go to the console" }).getAttribute("href")).toBe("/");
  const signedOut = await open(path);
  const way = await signedOut.findByRole("link", { name: "Go to the console" });
  expect(way.getAttribute("href")).toBe("/sign-in");
});

it("makes an account for somebody who is invited to administer the platform", async () => {
  const email = unknownEmail();
  const invitation = {
    email,
    inviter: { userId: null, name: "Sofia" },
    platformAdmin: true,
    organizationId: null,
    role: null,
  };
  const { link } = await service.db.transaction((tx) => createInvitation(tx, publicUrl, invitation));
  const page = await open(new URL(link).pathname);
  await page.findByRole("heading", { level: 1, name: "Join the event platform" });
  const [stored] = await service.db.query<{ at: Date }>(
    sql`select expires_at as at from invitations where email = ${email}`,
  );
  const until = formatDay(stored?.at ?? 0, localZone());
  expect(page.getByText(/^invites /).textContent).toBe(`Sofia invites ${email}. The link works until ${until}.`);
  await page.enter(page.getByLabelText("Your name"), "Inês Duarte");
  await page.enter(page.getByLabelText("Password"), password);
  await page.press("Create account and join");
  await expect.poll(() => page.path()).toBe("/admin");
  await page.findByRole("button", { name: "Account of Inês Duarte" });
});

it("asks people with an account to sign in before they accept an invitation", async () => {
  const organizationId = await make.organization("Harbour Works");
  const account = await service.newAccount("Ana Silva");
  const path = await invite(account.email.toUpperCase(), organizationId);
  const page = await open(path);
  await page.findByText(/ as a member\. The link works until/);
  await page.user.click(await page.findByRole("link", { name: /^Sign in as/ }));
  await signIn(page, account);
  await page.press("Accept invitation");
  await page.findByRole("heading", { level: 1, name: "Harbour Works" });
  expect(await rolesIn(organizationId)).toEqual([{ name: "Ana Silva", email: account.email, role: "member" }]);
});

it("does not let somebody else accept an invitation", async () => {
  const organizationId = await make.organization("Harbour Works");
  const other = await service.newAccount();
  const email = unknownEmail();
  const page = await open(await invite(email, organizationId), await service.signIn(other));
  await page.findByText(`You are signed in as ${other.email}`);
  page.getByText(`This invitation is for ${email}. Sign out to accept it.`);
  expect(page.queryByRole("button", { name: /Accept|join/ })).toBeNull();
  const cookie = page.cookie();
  await page.press("Sign out");
  await expect.poll(() => service.isSignedIn(cookie)).toBe(false);
  // The page is loaded again, which this document cannot.
  await expect.poll(takeErrors).toEqual([expect.stringContaining("navigation")]);
  expect(await rolesIn(organizationId)).toEqual([]);
});
