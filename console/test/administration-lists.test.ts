import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it, onTestFinished, vi } from "vitest";
import { newWord, withAdministration } from "./administration-page.ts";

const { service, make, open, cookie, newConference } = withAdministration();

it("shows what people belong to, and removes somebody, but not oneself", async () => {
  const word = newWord();
  const admin = await make.platformAdministrator(`Cy ${word}`);
  const userId = await make.user(`Di ${word}`);
  for (const n of [1, 2, 3, 4, 5]) {
    const organization = await make.organization(`${word} ${n}`);
    await service.db.query(
      sql`insert into members (organization_id, user_id, role) values (${organization}, ${userId}, 'admin')`,
    );
  }
  const page = await open(`/admin/people?q=${word}`, await service.signIn(admin));
  const row = within(await page.findByRole("row", { name: new RegExp(`Di ${word}`) }));
  expect(row.getAllByRole("link", { name: new RegExp(word) })).toHaveLength(3);
  row.getByText(/, 2 more$/);
  await page.press(`Actions for Cy ${word}`);
  for (const name of [/^End administration/, /^Remove person/]) {
    expect((await page.findByRole("menuitem", { name })).getAttribute("aria-disabled")).toBe("true");
  }
  await page.user.keyboard("{Escape}");
  await page.choose(`Actions for Di ${word}`, "Remove person");
  await page.findByText("0 keys and 5 memberships end with the next request. This cannot be undone.");
  await page.press("Remove person");
  await page.findByText(`Di ${word} was removed`);
  await page.findByRole("row", { name: new RegExp(`Cy ${word}.*Administrator`) });
  await expect.poll(() => page.queryByRole("row", { name: new RegExp(`Di ${word}`) })).toBeNull();

  await page.press(/Who$/);
  await page.user.click(await page.findByRole("option", { name: "Administrators" }));
  await expect.poll(page.path).toMatch(new RegExp(`^/admin/people\\?q=${word}&platform_admin=`));
  await page.press("Invite administrator");
  const form = await page.dialog("Invite a platform administrator");
  expect(form.queryByRole("radio")).toBeNull();
  await page.fill(form.getByLabelText("E-mail address"), `${word}@example.com`);
  await page.press("Review");
  await page.findByText("Platform administrators can change everything on this platform.");
  await page.press("Invite");
  await page.user.click(await page.findByText("I have stored it"));
  await page.press("Done");
  await page.findByRole("row", { name: new RegExp(`${word}@example\\.com.*Platform administrator`) });
});

it("finds conferences and events by name and status together, and shows more of a list", async () => {
  const word = newWord();
  for (let n = 1; n <= 51; n += 1) await newConference(`${word} ${n}`, "draft");
  const conferenceId = await newConference(`${word} Live`, "published");
  await make.event(conferenceId, { status: "draft" });
  await make.event(conferenceId, { start_time: "2031-05-04T23:30:00Z" });
  const page = await open(`/admin/conferences?q=${word}`);
  const rows = () => page.queryAllByRole("row", { name: new RegExp(word) });
  await expect.poll(() => rows().length).toBe(50);
  await page.press("Show more");
  await expect.poll(() => rows().length).toBe(52);
  await page.press(/Status$/);
  await page.user.click(await page.findByRole("option", { name: "Published" }));
  await expect.poll(() => rows().length).toBe(1);
  expect(page.path()).toBe(`/admin/conferences?q=${word}&status=published`);
  expect(rows()[0]?.textContent).toMatch(/Lisbon.*4 May.*31 Dec 2031.*Published.*21 in draft$/);
  await page.fill(page.getByRole("searchbox"), `${word} none`);
  await page.findByText("No conference matches");
  expect(new URLSearchParams(window.location.search).get("status")).toBe("published");

  const events = await open(`/admin/events?conference=${conferenceId}`);
  await events.findByRole("button", { name: `Remove the filter Conference: ${word} Live` });
  await events.press(/Status$/);
  await events.user.click(await events.findByRole("option", { name: "Published" }));
  await expect.poll(() => rows().length).toBe(1);
  expect(rows()[0]?.textContent).toMatch(/Mon 5 May 2031, 00:30.*No host.*Published.*Not linked$/);
  expect(new URLSearchParams(window.location.search).get("conference")).toBe(conferenceId);
  await events.press(/^Remove the filter/);
  await expect.poll(events.path).toBe("/admin/events?status=published");
});

