import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { EventFixture } from "../../test/support/event-fixture.js";
import { createToolRunner } from "../../test/support/tool-runner.js";
import { confirm, untilShown, withEventPages } from "./event-pages.ts";
import type { Page } from "./pages.ts";

const { service, make, open, newEvent } = withEventPages();

/** The owner of an organization, who also administers the platform. */
let fixture: EventFixture;
let cookie: string;
beforeAll(async () => {
  fixture = await newEvent();
  await service.db.query(sql`update users set platform_admin = true where id = ${fixture.caller.userId}`);
});
beforeEach(async () => {
  localStorage.clear();
  cookie = await service.signIn(fixture.caller.userId);
});

const organizationPath = () => `/o/${fixture.organizationId}`;
const eventPath = (part = "") => `${organizationPath()}/events/${fixture.eventId}${part}`;

const field = (page: Page, label: string | RegExp) => page.findByLabelText<HTMLInputElement>(label);
const question = async (page: Page) => within(await page.findByRole("alertdialog"));
const answer = async (page: Page, label: string) =>
  page.user.click((await question(page)).getByRole("button", { name: label }));
const keptNow = () => Object.keys(localStorage).filter((name) => name.startsWith("draft "));

/** The forms of a page: what each is about, what opens it, and a field of it. */
type FormsOfPage = [path: () => string, ...forms: [string, (page: Page) => Promise<void>, string | RegExp][]];

const named = (pages: FormsOfPage[]) =>
  pages.map(([path, ...forms]): [string, FormsOfPage] => [forms.map(([form]) => form).join(", "), [path, ...forms]]);

const press = (name: string | RegExp) => (page: Page) => page.press(name);
/** For a page whose empty list has the button, too. */
const pressFirst = (name: string) => async (page: Page) =>
  page.user.click((await page.findAllByRole("button", { name }))[0] as HTMLElement);
const showPhoto = async (page: Page) => {
  await page.choose(/^Change Speaker 1/, "Edit speaker");
  await page.press(/^Use an address instead/);
};

const dialogs: FormsOfPage[] = [
  [
    () => eventPath("/speakers"),
    ["a new speaker", press("Add speaker"), "Name"],
    ["the photo of a speaker", showPhoto, "Photo: address"],
  ],
  [() => eventPath("/guests"), ["a new guest", press("Add guest"), "E-mail"]],
  [() => eventPath("/door"), ["a guest at the door", press(/^Add a guest who/), "E-mail"]],
  [() => eventPath("/guests?door-links=true"), ["a door link", press("Create door link"), "Name"]],
  [() => eventPath("/run-of-show"), ["a new segment", press("Add segment"), "Title"]],
  [
    () => eventPath("/posters"),
    ["a new poster", press("Draw poster"), /^Title on the poster/],
    ["a finished poster", press("Upload poster"), /^Title/],
  ],
  [() => `${organizationPath()}/settings/keys`, ["a new key", pressFirst("Create key"), /^Name/]],
  [() => `${organizationPath()}/settings/members`, ["an invitation", pressFirst("Invite person"), /^E-mail/]],
  [() => "/admin/organizations", ["a new organization", press("Create organization"), "Name"]],
  [() => "/admin/conferences", ["a new conference", press("Create conference"), "City"]],
  [() => `/admin/conferences/${fixture.conferenceId}`, ["a conference", press("Edit"), "City"]],
  [
    () => `/admin/events/${fixture.eventId}`,
    ["the details of an event", press("Edit"), "Venue (optional)"],
    ["a ticketing link", press(/^(Link event|Edit link)$/), /^Public page/],
  ],
  [() => `/admin/organizations/${fixture.organizationId}`, ["an organization", press("Edit"), /^Website/]],
  [() => "/admin/keys", ["a platform key", pressFirst("Create key"), "Name"]],
  [() => "/admin/people", ["an administrator", press("Invite administrator"), "E-mail address"]],
];

