import { randomUUID } from "node:crypto";
import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { EventFixture } from "../../test/support/event-fixture.js";
import { createToolRunner } from "../../test/support/tool-runner.js";
import { withEventPages } from "./event-pages.ts";
import type { Page } from "./pages.ts";

const { service, make, open, newEvent } = withEventPages();

const openActivity = async ({ organizationId, caller }: EventFixture, userId = caller.userId) =>
  open(`/o/${organizationId}/activity`, await service.signIn(userId));

const moveTo = (fixture: EventFixture, venue: string, why: string) =>
  createToolRunner(service.db, fixture).commit("update_event_details", { venue }, why);

const storedVenue = async (eventId: string) => {
  const [row] = await service.db.query<{ venue: string | null }>(sql`select venue from events where id = ${eventId}`);
  return row?.venue;
};

const undoButtons = (page: Page) => page.queryAllByRole("button", { name: /^Undo “/ });

it("undoes a change at once, and does it again", async () => {
  const fixture = await newEvent();
  await moveTo(fixture, "Harbour Hall", "Pier 4 is closed");
  const page = await openActivity(fixture);
  await page.findByText("Pier 4 is closed");
  await page.press("Undo “Changed the venue”");
  await page.findByText("Change undone");
  expect(await storedVenue(fixture.eventId)).toBeNull();
  await page.findByText(/undid: changed the venue/);
  page.getByText(/^Undid “Changed the venue” of .*\d\d:\d\d/);
  await page.findByText("Undone");
  const undone = within((await page.findByText("Pier 4 is closed")).closest("li") ?? document.body);
  expect(undone.getByText(/^by/).textContent).toMatch(/^by Test Person, /);
  expect(undoButtons(page)).toEqual([]);
  await page.press("Redo “Changed the venue”");
  await page.findByText("Change made again");
  await page.findByText(/^Redid “Changed the venue” of .*\d\d:\d\d/);
  // The change is in effect again, and so is what made it again.
  await expect.poll(() => undoButtons(page).length).toBe(2);
  expect(await storedVenue(fixture.eventId)).toBe("Harbour Hall");
});

it("takes the undoing of a change back from its notice", async () => {
  const fixture = await newEvent();
  await moveTo(fixture, "Harbour Hall", "Pier 4 is closed");
  const page = await openActivity(fixture);
  await page.press("Undo “Changed the venue”");
  await page.findByText("Change undone");
  expect(await storedVenue(fixture.eventId)).toBeNull();
  await page.press("Undo");
  await expect.poll(() => storedVenue(fixture.eventId)).toBe("Harbour Hall");
  await page.findByText(/^Redid “Changed the venue” of/);
});

it("says why a change cannot be undone, and what to do instead", async () => {
  const fixture = await newEvent();
  await moveTo(fixture, "Harbour Hall", "Pier 4 is closed");
  await moveTo(fixture, "Pier 5", "It was too small");
  const page = await openActivity(fixture);
  await page.findByText("Pier 4 is closed");
  const [, older] = undoButtons(page);
  if (older === undefined) throw new Error("the older change cannot be undone");
  await page.user.click(older);
  const dialog = await page.dialog();
  await dialog.findByText(/because the venue of the event “Test Event” was changed since/);
  expect(dialog.queryByRole("button", { name: "Undo change" })).toBeNull();
  const [close] = dialog.getAllByRole("button", { name: "Close" });
  await page.user.click(close ?? document.body);
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(await storedVenue(fixture.eventId)).toBe("Pier 5");
});

it("offers undo to those who may make the change", async () => {
  const fixture = await newEvent();
  await moveTo(fixture, "Harbour Hall", "Pier 4 is closed");
  const page = await openActivity(fixture, await make.member(fixture.organizationId, "member"));
  await page.findByText("Pier 4 is closed");
  expect(undoButtons(page)).toEqual([]);
});

it("says when a text is longer than can be searched for, and keeps it", async () => {
  const fixture = await newEvent();
  await moveTo(fixture, "Harbour Hall", "Pier 4 is closed");
  const page = await openActivity(fixture);
  await page.findByText("Pier 4 is closed");
  const field = page.getByRole<HTMLInputElement>("searchbox", { name: /Search/ });
  await page.user.click(field);
  await page.user.paste(`closed ${"a".repeat(194)}`);
  await page.findByText("At most 200 characters.");
  expect(field.value).toHaveLength(201);
  expect(field.getAttribute("aria-invalid")).toBe("true");
  await page.user.keyboard("{Backspace}");
  await expect.poll(() => page.queryByText("At most 200 characters.")).toBeNull();
  await expect.poll(() => page.path()).toMatch(/[?&]text=closed/);
});

