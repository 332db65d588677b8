import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { newWord, withAdministration } from "./administration-page.ts";
import type { Page } from "./pages.ts";
import { skipPauses } from "./skipped-pauses.ts";

const { service, make, open, cookie, newConference } = withAdministration();

it("creates an organization, and invites its owner", async () => {
  const word = newWord();
  const page = await open("/admin/organizations");
  await page.press("Create organization");
  const form = await page.dialog("Create organization");
  await page.fill(form.getByLabelText("Name"), word);
  expect(form.getByLabelText("Slug")).toHaveProperty("value", word.toLowerCase());
  await page.fill(form.getByLabelText("Slug"), "Not A Slug");
  await page.press("Review");
  await form.findByText(/^Use lower-case letters/);
  await page.fill(form.getByLabelText("Slug"), `own-${word.toLowerCase()}`);
  // It is the name that suggests a slug, and not any more when one was entered.
  await page.fill(form.getByLabelText("Name"), `${word} Labs`);
  await page.fill(form.getByLabelText(/^E-mail address for questions/), "hello@example.com");
  await page.press("Review");
  expect((await page.dialog(`Create ${word} Labs`)).queryByLabelText("Reason")).toBeNull();
  await page.press("Create organization");
  await page.findByRole("heading", { level: 1, name: `${word} Labs` });
  const [stored] = await service.db.query<{ id: string }>(sql`
    select id, slug, website_url, contact_email from organizations where name = ${`${word} Labs`}`);
  expect(stored).toMatchObject({
    slug: `own-${word.toLowerCase()}`,
    website_url: null,
    contact_email: "hello@example.com",
  });
  expect(page.getByRole("link", { name: "Show records" }).getAttribute("href")).toBe(
    `/admin/records?organization=${stored?.id}`,
  );
  await page.findByText("There is no owner");
  await page.press("Invite person");
  const invite = await page.dialog(`Invite to ${word} Labs`);
  expect(invite.getByRole("radio", { name: /^Owner/ })).toHaveProperty("checked", true);
  const email = invite.getByLabelText("E-mail address");
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
  const row = await page.findByRole("row", { name: new RegExp(`${word}@example\\.com.*Owner.*Ada Min.*next week`) });
  await page.user.click(within(row).getByRole("button", { name: "Withdraw" }));
  await page.dialog(new RegExp(`^Withdraw the invitation of ${word}@example\\.com`, "i"));
  await page.press("Withdraw");
  await page.findByText("No invitation is open.");
});

it("creates a conference, but not one that ends before it begins", async () => {
  const name = `${newWord()} Days`;
  const page = await open("/admin/conferences");
  await page.press("Create conference");
  const form = await page.dialog("Create conference");
  await page.fill(form.getByLabelText("Name"), "Days");
  const slug = form.getByLabelText<HTMLInputElement>("Slug");
  expect(slug.value).toBe("days");
  await page.fill(slug, `own-${newWord().toLowerCase()}`);
  const ownSlug = slug.value;
  await page.fill(form.getByLabelText("Name"), name);
  await page.fill(form.getByLabelText("First day"), "4 May 2031");
  await page.fill(form.getByLabelText("Last day"), "2031-05-01");
  await page.fill(form.getByLabelText("City"), "Lisbon");
  await page.fill(form.getByRole("combobox", { name: "Time zone" }), "Lisbon");
  await page.user.click(await page.findByRole("option", { name: "Europe/Lisbon" }));
  await page.fill(form.getByLabelText("Description"), "Four days");
  await page.press("Review");
  await page.findByText("The last day is before the first");
  await page.fill(form.getByLabelText("Last day"), "2031-05-07");
  await page.press("Review");
  await page.dialog(`Create ${name}`);
  await page.press("Create conference");
  await page.findByRole("heading", { level: 1, name });
  const [stored] = await service.db.query(sql`
    select slug, start_date::text, end_date::text, timezone, city, status from conferences where name = ${name}`);
  expect(stored).toEqual({
    slug: ownSlug,
    start_date: "2031-05-04",
    end_date: "2031-05-07",
    timezone: "Europe/Lisbon",
    city: "Lisbon",
    status: "draft",
  });
});

