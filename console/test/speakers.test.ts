import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { confirm, withEventPages } from "./event-pages.ts";
import type { Page } from "./pages.ts";

const { service, newEvent, openEvent } = withEventPages();

const storedNames = async (eventId: string) => {
  const rows = await service.db.query<{ name: string }>(
    sql`select name from speakers where event_id = ${eventId} order by position`,
  );
  return rows.map(({ name }) => name);
};

const namesIn = (page: Page) => page.getAllByRole("row").map((row) => /Speaker \d/.exec(row.textContent)?.[0]);

it("reorders speakers by keyboard, saves once and undoes it", async () => {
  const fixture = await newEvent();
  const page = await openEvent(fixture, "/speakers");
  await page.press("Reorder");
  (await page.findByRole("button", { name: "Drag Speaker 0" })).focus();
  await page.user.keyboard("{Enter}");
  await page.user.keyboard("{ArrowDown}{ArrowDown}");
  await page.user.keyboard("{Enter}");
  await page.findByText("Speaker 0 is now 3 of 3");
  expect(namesIn(page)).toEqual(["Speaker 1", "Speaker 2", "Speaker 0"]);
  page.getByRole("button", { name: "Move Speaker 2 up" }).focus();
  await page.user.keyboard("{Enter}");
  await page.findByText("Speaker 2 is now 1 of 3");
  expect(namesIn(page)).toEqual(["Speaker 2", "Speaker 1", "Speaker 0"]);
  expect(await storedNames(fixture.eventId)).toEqual(["Speaker 0", "Speaker 1", "Speaker 2"]);
  await page.press("Save order");
  await confirm(page, "Save order");
  expect(await storedNames(fixture.eventId)).toEqual(["Speaker 2", "Speaker 1", "Speaker 0"]);
  await page.press("Undo");
  await page.findByText("Undone");
  expect(await storedNames(fixture.eventId)).toEqual(["Speaker 0", "Speaker 1", "Speaker 2"]);
});

it("edits a speaker, with the difference of the biography by words", async () => {
  const fixture = await newEvent();
  const bio = (what: string) => `She designs ${what} that last, and teaches people to build them by hand.`;
  await service.db.query(sql`update speakers set bio = ${bio("harbours")} where id = ${fixture.speakerIds[1]}`);
  const page = await openEvent(fixture, "/speakers");
  await page.choose("Change Speaker 1", "Edit speaker");
  const field = await page.findByLabelText("Biography (optional)");
  await page.user.clear(field);
  await page.user.paste(bio("bridges"));
  await page.press("Review changes");
  const dialog = await page.dialog("Change Speaker 1");
  expect((await dialog.findByText("bridges")).tagName).toBe("INS");
  expect(dialog.getByText("harbours").tagName).toBe("DEL");
  await confirm(page, "Save speaker");
  await page.findByText(bio("bridges"));
});

it("adds a speaker who has a name, and takes that back", async () => {
  const fixture = await newEvent();
  const page = await openEvent(fixture, "/speakers");
  await page.press("Add speaker");
  await page.press("Review speaker");
  await page.findByText("A speaker needs a name.");
  await page.user.click(page.getByLabelText("Name"));
  await page.user.paste("Ana Reis");
  await page.press("Review speaker");
  await confirm(page, "Add speaker");
  await page.findByRole("heading", { name: "Ana Reis" });
  expect(await storedNames(fixture.eventId)).toEqual(["Speaker 0", "Speaker 1", "Speaker 2", "Ana Reis"]);
  await page.press("Undo");
  await page.findByText("Undone");
  expect(await storedNames(fixture.eventId)).toEqual(["Speaker 0", "Speaker 1", "Speaker 2"]);
});