it("has filters in the address, which the export follows, and a page for each event", async () => {
  const fixture = await newEvent();
  const { organizationId, eventId, caller } = fixture;
  await moveTo(fixture, "Harbour Hall", "Pier 4 is closed");
  const { commit } = createToolRunner(service.db, fixture);
  await commit("update_organization_profile", { description: "By the river" }, "Spring cleaning");
  const cookie = await service.signIn(caller.userId);
  const page = await open(`/o/${organizationId}/activity`, cookie);
  await page.findByText("Pier 4 is closed");
  await page.findByText("Spring cleaning");
  await page.user.click(page.getByRole("searchbox", { name: /Search/ }));
  await page.user.paste("pier closed");
  await expect.poll(() => page.path()).toMatch(/[?&]text=pier(\+|%20)closed$/);
  await expect.poll(() => page.queryByText("Spring cleaning")).toBeNull();

  const reloaded = await open(page.path(), cookie);
  await reloaded.findByText("Pier 4 is closed");
  expect(reloaded.queryByText("Spring cleaning")).toBeNull();
  reloaded.getByText("1 change");
  const link = reloaded.getByRole("link", { name: "Export" });
  expect(link.hasAttribute("download")).toBe(true);
  expect(link.getAttribute("href")).toMatch(/[?&]text=pier(\+|%20)closed$/);
  await reloaded.press("Clear filters");
  await reloaded.findByText("Spring cleaning");
  expect(reloaded.path()).toBe(`/o/${organizationId}/activity`);

  const ofEvent = await open(`/o/${organizationId}/events/${eventId}/activity`, cookie);
  await ofEvent.findByText("Pier 4 is closed");
  expect(ofEvent.queryByText("Spring cleaning")).toBeNull();
  expect(within(ofEvent.getByRole("main")).queryByRole("link", { name: "Test Event" })).toBeNull();
  const exportOfEvent = ofEvent.getByRole("link", { name: "Export" }).getAttribute("href");
  expect(exportOfEvent).toMatch(new RegExp(`[?&]event=${eventId}$`));
  const filtered = await open(`/o/${organizationId}/events/${eventId}/activity?text=pier`, cookie);
  const exportOfFiltered = (await filtered.findByRole("link", { name: "Export" })).getAttribute("href");
  expect(exportOfFiltered).toMatch(new RegExp(`[?&]text=pier&event=${eventId}$`));
});

it("combines filters, and takes them back", async () => {
  const fixture = await newEvent();
  const { organizationId, eventId, caller } = fixture;
  await moveTo(fixture, "Harbour Hall", "Pier 4 is closed");
  const cookie = await service.signIn(caller.userId);
  await service.change(organizationId, cookie, "update_organization_profile", { description: "By the river" });
  const page = await open(`/o/${organizationId}/activity?event=${eventId}&text=pier`, cookie);
  const pick = async (field: RegExp, option: string) => {
    await page.user.click(within(page.getByRole("main")).getByRole("button", { name: field }));
    await page.user.click(await page.findByRole("option", { name: option }));
    await expect.poll(() => page.queryByRole("option")).toBeNull();
  };
  const filters = () => Object.fromEntries(new URLSearchParams(window.location.search));
  await page.findByText("Pier 4 is closed");
  await page.press("Test Event");
  await expect.poll(filters).toEqual({ text: "pier" });
  await page.user.clear(page.getByRole("searchbox", { name: /Search/ }));
  await expect.poll(filters).toEqual({});
  await page.findByText("for the test");

  await pick(/How$/, "API key");
  await expect.poll(() => page.queryByText("for the test")).toBeNull();
  await pick(/Person$/, "Test Person");
  await pick(/What$/, "Changed event details");
  await pick(/When$/, "Last 7 days");
  const chosen = { person: caller.userId, tool: "update_event_details", since: expect.any(String) };
  await expect.poll(filters).toEqual({ ...chosen, via: "key" });
  page.getByRole("button", { name: /^Last 7 days/ });
  await page.findByText("Pier 4 is closed");
  const exported = page.getByRole("link", { name: "Export" }).getAttribute("href")?.split("?")[1];
  expect(Object.fromEntries(new URLSearchParams(exported))).toEqual(filters());
  await pick(/How$/, "Console");
  await page.findByText("No change matches");
  await pick(/How$/, "Any source");
  await expect.poll(filters).toEqual(chosen);
  await page.findByText("Pier 4 is closed");
  await pick(/What$/, "Any change");
  await expect.poll(filters).toEqual({ person: chosen.person, since: chosen.since });
  await page.findByText("for the test");
});

