import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it, vi } from "vitest";
import { createRunOfShow, evening, eventDay } from "../../test/support/run-of-show-fixture.js";
import { typedDate } from "../src/format/typed-date.ts";
import { withRunOfShow } from "./run-of-show-page.ts";

const { service, open, openRunOfShow } = withRunOfShow();

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
  expect(overlaps.textContent).toMatch(/Overlap 10 min2 segments from 18:30.*Ana Silva in 2/);
  const workshop = (await segment("Workshop")).getAttribute("aria-label");
  expect(workshop).toContain("Ana Silva is in Keynote at the same time. Overlaps 10 min with Keynote.");
  const loadOut = (await segment("Load-out")).getAttribute("aria-label");
  expect(loadOut).toContain("20 min after the end of the event.");
  page.getByText("6 segments");
  page.getByText("3 h 20 min in all");
  for (const [count, first] of [
    ["1 speaker clash", "Keynote"],
    ["2 gaps, 1 h 5 min", "Break"],
    ["1 overlap, 10 min", "Keynote"],
    ["1 outside the event", "Load-out"],
  ]) {
    await page.press(count ?? "");
    expect(document.activeElement).toBe(await segment(first ?? ""));
  }
});

it("removes a segment and takes it back, or closes the room that it leaves", async () => {
  const { page, eventId, segment, stored, confirm, undo } = await openRunOfShow();
  const ids = () => service.db.query(sql`select id, title from segments where event_id = ${eventId} order by title`);
  const before = await ids();
  await page.user.click(await segment("Welcome"));
  await page.user.click((await page.dialog("Edit Welcome")).getByRole("button", { name: "Remove" }));
  const dialog = await page.dialog("Remove Welcome");
  await dialog.findByText("Removed");
  expect(page.getByRole("dialog").textContent).toContain("Speakers: Ana Silva");
  await page.press("Cancel");
  await page.user.click((await page.dialog("Edit Welcome")).getByRole("button", { name: "Remove" }));
  await confirm("Remove Welcome", "Remove segment");
  await page.findByText("Segment removed");
  expect(Object.keys(await stored()).sort()).toEqual(["Break", "Keynote", "Panel"]);
  await undo();
  expect(await stored()).toMatchObject({ Welcome: "17:00 10", Keynote: "17:10 30" });
  expect(await ids()).toEqual(before);
  expect((await segment("Welcome")).getAttribute("aria-label")).toContain("10 min, Stage, Ana Silva.");
  await page.user.click(page.getByText("Move what follows too"));
  await page.press("List");
  await page.choose("Change Keynote", "Remove");
  await (await page.dialog("Remove Keynote")).findByText("Panel › Start");
  await confirm("Remove Keynote", "Remove segment");
  expect(await stored()).toEqual({ Welcome: "17:00 10", Break: "17:20 20", Panel: "17:40 40" });
  await page.findByText("Segment removed");
  await undo();
  expect(await stored()).toMatchObject({ Keynote: "17:10 30", Panel: "18:10 40" });
});

it("edits a segment, and takes the change back", async () => {
  const { page, eventId, segment, undo } = await openRunOfShow();
  const keynote = () =>
    service.db.query(sql`
      select kind, location, duration_minutes as minutes,
        array(select name from segment_speakers join speakers s on s.id = speaker_id where segment_id = g.id) as speakers
      from segments g where event_id = ${eventId} and title = 'Keynote'`);
  const before = await keynote();
  await page.user.click(await segment("Keynote"));
  const form = await page.dialog("Edit Keynote");
  expect(form.getByRole("button", { name: "Save segment" })).toHaveProperty("disabled", true);
  form.getByText(/^Ends Thu 1 May.*, 18:40$/);
  await page.enter(form.getByLabelText("Location (optional)"), "Hall");
  await page.fill(form.getByRole("textbox", { name: "Length in minutes" }), "35");
  await page.user.click(form.getByRole("button", { name: /Kind/ }));
  await page.user.click(await page.findByRole("option", { name: "Panel" }));
  await page.user.type(form.getByRole("combobox", { name: /Add a speaker/ }), "Tun");
  await page.user.click(await page.findByRole("option", { name: "Tunde Adebayo" }));
  const speakers = () => within(form.getByRole("list", { name: "Speakers of this segment" })).getAllByRole("listitem");
  const speakerNames = () => speakers().map(({ textContent }) => /Ana Silva|Tunde Adebayo/.exec(textContent)?.[0]);
  await page.press("Move Tunde Adebayo up");
  expect(speakerNames()).toEqual(["Tunde Adebayo", "Ana Silva"]);
  await page.press("Remove Ana Silva");
  expect(speakerNames()).toEqual(["Tunde Adebayo"]);
  await page.press("Save segment");
  await page.findByText("Segment saved");
  expect(await keynote()).toEqual([{ kind: "panel", location: "Hall", minutes: 35, speakers: ["Tunde Adebayo"] }]);
  await undo();
  expect(await keynote()).toEqual(before);
});

