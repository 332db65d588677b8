import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { toastsNow } from "../src/ui/toast-queue.ts";
import { createGuestsEvent, numbered } from "./guests-page.ts";
import { type Page, withPages } from "./pages.ts";

const pages = withPages();
const { service, make } = pages;

const select = async (page: Page, ...names: string[]) => {
  for (const name of names) await page.user.click(await page.findByRole("checkbox", { name: `Select ${name}` }));
};
const selectAll = (page: Page) => select(page, "all loaded rows");

/** Below the text of a dialog, not the one in its corner. */
const close = async (page: Page) =>
  page.user.click((await page.findAllByRole("button", { name: "Close" })).at(-1) as HTMLElement);

/** What the bar offers for the selection. */
const offered = (page: Page) => {
  const bar = page.getByRole("region", { name: "Selected guests" });
  return [...bar.querySelectorAll("button")]
    .map((button) => button.textContent)
    .filter((text) => /\d/.test(text ?? ""));
};

const oneOfEach = [
  { name: "Petra Pending", status: "pending" },
  { name: "Alma Approved" },
  { name: "Wanda Waiting", status: "waitlisted" },
  { name: "Dana Declined", status: "declined" },
  { name: "Carla Came", checked_in: true },
];

it("approves the pending guests in one change, after naming them", async () => {
  const event = await createGuestsEvent(pages, [...numbered(12, "Pending Person", "pending"), { name: "Alma" }]);
  const page = await event.open({ search: "?state=pending" });
  await selectAll(page);
  expect(page.queryByRole("button", { name: "Select all that match" })).toBeNull();
  await page.press("Approve 12");
  const dialog = await page.dialog("Approve 12 guests");
  await dialog.findByText("12 guests will be approved.");
  expect((await dialog.findByText(/and 7 more/)).textContent).toBe(
    "Pending Person 0, Pending Person 1, Pending Person 2, Pending Person 3, Pending Person 4 and 7 more",
  );
  dialog.getByText("States now: 12 pending.");
  await page.press("Approve 12 guests");
  await page.findByText("12 guests approved");
  expect(await event.counts()).toMatchObject({ pending: 0, approved: 13 });
  expect(await event.reasons()).toEqual(["Approved 12 guests from the guest list"]);
  await page.findByText("No pending guests");
  page.getByText("All decided.");
  expect(page.queryByRole("region", { name: "Selected guests" })).toBeNull();
});

it("changes more than one commit takes in parts, with one reason, which is kept until then", async () => {
  const others = [{ name: "Wanda", status: "waitlisted" }, { name: "Approved Person" }];
  const event = await createGuestsEvent(pages, [...others, ...numbered(510, "Waiting Person", "waitlisted")]);
  const page = await event.open({ search: "?state=waitlisted&q=person" });
  await select(page, "Waiting Person 0");
  await page.press("Select all that match");
  await page.findByText("510 selected");
  await page.press("Decline 510");
  const dialog = await page.dialog("Decline 510 guests");
  dialog.getByText("510 guests will be declined.");
  dialog.getByText(/^Waiting Person 0/);
  dialog.getByText("This takes 2 steps, which are undone as one.");
  const reason = dialog.getByRole("textbox", { name: "Reason" });
  await page.user.clear(reason);
  dialog.getByText("Say why.");
  expect(dialog.getByRole("button", { name: "Decline 510 guests" })).toHaveProperty("disabled", true);
  await page.enter(reason, "Too small");
  await page.press("Cancel");
  const question = within(await page.findByRole("alertdialog"));
  await page.user.click(question.getByRole("button", { name: "Leave" }));
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  await page.press("Decline 510");
  const again = await page.dialog("Decline 510 guests");
  expect(await again.findByRole("textbox", { name: "Reason" })).toHaveProperty("value", "Too small");
  await page.press("Decline 510 guests");
  await page.findByText("510 guests declined");
  expect(await event.counts()).toMatchObject({ waitlisted: 1, approved: 1, declined: 510 });
  expect(await event.reasons()).toEqual(["Too small", "Too small"]);
  expect(Object.keys(localStorage).filter((name) => name.startsWith("draft "))).toEqual([]);
  await page.findByText("Nobody matches");
  expect(page.queryByRole("region", { name: "Selected guests" })).toBeNull();
});

