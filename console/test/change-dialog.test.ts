import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { EventFixture } from "../../test/support/event-fixture.js";
import { createToolRunner } from "../../test/support/tool-runner.js";
import { confirm, withEventPages } from "./event-pages.ts";

const { service, open, newEvent } = withEventPages();

const moveTo = (fixture: EventFixture, venue: string) =>
  createToolRunner(service.db, fixture).commit("update_event_details", { venue });

const storedVenue = async ({ eventId }: EventFixture) => {
  const [row] = await service.db.query<{ venue: string | null }>(sql`select venue from events where id = ${eventId}`);
  return row?.venue;
};

const reasonsOf = async ({ eventId }: EventFixture) => {
  const rows = await service.db.query<{ reason: string }>(sql`
    select reason from mutation_records where event_id = ${eventId} and tool = 'revert_change' order by at`);
  return rows.map(({ reason }) => reason);
};

/** A dialog about taking back that the event moved to Harbour Hall. */
async function openChange() {
  const fixture = await newEvent();
  await moveTo(fixture, "Harbour Hall");
  const page = await open(`/o/${fixture.organizationId}/activity`, await service.signIn(fixture.caller.userId));
  await page.press("Undo “Changed the venue”");
  const dialog = await page.dialog("Undo “Changed the venue”");
  const reason = await dialog.findByRole<HTMLTextAreaElement>("textbox", { name: "Reason" });
  return { fixture, page, dialog, reason };
}

it("proposes a reason, asks for one, records what was written, and confirms by keyboard", async () => {
  const { fixture, page, dialog, reason } = await openChange();
  expect(reason.value).toMatch(/^Undid “Changed the venue” of /);
  await page.fill(reason, "  ");
  await dialog.findByText("Say why.");
  expect(dialog.getByRole("button", { name: "Undo change" })).toHaveProperty("disabled", true);
  await page.user.keyboard("{Control>}{Enter}{/Control}");
  dialog.getByText("Say why.");
  await page.fill(reason, "It was the wrong hall");
  await page.user.keyboard("{Control>}{Enter}{/Control}");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(await storedVenue(fixture)).toBeNull();
  expect(await reasonsOf(fixture)).toEqual(["It was the wrong hall"]);
});

it("changes nothing when it is cancelled, and says why a change was refused", async () => {
  const { fixture, page, dialog } = await openChange();
  await page.user.click(dialog.getByRole("button", { name: "Cancel" }));
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(await storedVenue(fixture)).toBe("Harbour Hall");
  await page.press("Undo “Changed the venue”");
  const again = await page.dialog();
  await again.findByText(/Harbour Hall/);
  await moveTo(fixture, "Pier 5");
  await page.press("Undo change");
  await again.findByText("The change was not made");
  expect(await storedVenue(fixture)).toBe("Pier 5");
  expect(await reasonsOf(fixture)).toEqual([]);
});

it("says why a change cannot be taken back from its notice", async () => {
  const { fixture, page } = await openChange();
  await confirm(page, "Undo change");
  await moveTo(fixture, "Pier 5");
  await page.press("Undo");
  await page.findByText(/^This could not be undone\. .*was changed since/);
  expect(await storedVenue(fixture)).toBe("Pier 5");
});

it("finds out what happened when no response arrived, with the same commit", async () => {
  const { fixture, page, dialog, reason } = await openChange();
  const connected = globalThis.fetch;
  let isLost = true;
  globalThis.fetch = async (input, init) => {
    const response = await connected(input, init);
    if (isLost && String(init?.body).includes("idempotency_key")) throw new TypeError("fetch failed");
    return response;
  };
  await page.fill(reason, "It was the wrong hall");
  await page.press("Undo change");
  await dialog.findByText("No response arrived");
  expect(reason.readOnly).toBe(true);
  await page.user.keyboard("{Escape}");
  expect(dialog.queryByRole("button", { name: "Close" })).toBeNull();
  dialog.getByRole("button", { name: "Close without knowing" });
  isLost = false;
  await confirm(page, "Try again");
  await page.findByText("Change undone");
  expect(await storedVenue(fixture)).toBeNull();
  expect(await reasonsOf(fixture)).toEqual(["It was the wrong hall"]);
});