it("adds in a gap, edits with speakers, warns about a clash, and publishes", async () => {
  const { page, stored, confirm, undo } = await openRunOfShow();
  await page.press(/Add a segment at 18:40/);
  const form = await page.dialog("Add a segment");
  await page.enter(form.getByLabelText("Title"), "Lightning talk");
  const start = form.getByLabelText<HTMLInputElement>("Start, Lisbon time: time");
  expect(start.value).toBe("18:40");
  expect(form.getByLabelText("Start, Lisbon time: date")).toHaveProperty("value", typedDate.show(eventDay));
  await page.user.type(form.getByRole("combobox", { name: /Add a speaker/ }), "Ana");
  await page.user.click(await page.findByRole("option", { name: "Ana Silva" }));
  await page.fill(start, "6:35pm");
  await form.findByText("Ana Silva is in Keynote at the same time.");
  await page.press("Add segment");
  await (await page.dialog("Add Lightning talk")).findByText(/Speakers:/);
  await page.press("Cancel");
  expect((await page.dialog("Add a segment")).getByLabelText<HTMLInputElement>("Title").value).toBe("Lightning talk");
  await page.press("Add segment");
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
  await undo();
  await page.findByText("Not published");
  await page.findByRole("button", { name: "Publish" });
});

it("proposes to add after everything, however long an earlier segment is", async () => {
  const segments = [
    { title: "Workshop", at: "17:00", minutes: 120 },
    { title: "Welcome", at: "17:10", minutes: 10 },
  ];
  const { page } = await openRunOfShow({ segments });
  await page.press("Add segment");
  const form = await page.dialog("Add a segment");
  expect(form.getByLabelText("Start, Lisbon time: time")).toHaveProperty("value", "20:00");
  expect(form.getByRole("textbox", { name: "Length in minutes" })).toHaveProperty("value", "30");
});

it("can be read by members, who see why they cannot change it", async () => {
  const { page } = await openRunOfShow({ role: "member" });
  await page.findByText(/Admins and owners of Harbour Works can change this event/);
  expect(page.queryByRole("button", { name: /Add segment|Publish|Reorder/ })).toBeNull();
  await page.press(/^Welcome/);
  const details = await page.dialog("Welcome");
  await details.findByText("Thank the volunteers.");
  expect(details.getByText("Time").nextSibling?.textContent).toContain("18:00–18:10, Lisbon time");
  for (const text of ["10 min", "Talk", "Stage", "Ana Silva"]) details.getByText(text);
  await page.user.keyboard("{Escape}");
  await page.press("List");
  await page.findByRole("row", { name: "Gap · 10 min" });
  expect(page.queryByRole("button", { name: /^(Change|Add)/ })).toBeNull();
});

it("says what to do when nothing is planned", async () => {
  const { page } = await openRunOfShow({ segments: [] });
  await page.press("Add segment");
  const start = (await page.dialog("Add a segment")).getByLabelText<HTMLInputElement>("Start, Lisbon time: time");
  expect(start.value).toBe("18:00");
});

it("prints one table, with notes for the crew and without for the stage", async () => {
  const { page } = await openRunOfShow();
  const sheet = () => document.querySelector<HTMLElement>("[data-print-sheet]");
  const print = vi.spyOn(window, "print").mockImplementation(() => {});
  await page.choose("Print", /^For the crew/);
  expect(print).toHaveBeenCalledOnce();
  expect(sheet()?.textContent).toContain("Thank the volunteers.");
  expect(sheet()?.textContent).toMatch(/^Harbour SessionsRun of show · Thu 1 May 2031, 18:00–21:00, Lisbon timeTime/);
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
  window.dispatchEvent(new Event("afterprint"));
  await expect.poll(sheet).toBeNull();
  window.dispatchEvent(new Event("beforeprint"));
  expect(sheet()?.textContent).toContain("Thank the volunteers.");
});

it("names the start and the end of the event on the timeline, also between its ticks", async () => {
  const { eventId, ownerId, path } = await createRunOfShow(service.db, evening);
  await service.db.query(sql`
    update events set start_time = start_time + interval '15 minutes', end_time = end_time - interval '5 minutes'
    where id = ${eventId}`);
  const page = await open(path, await service.signIn(ownerId));
  await page.press("Small");
  const timeline = page.getByRole("application", { name: "Timeline" });
  await within(timeline).findByText("18:15");
  within(timeline).getByText("20:55");
  // Their places would be those of the labels.
  expect(within(timeline).queryByText("18:30")).toBeNull();
  expect(within(timeline).queryByText("21:00")).toBeNull();
  within(timeline).getByText("19:00");
});