it("changes up to 500 in one change, and takes it back", async () => {
  const event = await createGuestsEvent(pages, numbered(120, "Guest", "approved"));
  const page = await event.open();
  await select(page, "Guest 0");
  await page.press("Select all that match");
  await page.findByText("120 selected");
  await page.press("Check in 120");
  await page.press("Check in 120 guests");
  await page.findByText("120 guests checked in");
  expect(await event.counts()).toMatchObject({ checked_in: 120 });
  expect(await event.reasons()).toEqual(["Checked in 120 guests from the guest list"]);
  await page.undo();
  expect(await event.counts()).toMatchObject({ checked_in: 0 });
});

/** A member checks in one guest after the other. */
async function checkInThree() {
  const event = await createGuestsEvent(pages, numbered(3, "Guest", "approved"));
  const page = await event.open({ role: "member" });
  await selectAll(page);
  await page.press("Check in 3");
  const dialog = await page.dialog("Check in 3 guests");
  return { event, page, dialog };
}

it("says how many were left out because somebody changed them meanwhile", async () => {
  const { event, page, dialog } = await checkInThree();
  dialog.getByText("3 guests will be checked in.");
  dialog.getByText("This takes 3 steps, which are undone as one.");
  expect(dialog.queryByRole("textbox", { name: "Reason" })).toBeNull();
  await service.db.query(sql`update registrations set status = 'declined' where id = ${event.ids[1]}`);
  await page.press("Check in 3 guests");
  await dialog.findByText("2 of 3 checked in");
  dialog.getByText(/^1 guest left out: somebody changed them meanwhile/);
  expect(await event.counts()).toMatchObject({ checked_in: 2, declined: 1 });
});

it("says what went wrong on the way, and goes on with the rest", async () => {
  const { event, page, dialog } = await checkInThree();
  const connected = globalThis.fetch;
  let commits = 0;
  globalThis.fetch = async (input, init) => {
    if (!/set_event_registration_check_in/.test(String(input)) || !/"dry_run":false/.test(String(init?.body)))
      return connected(input, init);
    commits += 1;
    return commits === 2
      ? Response.json({ error: "The disk is full", code: "internal" }, { status: 400 })
      : connected(input, init);
  };
  await page.press("Check in 3 guests");
  await dialog.findByText("This was not completed");
  dialog.getByText("The disk is full");
  dialog.getByText("1 of 3 checked in");
  expect(await event.counts()).toMatchObject({ checked_in: 1 });
  await page.press("Continue");
  await page.findByText("3 guests checked in");
  expect(await event.counts()).toMatchObject({ checked_in: 3 });
  expect(commits).toBe(4);
});

it("stops where it is told to", async () => {
  const { event, page, dialog } = await checkInThree();
  const connected = globalThis.fetch;
  let goOn = () => {};
  const isStopped = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  globalThis.fetch = async (input, init) => {
    if (/set_event_registration_check_in/.test(String(input))) await isStopped;
    return connected(input, init);
  };
  await page.press("Check in 3 guests");
  await dialog.findByText("0 of 3 checked in");
  await page.press("Stop");
  await dialog.findByText("0 of 3 checked in · Stopping after this step…");
  expect(dialog.getByRole("button", { name: /^Stopping…/ }).getAttribute("aria-disabled")).toBe("true");
  goOn();
  await dialog.findByText(/^Stopped. What was done stays done/);
  dialog.getByText("1 of 3 checked in");
  await close(page);
  await page.findByRole("row", { name: /Checked in/ });
  expect(await event.counts()).toMatchObject({ checked_in: 1 });
  expect(page.queryByRole("region", { name: "Selected guests" })).toBeNull();
});

it("starts no second job while one is open", async () => {
  const event = await createGuestsEvent(pages, [...numbered(2, "Ana", "approved"), ...numbered(2, "Ben", "approved")]);
  const page = await event.open({ role: "member", search: "?q=ana" });
  await selectAll(page);
  await page.press("Check in 2");
  await page.press("Check in 2 guests");
  await page.findByText("2 guests checked in");
  const undo = toastsNow().find(({ text }) => text === "2 guests checked in")?.action;
  await page.fill(page.getByRole("searchbox"), "ben");
  await page.findByText("Ben 0");
  await expect.poll(() => page.queryByText("Ana 0")).toBeNull();
  await selectAll(page);
  await page.press("Check in 2");
  const dialog = await page.dialog("Check in 2 guests");
  expect(undo).toBeDefined();
  undo?.run();
  await expect
    .poll(() => toastsNow().map(({ text }) => text))
    .toContain("Not started: finish “Check in 2 guests” first.");
  dialog.getByText("2 guests will be checked in.");
  expect(await event.counts()).toMatchObject({ checked_in: 2 });
  await page.press("Cancel");
});

