import { fireEvent, within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it, vi } from "vitest";
import { eventDay } from "../../test/support/run-of-show-fixture.js";
import { withRunOfShow } from "./run-of-show-page.ts";

const { service, openRunOfShow } = withRunOfShow();

it("moves and resizes by keyboard, says so, and saves at once", async () => {
  const { page, segment, stored, undo } = await openRunOfShow();
  (await segment("Break")).focus();
  await page.user.keyboard("{ArrowUp}{ArrowUp}{Shift>}{ArrowDown}{/Shift}");
  await page.findByText("18:40 to 19:05, 25 min.");
  expect(document.activeElement).toBe(await segment("Break"));
  await page.user.keyboard("{ArrowRight}");
  expect(document.activeElement).toBe(await segment("Panel"));
  await page.findByText("1 segment changed, not saved yet");
  expect((await stored()).Break).toBe("17:50 20");
  await page.press("Save");
  await page.findByText("Segment saved");
  expect((await stored()).Break).toBe("17:40 25");
  await expect.poll(() => page.queryByText(/not saved yet/)).toBeNull();
  await undo();
  expect((await stored()).Break).toBe("17:50 20");
});

it("saves several moves as one change, shows what somebody else changed meanwhile, and takes them back", async () => {
  const { page, eventId, segment, stored, confirm, undo } = await openRunOfShow();
  await page.user.click(await page.findByText("Move what follows too"));
  (await segment("Keynote")).focus();
  await page.user.keyboard("{Shift>}{ArrowDown}{/Shift}");
  await page.findByText(/^3 segments changed/);
  const connected = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    if (String(init?.body).includes("idempotency_key")) {
      globalThis.fetch = connected;
      await service.db.query(sql`
        update segments set start_time = ${`${eventDay}T18:00:00Z`} where event_id = ${eventId} and title = 'Break'`);
    }
    return connected(input, init);
  };
  await page.press("Save");
  const dialog = await page.dialog("Move 3 segments");
  await dialog.findByText("Somebody changed this in the meantime");
  expect(await stored()).toMatchObject({ Keynote: "17:10 30", Break: "18:00 20", Panel: "18:10 40" });
  await page.press("Continue with my change");
  await dialog.findByText("Keynote › Length");
  await dialog.findByText("Panel › Start");
  await confirm("Move 3 segments", "Save 3 segments");
  await page.findByText("3 segments saved");
  expect(await stored()).toMatchObject({ Keynote: "17:10 35", Break: "17:55 20", Panel: "18:15 40" });
  await undo();
  expect(await stored()).toMatchObject({ Keynote: "17:10 30", Break: "18:00 20", Panel: "18:10 40" });
});

it("takes moves back one by one, one segment, or all", async () => {
  const { page, segment, stored } = await openRunOfShow();
  const before = await stored();
  const times = async (title: string) => /\d\d:\d\d to .*? min/.exec((await segment(title)).ariaLabel ?? "")?.[0];
  (await segment("Break")).focus();
  await page.user.keyboard("{PageDown}");
  await page.findByText("19:20 to 19:40, 20 min. Overlaps 20 min with Panel.");
  await page.user.keyboard("{Control>}z{/Control}");
  await page.findByText("Last move undone.");
  await expect.poll(() => page.queryByText(/not saved yet/)).toBeNull();
  await page.user.keyboard("{PageUp}{Escape}");
  await page.findByText("18:50 to 19:10, 20 min.");
  await expect.poll(() => page.queryByText(/not saved yet/)).toBeNull();
  await page.user.keyboard("{ArrowDown}{End}");
  expect(document.activeElement).toBe(await segment("Panel"));
  await page.user.keyboard("{ArrowDown}{ArrowLeft}");
  expect(document.activeElement).toBe(await segment("Break"));
  await page.user.keyboard("{Home}");
  expect(document.activeElement).toBe(await segment("Welcome"));
  await page.findByText("2 segments changed, not saved yet");
  for (const name of ["Shift all", "Reorder"])
    expect(page.getByRole("button", { name })).toHaveProperty("disabled", true);
  await page.press("Publish");
  await page.findByText("What you moved and did not save is not part of this.");
  await page.press("Cancel");
  await page.press("Undo");
  await page.findByText("1 segment changed, not saved yet");
  expect([await times("Break"), await times("Panel")]).toEqual(["18:55 to 19:15, 20 min", "19:10 to 19:50, 40 min"]);
  (await segment("Break")).focus();
  await page.user.keyboard("{ArrowDown}");
  await page.press("Discard");
  await expect.poll(() => page.queryByText(/not saved yet/)).toBeNull();
  expect(await times("Break")).toBe("18:50 to 19:10, 20 min");
  expect(await stored()).toEqual(before);
});

it("begins the form of a moved segment with where it was put", async () => {
  const { page, segment, stored } = await openRunOfShow();
  (await segment("Break")).focus();
  await page.user.keyboard("{ArrowUp}{Shift>}{ArrowUp}{/Shift}{ArrowRight}{ArrowDown}");
  await page.user.click(await segment("Break"));
  const form = await page.dialog("Edit Break");
  expect(form.getByLabelText("Start, Lisbon time: time")).toHaveProperty("value", "18:45");
  expect(form.getByRole("textbox", { name: "Length in minutes" })).toHaveProperty("value", "15");
  await page.press("Save segment");
  await page.findByText("Segment saved");
  expect(await stored()).toMatchObject({ Break: "17:45 15", Panel: "18:10 40" });
  await page.findByText("1 segment changed, not saved yet");
});

