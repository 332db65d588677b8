import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { type Page, withPages } from "./pages.ts";
import { password, startSignInService } from "./sign-in-service.ts";

const { service, open } = withPages(startSignInService);

const next = "a harbour full of boats";

it("shows where somebody is signed in, and signs out a device", async () => {
  const account = await service.newAccount();
  const cookie = await service.signIn(account);
  const other = await service.signIn(account);
  const page = await open("/account", cookie);
  await page.findByText("This one");
  expect(page.getAllByRole("button", { name: "Sign out" })).toHaveLength(1);
  await page.press("Sign out");
  await expect.poll(() => page.queryByRole("button", { name: "Sign out" })).toBeNull();
  expect([await service.isSignedIn(cookie), await service.isSignedIn(other)]).toEqual([true, false]);
});

it("changes the name", async () => {
  const account = await service.newAccount("Ana Reis");
  const page = await open("/account", await service.signIn(account));
  const name = await page.findByRole("textbox", { name: "Name" });
  const save = page.getByRole("button", { name: "Save name" });
  expect(save).toHaveProperty("disabled", true);
  await page.user.clear(name);
  expect(save).toHaveProperty("disabled", true);
  await page.enter(name, "Ana Reis Duarte ");
  await page.press("Save name");
  await page.findByText("Your name is saved");
  await page.findByRole("button", { name: "Account of Ana Reis Duarte" });
  const [stored] = await service.db.query(sql`select name from users where id = ${account.id}`);
  expect(stored).toEqual({ name: "Ana Reis Duarte" });
});

const changePassword = async (page: Page, current: string, chosen: string) => {
  for (const [label, text] of [
    ["Current password", current],
    ["New password", chosen],
  ] as const) {
    const field = await page.findByLabelText(label);
    await page.user.clear(field);
    await page.enter(field, text);
  }
  await page.press("Change password");
};

it("changes the password, and signs out other devices", async () => {
  const account = await service.newAccount();
  const cookie = await service.signIn(account);
  const other = await service.signIn(account);
  const page = await open("/account", cookie);
  await changePassword(page, "not the password", next);
  await expect.poll(() => page.getByLabelText("Current password").getAttribute("aria-invalid")).toBe("true");
  await changePassword(page, password, "short");
  await page.findByText("Expected at least 10 characters.");
  expect(page.getByLabelText("New password").getAttribute("aria-invalid")).toBe("true");
  expect(await service.isSignedIn(other)).toBe(true);
  await changePassword(page, password, next);
  await page.findByText("Your password is changed, and other devices are signed out");
  await expect.poll(() => page.getByLabelText("New password")).toHaveProperty("value", "");
  expect([await service.isSignedIn(page.cookie()), await service.isSignedIn(other)]).toEqual([true, false]);
  expect(await service.signIn(account)).toBeUndefined();
  expect(await service.signIn(account, next)).toBeDefined();
});