it("says on the overview what there is, what needs attention, and where", async () => {
  const word = newWord();
  for (const name of [`${word} 1`, `${word} 2`]) {
    await newConference(name, "draft");
    const keyId = await make.keyId(await make.superAdminKey());
    await service.db.query(
      sql`update api_keys set name = ${name}, created_at = now() - interval '25 days',
        expires_at = now() + interval '5 days' where id = ${keyId}`,
    );
  }
  const { counts, attention } = (await service.get("admin/overview", cookie())).json;
  const page = await open("/admin");
  await page.findByText(/organizations without an owner/);
  const places = within(page.getByRole("navigation", { name: "What there is" })).getAllByRole("link");
  const shown = (count: number) => count.toLocaleString("en-GB");
  expect(places.map((link) => `${link.textContent} ${link.getAttribute("href")}`)).toEqual([
    `${shown(counts.conferences)}Conferences /admin/conferences`,
    `${shown(counts.events)}Events /admin/events`,
    `${shown(counts.organizations)}Organizations /admin/organizations`,
    `${shown(counts.people)}People /admin/people`,
  ]);
  const concern = (text: RegExp) => {
    const item = page.getByText(text).closest("li") as HTMLElement;
    const action = [...item.querySelectorAll("a")].at(-1);
    return `${item.textContent}: ${action?.getAttribute("href")}`;
  };
  const named = ({ count, items }: { count: number; items: { name: string }[] }) => {
    const more = count - items.length;
    return `${items.map(({ name }) => name).join(", ")}${more === 0 ? "" : ` and ${shown(more)} more`}`;
  };
  const { ownerless_organizations: ownerless, empty_conferences: empty, draft_conferences: drafts } = attention;
  const { expiring_keys: keys } = attention;
  expect(concern(/organizations without an owner/)).toBe(
    `${shown(ownerless.count)} organizations without an owner${named(ownerless)}Open the first: /admin/organizations/${ownerless.items[0].id}`,
  );
  expect(concern(/without a visible event/)).toBe(
    `${shown(empty.count)} visible conferences without a visible event${named(empty)}Open the first: /admin/conferences/${empty.items[0].id}`,
  );
  expect(concern(/conferences in draft/)).toBe(
    `${shown(drafts.count)} conferences in draft${named(drafts)}Review drafts: /admin/conferences?status=draft`,
  );
  expect(concern(/will expire soon/)).toBe(
    `${shown(keys.count)} platform keys will expire soon${named(keys)}Review keys: /admin/keys`,
  );
  await page.user.click(page.getByRole("link", { name: "Review keys" }));
  await page.findByRole("row", { name: new RegExp(`${word} 1.*Everything.*Expires soon.*in 5 days.*Never`) });
});

it("leads from the administration to an organization and back, which others cannot see", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  const other = await open("/admin/keys", owner);
  await other.findByText("There is no such page");
  expect(document.title).toBe("Not found · Event platform");

  const name = `${newWord()} Labs`;
  await service.db.query(sql`update organizations set name = ${name} where id = ${organizationId}`);
  await service.db.query(sql`update users set platform_admin = true where id = ${ownerId}`);
  const page = await open("/admin/people", await service.signIn(ownerId));
  await page.findByRole("heading", { level: 1, name: "People" });
  const current = () =>
    [...document.querySelectorAll("nav [aria-current='page']")].map(({ textContent }) => textContent);
  expect(current()).toEqual(["People"]);
  await page.choose("Administration: switch organization", new RegExp(`^${name}.*You are an owner$`));
  await page.findByRole("button", { name: `${name}: switch organization` });
  await page.findByText("Dashboard · Event platform");
  expect(current()).toEqual(["Dashboard"]);
  await page.choose(/^Account of/, /^Your account/);
  await page.findByText("Your account · Event platform");
  expect(page.path()).toBe("/account");
  await page.choose(`${name}: switch organization`, /^Administration/);
  await page.findByText("Administration · Event platform");
  expect(page.path()).toBe("/admin");
  await page.choose(/^Account of/, "Dark");
  expect([document.documentElement.dataset.theme, localStorage.getItem("theme")]).toEqual(["dark", "dark"]);
  await page.choose(/^Account of/, "Match system");
  expect([document.documentElement.dataset.theme, localStorage.getItem("theme")]).toEqual([undefined, null]);
});

