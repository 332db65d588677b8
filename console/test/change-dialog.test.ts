import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { EventFixture } from "../../test/support/event-fixture.js";
import { createToolRunner } from "../../test/support/tool-runner.js";
import { confirm, withEventPages } from "./event-pages.ts";
import { holdCommits } from "./held-commits.ts";
import type { Page } from "./pages.ts";
import { skipPauses } from "./skipped-pauses.ts";

const { service, open, openEvent, newEvent } = withEventPages();

const speakersOf = async ({ eventId }: EventFixture) => {
  const rows = await service.db.query<{ name: string }>(
    sql`select name from speakers where event_id = ${eventId} order by position`,
  );
  return rows.map(({ name }) => name);
};

const recordsOf = ({ eventId }: EventFixture) =>
  service.db.query(sql`select tool, reason from mutation_records where event_id = ${eventId} order by at`);

const commits = (init?: RequestInit) => String(init?.body).includes("idempotency_key");

/** The requests of the page go through `answer` until it is called. */
function intercept(answer: (send: () => Promise<Response>, init?: RequestInit) => Promise<Response>): () => void {
  const connected = globalThis.fetch;
  globalThis.fetch = (input, init) => answer(() => connected(input, init), init);
  return () => {
    globalThis.fetch = connected;
  };
}

/** A commit arrives, and its response does not. */
function loseResponses(): () => void {
  skipPauses();
  return intercept(async (send, init) => {
    const response = await send();
    if (commits(init)) throw new TypeError("fetch failed");
    return response;
  });
}

/** A dialog about removing a speaker, which asks for a reason. */
async function openRemoval() {
  const fixture = await newEvent();
  const page = await openEvent(fixture, "/speakers");
  await page.choose("Change Speaker 0", "Remove speaker");
  const dialog = await page.dialog("Remove Speaker 0");
  const reason = await dialog.findByRole<HTMLTextAreaElement>("textbox", { name: "Reason" });
  return { fixture, page, dialog, reason };
}

/** The order of speakers was changed, and is not saved yet. */
async function openNewOrder() {
  const fixture = await newEvent();
  const page = await openEvent(fixture, "/speakers");
  await page.press("Reorder");
  await page.press("Move Speaker 0 down");
  return { fixture, page };
}

const orderRecord = { tool: "reorder_event_speakers", reason: "Changed the order of speakers at Test Event" };

const buttonOf = (page: Page, name: string | RegExp) => page.findByRole("button", { name });

it("makes a change without asking, once however often it is pressed, describes it, and offers to undo it", async () => {
  const { fixture, page } = await openNewOrder();
  const { release } = holdCommits();
  const save = await buttonOf(page, "Save order");
  await page.user.dblClick(save);
  await expect.poll(() => save.getAttribute("aria-disabled")).toBe("true");
  await page.findByText("Saving…");
  await page.user.click(save);
  release();
  await page.findByText("Order saved");
  expect(page.queryByText("Saving…")).toBeNull();
  expect(page.queryByRole("dialog")).toBeNull();
  expect(await speakersOf(fixture)).toEqual(["Speaker 1", "Speaker 0", "Speaker 2"]);
  expect(await recordsOf(fixture)).toEqual([orderRecord]);
  await page.undo();
  expect(await recordsOf(fixture)).toEqual([
    orderRecord,
    { tool: "revert_change", reason: "Undid “Changed the order of speakers at Test Event”" },
  ]);
});

it("opens the dialog where a change that nobody was asked about has no response, and makes it once", async () => {
  const { fixture, page } = await openNewOrder();
  const restore = loseResponses();
  await page.press("Save order");
  const dialog = await page.dialog("Change the order of speakers");
  await dialog.findByText("No response arrived");
  expect(dialog.queryByRole("textbox", { name: "Reason" })).toBeNull();
  restore();
  await confirm(page, "Try again");
  await page.findByText("Order saved");
  expect(await recordsOf(fixture)).toEqual([orderRecord]);
});

