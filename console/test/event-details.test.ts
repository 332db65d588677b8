import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { createToolRunner } from "../../test/support/tool-runner.js";
import { confirm, untilShown, withEventPages } from "./event-pages.ts";
import type { Page } from "./pages.ts";

const { service, make, open, newEvent, openEvent } = withEventPages();

const storedEvent = async (eventId: string) => {
  const [event] = await service.db.query<{ venue: string | null; starts: string; ends: string }>(sql`
    select venue, iso8601(start_time) as starts, iso8601(end_time) as ends from events where id = ${eventId}`);
  return event;
};

async function fillVenue(page: Page, venue: string): Promise<void> {
  await page.user.click(await page.findByLabelText("Venue (optional)"));
  await page.user.paste(venue);
}

/** What the changes of an event sent, without the fields that every commit has. */
async function sentChanges(eventId: string): Promise<object[]> {
  const rows = await service.db.query<{ request: object }>(sql`
    select request - 'event_id' - 'dry_run' - 'reason' - 'expected_state' - 'idempotency_key' as request
    from mutation_records where event_id = ${eventId} order by at`);
  return rows.map(({ request }) => request);
}

it("shows the event, its hosts, speakers and posters", async () => {
  const page = await openEvent(await newEvent());
  await page.findByRole("heading", { level: 2, name: "Details" });
  // The exact value is a description: as a text, every time would be read twice.
  const time = page.getAllByText(/ time$/, { selector: "time" })[0];
  expect(time?.textContent).not.toContain("GMT");
  expect(time?.title).toContain("GMT");
  await page.user.click(page.getByRole("link", { name: /^Hosts/ }));
  await page.findByRole("heading", { level: 2, name: "Hosts" });
  page.getByText("Next Door");
  await page.user.click(page.getByRole("link", { name: /^Speakers/ }));
  await page.findByRole("heading", { level: 3, name: "Speaker 2" });
  await page.user.click(page.getByRole("link", { name: /^Posters/ }));
  await page.findByRole("heading", { level: 3, name: "Test Poster" });
});

it("says in numbers how far the event is, and leads to what needs attention", async () => {
  const fixture = await newEvent();
  const { eventId, registrationIds, speakerIds } = fixture;
  await make.posters(eventId, [{}, {}]);
  await service.db.query(sql`
    update events set capacity = 1200, venue = 'Pier 4', venue_address = 'Quay 1', tier = 'vip', category = 'community',
      luma_url = 'https://tickets.example/1' where id = ${eventId}`);
  await service.db.query(sql`update registrations set checked_in_at = now() where id = ${registrationIds.approved}`);
  await service.db.query(sql`update speakers set photo_url = 'https://p.example/1' where id = ${speakerIds[0]}`);
  const page = await openEvent(fixture);
  const numbers = within(await page.findByRole("list", { name: "In numbers" })).getAllByRole("link");
  expect(numbers.map(({ textContent }) => textContent)).toEqual([
    "Approved guests1of 1,200 places",
    "Checked in11 waitlisted",
    "Segments3Run of show not published",
    "Speakers32 without a photo",
    "Published posters21 in draft",
  ]);
  const tabs = within(page.getByRole("navigation", { name: "Parts of the event" })).getAllByRole("link");
  expect(tabs.map(({ textContent }) => textContent)).toEqual([
    ...["Overview", "Guests4", "Run of show3", "Speakers3", "Posters3", "Hosts2", "Numbers", "Activity"],
  ]);
  const details = Object.fromEntries(
    page.getAllByRole("term").map((term) => [term.textContent, term.nextSibling?.textContent]),
  );
  expect(details).toMatchObject({
    When: expect.stringContaining("Thu 1 May 2031, 19:00–21:00, Lisbon time"),
    "Time zone": "Europe/Lisbon",
    Venue: "Pier 4",
    "Venue address": "Quay 1",
    Capacity: "1,200",
    Category: "Community",
    Tier: "VIP",
    Description: "Not set",
    Tickets: "Not connected",
  });
  const ticketing = page.getByRole("link", { name: /^Open ?Ticketing page/ });
  expect(ticketing.getAttribute("href")).toBe("https://tickets.example/1");
  page.getByText("2 published posters were not posted anywhere");
  await page.user.click(page.getByRole("link", { name: "Review guests" }));
  await expect.poll(page.path).toMatch(/\/guests\?state=pending$/);
});

