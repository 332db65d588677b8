import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { EventFixture } from "../../test/support/event-fixture.js";
import { createToolRunner } from "../../test/support/tool-runner.js";
import { confirm, withEventPages } from "./event-pages.ts";
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

it("previews undoing a change, undoes it and does it again", async () => {
  const fixture = await newEvent();
  await moveTo(fixture, "Harbour Hall", "Pier 4 is closed");
  const page = await openActivity(fixture);
  await page.findByText("Pier 4 is closed");
  await page.press("Undo “Changed event details”");
  const dialog = await page.dialog("Undo “Changed event details”");
  await dialog.findByText(/Harbour Hall/);
  expect(await storedVenue(fixture.eventId)).toBe("Harbour Hall");
  await confirm(page, "Undo change");
  await page.findByText("Change undone");
  expect(await storedVenue(fixture.eventId)).toBeNull();
  await page.findByText("Undid: Changed event details");
  await page.findByText("Undone");
  expect(undoButtons(page)).toHaveLength(1);
  await page.press("Undo “Undid: Changed event details”");
  await confirm(page, "Undo change");
  expect(await storedVenue(fixture.eventId)).toBe("Harbour Hall");
});

it("takes the undoing of a change back from its notice", async () => {
  const fixture = await newEvent();
  await moveTo(fixture, "Harbour Hall", "Pier 4 is closed");
  const page = await openActivity(fixture);
  await page.press("Undo “Changed event details”");
  await confirm(page, "Undo change");
  expect(await storedVenue(fixture.eventId)).toBeNull();
  await page.press("Undo");
  await expect.poll(() => storedVenue(fixture.eventId)).toBe("Harbour Hall");
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
  await reloaded.findByText(/Harbour Hall/);
  expect(reloaded.queryByText("Spring cleaning")).toBeNull();
  const link = reloaded.getByRole("link", { name: "Export JSON lines" });
  expect(link.hasAttribute("download")).toBe(true);
  const exported = await service.call(link.getAttribute("href") ?? "", { headers: { cookie } });
  expect(exported.headers.get("content-disposition")).toMatch(/^attachment; filename="activity-.+\.jsonl"$/);
  const reasons = exported.text
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { reason: string }).reason);
  expect(reasons).toEqual(["Pier 4 is closed"]);
  await reloaded.press("Clear filters");
  await reloaded.findByText("Spring cleaning");
  expect(reloaded.path()).toBe(`/o/${organizationId}/activity`);

  const ofEvent = await open(`/o/${organizationId}/events/${eventId}/activity`, cookie);
  await ofEvent.findByText("Pier 4 is closed");
  expect(ofEvent.queryByText("Spring cleaning")).toBeNull();
  const exportOfEvent = ofEvent.getByRole("link", { name: "Export JSON lines" }).getAttribute("href");
  expect(exportOfEvent).toMatch(new RegExp(`[?&]event=${eventId}$`));
});