it("shows a conflict, and why the change is no longer possible", async () => {
  const event = await createGuestsEvent(pages, numbered(2, "Pending Person", "pending"));
  const page = await event.open();
  await selectAll(page);
  await page.press("Approve 2");
  const dialog = await page.dialog("Approve 2 guests");
  await dialog.findByText("2 guests will be approved.");
  await service.db.query(sql`update registrations set status = 'declined' where id = ${event.ids[0]}`);
  await page.press("Approve 2 guests");
  await dialog.findByText("Somebody changed this in the meantime");
  await page.press("Continue with my change");
  await dialog.findByText("This change is not possible");
  expect(await event.states()).toEqual({ "Pending Person 0": "declined", "Pending Person 1": "pending" });
});

it("offers what the states of the selection allow, and changes only those who can be", async () => {
  const event = await createGuestsEvent(pages, oneOfEach);
  const page = await event.open();
  await select(page, "Carla Came");
  await page.findByText("Nothing can be changed for these guests.");
  await selectAll(page);
  await page.findByText("5 selected");
  expect(offered(page)).toEqual(["Approve 2", "Waitlist 2", "Decline 3", "Restore 1", "Check in 1"]);
  await page.press("Clear the selection");
  await select(page, "Petra Pending", "Wanda Waiting", "Dana Declined");
  expect(offered(page)).toEqual(["Approve 2", "Waitlist 1", "Decline 2", "Restore 1"]);
  await page.press("Approve 2");
  const dialog = await page.dialog("Approve 2 guests");
  await dialog.findByText("2 guests will be approved.");
  dialog.getByText("States now: 1 pending and 1 waitlisted. 1 other of the selection stays as it is.");
  await page.press("Approve 2 guests");
  await page.findByText("2 guests approved");
  expect(await event.states()).toMatchObject({
    "Petra Pending": "approved",
    "Wanda Waiting": "approved",
    "Dana Declined": "declined",
  });
});

it("declines guests and takes that back, restores them and moves them to the waiting list", async () => {
  const event = await createGuestsEvent(pages, oneOfEach);
  const before = await event.states();
  const page = await event.open();
  await selectAll(page);
  await page.press("Decline 3");
  await page.press("Decline 3 guests");
  await page.findByText("3 guests declined");
  expect(await event.counts()).toMatchObject({ declined: 4 });
  await page.undo();
  expect(await event.states()).toEqual(before);
  await page.findByRole("button", { name: /^Pending ?1$/ });
  await select(page, "Dana Declined");
  await page.press("Restore 1");
  await page.press("Restore 1 guest");
  await page.findByText("1 guest restored");
  await page.findByRole("button", { name: /^Pending ?2$/ });
  await select(page, "Petra Pending");
  await page.press("Waitlist 1");
  await page.press("Waitlist 1 guest");
  await page.findByText("1 guest waitlisted");
  expect(await event.states()).toEqual({ ...before, "Dana Declined": "pending", "Petra Pending": "waitlisted" });
});

it("warns before more are approved than there is room for", async () => {
  const event = await createGuestsEvent(pages, [{ name: "Alma" }, ...numbered(2, "Pending Person", "pending")], {
    capacity: 2,
  });
  const page = await event.open();
  await select(page, "Pending Person 0");
  await page.press("Approve 1");
  const dialog = await page.dialog("Approve 1 guest");
  await dialog.findByText("1 guest will be approved.");
  expect(dialog.queryByText(/has room for/)).toBeNull();
  await page.press("Cancel");
  await select(page, "Pending Person 1");
  await page.press("Approve 2");
  await page.findByText(
    "The event has room for 2 guests, and 1 are approved. This approves 1 more than there is room for.",
  );
  await page.press("Approve 2 guests");
  await page.findByText("2 guests approved");
  expect(await event.counts()).toMatchObject({ approved: 3 });
});

it("checks in several, one by one, and undoes them as one", async () => {
  const event = await createGuestsEvent(pages, [...oneOfEach, { name: "Ana" }]);
  const page = await event.open({ role: "member" });
  await selectAll(page);
  expect(offered(page)).toEqual(["Check in 2"]);
  await page.press("Check in 2");
  const dialog = await page.dialog("Check in 2 guests");
  dialog.getByText("2 guests will be checked in.");
  dialog.getByText("States now: 2 approved. 4 others of the selection stay as they are.");
  await page.press("Check in 2 guests");
  await page.findByText("2 guests checked in");
  expect(await event.states()).toMatchObject({
    "Alma Approved": "checked in",
    Ana: "checked in",
    "Petra Pending": "pending",
  });
  await page.undo();
  expect(await event.counts()).toMatchObject({ checked_in: 1 });
});

