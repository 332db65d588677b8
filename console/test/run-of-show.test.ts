import { within } from "@testing-library/dom";
import { expect, it, vi } from "vitest";
import { evening, eventDay } from "../../test/support/run-of-show-fixture.js";
import { withRunOfShow } from "./run-of-show-page.ts";

const { openRunOfShow } = withRunOfShow();

it("shows gaps, overlaps, speaker clashes and what is outside of the event, in words", async () => {
  const { page, segment } = await openRunOfShow({
    segments: [
      ...evening,
      { title: "Workshop", at: "17:30", minutes: 15, speakers: [0] },
      { title: "Load-out", at: "19:50", minutes: 30, kind: "logistics" },
    ],
  });
  await page.findByText("Gap · 5 min");
  await page.findByText("Gap · 1 h");
  const overlaps = page.getByRole("list", { name: "Overlaps" });
  expect(overlaps.textContent).toMatch(/Overlap 10 min.*Ana Silva in 2/);
  const workshop = (await segment("Workshop")).getAttribute("aria-label");
  expect(workshop).toContain("Ana Silva is in Keynote at the same time. Overlaps 10 min with Keynote.");
  const loadOut = (await segment("Load-out")).getAttribute("aria-label");
  expect(loadOut).toContain("20 min after the end of the event.");
});

it("removes a segment and takes it back, or closes the room that it leaves", async () => {
  const { page, segment, stored, confirm, undo } = await openRunOfShow();
  await page.user.click(await segment("Welcome"));
  await page.user.click((await page.dialog("Edit Welcome")).getByRole("button", { name: "Remove" }));
  const dialog = await page.dialog("Remove Welcome");
  await dialog.findByText("Removed");
  expect(page.getByRole("dialog").textContent).toContain("Speakers: Ana Silva");
  await confirm("Remove Welcome", "Remove segment");
  await page.findByText("Segment removed");
  expect(Object.keys(await stored()).sort()).toEqual(["Break", "Keynote", "Panel"]);
  await undo();
  expect(await stored()).toMatchObject({ Welcome: "17:00 10", Keynote: "17:10 30" });
  await page.user.click(page.getByText("Move what follows too"));
  await page.press("List");
  await page.choose("Change Keynote", "Remove");
  await (await page.dialog("Remove Keynote")).findByText("Panel › Start");
  await confirm("Remove Keynote", "Remove segment");
  expect(await stored()).toEqual({ Welcome: "17:00 10", Break: "17:20 20", Panel: "17:40 40" });
});

it("adds in a gap, edits with speakers, warns about a clash, and publishes", async () => {
  const { page, stored, confirm } = await openRunOfShow();
  await page.press(/Add a segment at 18:40/);
  const form = await page.dialog("Add a segment");
  await page.enter(form.getByLabelText("Title"), "Lightning talk");
  const start = form.getByLabelText<HTMLInputElement>("Start, Lisbon time");
  expect(start.value).toBe(`${eventDay}T18:40`);
  await page.user.type(form.getByRole("combobox", { name: /Add a speaker/ }), "Ana");
  await page.user.click(await page.findByRole("option", { name: "Ana Silva" }));
  await page.user.clear(start);
  await page.user.type(start, `${eventDay}T18:35`);
  await form.findByText("Ana Silva is in Keynote at the same time.");
  await page.press("Review segment");
  await (await page.dialog("Add Lightning talk")).findByText(/Speakers:/);
  await confirm("Add Lightning talk", "Add segment");
  await page.findByText("Segment added");
  expect((await stored())["Lightning talk"]).toBe("17:35 10");
  await page.findByText("1 speaker clash");
  await page.press("Publish");
  const dialog = await page.dialog("Publish the run of show");
  await dialog.findByText(/Ana Silva is in “Keynote” and “Lightning talk” at the same time/);
  await confirm("Publish the run of show", "Publish");
  await page.findByText("Run of show published");
  await page.findByRole("button", { name: "Unpublish" });
});

it("can be read by members, who see why they cannot change it", async () => {
  const { page } = await openRunOfShow({ role: "member" });
  await page.findByText(/Admins and owners of Harbour Works can change this event/);
  expect(page.queryByRole("button", { name: /Add segment|Publish|Reorder/ })).toBeNull();
  await page.press(/^Welcome/);
  await (await page.dialog("Welcome")).findByText("Thank the volunteers.");
});

it("says what to do when nothing is planned", async () => {
  const { page } = await openRunOfShow({ segments: [] });
  await page.press("Add segment");
  const start = (await page.dialog("Add a segment")).getByLabelText<HTMLInputElement>("Start, Lisbon time");
  expect(start.value).toBe(`${eventDay}T18:00`);
});

it("prints one table, with notes for the crew and without for the stage", async () => {
  const { page } = await openRunOfShow();
  const sheet = () => document.querySelector<HTMLElement>("[data-print-sheet]");
  const print = vi.spyOn(window, "print").mockImplementation(() => {});
  await page.choose("Print", /^For the crew/);
  expect(print).toHaveBeenCalledOnce();
  expect(sheet()?.textContent).toContain("Thank the volunteers.");
  window.dispatchEvent(new Event("afterprint"));
  await expect.poll(sheet).toBeNull();
  await page.choose("Print", /^For the stage/);
  const rows = within(sheet() ?? document.body).getAllByRole("row");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "TimeLengthSegmentLocationSpeakers",
    "18:00–18:1010 minWelcomeTalkStageAna Silva",
    "18:10–18:4030 minKeynoteTalkAna Silva",
    "18:50–19:1020 minBreakBreak",
    "19:10–19:5040 minPanelTalkTunde Adebayo",
  ]);
});
