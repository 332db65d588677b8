import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { formatDay, localZone } from "../src/format/times.ts";
import { type Page, withPages } from "./pages.ts";
import { password, startSignInService } from "./sign-in-service.ts";

const { service, open } = withPages(startSignInService);

const next = "a harbour full of boats";

it("shows where somebody is signed in, and signs out a device", async () => {
  const account = await service.newAccount();
  const cookie = await service.signIn(account);
  const phone = await service.signIn(account);
  await service.db.query(sql`
    update sessions set user_agent = 'Android Firefox', ip_address = '192.0.2.7', created_at = now() - interval '5 days',
      last_used_at = now() - interval '3 hours'
    where id = (select id from sessions where user_id = ${account.id} order by created_at desc limit 1)`);
  const tablet = await service.signIn(account);
  const page = await open("/account", cookie);
  const row = await page.findByRole("row", { name: /Firefox on Android/ });
  const [signedIn] = await service.db.query<{ at: Date }>(sql`
    select created_at as at from sessions where user_id = ${account.id} order by created_at limit 1`);
  expect([...row.querySelectorAll("td")].slice(0, 3).map(({ textContent }) => textContent)).toEqual([
    ...["192.0.2.7", formatDay(signedIn?.at ?? 0, localZone()), "3 hours ago"],
  ]);
  expect(within(page.getByRole("row", { name: /This one/ })).queryByRole("button")).toBeNull();
  expect(page.getAllByRole("button", { name: "Sign out" })).toHaveLength(2);
  await page.user.click(within(row).getByRole("button", { name: "Sign out" }));
  await page.findByText("Firefox on Android is signed out");
  await expect.poll(() => page.queryAllByRole("button", { name: "Sign out" })).toHaveLength(1);
  const states = await Promise.all([cookie, phone, tablet].map((each) => service.isSignedIn(each)));
  expect(states).toEqual([true, false, true]);
});

it("changes the name", async () => {
  const account = await service.newAccount("Ana Reis");
  const page = await open("/account", await service.signIn(account));
  await page.findByText(`You sign in as ${account.email}.`);
  const name = await page.findByRole("textbox", { name: "Name" });
  const save = page.getByRole("button", { name: "Save name" });
  expect(save).toHaveProperty("disabled", true);
  await page.user.clear(name);
  expect(save).toHaveProperty("disabled", true);
  await page.enter(name, "Ana Reis Duarte ");
  await page.press("Save name");
  await page.findByText("Your name is saved");
  await page.findByRole("button", { name: "Account of Ana Reis Duarte" });
  await expect.poll(() => save).toHaveProperty("disabled", true);
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
  const change = await page.findByRole("button", { name: "Change password" });
  await page.enter(page.getByLabelText("New password"), next);
  expect(change).toHaveProperty("disabled", true);
  await changePassword(page, "not the password", next);
  await expect.poll(() => page.getByLabelText("Current password").getAttribute("aria-invalid")).toBe("true");
  await changePassword(page, password, "short");
  await page.findByText("Expected at least 10 characters.");
  expect(page.getByLabelText("New password").getAttribute("aria-invalid")).toBe("true");
  expect(await service.isSignedIn(other)).toBe(true);
  await page.findByRole("button", { name: "Sign out" });
  await changePassword(page, password, next);
  await page.findByText("Your password is changed, and other devices are signed out");
  await expect.poll(() => page.queryByRole("button", { name: "Sign out" })).toBeNull();
  await expect.poll(() => page.getByLabelText("New password")).toHaveProperty("value", "");
  expect(page.getByLabelText("Current password")).toHaveProperty("value", "");
  expect([await service.isSignedIn(page.cookie()), await service.isSignedIn(other)]).toEqual([true, false]);
  expect(await service.signIn(account)).toBeUndefined();
  expect(await service.signIn(account, next)).toBeDefined();
});
