import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { holdCommits } from "./held-commits.ts";
import { type Page, withPages } from "./pages.ts";
import { type Account, password, startSignInService } from "./sign-in-service.ts";

const { service, make, open, takeErrors } = withPages(startSignInService);

async function addOwner(organizationId: string, name: string) {
  const account = await service.newAccount(name);
  await service.db.query(
    sql`insert into members (organization_id, user_id, role) values (${organizationId}, ${account.id}, 'owner')`,
  );
  return account;
}

async function newOwner() {
  const organizationId = await make.organization("Harbour Works");
  const account = await addOwner(organizationId, "Ana Silva");
  return { account, organizationId, path: `/o/${organizationId}` };
}

const endSessions = ({ id }: Account) => service.db.query(sql`delete from sessions where user_id = ${id}`);

const signInDialog = async (page: Page) => within(await page.findByRole("dialog", { name: "Sign in to continue" }));

/** Changes the website of the organization after the session has ended. */
async function changeWebsite() {
  const owner = await newOwner();
  const page = await open(`${owner.path}/settings`, await service.signIn(owner.account));
  await page.fill(await page.findByLabelText("Website (optional)"), "https://harbour.example");
  await endSessions(owner.account);
  await page.press("Save profile");
  const dialog = await signInDialog(page);
  const signIn = async (given: string) => {
    await page.enter(dialog.getByLabelText("Password"), given);
    await page.press("Sign in");
  };
  return { ...owner, page, dialog, signIn };
}

const changesOf = async (organizationId: string) => {
  const rows = await service.db.query<{ tool: string }>(
    sql`select tool from mutation_records where organization_id = ${organizationId}`,
  );
  return rows.map(({ tool }) => tool);
};

it("asks above the page to sign in again, and goes on with the same change", async () => {
  const { page, dialog, signIn, account, organizationId } = await changeWebsite();
  expect(dialog.getByLabelText("E-mail")).toHaveProperty("value", account.email);
  await signIn("not the password");
  await dialog.findByText(/^The e-mail address or the password is wrong\./);
  expect(await changesOf(organizationId)).toEqual([]);
  await page.user.keyboard("{Escape}");
  await signInDialog(page);
  await signIn(password);
  await page.findByText("The profile is saved");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(await changesOf(organizationId)).toEqual(["update_organization_profile"]);
  expect(page.getByLabelText("Website (optional)")).toHaveProperty("value", "https://harbour.example");
});

it("loads the page again when somebody else signs in, and changes nothing", async () => {
  const { page, dialog, signIn, organizationId } = await changeWebsite();
  const other = await service.newAccount("Ben Okoro");
  await page.fill(dialog.getByLabelText("E-mail"), other.email);
  await signIn(password);
  // A document cannot be loaded again here: trying to is logged.
  await expect.poll(() => takeErrors().join()).toMatch(/navigation/i);
  expect(await changesOf(organizationId)).toEqual([]);
});

it("goes on when the person has signed in in another window", async () => {
  const { page, dialog, account, organizationId } = await changeWebsite();
  const link = dialog.getByRole("link", { name: /^Continue with Harbour ID/ });
  expect(link.getAttribute("href")).toBe("/api/console/sign-in/oidc?return_to=%2Fsign-in%2Fdone");
  expect(link.getAttribute("target")).toBe("_blank");
  window.dispatchEvent(new Event("focus"));
  await fetch("/api/console/sign-in", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: account.email, password }),
  });
  await signInDialog(page);
  window.dispatchEvent(new Event("focus"));
  await page.findByText("The profile is saved");
  expect(await changesOf(organizationId)).toEqual(["update_organization_profile"]);
});

it("can be left: nothing that was shown stays, and what was entered comes back after signing in", async () => {
  const { page, path, account } = await changeWebsite();
  await page.press("Leave this page");
  await page.findByText("Sign in to continue where you were.");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(page.queryByText(/Ana Silva/)).toBeNull();
  await page.enter(await page.findByLabelText("E-mail"), account.email);
  await page.enter(page.getByLabelText("Password"), password);
  await page.press("Sign in");
  await page.findByText(/^You have unsaved changes from/);
  expect(page.path()).toBe(`${path}/settings`);
  expect(page.getByLabelText("Website (optional)")).toHaveProperty("value", "https://harbour.example");
});

/** A poster is published, and the undo of that and the next waits for the one that is being published. */
async function publishPosters() {
  const owner = await newOwner();
  const eventId = await make.event(await make.conference(), { hosts: [owner.organizationId] });
  for (const title of ["Pier", "Quay", "Dock"]) {
    const [poster] = await make.posters(eventId, [{ published: false }]);
    await service.db.query(sql`update posters set title = ${title} where id = ${poster}`);
  }
  const page = await open(`${owner.path}/events/${eventId}/posters`, await service.signIn(owner.account));
  await page.press("Publish Pier");
  await page.findByText("Poster published");
  const { sent, release } = holdCommits();
  await page.press("Publish Quay");
  await expect.poll(() => sent).toHaveLength(2);
  await page.press("Publish Dock");
  await page.press("Undo");
  return { ...owner, other: await addOwner(owner.organizationId, "Ben Okoro"), page, sent, release };
}

it("sends nothing more of changes that wait when the person signs out and somebody else signs in", async () => {
  const { page, other, sent, release, organizationId } = await publishPosters();
  await page.choose(/^Account of/, "Sign out");
  await page.enter(await page.findByLabelText("E-mail"), other.email);
  await page.enter(page.getByLabelText("Password"), password);
  await page.press("Sign in");
  await page.findByRole("button", { name: "Account of Ben Okoro" });
  release();
  await expect.poll(() => page.queryByText("Saving…")).toBeNull();
  expect(sent).toHaveLength(2);
  expect(page.queryByText(/could not be undone/)).toBeNull();
  expect(await changesOf(organizationId)).toEqual(["set_event_poster_publication"]);
});

it("sends nothing more of changes that wait when somebody else signs in above the page", async () => {
  const { page, account, other, sent, release, organizationId } = await publishPosters();
  await endSessions(account);
  await page.user.click(page.getByRole("link", { name: /^Guests/ }));
  const dialog = await signInDialog(page);
  await page.fill(dialog.getByLabelText("E-mail"), other.email);
  await page.enter(dialog.getByLabelText("Password"), password);
  await page.press("Sign in");
  await expect.poll(() => takeErrors().join()).toMatch(/navigation/i);
  release();
  await expect.poll(() => page.queryByText("Saving…")).toBeNull();
  expect(sent).toHaveLength(2);
  expect(await changesOf(organizationId)).toEqual(["set_event_poster_publication"]);
});

it("asks those who only look, too, and shows what they wanted", async () => {
  const { account, path } = await newOwner();
  const page = await open(`${path}/settings/members`, await service.signIn(account));
  await page.findByRole("row", { name: /Ana Silva/ });
  await endSessions(account);
  await page.user.click(page.getByRole("link", { name: "Activity" }));
  const dialog = await signInDialog(page);
  await page.enter(dialog.getByLabelText("Password"), password);
  await page.press("Sign in");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  await page.findByRole("heading", { level: 1, name: "Activity" });
  expect(page.path()).toMatch(/\/activity$/);
});

it("says in the second window what to do", async () => {
  const page = await open("/sign-in/done");
  await page.findByText("You can close this window and continue where you left off.");
});
