import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { type Page, type Queries, withPages } from "./pages.ts";

const { service, make, open } = withPages();

type StoredKey = { name: string; scopes: string[]; days: number; revoked: boolean; replaced: boolean };

/** The keys of an organization, the oldest first, with the days until they expire. */
const storedKeys = (organizationId: string) =>
  service.db.query<StoredKey>(sql`
    select name, scopes, round(extract(epoch from expires_at - now()) / 86400)::int as days,
      revoked_at is not null as revoked, replaced_at is not null as replaced
    from api_keys where organization_id = ${organizationId} order by created_at`);

async function newKey(organizationId: string, userId: string, name: string, daysLeft = 90): Promise<string> {
  const key = await make.organizationKey(organizationId, { userId });
  await service.db.query(sql`
    update api_keys set name = ${name}, expires_at = created_at + ${daysLeft} * interval '1 day'
    where id = ${await make.keyId(key)}`);
  return key;
}

const statusOf = async (key: string) => (await service.call("/api/svc/ping", { key })).status;

/** The dialog that shows a new key, and the key. */
async function shownKey(page: Page, name: string): Promise<{ dialog: Queries; key: string }> {
  const dialog = await page.dialog(`“${name}” is ready`);
  return { dialog, key: dialog.getByText(/^svc_mk_\w+$/).textContent ?? "" };
}

const store = async (page: Page) => {
  await page.user.click(page.getByRole("checkbox", { name: "I have stored it" }));
  await page.press("Done");
};

/** Chooses an option of a field that opens a list. */
const pick = async (page: Page, field: RegExp, option: string) => {
  await page.press(field);
  await page.user.click(await page.findByRole("option", { name: option }));
};

it("creates a key for a posting agent, and shows it once", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const page = await open(`/o/${organizationId}/keys`, owner);
  await page.findByText("No API keys yet");
  await page.press("Create key");
  const form = await page.dialog("Create an API key");
  expect(form.getAllByRole("listitem").map(({ textContent }) => textContent?.split(" · ")[0])).toEqual([
    "Browse conferences and posters",
    "Manage events",
  ]);
  await page.press("Create key");
  const { dialog, key } = await shownKey(page, "Posting agent");
  expect(await statusOf(key)).toBe(200);
  expect(await storedKeys(organizationId)).toEqual([
    {
      ...{ name: "Posting agent", scopes: ["conferences:read", "events:write"], days: 90 },
      ...{ revoked: false, replaced: false },
    },
  ]);
  // It closes only when the person says that they have it.
  await page.user.keyboard("{Escape}");
  expect(dialog.getByRole("button", { name: "Done" })).toHaveProperty("disabled", true);
  expect(dialog.queryByRole("button", { name: "Close" })).toBeNull();
  dialog.getByText(`"Authorization: Bearer ${key}"`, { exact: false });
  await pick(page, /^curl Use it with/, "Claude Code");
  await dialog.findByText(/^claude mcp add/);
  await service.db.query(sql`update api_keys set last_used_at = now() where organization_id = ${organizationId}`);
  await dialog.findByText("The first request has arrived: the key works.");
  await store(page);
  await page.findByRole("row", { name: /Posting agent.*just now/ });
  expect(document.body.innerHTML).not.toContain(key);
});

it("creates a key with what somebody chooses", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const page = await open(`/o/${organizationId}/keys?create=true`, owner);
  const form = await page.dialog("Create an API key");
  await page.user.click(form.getByRole("radio", { name: /^Organizer agent/ }));
  await page.user.click(form.getByRole("radio", { name: /^Custom/ }));
  const chosen = () =>
    form.getAllByRole<HTMLInputElement>("checkbox").flatMap(({ checked, value }) => (checked ? value : []));
  expect(chosen()).toEqual([
    ...["conferences:read", "org:read", "events:write", "registrations:read", "registrations:write"],
  ]);
  for (const box of form.getAllByRole<HTMLInputElement>("checkbox")) if (box.checked) await page.user.click(box);
  await page.press("Create key");
  form.getByText("Say what uses this key.");
  form.getByText("Choose at least one.");
  await page.user.click(form.getByRole("checkbox", { name: /^Manage guests/ }));
  await page.user.click(form.getByRole("checkbox", { name: /^Edit the organization/ }));
  await page.enter(form.getByRole("textbox", { name: "Name" }), "Front desk");
  await pick(page, /Works for$/, "30 days");
  await page.press("Create key");
  await shownKey(page, "Front desk");
  expect(await storedKeys(organizationId)).toMatchObject([
    { name: "Front desk", scopes: ["org:write", "registrations:write"], days: 30 },
  ]);
  await store(page);
  await page.findByRole("row", { name: /Front desk.*Edit the organization, Manage guests.*30 days/ });
});