it("leads to the pages that the bar of phones has no room for", async () => {
  const page = await open("/admin");
  for (const name of ["People", "Platform keys", "Records"]) {
    await page.choose(/^More pages/, name);
    await page.findByRole("heading", { level: 1, name });
    await page.findByRole("button", { name: `More pages, now ${name}` });
  }
});

it("names what the records are filtered by, and lets go of each filter", async () => {
  const organization = await make.organization("Harbour & Sons");
  const person = await make.user("Zoë Ångström");
  const page = await open(`/admin/records?organization=${organization}&person=${person}`);
  await page.press("Remove the filter Person: Zoë Ångström");
  await expect.poll(page.path).toBe(`/admin/records?organization=${organization}`);
  await page.press("Remove the filter Organization: Harbour & Sons");
  await expect.poll(page.path).toBe("/admin/records");
  expect(page.queryByRole("button", { name: /^Remove the filter/ })).toBeNull();
});

it("adds filters of records to each other, and exports what they match", async () => {
  const page = await open("/admin/records?text=pier");
  for (const [field, option] of [
    [/How$/, "Console"],
    [/When$/, "Last 7 days"],
  ] as const) {
    await page.press(field);
    await page.user.click(await page.findByRole("option", { name: option }));
  }
  await expect.poll(page.path).toMatch(/^\/admin\/records\?text=pier&via=console&days=/);
  const link = page.getByRole<HTMLAnchorElement>("link", { name: "Export" });
  const { since, ...filters } = Object.fromEntries(new URLSearchParams(link.search));
  expect(filters).toMatchObject({ text: "pier", via: "console" });
  expect(Date.now() - Date.parse(since ?? "")).toBeGreaterThan(6.9 * 86_400_000);
});

it("forgets a search when the list is opened again from the navigation", async () => {
  const word = newWord();
  // The list is sorted by name.
  const [found, other] = [`0 ${word}`, `0 ${newWord()}`];
  for (const name of [found, other]) await make.organization(name);
  const page = await open(`/admin/organizations?q=${word}`);
  await page.findByText(found);
  expect(page.queryByText(other)).toBeNull();
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const navigation = page.getByRole("navigation", { name: "Pages" });
  await page.user.click(within(navigation).getByRole("link", { name: "Organizations" }));
  await page.findByText(other);
  expect(page.getByRole("searchbox")).toHaveProperty("value", "");
  // Longer than the pause after which the field filters.
  await vi.advanceTimersByTimeAsync(500);
  expect(page.path()).toBe("/admin/organizations");
});

it("orders lists, and finds events by conference and host", async () => {
  const word = newWord();
  const conferenceId = await newConference(`${word} Days`, "published");
  const host = await make.organization(`${word} Host`);
  await make.event(conferenceId, { name: `${word} event 1`, start_time: "2031-05-04T10:00:00Z", hosts: [host] });
  await make.event(conferenceId, { name: `${word} event 2`, start_time: "2031-05-05T10:00:00Z" });
  const page = await open("/admin/events");
  const rows = () => page.queryAllByRole("row", { name: new RegExp(`${word} event`) }).map((row) => row.textContent);
  const find = async (label: string, name: string) => {
    await page.fill(await page.findByRole("combobox", { name: label }), name);
    await page.user.click(await page.findByRole("option", { name: new RegExp(name) }));
    const filter = await page.findByRole("button", { name: `Remove the filter ${label}: ${name}` });
    expect(document.activeElement).toBe(filter);
  };
  await find("Conference", `${word} Days`);
  await expect.poll(rows).toEqual([expect.stringContaining("event 2"), expect.stringContaining("event 1")]);
  await page.findByRole("table", { name: "Events, latest first" });
  await page.press(/Order$/);
  await page.user.click(await page.findByRole("option", { name: "Earliest first" }));
  await expect.poll(rows).toEqual([expect.stringContaining("event 1"), expect.stringContaining("event 2")]);
  await page.findByRole("table", { name: "Events, earliest first" });
  await find("Organization", `${word} Host`);
  await expect.poll(rows).toEqual([expect.stringContaining("event 1")]);
  expect(page.path()).toBe(`/admin/events?conference=${conferenceId}&organization=${host}&sort=earliest`);
  await page.user.keyboard("{Enter}");
  const field = await page.findByRole("combobox", { name: "Organization" });
  await expect.poll(() => document.activeElement).toBe(field);
  expect(page.queryByRole("listbox")).toBeNull();
});