it("edits a conference, and leaves alone what others change meanwhile", async () => {
  const word = newWord();
  const conferenceId = await newConference(`${word} Days`, "draft");
  const page = await open(`/admin/conferences/${conferenceId}`);
  await page.findByText("Lisbon (Europe/Lisbon)");
  await page.findByText("0 visible events, 0 drafts, 0 archived");
  await page.press("Edit");
  const form = await page.dialog("Edit conference");
  const shown = (label: string) => form.getByLabelText<HTMLInputElement>(label).value;
  expect(["Name", "Short name", "First day", "Last day", "City", "Description"].map(shown)).toEqual([
    ...[`${word} Days`, "Test", "Sun 4 May 2031", "Wed 31 Dec 2031", "Lisbon", "A conference for tests"],
  ]);
  expect(form.queryByLabelText("Slug")).toBeNull();
  expect(form.getByRole("combobox", { name: "Time zone" })).toHaveProperty("value", "Europe/Lisbon");
  await page.press("Save changes");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();

  await page.press("Edit");
  await page.fill((await page.dialog("Edit conference")).getByLabelText("City"), "Porto");
  const path = "admin/tools/update_conference";
  const preview = await service.post(path, cookie(), { conference_id: conferenceId, description: "By the river" });
  await service.post(path, cookie(), { ...preview.json.commit_with, reason: "for the test" });
  await page.findByText("By the river");
  await page.press("Save changes");
  await page.dialog(`Edit ${word} Days`);
  await page.press("Cancel");
  expect((await page.dialog("Edit conference")).getByLabelText("City")).toHaveProperty("value", "Porto");
  await page.press("Save changes");
  await page.press("Save changes");
  await page.findByText("Porto (Europe/Lisbon)");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  const stored = await service.db.query(sql`
    select name, short_name, city, description from conferences where id = ${conferenceId}`);
  expect(stored).toEqual([{ name: `${word} Days`, short_name: "Test", city: "Porto", description: "By the river" }]);
});

it("creates an event, publishes it and its conference, and links it to the ticketing platform", async () => {
  const word = newWord();
  await make.organization(`${word} Labs`);
  const conferenceId = await newConference(`${word} Days`, "draft");
  const page = await open(`/admin/conferences/${conferenceId}`);
  await page.press("Create event");
  const form = await page.dialog("Create event");
  await page.fill(form.getByLabelText("Name"), `${word} opening`);
  await chooseOption(page, "Host", word, `${word} Labs`);
  await page.fillTime("Ends", "2031-05-04T20:00");
  await page.press("Review");
  await page.dialog(`Create ${word} opening`);
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
  await page.press("Save link");
  await page.findByText("Enter an id such as evt-7Yx2kQpLmN");
  await page.fill(id, `evt-${word}`);
  await page.press("Save link");
  await page.findByText(`evt-${word}`, { selector: "dd code" });

  await page.user.click(page.getByRole("link", { name: `${word} Days` }));
  await page.findByRole("heading", { level: 1, name: `${word} Days` });
  await page.choose("Change status", /^Publish/);
  await page.press("Publish");
  await expectPublished(page);

  const records = await open("/admin/records?tool=create_event");
  const [newest] = await records.findAllByRole("button", { name: "Show details of “Created event”" });
  await records.user.click(newest as HTMLElement);
  await records.findByText(`${word} opening`, { selector: "dd, dd *" });
  const row = new RegExp(`^Created event.*Created the event ${word} opening.*Ada Min.*Console.*${word} Labs`);
  await records.findByRole("row", { name: row });
  await records.press("Hide details");
  expect(records.queryByText(`${word} opening`, { selector: "dd, dd *" })).toBeNull();
});

it("gives an event another host, and changes a link back", async () => {
  const word = newWord();
  const [before, after] = [await make.organization(`${word} Old`), await make.organization(`${word} New`)];
  const conferenceId = await make.conference();
  const eventId = await make.event(conferenceId, { hosts: [before] });
  await make.poster(eventId);
  await service.db.query(sql`
    update events set ticketing_event_id = ${`evt-${word}`}, luma_url = 'https://lu.ma/a', timezone = 'Asia/Tokyo'
    where id = ${eventId}`);
  const page = await open(`/admin/events/${eventId}`);
  await page.findByText("Fri 2 May 2031, 03:00–05:00", { exact: false });
  await page.findByText("0 registrations");
  await page.findByText("1 poster");
  expect(page.getByRole("link", { name: "Show records" }).getAttribute("href")).toBe(`/admin/records?event=${eventId}`);
  await page.press("Set host");
  await page.dialog("Set host");
  await chooseOption(page, "Organization", word, `${word} New`);
  await page.press("Review");
  await page.press("Set host");
  await page.findByRole("row", { name: `${word} New Host` });
  await page.findByRole("row", { name: `${word} Old Co-host` });
  expect(page.getByRole("link", { name: `${word} New` }).getAttribute("href")).toBe(`/admin/organizations/${after}`);

  await page.press("Edit link");
  const form = await page.dialog("Ticketing link");
  expect(form.getByLabelText(/Id of the event/)).toHaveProperty("value", `evt-${word}`);
  expect(form.getByLabelText(/^Public page/)).toHaveProperty("value", "https://lu.ma/a");
  await page.fill(form.getByLabelText(/^Public page/), "https://lu.ma/b");
  await page.user.clear(form.getByLabelText(/Id of the event/));
  await page.press("Save link");
  await page.findByText("https://lu.ma/b", { selector: "a, a *" });
  const stored = () =>
    service.db.query(sql`select ticketing_event_id as id, luma_url as url from events where id = ${eventId}`);
  expect(await stored()).toEqual([{ id: null, url: "https://lu.ma/b" }]);
  await page.undo();
  expect(await stored()).toEqual([{ id: `evt-${word}`, url: "https://lu.ma/a" }]);
});