it("lets members look, and says why they cannot change anything", async () => {
  const { organizationId, eventId, cohostOrganizationId } = await newEvent();
  await make.hostOffer(eventId, organizationId, cohostOrganizationId);
  const cookie = await service.signIn(await make.member(organizationId, "member"));
  for (const [part, heading] of [
    ["", "Details"],
    ["/hosts", "Hosts"],
    ["/speakers", "Speakers"],
    ["/posters", "Posters"],
  ]) {
    const page = await open(`/o/${organizationId}/events/${eventId}${part}`, cookie);
    await page.findByRole("heading", { level: 2, name: heading ?? "" });
    await page.findByText("You can look at this event, but not change it");
    expect(page.queryAllByRole("button", { name: /edit|add|change|reorder|publish|draw/i })).toEqual([]);
  }
});

it("reviews times in the zone that was chosen", async () => {
  const page = await openEvent(await newEvent());
  await page.press("Edit details");
  (await page.findByRole("combobox", { name: "Time zone" })).focus();
  await page.user.keyboard("{Control>}a{/Control}tokyo");
  await page.user.click(await page.findByRole("option", { name: "Asia/Tokyo" }));
  await page.fillTime("Starts", "2031-05-02T09:00");
  await page.fillTime("Ends", "2031-05-02T11:00");
  await page.press("Save details");
  const dialog = await page.dialog();
  await dialog.findByText(/2 May 2031, 09:00, Tokyo time/);
  dialog.getByText(/2 May 2031, 11:00, Tokyo time/);
});

it("changes only the fields that were edited, in the event's zone, and undoes it", async () => {
  const fixture = await newEvent();
  const page = await openEvent(fixture);
  await page.press("Edit details");
  await fillVenue(page, "Hall of Mirrors");
  await page.fillTime("Ends", "2031-05-01T21:30");
  await page.findByText("2 changed");
  await page.press("Save details");
  await page.findByText("Details saved");
  await page.findByRole("button", { name: "Edit details" });
  const saved = { venue: "Hall of Mirrors", end_time: "2031-05-01T20:30:00.000Z" };
  expect(await sentChanges(fixture.eventId)).toEqual([saved]);
  expect(await storedEvent(fixture.eventId)).toEqual({
    venue: "Hall of Mirrors",
    starts: "2031-05-01T18:00:00.000Z",
    ends: "2031-05-01T20:30:00.000Z",
  });
  await page.undo();
  expect(await storedEvent(fixture.eventId)).toMatchObject({ venue: null, ends: "2031-05-01T20:00:00.000Z" });
});

it("undoes a change of an image of the service, and of a description that is too long to be entered", async () => {
  const fixture = await newEvent();
  const stored = () =>
    service.db.query(sql`select tile_image_url, description from events where id = ${fixture.eventId}`);
  await service.db.query(sql`
    update events set tile_image_url = ${`/images/${await make.image()}`}, description = repeat('Words. ', 2000)
    where id = ${fixture.eventId}`);
  const before = await stored();
  const page = await openEvent(fixture);
  await page.press("Edit details");
  await page.press(/^Use an address instead/);
  await page.fill(await page.findByLabelText("Tile image: address"), "https://images.example.com/tile.png");
  await page.fill(page.getByLabelText(/^Description/), "Short");
  await page.press("Save details");
  await page.findByText("Details saved");
  expect(await stored()).toEqual([{ tile_image_url: "https://images.example.com/tile.png", description: "Short" }]);
  await page.undo();
  expect(await stored()).toEqual(before);
});