it("shows by day who made a change and how, what differs, and what it was warned of", async () => {
  const fixture = await newEvent();
  const { organizationId, eventId } = fixture;
  const details = { venue: "Harbour Hall", capacity: 80, description: "By the river" };
  await createToolRunner(service.db, fixture).commit(
    "update_event_details",
    { ...details, end_time: "2031-05-09T20:00:00Z" },
    "All week",
  );
  await service.db.query(sql`
    insert into mutation_records
      (tool, organization_id, event_id, via, operator, reason, request, request_hash, before, after, at)
    values ('remove_event_speaker', ${organizationId}, ${randomUUID()}, 'command_line', 'root', 'Long ago', '{}', 'x', '{}',
      '{}', '2026-01-05T12:00:00Z')`);
  const page = await openActivity(fixture);
  const rowOf = async (reason: string) => within((await page.findByText(reason)).closest("li") ?? document.body);
  const changed = await rowOf("All week");
  changed.getByText(/^changed the venue, capacity, end time and 1 more/);
  changed.getByText("Test Person");
  changed.getByText(/· with a key/);
  expect(changed.getByRole("link", { name: "Test Event" }).getAttribute("href")).toMatch(`/events/${eventId}`);
  within(changed.getByRole("list", { name: "Warnings" })).getByText(/days|hours/);
  expect(changed.queryAllByRole("term")).toEqual([]);
  await page.press(/^Show [4-9] differences$/);
  expect(changed.getAllByRole("term").map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(["Venue", "Capacity", "Description", "End time"]),
  );
  const removed = await rowOf("Long ago");
  removed.getByText("root");
  removed.getByText(/· as operator, at the command line$/);
  removed.getByText("an event that was removed");
  const days = page.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
  expect(days).toEqual([expect.any(String), expect.stringMatching(/^Mon 5 Jan( 2026)?$/)]);
});

it("shows older changes, with the same filters", async () => {
  const fixture = await newEvent();
  const { organizationId, caller } = fixture;
  await moveTo(fixture, "Harbour Hall", "Pier 4 is closed");
  await createToolRunner(service.db, fixture).commit(
    "update_organization_profile",
    { description: "By the river" },
    "Spring cleaning",
  );
  await service.db.query(sql`
    insert into mutation_records (tool, organization_id, via, operator, reason, request, request_hash, before, after)
    select 'update_organization_profile', ${organizationId}, 'command_line', 'root', 'Pier ' || n, '{}', 'x', '{}', '{}'
    from generate_series(1, 50) n`);
  const page = await open(`/o/${organizationId}/activity?text=pier`, await service.signIn(caller.userId));
  await page.findByText("Pier 50");
  expect(page.queryByText("Pier 4 is closed")).toBeNull();
  await page.press("Show older changes");
  await page.findByText("Pier 4 is closed");
  expect(page.queryByText("Spring cleaning")).toBeNull();
  await expect.poll(() => page.queryByRole("button", { name: "Show older changes" })).toBeNull();
});

it("tells changes of guests and posters as sentences with links, and without JSON", async () => {
  const fixture = await newEvent();
  const { organizationId, eventId, registrationIds, caller } = fixture;
  const { commit } = createToolRunner(service.db, fixture);
  const guest = { registration_id: registrationIds.approved };
  await commit("set_event_registration_check_in", { ...guest, checked_in: true }, "At the door");
  const { pending, waitlisted } = registrationIds;
  await commit(
    "batch_update_event_registrations",
    { action: "decline", registration_ids: [pending, waitlisted] },
    "Too late",
  );
  const cookie = await service.signIn(caller.userId);
  const poster = { event_id: eventId, template: "headline", format: "square" };
  const generated = await service.change(organizationId, cookie, "generate_event_poster_draft", poster);
  expect(generated.status, generated.text).toBe(200);
  const page = await open(`/o/${organizationId}/activity`, cookie);
  const lineOf = async (reason: string) => {
    const row = (await page.findByText(reason)).closest("li");
    return { row: within(row ?? document.body), text: row?.querySelector("p")?.textContent ?? "" };
  };
  const names = await service.db.query<{ id: string; name: string }>(
    sql`select id, name from registrations where event_id = ${eventId}`,
  );
  const nameOf = (id: string) => names.find((each) => each.id === id)?.name ?? "";
  const arrived = await lineOf("At the door");
  expect(arrived.text).toBe(`Test Person checked in ${nameOf(registrationIds.approved)} for Test Event`);
  const link = arrived.row.getByRole("link", { name: nameOf(registrationIds.approved) });
  expect(link.getAttribute("href")).toMatch(
    new RegExp(`/events/${eventId}/guests\\?guest=${registrationIds.approved}$`),
  );
  const declined = await lineOf("Too late");
  expect(declined.text).toMatch(/^Test Person declined 2 guests of Test Event: /);
  expect(declined.text).toContain(nameOf(pending));
  const drawn = await lineOf("for the test");
  expect(drawn.text).toMatch(/^Test Person drew the poster .+ for Test Event$/);
  for (const button of page.getAllByRole("button", { name: /^Show \d+ differences?$/ })) await page.user.click(button);
  expect(page.getByRole("main").textContent).not.toMatch(/[{}]|\[object/);
});