it.each(named(dialogs))(
  "keeps what was entered in the form of %s until it is discarded",
  async (_names, [path, ...forms]) => {
    const page = await open(path(), cookie);
    const isClosed = () => expect.poll(() => page.queryByText("Cancel")).toBeNull();
    for (const [form, show, label] of forms) {
      await show(page);
      const entered = await field(page, label);
      const first = entered.value;
      await page.fill(entered, "https://kept.example");
      await page.press("Cancel");
      await answer(page, "Leave");
      await isClosed();
      await show(page);
      await page.findByText(/^You have unsaved changes from/);
      expect((await field(page, label)).value, form).toBe("https://kept.example");
      await page.press("Discard");
      await expect.poll(async () => (await field(page, label)).value).toBe(first);
      expect(keptNow(), form).toEqual([]);
      await page.press("Cancel");
      await isClosed();
    }
  },
);

it("asks before a form is closed, with the buttons of the form or with Escape", async () => {
  const page = await open(eventPath("/speakers"), cookie);
  await page.press("Add speaker");
  await page.fill(await field(page, "Name"), "Nadia");
  await page.press("Cancel");
  (await question(page)).getByText(/^What you entered is kept in this browser for 14 days/);
  await answer(page, "Stay");
  expect((await field(page, "Name")).value).toBe("Nadia");
  await page.user.keyboard("{Escape}");
  await answer(page, "Discard");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(keptNow()).toEqual([]);
});

it("empties a field that finds an organization by its name, when the form of a new event is discarded", async () => {
  const page = await open("/admin/events", cookie);
  const host = () => page.findByRole<HTMLInputElement>("combobox", { name: "Host" });
  await page.press("Create event");
  await page.fill(await host(), "Harbour");
  await page.user.click((await page.findAllByRole("option", { name: /^Harbour Works/ }))[0] as HTMLElement);
  await page.press("Cancel");
  await answer(page, "Leave");
  await page.press("Create event");
  await expect.poll(async () => (await host()).value).toBe("Harbour Works");
  await page.press("Discard");
  await expect.poll(async () => (await host()).value).toBe("");
  expect(keptNow()).toEqual([]);
});