it("forgets the selection with another filter, so that nobody is changed unseen", async () => {
  const event = await createGuestsEvent(pages, oneOfEach);
  const page = await event.open();
  const bar = () => page.queryByRole("region", { name: "Selected guests" });
  await select(page, "Petra Pending", "Alma Approved");
  await page.findByText("2 selected");
  await page.press(/^Waitlisted ?1$/);
  await page.findByText("Selection cleared: the filter has changed");
  await expect.poll(() => page.queryByText("Petra Pending")).toBeNull();
  expect(bar()).toBeNull();
  await select(page, "Wanda Waiting");
  expect(offered(page)).toEqual(["Approve 1", "Decline 1"]);
  await page.press(/^All ?5$/);
  await page.findByText("Petra Pending");
  expect(bar()).toBeNull();
  expect(page.getByRole("checkbox", { name: "Select Petra Pending" })).toHaveProperty("checked", false);

  await select(page, "Petra Pending");
  await page.enter(page.getByRole("searchbox"), "Wanda");
  await expect.poll(() => page.queryByText("Petra Pending")).toBeNull();
  expect(bar()).toBeNull();
});

it("offers to select all that match until all are", async () => {
  const event = await createGuestsEvent(pages, numbered(205, "Guest", "pending"));
  const page = await event.open({ search: "?state=pending" });
  await select(page, "Guest 0");
  await page.press("Select all that match");
  await page.findByText("205 selected");
  expect(page.queryByRole("button", { name: "Select all that match" })).toBeNull();
  await select(page, "Guest 1");
  await page.findByText("204 selected");
  await page.press("Select all that match");
  await page.findByText("205 selected");
  // Somebody else decides: who no longer matches leaves the selection, and still all are selected.
  const admin = await service.signIn(await make.member(event.organizationId, "admin"));
  const args = { event_id: event.eventId, registration_id: event.ids[2] };
  expect((await service.change(event.organizationId, admin, "decline_event_registration", args)).status).toBe(200);
  await page.findByText("204 selected");
  expect(page.queryByRole("button", { name: "Select all that match" })).toBeNull();
});

it("leaves a change that was broken off as one, which the activity undoes", async () => {
  const event = await createGuestsEvent(pages, numbered(3, "Guest", "approved"));
  const page = await event.open({ role: "member" });
  await selectAll(page);
  await page.press("Check in 3");
  const dialog = await page.dialog("Check in 3 guests");
  const connected = globalThis.fetch;
  let commits = 0;
  globalThis.fetch = async (input, init) => {
    const isCheckIn = /set_event_registration_check_in/.test(String(input));
    // As if the page had been closed.
    if (isCheckIn && commits === 2) return new Promise(() => {});
    if (isCheckIn && /"dry_run":false/.test(String(init?.body))) commits += 1;
    return connected(input, init);
  };
  await page.press("Check in 3 guests");
  await dialog.findByText("2 of 3 checked in");
  expect(await event.counts()).toMatchObject({ checked_in: 2 });

  const activity = await pages.open(`/o/${event.organizationId}/activity`, page.cookie());
  await activity.findByText("Checked in 3 guests from the guest list");
  activity.getByText(/checked in 2 guests/);
  const undo = activity.getAllByRole("button", { name: /^Undo “/ });
  expect(undo).toHaveLength(1);
  await activity.user.click(undo[0] as HTMLElement);
  const confirmed = await activity.dialog(/^Undo “/);
  confirmed.getByText("2 guests get the state back that they had before.");
  await activity.press("Undo change");
  await expect.poll(event.counts).toMatchObject({ checked_in: 0 });
  await expect.poll(() => activity.getAllByText("Undone").length).toBeGreaterThan(0);
});

it("refuses a member's check-in of more than 500 at once", async () => {
  const event = await createGuestsEvent(pages, numbered(501, "Guest", "approved"));
  const page = await event.open({ role: "member" });
  await select(page, "Guest 0");
  await page.press("Select all that match");
  await page.press("Check in 501");
  await page.findByText("Check in at most 500 guests at once. Select fewer.");
  expect(page.queryByRole("dialog")).toBeNull();
  await select(page, "Guest 0");
  await page.press("Check in 500");
  await page.dialog("Check in 500 guests");
  expect(await event.counts()).toMatchObject({ checked_in: 0 });
});