it("moves what is dropped, and nothing where the browser cancels a drag", async () => {
  const { page, segment } = await openRunOfShow();
  const label = async () => (await segment("Break")).getAttribute("aria-label");
  const before = await label();
  const drag = async (end: "pointerUp" | "pointerCancel") => {
    const pointer = { pointerId: 1, pointerType: "mouse", button: 0 };
    fireEvent.pointerDown(await segment("Break"), { ...pointer, clientY: 300 });
    await expect
      .poll(async () => {
        fireEvent.pointerMove(window, { ...pointer, clientY: 400 });
        return label();
      })
      .not.toBe(before);
    fireEvent[end](window, { ...pointer, clientY: 400 });
  };
  await drag("pointerCancel");
  await expect.poll(label).toBe(before);
  expect(page.queryByText(/not saved yet/)).toBeNull();
  await drag("pointerUp");
  await page.findByText("1 segment changed, not saved yet");
});

it("moves the whole run of show, and back", async () => {
  const { page, stored, undo } = await openRunOfShow();
  await page.choose("Shift all", "30 min later");
  await page.findByText("Run of show moved");
  expect(await stored()).toEqual({
    Welcome: "17:30 10",
    Keynote: "17:40 30",
    Break: "18:20 20",
    Panel: "18:40 40",
  });
  await undo();
  expect(await stored()).toMatchObject({ Welcome: "17:00 10", Panel: "18:10 40" });
});

it("reorders with buttons, and shows the new times before", async () => {
  const { page, stored } = await openRunOfShow();
  await page.press("Reorder");
  await page.press("Move Keynote up");
  await within(await page.findByRole("row", { name: /Keynote/ })).findByText("18:00–18:30");
  await page.press("Save order");
  await page.findByText("Order saved");
  expect(await stored()).toEqual({
    Keynote: "17:00 30",
    Welcome: "17:30 10",
    Break: "17:40 20",
    Panel: "18:00 40",
  });
});

it("reorders with the pauses that there are", async () => {
  const { page, stored } = await openRunOfShow();
  await page.press("Reorder");
  await page.user.click(await page.findByText("Keep pauses where they are"));
  expect(await page.findByRole("button", { name: "Save order" })).toHaveProperty("disabled", true);
  await page.press("Move Keynote up");
  await within(await page.findByRole("row", { name: /Break/ })).findByText("18:50–19:10");
  await page.press("Save order");
  await page.findByText("Order saved");
  expect(await stored()).toEqual({
    Keynote: "17:00 30",
    Welcome: "17:30 10",
    Break: "17:50 20",
    Panel: "18:10 40",
  });
});

it("asks before moves are left, and keeps them", async () => {
  const { page, segment } = await openRunOfShow();
  (await segment("Break")).focus();
  await page.user.keyboard("{ArrowDown}");
  const leave = async (answer: string) => {
    await page.user.click(await page.findByRole("link", { name: /Speakers/ }));
    await page.user.click(within(await page.findByRole("alertdialog")).getByRole("button", { name: answer }));
  };
  await leave("Stay");
  await page.findByText(/^1 segment changed/);
  expect(page.path()).toMatch(/\/run-of-show$/);
  await leave("Leave");
  await expect.poll(page.path).toMatch(/\/speakers$/);
  await page.user.click(await page.findByRole("link", { name: /Run of show/ }));
  await page.findByText(/^1 segment changed/);
  await page.press("Discard");
  await expect.poll(() => page.queryByText(/^1 segment changed/)).toBeNull();
  await page.user.click(await page.findByRole("link", { name: /Speakers/ }));
  await expect.poll(page.path).toMatch(/\/speakers$/);
});

it("is a list on narrow screens, with the same changes", async () => {
  vi.spyOn(globalThis, "matchMedia").mockImplementation((query) => {
    const width = Number(/^\(max-width: (\d+)px\)$/.exec(query)?.[1] ?? 0);
    return Object.assign(new EventTarget(), { matches: width >= 360 }) as MediaQueryList;
  });
  const { page, stored, confirm } = await openRunOfShow();
  await page.findByRole("row", { name: /18:10–18:40.*Keynote/ });
  await page.choose("Change Break", "15 min later");
  await page.findByText(/Overlaps 15 min with Panel/);
  await page.press("Save");
  await confirm("Move Break", "Save segment");
  expect((await stored()).Break).toBe("18:05 20");
  await page.choose("Change Keynote", "5 min shorter");
  await page.press("Save");
  await expect.poll(() => page.queryByText(/not saved yet/)).toBeNull();
  expect((await stored()).Keynote).toBe("17:10 25");
  await page.press("Add a segment in the gap of 30 min");
  const form = await page.dialog("Add a segment");
  expect(form.getByLabelText("Start, Lisbon time: time")).toHaveProperty("value", "18:35");
});
