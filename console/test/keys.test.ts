import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { formatDay, localZone } from "../src/format/times.ts";
import { loseNextCommit } from "./lost-response.ts";
import { type Page, type Queries, withPages } from "./pages.ts";
import { skipPauses } from "./skipped-pauses.ts";

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
    update api_keys set name = ${name}, created_at = created_at - ${90 - daysLeft} * interval '1 day',
      expires_at = created_at + ${daysLeft} * interval '1 day'
    where id = ${await make.keyId(key)}`);
  return key;
}

/** When the key with this name was created and ends, as pages show it. */
async function shownDays(organizationId: string, name: string) {
  const [key] = await service.db.query<Record<"created" | "expires" | "revoked", Date>>(sql`
    select created_at as created, expires_at as expires, coalesce(revoked_at, now()) as revoked
    from api_keys where organization_id = ${organizationId} and name = ${name}`);
  const shown = (at = new Date()) => formatDay(at, localZone());
  return { created: shown(key?.created), expires: shown(key?.expires), revoked: shown(key?.revoked) };
}

const statusOf = async (key: string) => (await service.call("/api/svc/ping", { key })).status;

/** The dialog that shows a new key, and the key. */
async function shownKey(page: Page, name: string): Promise<{ dialog: Queries; key: string }> {
  const dialog = await page.dialog(`“${name}” is ready`);
  return { dialog, key: dialog.getByText(/^svc_mk_\w+$/).textContent ?? "" };
}

const store = async (page: Page) => {
  await page.user.keyboard("{Escape}");
  await page.findByText("Store the key first: it is not shown again.");
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
  skipPauses();
  const page = await open(`/o/${organizationId}/settings/keys`, owner);
  await page.findByText("No API keys yet");
  await page.press("Create key");
  const form = await page.dialog("Create an API key");
  expect(form.getAllByRole("listitem").map((item) => item.querySelector("code")?.textContent)).toEqual([
    ...["conferences:read", "events:write"],
  ]);
  form.getByText("You are reminded on the dashboard 14 days before.");
  await pick(page, /Expires in$/, "7 days");
  form.getByText("You are reminded on the dashboard 3 days before.");
  await pick(page, /Expires in$/, "90 days, the longest");
  await page.press("Create key");
  const { dialog, key } = await shownKey(page, "Posting agent");
  expect(await statusOf(key)).toBe(200);
  expect(await storedKeys(organizationId)).toEqual([
    {
      name: "Posting agent",
      scopes: ["conferences:read", "events:write"],
      days: 90,
      revoked: false,
      replaced: false,
    },
  ]);
  const { expires } = await shownDays(organizationId, "Posting agent");
  expect(dialog.getByText(/^Works until/).textContent).toContain(`Works until ${expires}, `);
  dialog.getByText("Waiting for the first request…");
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
  const page = await open(`/o/${organizationId}/settings/keys?create=true`, owner);
  await page.dialog("Create an API key");
  await page.press("Cancel");
  await expect.poll(() => page.path()).toBe(`/o/${organizationId}/settings/keys`);
  await page.press("Create key");
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
  await page.enter(form.getByRole("textbox", { name: "Name" }), " Front desk ");
  await pick(page, /Expires in$/, "30 days");
  await page.press("Create key");
  await shownKey(page, "Front desk");
  expect(await storedKeys(organizationId)).toMatchObject([
    { name: "Front desk", scopes: ["org:write", "registrations:write"], days: 30 },
  ]);
  await store(page);
  const row = await page.findByRole("row", {
    name: /Front desk.*Edit the organization org:write ?Manage guests registrations:write/,
  });
  const { created, expires } = await shownDays(organizationId, "Front desk");
  expect([...row.querySelectorAll("td")].slice(1, 4).map(({ textContent }) => textContent)).toEqual([
    ...[`${created}Test Person`, "Never", `30 daysuntil ${expires}`],
  ]);
});

it("creates keys of the other kinds, and returns the focus to the button that opened the form", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  await newKey(organizationId, ownerId, "Guest agent");
  const page = await open(`/o/${organizationId}/settings/keys`, owner);
  for (const [preset, name, scopes] of [
    [
      "Organizer agent",
      "Organizer agent",
      ["conferences:read", "org:read", "events:write", "registrations:read", "registrations:write"],
    ],
    ["Read only", "Reader", ["conferences:read", "org:read", "registrations:read"]],
  ] as const) {
    await page.press("Create key");
    const form = await page.dialog("Create an API key");
    await page.user.click(form.getByRole("radio", { name: new RegExp(`^${preset}`) }));
    await page.press("Create key");
    await shownKey(page, name);
    expect((await storedKeys(organizationId)).at(-1)).toMatchObject({ name, scopes, days: 90 });
    await store(page);
    await expect.poll(() => document.activeElement?.textContent).toBe("Create key");
    const row = (await page.findByText(name)).closest("tr");
    expect([...(row?.querySelectorAll("li code") ?? [])].map(({ textContent }) => textContent)).toEqual(scopes);
    expect(page.queryByText(preset, { ignore: "bdi" })).toBeNull();
  }
});

it("has a page for each key: what it may do, who made it, its changes, and how to end it", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  const key = await newKey(organizationId, ownerId, "Guest agent");
  await newKey(organizationId, ownerId, "Other agent");
  const id = await make.keyId(key);
  await service.db.query(sql`
    insert into mutation_records (tool, via, organization_id, user_id, api_key_id, reason, request, request_hash, before, after)
    values ('update_organization_profile', 'key', ${organizationId}, ${ownerId}, ${id}, 'By the key', '{}', 'x', '{}', '{"tagline": "x"}'),
      ('update_organization_profile', 'console', ${organizationId}, ${ownerId}, null, 'By hand', '{}', 'x', '{}', '{"tagline": "y"}')`);
  const page = await open(`/o/${organizationId}/settings/keys`, owner);
  await page.user.click(await page.findByRole("link", { name: "Guest agent" }));
  await page.findByRole("heading", { name: "Guest agent" });
  expect(page.path()).toBe(`/o/${organizationId}/settings/keys/${id}`);
  const scopes = within(await page.findByRole("region", { name: "What it may do" }));
  expect(scopes.getAllByRole("listitem")).toHaveLength(6);
  scopes.getByText("registrations:write");
  page.getByText("Never");
  await page.findByText(/By the key/);
  expect(page.queryByText(/By hand/)).toBeNull();
  await page.press("Rotate key");
  await page.dialog("Rotate “Guest agent”");
  await page.press("Cancel");
  await page.press("Revoke key");
  await page.dialog("Revoke “Guest agent”");
  await page.press("Revoke key");
  await page.findByText("Revoked");
  expect(page.queryByRole("button", { name: /Revoke key|Rotate key/ })).toBeNull();
});

it("shows a member the page of a key without what owners do, and nobody the key of another organization", async () => {
  const { organizationId, ownerId } = await service.newOrganization();
  const id = await make.keyId(await newKey(organizationId, ownerId, "Guest agent"));
  const other = await make.keyId(await make.organizationKey(await make.organization()));
  const cookie = await service.signIn(await make.member(organizationId, "member"));
  const page = await open(`/o/${organizationId}/settings/keys/${id}`, cookie);
  await page.findByText("Nothing yet.");
  expect(page.queryByRole("button", { name: /Revoke key|Rotate key/ })).toBeNull();
  const refused = await open(`/o/${organizationId}/settings/keys/${other}`, cookie);
  await refused.findByText(/The organization has no key with the id/);
});

it("rotates a key before it expires; both work for a day", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  const old = await newKey(organizationId, ownerId, "Guest agent", 5);
  const page = await open(`/o/${organizationId}/settings/keys`, owner);
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
  // The button that opened the form is gone with the notice.
  await page.findByText(/^Replaced, ends/);
  expect(page.queryByText(/expires in/)).toBeNull();
  await store(page);
  await expect.poll(() => document.activeElement?.id).toBe("main");
});

it("rotates the key of somebody else, and revokes the old one at once", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const otherId = await make.member(organizationId, "owner");
  await service.db.query(sql`update users set name = 'Ana Reis' where id = ${otherId}`);
  const old = await newKey(organizationId, otherId, "Guest agent");
  const page = await open(`/o/${organizationId}/settings/keys`, owner);
  await page.choose("Actions for Guest agent", /^Rotate key/);
  const form = await page.dialog("Rotate “Guest agent”");
  form.getByText("The old key acts for Ana Reis. The new one acts for you, with your role.");
  await page.user.click(form.getByRole("radio", { name: /^Revoke it now/ }));
  await pick(page, /The new key expires in$/, "7 days");
  await page.press("Rotate key");
  const { key } = await shownKey(page, "Guest agent");
  expect([await statusOf(old), await statusOf(key)]).toEqual([401, 200]);
  expect(await storedKeys(organizationId)).toMatchObject([{ revoked: true }, { days: 7, revoked: false }]);
});

it("rotates one of several keys, and keeps the old one for three days", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  const old = await newKey(organizationId, ownerId, "Door agent");
  await newKey(organizationId, ownerId, "Guest agent");
  await service.db.query(
    sql`update api_keys set last_used_at = now() - interval '3 hours' where id = ${await make.keyId(old)}`,
  );
  const page = await open(`/o/${organizationId}/settings/keys`, owner);
  await page.choose("Actions for Door agent", /^Rotate key/);
  const form = await page.dialog("Rotate “Door agent”");
  form.getByText(`The old one (${old.slice(0, 12)}…) was last used 3 hours ago.`, { exact: false });
  await page.user.click(form.getByRole("radio", { name: /^Keep it for 3 days/ }));
  await page.press("Rotate key");
  const { dialog: ready } = await shownKey(page, "Door agent");
  // The old one, of the same name, was used.
  ready.getByText("Waiting for the first request…");
  expect(await storedKeys(organizationId)).toMatchObject([
    { name: "Door agent", days: 3, replaced: true, revoked: false },
    { name: "Guest agent", days: 90, replaced: false },
    { name: "Door agent", days: 90, replaced: false },
  ]);
  await store(page);
  const replaced = await page.findByRole("row", { name: /Door agent.*Replaced, ends in 3 days/ });
  await page.user.click(within(replaced).getByRole("button"));
  const items = await page.findAllByRole("menuitem");
  expect(items.map(({ textContent }) => textContent)).toEqual(["Revoke key"]);
  for (const item of items) await page.user.click(item);
  const dialog = await page.dialog("Revoke “Door agent”");
  await dialog.findByText(/It was last used 3 hours ago: whatever uses it stops working\.$/);
  await page.press("Cancel");
  expect(await statusOf(old)).toBe(200);
});

it.each([
  ["created", "Create key", "Posting agent"],
  ["rotated", "Rotate key", "Guest agent"],
])("says that a key was %s, but not received", async (_, button, name) => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  await newKey(organizationId, ownerId, "Guest agent", 5);
  const page = await open(`/o/${organizationId}/settings/keys`, owner);
  await page.press(button);
  await page.dialog(/^Create an API key|^Rotate/);
  loseNextCommit();
  await page.press(button);
  const dialog = await page.dialog(`“${name}” was created, but not received`);
  expect(await storedKeys(organizationId)).toHaveLength(2);
  await page.user.click(dialog.getByText("Close"));
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
});

it("shows why and when keys ended, the last 100 of them", async () => {
  const { organizationId, ownerId } = await service.newOrganization();
  const formerId = await make.member(organizationId, "owner");
  await newKey(organizationId, formerId, "Inactive key");
  await service.db.query(sql`delete from members where user_id = ${formerId}`);
  await newKey(organizationId, ownerId, "Expired key");
  await service.db.query(sql`
    update api_keys set created_at = now() - interval '30 days', expires_at = now() - interval '10 days'
    where organization_id = ${organizationId} and name = 'Expired key'`);
  await service.db.query(sql`
    insert into api_keys (name, key_hash, key_prefix, organization_id, scopes, created_by, expires_at, revoked_at)
    select 'Revoked ' || n, sha256(convert_to(${organizationId} || n, 'UTF8')), 'svc_mk_00000', ${organizationId}, '{org:read}',
      ${ownerId}, now() + interval '9 days', now() - interval '11 days'
    from generate_series(1, 100) n`);
  const page = await open(
    `/o/${organizationId}/settings/keys`,
    await service.signIn(await make.member(organizationId, "member")),
  );
  await page.findByText("The last 100 of 102. A request with one of them is answered with 401 Unauthorized.");
  page.getByText("An owner can create one for each agent that works for this organization.");
  const cells = (name: string) =>
    [...(page.getByText(name).closest("tr")?.querySelectorAll("td") ?? [])].map(({ textContent }) => textContent);
  const { created, expires } = await shownDays(organizationId, "Expired key");
  expect(cells("Expired key").slice(1)).toEqual([`${created}Test Person`, "Never", `Expired${expires}`]);
  expect(cells("Inactive key").at(-1)).toBe("Inactive: its creator left");
});

it("revokes a key", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  const key = await newKey(organizationId, ownerId, "Guest agent");
  const page = await open(`/o/${organizationId}/settings/keys`, owner);
  await page.choose("Actions for Guest agent", "Revoke key");
  const dialog = await page.dialog("Revoke “Guest agent”");
  await dialog.findByText(/is refused from the next request on, and cannot be restored\. It was never used\./);
  await page.press("Revoke key");
  await page.findByRole("heading", { name: "Revoked and expired keys" });
  const { revoked } = await shownDays(organizationId, "Guest agent");
  await page.findByRole("row", { name: new RegExp(`Guest agent.*Revoked.*${revoked}`) });
  await page.findByText("No API keys yet");
  expect(await statusOf(key)).toBe(401);
  expect(await storedKeys(organizationId)).toMatchObject([{ revoked: true }]);
});

it("says how many keys expire soon", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  for (const [name, days] of Object.entries({ Sooner: 3, Late: 30, Soon: 13 })) {
    await newKey(organizationId, ownerId, name, days);
  }
  const page = await open(`/o/${organizationId}/settings/keys`, owner);
  await page.findByText("2 keys expire soon, the first in 3 days");
  expect(page.queryByRole("button", { name: "Rotate key" })).toBeNull();
});

it.each([
  ["admin", "an admin"],
  ["member", "a member"],
] as const)("shows %ss why they cannot", async (role, words) => {
  const { organizationId, ownerId } = await service.newOrganization();
  await newKey(organizationId, ownerId, "Guest agent", 5);
  const cookie = await service.signIn(await make.member(organizationId, role));
  const page = await open(`/o/${organizationId}/settings/keys?create=true`, cookie);
  await page.findByText("Owners manage API keys");
  page.getByText(`You are ${words} here`, { exact: false });
  await page.findByRole("table", { name: "API keys that work" });
  page.getByText("An owner can rotate it, so that the agent keeps working.");
  expect(page.queryByRole("button", { name: /Create key|Rotate key|Actions/ })).toBeNull();
  expect(page.queryByRole("dialog")).toBeNull();
});