it("refuses an end that is not after the start, and sends what was touched", async () => {
  const fixture = await newEvent();
  const { eventId } = fixture;
  // The fields have no seconds: a time that nobody touched keeps its own.
  await service.db.query(sql`update events set start_time = start_time + interval '30 seconds' where id = ${eventId}`);
  const page = await openEvent(fixture);
  await page.press("Edit details");
  expect(await page.findByRole("button", { name: "Save details" })).toHaveProperty("disabled", true);
  const end = page.getByLabelText("Ends: time");
  await page.fill(end, "19:00");
  await page.press("Save details");
  await expect.poll(() => end.getAttribute("aria-invalid")).toBe("true");
  page.getByText("The event must end after it starts.");
  expect(page.queryByRole("dialog")).toBeNull();
  await page.fill(end, "19:01");
  await expect.poll(() => page.queryByText("The event must end after it starts.")).toBeNull();
  await page.press("Save details");
  await confirm(page, "Save details");
  expect(await sentChanges(eventId)).toEqual([{ end_time: "2031-05-01T18:01:00.000Z" }]);
  expect(await storedEvent(eventId)).toEqual({
    venue: null,
    starts: "2031-05-01T18:00:30.000Z",
    ends: "2031-05-01T18:01:00.000Z",
  });
});

it("moves the run of show with the start if somebody wants that", async () => {
  const fixture = await newEvent();
  const page = await openEvent(fixture);
  await page.press("Edit details");
  await page.fillTime("Starts", "2031-05-01T19:15");
  await page.user.click(await page.findByRole("checkbox", { name: /^Move the run of show too/ }));
  await page.press("Save details");
  await confirm(page, "Save details");
  const segments = () =>
    service.db.query(sql`
      select iso8601(start_time) as starts from segments where event_id = ${fixture.eventId} order by position limit 1`);
  expect(await segments()).toEqual([{ starts: "2031-05-01T18:15:00.000Z" }]);
  await page.undo();
  expect(await segments()).toEqual([{ starts: "2031-05-01T18:00:00.000Z" }]);
});

it("shows what somebody else changed meanwhile, and lets one continue", async () => {
  const fixture = await newEvent();
  const page = await openEvent(fixture);
  await page.press("Edit details");
  await fillVenue(page, "Hall Two");
  const somebodyElse = createToolRunner(service.db, fixture);
  const connected = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    if (String(init?.body).includes("idempotency_key")) {
      globalThis.fetch = connected;
      await somebodyElse.commit("update_event_details", { venue: "Hall One", capacity: 80 });
    }
    return connected(input, init);
  };
  await page.press("Save details");
  const dialog = await page.dialog("Change the event's details");
  await dialog.findByText("Somebody changed this in the meantime");
  const theirs = dialog.getByRole("heading", { name: "Changed by somebody else" }).parentElement;
  expect(theirs?.textContent).toContain("Hall One");
  expect((await storedEvent(fixture.eventId))?.venue).toBe("Hall One");
  await page.press("Continue with my change");
  await expect.poll(() => dialog.queryByRole("heading", { name: "Changed by somebody else" })).toBeNull();
  await dialog.findByText(/Hall Two/);
  dialog.getByText(/Hall One/);
  expect(dialog.queryByRole("textbox", { name: "Reason" })).toBeNull();
  await confirm(page, "Save details");
  await page.findAllByText("Hall Two");
  const changes = await sentChanges(fixture.eventId);
  expect(changes).toEqual([{ venue: "Hall One", capacity: 80 }, { venue: "Hall Two" }]);
});

it("follows what somebody else changes, and says so to those who are editing", async () => {
  const fixture = await newEvent();
  const page = await openEvent(fixture);
  await page.press("Edit details");
  await fillVenue(page, "Hall Two");
  const somebodyElse = createToolRunner(service.db, fixture);
  await untilShown(
    (attempt) => somebodyElse.commit("update_event_details", { description: `Evening no. ${attempt}` }),
    () => page.queryByText("Somebody changed this in the meantime") !== null,
  );
  page.getByText(/^Changed: “Description”\./);
  expect(page.getByLabelText("Venue (optional)")).toHaveProperty("value", "Hall Two");
  await page.press("Cancel");
  await page.press("Discard");
  await page.findByText(/^Evening no\. \d+$/);
});
