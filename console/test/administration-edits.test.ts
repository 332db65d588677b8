import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { typedDate } from "../src/format/typed-date.ts";
import { newWord, withAdministration } from "./administration-page.ts";
import type { Page } from "./pages.ts";

const { service, make, open, cookie, newConference } = withAdministration();

const day = 86_400_000;

/** A form closes when what was entered is stored. */
async function save(page: Page, label = "Save changes"): Promise<void> {
  await page.press(label);
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
}

async function newEvent(word: string) {
  const host = await make.organization(`${word} Host`);
  const conferenceId = await newConference(`${word} Days`, "draft");
  const id = await make.event(conferenceId, { hosts: [host], name: `${word} event`, status: "draft" });
  const stored = async () => {
    const [row] = await service.db.query(sql`
      select name, venue, capacity, tier, description, iso8601(start_time) as start_time from events where id = ${id}`);
    return row;
  };
  return { id, stored };
}

it("edits a draft event on its page, sends only what was entered, and takes it back", async () => {
  const word = newWord();
  const { id, stored } = await newEvent(word);
  const before = await stored();
  const page = await open(`/admin/events/${id}`);
  await page.press("Edit");
  const form = await page.dialog("Edit event");
  expect(form.getByLabelText("Name")).toHaveProperty("value", `${word} event`);
  for (const label of [/^Status/, /^Ticketing page/]) expect(form.queryByLabelText(label)).toBeNull();
  await page.fill(form.getByLabelText("Name"), " ");
  await page.press("Save changes");
  await form.findByText("An event needs a name.");
  await page.fill(form.getByLabelText("Name"), `${word} opening`);
  await page.fill(form.getByRole("textbox", { name: /^Capacity/ }), "120");
  await service.db.query(sql`update events set venue = 'Small Hall' where id = ${id}`);
  await save(page);
  await page.findByRole("heading", { level: 1, name: `${word} opening` });
  expect(await stored()).toEqual({ ...before, name: `${word} opening`, capacity: 120, venue: "Small Hall" });
  await page.undo();
  expect(await stored()).toEqual({ ...before, venue: "Small Hall" });
});

it("edits an event in the list, with the keyboard, and says what somebody else has changed", async () => {
  const word = newWord();
  const { id, stored } = await newEvent(word);
  const page = await open(`/admin/events?q=${word}`);
  const button = await page.findByRole("button", { name: `Edit ${word} event` });
  button.focus();
  await page.user.keyboard("{Enter}");
  const form = await page.dialog("Edit event");
  await page.fill(await form.findByLabelText("Venue (optional)"), "Pier 4");
  const path = "admin/tools/update_event";
  const preview = await service.post(path, cookie(), { event_id: id, venue: "Hall Two" });
  await service.post(path, cookie(), { ...preview.json.commit_with, reason: "for the test" });
  await page.findByText(/^Changed: “Venue”\./);
  await page.press("Save changes");
  await (await page.dialog(`Edit ${word} event`)).findByText(/Hall Two/);
  await save(page);
  expect(await stored()).toMatchObject({ venue: "Pier 4" });
});

it("says that an event of the list is gone when its form is opened", async () => {
  const word = newWord();
  const { id } = await newEvent(word);
  const page = await open(`/admin/events?q=${word}`);
  const button = await page.findByRole("button", { name: `Edit ${word} event` });
  await service.db.query(sql`delete from events where id = ${id}`);
  await page.user.click(button);
  await (await page.dialog(`Edit ${word} event`)).findByText(/No event has the id/);
});

it("edits an organization, from its page and from the list", async () => {
  const word = newWord();
  const id = await make.organization(`${word} Labs`);
  const stored = async () => {
    const [row] = await service.db.query(
      sql`select name, slug, website_url, contact_email from organizations where id = ${id}`,
    );
    return row;
  };
  const before = await stored();
  const page = await open(`/admin/organizations/${id}`);
  await page.press("Edit");
  const form = await page.dialog("Edit organization");
  expect(form.queryByLabelText("Slug")).toBeNull();
  await page.fill(form.getByLabelText(/^Website/), "https://labs.example");
  await save(page);
  await page.findByRole("link", { name: /labs\.example/ });
  expect(await stored()).toEqual({ ...before, website_url: "https://labs.example" });

  const list = await open(`/admin/organizations?q=${word}`);
  await list.press(`Edit ${word} Labs`);
  const second = await list.dialog("Edit organization");
  await list.fill(await second.findByLabelText("Name"), `${word} Laboratories`);
  await list.user.clear(second.getByLabelText(/^Website/));
  await save(list);
  await list.findByRole("link", { name: `${word} Laboratories` });
  expect(await stored()).toEqual({ ...before, name: `${word} Laboratories` });
  await list.undo();
  expect(await stored()).toEqual({ ...before, website_url: "https://labs.example" });
});

async function newKey(name: string) {
  const id = await make.keyId(await make.superAdminKey());
  await service.db.query(
    sql`update api_keys set name = ${name}, expires_at = now() + interval '10 days' where id = ${id}`,
  );
  const expiry = async () => {
    const [row] = await service.db.query<{ at: string | null }>(
      sql`select iso8601(expires_at) as at from api_keys where id = ${id}`,
    );
    return row?.at ?? null;
  };
  const daysLeft = async () => (Date.parse((await expiry()) ?? "") - Date.now()) / day;
  return { id, expiry, daysLeft };
}

it("lets a platform key work for longer, until a day, or until it is revoked", async () => {
  const name = `${newWord()} bot`;
  const { daysLeft, expiry } = await newKey(name);
  const before = await expiry();
  const page = await open("/admin/keys");
  const openForm = async () => {
    await page.choose(`Actions for ${name}`, /^Change expiry/);
    return page.dialog(`When does ${name} expire?`);
  };
  const form = await openForm();
  expect(form.getByLabelText<HTMLInputElement>("Last day").value).toBe(typedDate.show(localDay(10)));
  await page.user.click(form.getByRole("radio", { name: /^In 90 days/ }));
  await save(page, "Save expiry");
  expect(await daysLeft()).toBeCloseTo(90, 1);
  await page.undo();
  expect(await expiry()).toBe(before);

  const day20 = await openForm();
  const lastDay = day20.getByLabelText<HTMLInputElement>("Last day");
  await page.fill(lastDay, localDay(-1));
  await page.press("Save expiry");
  await day20.findByText(/^Choose a day to come/);
  await page.fill(lastDay, localDay(3652));
  await day20.findByText("At most 3,650 days from now");
  await page.fill(lastDay, localDay(20));
  await save(page, "Save expiry");
  expect(new Date((await expiry()) ?? "").toTimeString().slice(0, 5)).toBe("23:59");
  expect(await daysLeft()).toBeGreaterThan(19);

  const never = await openForm();
  await page.user.click(never.getByRole("radio", { name: /^Never/ }));
  await save(page, "Save expiry");
  expect(await expiry()).toBeNull();
});

it("does not offer to renew a key that has expired", async () => {
  const name = `${newWord()} bot`;
  const { id } = await newKey(name);
  await service.db.query(sql`update api_keys set expires_at = now() - interval '1 day' where id = ${id}`);
  const page = await open("/admin/keys");
  await page.press(`Actions for ${name}`);
  const item = await page.findByRole("menuitem", { name: /^Change expiry/ });
  expect(item.getAttribute("aria-disabled")).toBe("true");
  within(item).getByText("A key that has expired never works again");
});

/** So many days from now: 2026-12-08. */
function localDay(days: number): string {
  const at = new Date(Date.now() + days * day);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
