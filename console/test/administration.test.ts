import { randomUUID } from "node:crypto";
import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { type Page, withPages } from "./pages.ts";

const { service, make, open } = withPages();
let cookie: string;

beforeAll(async () => {
  const userId = await make.user("Ada Min");
  await service.db.query(sql`update users set platform_admin = true where id = ${userId}`);
  cookie = await service.signIn(userId);
  // A word that no random slug contains.
  await make.organization("Zulu");
  // More than a list shows before one searches.
  for (let n = 1; n <= 25; n += 1) {
    await make.organization(`Alpha ${n}`);
    await make.conference({ start_date: "2031-12-31" });
  }
});

it("creates an organization, and invites its owner", async () => {
  const word = newWord();
  const page = await open("/admin/organizations", cookie);
  await page.press("Create organization");
  const form = await page.dialog("Create organization");
  await page.fill(form.getByLabelText("Name"), `${word} Labs`);
  expect(form.getByLabelText("Slug")).toHaveProperty("value", `${word.toLowerCase()}-labs`);
  await page.press("Review");
  await (await page.dialog(`Create ${word} Labs`)).findByLabelText("Reason");
  await page.press("Create organization");
  await page.findByRole("heading", { level: 1, name: `${word} Labs` });
  await page.findByText("There is no owner");
  await page.press("Invite person");
  const email = (await page.dialog(`Invite to ${word} Labs`)).getByLabelText("E-mail address");
  await page.fill(email, "not an address");
  await page.press("Review");
  await page.findByText("Enter an e-mail address");
  await page.fill(email, `${word}@example.com`);
  await page.press("Review");
  await page.press("Invite");
  const link = await page.findByText(/\/invite\//, { selector: "code" });
  expect(link.textContent).toMatch(/\/invite\/[0-9A-Za-z]{43}$/);
  expect(page.getByRole("button", { name: "Done" })).toHaveProperty("disabled", true);
  await page.user.click(page.getByText("I have stored it"));
  await page.press("Done");
  await page.findByRole("row", { name: new RegExp(`${word}@example\\.com.*Owner`) });
});

it("creates a conference, but not one that ends before it begins", async () => {
  const name = `${newWord()} Days`;
  const page = await open("/admin/conferences", cookie);
  await page.press("Create conference");
  const form = await page.dialog("Create conference");
  await page.fill(form.getByLabelText("Name"), name);
  await page.fill(form.getByLabelText("First day"), "2031-05-04");
  await page.fill(form.getByLabelText("Last day"), "2031-05-01");
  await page.fill(form.getByLabelText("City"), "Lisbon");
  await page.fill(form.getByRole("combobox", { name: "Time zone" }), "Lisbon");
  await page.user.click(await page.findByRole("option", { name: "Europe/Lisbon" }));
  await page.fill(form.getByLabelText("Description"), "Four days");
  await page.press("Review");
  await page.findByText("The last day is before the first");
  await page.fill(form.getByLabelText("Last day"), "2031-05-07");
  await page.press("Review");
  await (await page.dialog(`Create ${name}`)).findByLabelText("Reason");
  await page.press("Create conference");
  await page.findByRole("heading", { level: 1, name });
  const [stored] = await service.db.query(sql`
    select start_date::text, end_date::text, timezone, city, status from conferences where name = ${name}`);
  expect(stored).toEqual({
    ...{ start_date: "2031-05-04", end_date: "2031-05-07", timezone: "Europe/Lisbon", city: "Lisbon" },
    status: "draft",
  });
});

it("creates an event, publishes it and its conference, and links it to the ticketing platform", async () => {
  const word = newWord();
  await make.organization(`${word} Labs`);
  const conferenceId = await newConference(`${word} Days`, "draft");
  const page = await open(`/admin/conferences/${conferenceId}`, cookie);
  await page.press("Create event");
  const form = await page.dialog("Create event");
  await page.fill(form.getByLabelText("Name"), `${word} opening`);
  await chooseOption(page, "Host", word, `${word} Labs`);
  await page.fill(form.getByLabelText("Ends"), "2031-05-04T20:00");
  await page.press("Review");
  await (await page.dialog(`Create ${word} opening`)).findByLabelText("Reason");
  await page.press("Create event");
  await page.findByRole("heading", { level: 1, name: `${word} opening` });
  const [stored] = await service.db.query(sql`
    select iso8601(start_time) as start, iso8601(end_time) as end from events where name = ${`${word} opening`}`);
  expect(stored).toEqual({ start: "2031-05-04T17:00:00.000Z", end: "2031-05-04T19:00:00.000Z" });

  await page.choose("Change status", /^Publish/);
  await page.findByText(`Nobody will see it yet: ${word} Days is a draft.`);
  await page.press("Publish");
  await expectPublished(page);
  await page.press("Link event");
  const id = (await page.dialog("Ticketing link")).getByLabelText(/Id of the event/);
  await page.fill(id, "7Yx2kQpLmN");
  await page.press("Review");
  await page.findByText("Enter an id such as evt-7Yx2kQpLmN");
  await page.fill(id, `evt-${word}`);
  await page.press("Review");
  await page.press("Save link");
  await page.findByText(`evt-${word}`, { selector: "dd code" });

  await page.user.click(page.getByRole("link", { name: `${word} Days` }));
  await page.findByRole("heading", { level: 1, name: `${word} Days` });
  await page.choose("Change status", /^Publish/);
  await page.press("Publish");
  await expectPublished(page);

  const records = await open("/admin/records?tool=create_event", cookie);
  const [newest] = await records.findAllByRole("button", { name: "Show details of “Created event”" });
  if (newest !== undefined) await records.user.click(newest);
  await records.findByText(`${word} opening`, { selector: "dd, dd *" });
});

it("creates a key of a conference, shows that it works, and revokes it", async () => {
  const word = newWord();
  await newConference(`${word} Days`, "published");
  await make.superAdminKey();
  const page = await open("/admin/keys", cookie);
  await page.findByRole("table", { name: /^Platform keys/ });
  await page.press("Create key");
  const form = await page.dialog("Create platform key");
  await page.fill(form.getByLabelText("Name"), `${word} bot`);
  await chooseOption(page, "Conference", word, `${word} Days`);
  await page.press("Review");
  await (await page.dialog(`Create key ${word} bot`)).findByLabelText("Reason");
  await page.press("Create key");
  const key = (await page.findByText(/^svc_mk_\w{43}$/, { selector: "code" })).textContent ?? "";
  const seen = await service.call("/api/svc/conferences", { key });
  expect(seen.json.items).toMatchObject([{ name: `${word} Days`, status: "published" }]);
  await page.findByText("The first request has arrived: the key works.");
  await page.user.click(page.getByText("I have stored it"));
  await page.press("Done");
  await page.press(`Revoke ${word} bot`);
  await page.press("Revoke key");
  await within(await page.findByRole("row", { name: new RegExp(`${word} bot`) })).findByText("Revoked");
  expect((await service.call("/api/svc/conferences", { key })).status).toBe(401);
});

it("makes somebody an administrator, and takes it back", async () => {
  const name = `Bo ${newWord()}`;
  const userId = await make.user(name);
  const page = await open(`/admin/people?id=${userId}`, cookie);
  await page.choose(`Actions for ${name}`, "Make administrator");
  await page.dialog(`Make ${name} a platform administrator`);
  await page.press("Make administrator");
  await page.findByText(`${name} is a platform administrator`);
  const isAdmin = async () => {
    const [row] = await service.db.query<{ admin: boolean }>(
      sql`select platform_admin as admin from users where id = ${userId}`,
    );
    return row?.admin;
  };
  expect(await isAdmin()).toBe(true);
  await page.press("Undo");
  await page.findByText("Undone");
  expect(await isAdmin()).toBe(false);
});

it("forgets the conference of a key that is to see everything", async () => {
  const word = newWord();
  await newConference(`${word} Days`, "published");
  const page = await open("/admin/keys", cookie);
  await page.press("Create key");
  const form = await page.dialog("Create platform key");
  await page.fill(form.getByLabelText("Name"), `${word} bot`);
  await chooseOption(page, "Conference", word, `${word} Days`);
  await page.user.click(form.getByRole("radio", { name: /Everything/ }));
  await page.press("Review");
  await (await page.dialog(`Create key ${word} bot`)).findByLabelText("Reason");
});

it("leads to the pages that the bar of phones has no room for", async () => {
  const page = await open("/admin", cookie);
  for (const name of ["People", "Platform keys", "Records"]) {
    await page.choose(/^More pages/, name);
    await page.findByRole("heading", { level: 1, name });
    await page.findByRole("button", { name: `More pages, now ${name}` });
  }
});

it("finds host and time zone by keyboard, and what is cleared is not kept", async () => {
  const word = newWord();
  await make.organization(`${word} Guild`);
  const page = await open("/admin/events", cookie);
  await page.press("Create event");
  const form = await page.dialog("Create event");
  const host = form.getByRole<HTMLInputElement>("combobox", { name: "Host" });
  host.focus();
  await page.user.keyboard(word);
  await page.findByRole("option", { name: new RegExp(`^${word} Guild`) });
  await page.user.keyboard("{ArrowDown}{Enter}");
  await expect.poll(() => page.queryByRole("option")).toBeNull();
  expect(host.value).toBe(`${word} Guild`);
  await page.user.keyboard("xx");
  await page.findByText(/^Nothing matches/);
  await page.user.tab();
  await expect.poll(() => host.value).toBe(`${word} Guild`);
  host.focus();
  await page.user.keyboard("{Control>}a{/Control}{Backspace}{Escape}");
  await page.press("Review");
  await page.findByText("Enter an organization of the list");
  const zone = form.getByRole<HTMLInputElement>("combobox", { name: "Time zone" });
  zone.focus();
  await page.user.keyboard("new york");
  await page.findByRole("option", { name: "America/New York" });
  await page.user.keyboard("{ArrowDown}{Enter}");
  await expect.poll(() => zone.value).toBe("America/New York");
});

it("names what the records are filtered by, and lets go of each filter", async () => {
  const organization = await make.organization("Harbour & Sons");
  const person = await make.user("Zoë Ångström");
  const page = await open(`/admin/records?organization=${organization}&person=${person}`, cookie);
  await page.press("Remove the filter Person: Zoë Ångström");
  await expect.poll(page.path).toBe(`/admin/records?organization=${organization}`);
  await page.press("Remove the filter Organization: Harbour & Sons");
  await expect.poll(page.path).toBe("/admin/records");
  expect(page.queryByRole("button", { name: /^Remove the filter/ })).toBeNull();
});

it("forgets a search when the list is opened again from the navigation", async () => {
  const page = await open("/admin/organizations?q=zulu", cookie);
  await page.findByText("Zulu");
  expect(page.queryByText("Alpha 18")).toBeNull();
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const navigation = page.getByRole("navigation", { name: "Pages" });
  await page.user.click(within(navigation).getByRole("link", { name: "Organizations" }));
  await page.findByText("Alpha 18");
  expect(page.getByRole("searchbox")).toHaveProperty("value", "");
  // Longer than the pause after which the field filters.
  await vi.advanceTimersByTimeAsync(500);
  expect(page.path()).toBe("/admin/organizations");
});

const newWord = () => `Nova${randomUUID().slice(0, 6)}`;

/** From 4 May 2031 on, in Lisbon. */
async function newConference(name: string, status: "draft" | "published"): Promise<string> {
  const id = await make.conference({ start_date: "2031-05-04", status });
  await service.db.query(sql`update conferences set name = ${name} where id = ${id}`);
  return id;
}

async function chooseOption(page: Page, field: string, text: string, option: string): Promise<void> {
  await page.fill(page.getByRole("combobox", { name: field }), text);
  await page.user.click(await page.findByRole("option", { name: new RegExp(`^${option}`) }));
}

async function expectPublished(page: Page): Promise<void> {
  const header = (await page.findByRole("heading", { level: 1 })).parentElement ?? document.body;
  await within(header).findByText("Published");
}