it.each([
  ["Organizer agent", ["conferences:read", "org:read", "events:write", "registrations:read", "registrations:write"]],
  ["Read only", ["conferences:read", "org:read", "registrations:read"]],
])("creates a key of the kind %s", async (preset, scopes) => {
  const { organizationId, owner } = await service.newOrganization();
  const page = await open(`/o/${organizationId}/keys?create=true`, owner);
  const form = await page.dialog("Create an API key");
  await page.user.click(form.getByRole("radio", { name: new RegExp(`^${preset}`) }));
  await page.press("Create key");
  await page.dialog(/is ready$/);
  expect(await storedKeys(organizationId)).toMatchObject([{ scopes, days: 90 }]);
  await store(page);
  await page.findByText(preset, { ignore: "bdi" });
});

it("rotates a key before it expires; both work for a day", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  const old = await newKey(organizationId, ownerId, "Guest agent", 5);
  const page = await open(`/o/${organizationId}/keys`, owner);
  await page.findByText("“Guest agent” expires in 5 days");
  await page.press("Rotate key");
  const form = await page.dialog("Rotate “Guest agent”");
  expect(form.getByRole("radio", { name: /^Keep it for 24 hours/ })).toHaveProperty("checked", true);
  expect(form.queryByText(/acts for you, with your role/)).toBeNull();
  await page.press("Rotate key");
  const { key } = await shownKey(page, "Guest agent");
  for (const each of [old, key]) expect(await statusOf(each)).toBe(200);
  const [before, after] = await storedKeys(organizationId);
  expect(before).toMatchObject({ days: 1, replaced: true, revoked: false });
  expect(after).toMatchObject({ name: "Guest agent", scopes: before?.scopes, days: 90, replaced: false });
  await store(page);
  await expect.poll(() => document.activeElement?.id).toBe("main");
  await page.findByText(/^Replaced, ends/);
  expect(page.queryByText(/expires in/)).toBeNull();
});

it("rotates the key of somebody else, and revokes the old one at once", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const otherId = await make.member(organizationId, "owner");
  await service.db.query(sql`update users set name = 'Ana Reis' where id = ${otherId}`);
  const old = await newKey(organizationId, otherId, "Guest agent");
  const page = await open(`/o/${organizationId}/keys`, owner);
  await page.choose("Actions for Guest agent", /^Rotate key/);
  const form = await page.dialog("Rotate “Guest agent”");
  form.getByText("The old key acts for Ana Reis. The new one acts for you, with your role.");
  await page.user.click(form.getByRole("radio", { name: /^Revoke it now/ }));
  await pick(page, /The new key works for$/, "7 days");
  await page.press("Rotate key");
  const { key } = await shownKey(page, "Guest agent");
  expect([await statusOf(old), await statusOf(key)]).toEqual([401, 200]);
  expect(await storedKeys(organizationId)).toMatchObject([{ revoked: true }, { days: 7, revoked: false }]);
});

it("revokes a key", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  const key = await newKey(organizationId, ownerId, "Guest agent");
  const page = await open(`/o/${organizationId}/keys`, owner);
  await page.choose("Actions for Guest agent", "Revoke key");
  const dialog = await page.dialog("Revoke “Guest agent”");
  await dialog.findByText(/is refused from the next request on, and cannot be restored\. It was never used\./);
  await page.press("Revoke key");
  await page.findByRole("heading", { name: "Ended keys" });
  await page.findByRole("row", { name: /Guest agent.*Revoked/ });
  await page.findByText("No API keys yet");
  expect(await statusOf(key)).toBe(401);
  expect(await storedKeys(organizationId)).toMatchObject([{ revoked: true }]);
});

it("returns the focus to the button that opened the form, after the key was shown", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  await newKey(organizationId, ownerId, "Guest agent");
  const page = await open(`/o/${organizationId}/keys`, owner);
  await page.press("Create key");
  await page.dialog("Create an API key");
  await page.press("Create key");
  await page.dialog(/is ready$/);
  await store(page);
  await expect.poll(() => document.activeElement?.textContent).toBe("Create key");
});

it("says how many keys expire soon", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  for (const [name, days] of Object.entries({ Late: 30, Soon: 13, Sooner: 3 })) {
    await newKey(organizationId, ownerId, name, days);
  }
  const page = await open(`/o/${organizationId}/keys`, owner);
  await page.findByText("2 keys expire soon, the first in 3 days");
  expect(page.queryByRole("button", { name: "Rotate key" })).toBeNull();
});

it.each(["admin", "member"] as const)("shows %ss why they cannot", async (role) => {
  const { organizationId, ownerId } = await service.newOrganization();
  await newKey(organizationId, ownerId, "Guest agent", 5);
  const cookie = await service.signIn(await make.member(organizationId, role));
  const page = await open(`/o/${organizationId}/keys?create=true`, cookie);
  await page.findByText("Owners manage API keys");
  await page.findByRole("table", { name: "API keys that work" });
  page.getByText("An owner can rotate it, so that the agent keeps working.");
  expect(page.queryByRole("button", { name: /Create key|Rotate key|Actions/ })).toBeNull();
  expect(page.queryByRole("dialog")).toBeNull();
});