it("opens the dialog where the preview fails, and keeps the form until it succeeds", async () => {
  const { fixture, page } = await openNewOrder();
  const restore = intercept(async (send, init) => {
    if (init?.method === "POST") throw new TypeError("fetch failed");
    return send();
  });
  await page.press("Save order");
  const dialog = await page.dialog("Change the order of speakers");
  await dialog.findByText("No connection");
  restore();
  await page.user.keyboard("{Escape}");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(await recordsOf(fixture)).toEqual([]);
  await page.press("Save order");
  await page.findByText("Order saved");
  await expect.poll(() => page.queryByRole("button", { name: "Save order" })).toBeNull();
});

it("asks for a reason where it will be wanted, records what was written, and confirms by keyboard", async () => {
  const { fixture, page, dialog, reason } = await openRemoval();
  expect(reason.value).toBe("Removed Speaker 0 from the speakers of Test Event");
  await page.fill(reason, "  ");
  await dialog.findByText("Say why.");
  expect(dialog.getByRole("button", { name: "Remove speaker" })).toHaveProperty("disabled", true);
  await page.user.keyboard("{Control>}{Enter}{/Control}");
  dialog.getByText("Say why.");
  await page.fill(reason, "She cannot come");
  await page.user.keyboard("{Control>}{Enter}{/Control}");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(await speakersOf(fixture)).toEqual(["Speaker 1", "Speaker 2"]);
  expect(await recordsOf(fixture)).toEqual([{ tool: "remove_event_speaker", reason: "She cannot come" }]);
});

it("changes nothing when it is cancelled, and says why a change was refused", async () => {
  const { fixture, page, dialog } = await openRemoval();
  await page.user.click(dialog.getByRole("button", { name: "Cancel" }));
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(await recordsOf(fixture)).toEqual([]);
  await page.choose("Change Speaker 0", "Remove speaker");
  const again = await page.dialog("Remove Speaker 0");
  await again.findByRole("textbox", { name: "Reason" });
  const refusal = { error: "Members cannot remove speakers", code: "forbidden" };
  const restore = intercept(async (send, init) => (commits(init) ? Response.json(refusal, { status: 403 }) : send()));
  await page.press("Remove speaker");
  await again.findByText("The change was not made");
  again.getByText("Members cannot remove speakers");
  restore();
  expect(await recordsOf(fixture)).toEqual([]);
});

it("says why a change cannot be taken back from its notice", async () => {
  const fixture = await newEvent();
  const moveTo = (venue: string) => createToolRunner(service.db, fixture).commit("update_event_details", { venue });
  await moveTo("Harbour Hall");
  const page = await open(`/o/${fixture.organizationId}/activity`, await service.signIn(fixture.caller.userId));
  await page.press("Undo “Changed the venue”");
  await page.findByText("Change undone");
  await moveTo("Pier 5");
  await page.press("Undo");
  await page.findByText(/^This could not be undone\. .*was changed since/);
  expect(await service.db.query(sql`select venue from events where id = ${fixture.eventId}`)).toEqual([
    { venue: "Pier 5" },
  ]);
});

it("finds out what happened when no response arrived, with the same commit and reason", async () => {
  const { fixture, page, dialog, reason } = await openRemoval();
  const restore = loseResponses();
  await page.fill(reason, "She cannot come");
  await page.press("Remove speaker");
  await dialog.findByText("No response arrived");
  expect(reason.readOnly).toBe(true);
  await page.user.keyboard("{Escape}");
  expect(dialog.queryByRole("button", { name: "Close" })).toBeNull();
  dialog.getByRole("button", { name: "Close without knowing" });
  restore();
  await confirm(page, "Try again");
  await page.findByText("Speaker 0 removed");
  expect(await recordsOf(fixture)).toEqual([{ tool: "remove_event_speaker", reason: "She cannot come" }]);
});