it("takes back a change of status", async () => {
  const conferenceId = await newConference(`${newWord()} Days`, "draft");
  const page = await open(`/admin/conferences/${conferenceId}`);
  await page.choose("Change status", /^Approve/);
  await page.press("Approve");
  await page.undo();
  const statuses = await service.db.query(sql`select status from conferences where id = ${conferenceId}`);
  expect(statuses).toEqual([{ status: "draft" }]);
});

it("creates a key of a conference, shows that it works, and revokes it", async () => {
  const word = newWord();
  await newConference(`${word} Days`, "published");
  await make.superAdminKey();
  skipPauses();
  const page = await open("/admin/keys");
  await page.findByRole("table", { name: /^Platform keys/ });
  await page.press("Create key");
  const form = await page.dialog("Create platform key");
  await page.fill(form.getByLabelText("Name"), `${word} bot`);
  await chooseOption(page, "Conference", word, `${word} Days`);
  // What is not shown any more is not sent.
  await page.user.click(form.getByRole("radio", { name: /Everything/ }));
  await page.press("Review");
  await (await page.dialog(`Create key ${word} bot`)).findByRole("button", { name: "Create key" });
  await page.press("Cancel");
  await page.user.click((await page.dialog("Create platform key")).getByRole("radio", { name: /One conference/ }));
  await page.press("Review");
  await page.dialog(`Create key ${word} bot`);
  await page.press("Create key");
  const key = (await page.findByText(/^svc_mk_\w{43}$/, { selector: "code" })).textContent ?? "";
  const seen = await service.call("/api/svc/conferences", { key });
  expect(seen.json.items).toMatchObject([{ name: `${word} Days`, status: "published" }]);
  await page.findByText("The first request has arrived: the key works.");
  await page.user.click(page.getByText("I have stored it"));
  await page.press("Done");
  await page.choose(`Actions for ${word} bot`, "Revoke key");
  await page.press("Revoke key");
  const row = within(await page.findByRole("row", { name: new RegExp(`${word} bot`) }));
  await row.findByText("Revoked");
  row.getByText("by Ada Min");
  expect(row.getByRole("link").textContent).toBe(`${word} Days`);
  expect(row.queryByRole("button")).toBeNull();
  const [lifetime] = await service.db.query(sql`
    select round(extract(epoch from expires_at - created_at) / 86400)::int as days from api_keys
    where name = ${`${word} bot`}`);
  expect(lifetime).toEqual({ days: 90 });
  expect((await service.call("/api/svc/conferences", { key })).status).toBe(401);
});

it("makes somebody an administrator, and takes it back", async () => {
  const name = `Bo ${newWord()}`;
  const userId = await make.user(name);
  const page = await open(`/admin/people?q=${name}`);
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
  await page.undo();
  expect(await isAdmin()).toBe(false);
});

it("makes a link for a new password of somebody", async () => {
  const name = `Ida ${newWord()}`;
  await make.user(name);
  const page = await open(`/admin/people?q=${name}`);
  await page.choose(`Actions for ${name}`, "Create password link");
  await page.dialog(`Create a password link for ${name}`);
  await page.press("Create link");
  await (await page.dialog(`A new password for ${name}`)).findByText(/\/reset\/[0-9A-Za-z]{43}$/);
});

it("finds host and time zone by keyboard, and what is cleared is not kept", async () => {
  const word = newWord();
  await make.organization(`${word} Guild`);
  const page = await open("/admin/events");
  await page.press("Create event");
  const form = await page.dialog("Create event");
  const host = form.getByRole<HTMLInputElement>("combobox", { name: "Host" });
  host.focus();
  await page.user.paste(word);
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
  await page.user.paste("new york");
  await page.findByRole("option", { name: "America/New York" });
  await page.user.keyboard("{ArrowDown}{Enter}");
  await expect.poll(() => zone.value).toBe("America/New York");
});

async function chooseOption(page: Page, field: string, text: string, option: string): Promise<void> {
  await page.fill(page.getByRole("combobox", { name: field }), text);
  await page.user.click(await page.findByRole("option", { name: new RegExp(`^${option}`) }));
}

async function expectPublished(page: Page): Promise<void> {
  const header = (await page.findByRole("heading", { level: 1 })).parentElement ?? document.body;
  await within(header).findByText("Published");
}