const pageForms: FormsOfPage[] = [
  [eventPath, ["the details of an event", press("Edit details"), "Venue (optional)"]],
  [
    () => `${organizationPath()}/settings`,
    ["the profile", async () => {}, "Website (optional)"],
    ["brand colours", async () => {}, /^Main colour \(/],
    ["logos", press(/^Use an address instead ?: For light backgrounds/), "For light backgrounds: address"],
  ],
  [() => "/account", ["the account", async () => {}, /^Name/]],
];

it.each(named(pageForms))(
  "asks before the page with %s is left, and has what was entered when one comes back",
  async (_names, [path, ...forms]) => {
    const page = await open(path(), cookie);
    const leave = async () =>
      page.user.click((await page.findAllByRole("link", { name: "Activity" }))[0] as HTMLElement);
    for (const [form, show, label] of forms) {
      await show(page);
      await page.fill(await field(page, label), "#123456");
      await leave();
      await answer(page, "Stay");
      expect(page.path(), form).toBe(path());
      await leave();
      await answer(page, "Leave");
      await page.findByRole("heading", { level: 1, name: "Activity" });
      window.history.back();
      await page.findByText(/^You have unsaved changes from/);
      expect(page.path(), form).toBe(path());
      expect((await field(page, label)).value, form).toBe("#123456");
      await page.press("Discard");
      expect(keptNow(), form).toEqual([]);
    }
    await leave();
    await page.findByRole("heading", { level: 1, name: "Activity" });
  },
);

it("keeps what was entered of each event to itself", async () => {
  const other = await make.event(fixture.conferenceId, { hosts: [fixture.organizationId], name: "Another event" });
  const page = await open(`${organizationPath()}/events/${other}`, cookie);
  await page.findByRole("heading", { level: 1, name: "Another event" });
  await page.user.click((await page.findAllByRole("link", { name: "Events" }))[0] as HTMLElement);
  await page.user.click(await page.findByRole("link", { name: /^Test Event/ }));
  await page.findByRole("heading", { level: 1, name: "Test Event" });
  await page.press("Edit details");
  await page.fill(await field(page, "Venue (optional)"), "Hall 7");
  window.history.go(-2);
  await answer(page, "Leave");
  await page.findByRole("heading", { level: 1, name: "Another event" });
  await page.findByRole("button", { name: "Edit details" });
  window.history.go(2);
  await page.findByRole("heading", { level: 1, name: "Test Event" });
  expect((await field(page, "Venue (optional)")).value).toBe("Hall 7");
  await page.press("Discard");
});

it("keeps what was entered of each person to themselves, and forgets it when they sign out", async () => {
  const page = await open(eventPath("/guests"), cookie);
  await page.press("Add guest");
  await page.fill(await field(page, "Name"), "Nadia");
  await page.user.keyboard("{Escape}");
  await answer(page, "Leave");
  const [name = ""] = keptNow();
  const kept = localStorage.getItem(name) ?? "";
  const other = await open(
    eventPath("/guests"),
    await service.signIn(await make.member(fixture.organizationId, "admin")),
  );
  localStorage.setItem(name, kept);
  await other.press("Add guest");
  expect((await field(other, "Name")).value).toBe("");
  await other.user.keyboard("{Escape}");
  const again = await open(eventPath("/guests"), cookie);
  localStorage.setItem(name, kept);
  await again.press("Add guest");
  expect((await field(again, "Name")).value).toBe("Nadia");
  await again.user.keyboard("{Escape}");
  await answer(again, "Leave");
  await again.choose(/^Account of/, "Sign out");
  await again.findByRole("heading", { level: 1, name: "Sign in" });
  expect(keptNow()).toEqual([]);
});

it("forgets what was saved", async () => {
  const page = await open(eventPath("/guests"), cookie);
  await page.press("Add guest");
  await page.fill(await field(page, "Name"), "Nadia");
  await page.fill(await field(page, "E-mail"), "nadia@example.com");
  expect(keptNow()).toHaveLength(1);
  const form = await page.dialog("Add guest");
  await page.user.click(form.getByRole("button", { name: "Add guest" }));
  await page.findByText("Nadia is on the list");
  expect(keptNow()).toEqual([]);
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  await page.press("Add guest");
  expect((await field(page, "Name")).value).toBe("");
});

it("says what others have changed since, and sends only what was entered", async () => {
  const event = await newEvent();
  const path = `/o/${event.organizationId}/events/${event.eventId}`;
  const owner = await service.signIn(event.caller.userId);
  const page = await open(path, owner);
  await page.press("Edit details");
  await page.fill(await field(page, "Venue (optional)"), "Pier 4");
  const kept = keptNow().map((name) => [name, localStorage.getItem(name) ?? ""] as const);
  await createToolRunner(service.db, event).commit("update_event_details", { venue: "Hall Two", capacity: 80 });
  const again = await open(path, owner);
  for (const [name, text] of kept) localStorage.setItem(name, text);
  await again.findByText(/^Changed: “Venue”\./);
  expect((await field(again, "Venue (optional)")).value).toBe("Pier 4");
  expect(again.getByRole("textbox", { name: "Capacity (optional)" })).toHaveProperty("value", "80");
  await again.press("Save details");
  await (await again.dialog("Change the event's details")).findByText(/Hall Two/);
  await confirm(again, "Save details");
  await again.findAllByText("Pier 4");
  const [row] = await service.db.query<{ request: object }>(sql`
    select request - 'event_id' - 'dry_run' - 'reason' - 'expected_state' - 'idempotency_key' as request
    from mutation_records where event_id = ${event.eventId} order by at desc limit 1`);
  expect(row?.request).toEqual({ venue: "Pier 4" });
});

it("calls what others have changed as the form does", async () => {
  const event = await newEvent();
  const owner = await service.signIn(event.caller.userId);
  const page = await open(`/o/${event.organizationId}/settings`, owner);
  await page.press(/^Use an address instead ?: For light backgrounds/);
  await page.fill(await field(page, "For light backgrounds: address"), "https://example.com/mine.png");
  const kept = keptNow().map((name) => [name, localStorage.getItem(name) ?? ""] as const);
  await service.db.query(sql`
    update organizations set logo_url = 'https://example.com/theirs.png' where id = ${event.organizationId}`);
  const again = await open(`/o/${event.organizationId}/settings`, owner);
  for (const [name, text] of kept) localStorage.setItem(name, text);
  await again.findByText(/^Changed: “For light backgrounds”\./);
});

it("does not say that others changed what a form of something new suggests", async () => {
  const event = await newEvent();
  const path = `/o/${event.organizationId}/events/${event.eventId}`;
  const owner = await service.signIn(event.caller.userId);
  const page = await open(path, owner);
  await page.choose("More actions", /^Duplicate event/);
  await page.fill(await field(page, "Name"), "The same again");
  await page.press("Cancel");
  await answer(page, "Leave");
  await createToolRunner(service.db, event).commit("update_event_details", { name: "Renamed meanwhile" });
  const kept = keptNow().map((name) => [name, localStorage.getItem(name) ?? ""] as const);
  const again = await open(path, owner);
  for (const [name, text] of kept) localStorage.setItem(name, text);
  await again.findByRole("heading", { level: 1, name: "Renamed meanwhile" });
  await again.choose("More actions", /^Duplicate event/);
  await again.findByText(/^You have unsaved changes from/);
  expect((await field(again, "Name")).value).toBe("The same again");
  expect(again.queryByText(/^Somebody changed this/)).toBeNull();
});

it("keeps a caption and a link that were not saved, and asks before the poster is closed", async () => {
  const event = await newEvent();
  await service.db.query(sql`
    update posters set title = 'Pier', published = true, metadata = '{"caption_ideas": ["Come to the pier"]}'
    where event_id = ${event.eventId}`);
  const page = await open(
    `/o/${event.organizationId}/events/${event.eventId}/posters`,
    await service.signIn(event.caller.userId),
  );
  const show = async () => {
    await page.press(/^Share ?Pier$/);
    await page.press("Edit caption 1");
    await page.press("I posted it myself");
  };
  await show();
  await page.fill(await page.findByRole<HTMLInputElement>("textbox", { name: "Caption" }), "Come to the pier at night");
  await page.fill(await field(page, "Link to the post"), "https://social.example/1");
  await page.press("Close");
  await answer(page, "Stay");
  expect((await page.findByRole<HTMLInputElement>("textbox", { name: "Caption" })).value).toBe(
    "Come to the pier at night",
  );
  await page.press("Close");
  await answer(page, "Leave");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  await show();
  expect((await page.findByRole<HTMLInputElement>("textbox", { name: "Caption" })).value).toBe(
    "Come to the pier at night",
  );
  expect((await field(page, "Link to the post")).value).toBe("https://social.example/1");
  const [first] = await page.findAllByRole("button", { name: "Discard" });
  await page.user.click(first as HTMLElement);
  const [last] = await page.findAllByRole("button", { name: "Discard" });
  await page.user.click(last as HTMLElement);
  expect(keptNow()).toEqual([]);
  expect((await page.findByRole<HTMLInputElement>("textbox", { name: "Caption" })).value).toBe("Come to the pier");
  await page.press("Close");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
});

it("keeps what was chosen for a key that is to be replaced", async () => {
  const [{ id } = { id: "" }] = await service.db.query<{ id: string }>(sql`
    select id from api_keys where key_prefix = ${(await make.organizationKey(fixture.organizationId)).slice(0, 12)}`);
  await service.db.query(sql`update api_keys set name = 'Old agent' where id = ${id}`);
  const page = await open(`${organizationPath()}/settings/keys`, cookie);
  await page.choose("Actions for Old agent", /^Rotate key/);
  await page.user.click(await page.findByRole("radio", { name: /^Keep it for 3 days/ }));
  await page.press("Cancel");
  await answer(page, "Leave");
  await page.choose("Actions for Old agent", /^Rotate key/);
  await page.findByText(/^You have unsaved changes from/);
  expect(await page.findByRole("radio", { name: /^Keep it for 3 days/ })).toHaveProperty("checked", true);
  await page.press("Discard");
  expect(keptNow()).toEqual([]);
});

it("closes a dialog with Escape also while nothing in it has the focus", async () => {
  const page = await open(eventPath("/guests?add=true"), cookie);
  (await field(page, "Name")).blur();
  expect(document.activeElement).toBe(document.body);
  await page.user.keyboard("{Escape}");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
});

it("never keeps a password or a key", async () => {
  const page = await open("/account", cookie);
  await page.fill(await field(page, "Current password"), "four unrelated words");
  await page.fill(await field(page, /^New password/), "five unrelated words here");
  expect(JSON.stringify(localStorage)).not.toMatch(/unrelated/);
  const keys = await open(`${organizationPath()}/settings/keys`, cookie);
  await keys.press("Create key");
  await (await keys.dialog("Create an API key")).findByRole("button", { name: "Create key" });
  await keys.fill(await field(keys, /^Name/), "Reader");
  await keys.press("Create key");
  const key = await keys.findByText(/^svc_mk_\w+$/);
  expect(JSON.stringify(localStorage)).not.toContain(key.textContent);
  expect(keptNow()).toEqual([]);
});

it("asks before a key that is shown once is left with Back, until it is stored", async () => {
  const page = await open(`${organizationPath()}/settings/members`, cookie);
  await page.user.click((await page.findAllByRole("link", { name: "API keys" }))[0] as HTMLElement);
  await page.press("Create key");
  await page.fill(await field(page, /^Name/), "Reader");
  await page.press("Create key");
  const key = await page.findByText(/^svc_mk_\w+$/);
  window.history.back();
  const asked = await question(page);
  asked.getByText("Leave without the key?");
  asked.getByText(/^The key is shown only this once\./);
  await answer(page, "Stay");
  expect(key.isConnected).toBe(true);
  await expect.poll(page.path).toMatch(/\/keys(\?create=true)?$/);
  await page.user.click(page.getByRole("checkbox", { name: "I have stored it" }));
  await page.press("Done");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
});

it("asks before a reason that was written is dropped, and proposes it for the same change only", async () => {
  const other = await make.event(fixture.conferenceId, { hosts: [fixture.organizationId] });
  await service.db.query(sql`insert into speakers (event_id, name) values (${other}, 'Speaker 1')`);
  let page = await open(eventPath("/speakers"), cookie);
  const reasonField = async () => {
    await page.choose("Change Speaker 1", "Remove speaker");
    return (await page.dialog("Remove Speaker 1")).findByRole("textbox", { name: "Reason" });
  };
  await page.fill(await reasonField(), "Called at the office");
  await page.user.keyboard("{Escape}");
  await answer(page, "Leave");
  expect(await reasonField()).toHaveProperty("value", "Called at the office");
  page = await open(`${organizationPath()}/events/${other}/speakers`, cookie);
  expect(await reasonField()).toHaveProperty("value", expect.stringMatching(/^Removed/));
});

it("keeps the order of a list that was not saved, with what others have added", async () => {
  const event = await newEvent();
  const page = await open(
    `/o/${event.organizationId}/events/${event.eventId}/speakers`,
    await service.signIn(event.caller.userId),
  );
  await page.press("Reorder");
  await page.press("Move Speaker 1 down");
  await page.press("Cancel");
  await answer(page, "Leave");
  await page.press("Reorder");
  await page.findByText(/^You have unsaved changes from/);
  await untilShown(
    (attempt) => createToolRunner(service.db, event).commit("add_event_speaker", { name: `Nina ${attempt}` }),
    () => page.queryByText(/^Somebody added or removed a speaker/) !== null,
  );
  expect(page.getByRole("button", { name: "Save order" })).toHaveProperty("disabled", false);
});
