import type { Page } from "playwright-core";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makerOn } from "../support/make.js";
import { createRunOfShow, eventDay, type FixtureSegment } from "./run-of-show-fixture.js";
import { type BrowserService, expectAccessible, startBrowserService, withBrowser } from "./support.js";

/** 18:00 in Lisbon is 17:00 UTC. */
const evening: FixtureSegment[] = [
  { title: "Welcome", at: "17:00", minutes: 10, speakers: [0], location: "Stage", notes: "Thank the volunteers." },
  { title: "Keynote", at: "17:10", minutes: 30, speakers: [0] },
  { title: "Break", at: "17:50", minutes: 20, kind: "break" },
  { title: "Panel", at: "18:10", minutes: 40, speakers: [1] },
];

withBrowser("the run of show", () => {
  let service: BrowserService;

  beforeAll(async () => {
    service = await startBrowserService();
  });
  afterAll(() => service?.close());

  async function open(segments: FixtureSegment[], options: { size?: "phone"; member?: boolean } = {}) {
    const show = await createRunOfShow(service.db, segments);
    const userId = options.member ? await makerOn(service.db).member(show.organizationId, "member") : show.ownerId;
    const cookie = await service.signIn(userId);
    const visitor = await service.visit({ cookie, ...(options.size === undefined ? {} : { size: options.size }) });
    await visitor.page.goto(show.path);
    await visitor.page.getByRole("heading", { name: /Run of show|Nothing is planned yet/ }).waitFor();
    return { ...visitor, show, segment: (name: string) => segmentOf(visitor.page, name) };
  }

  /** The box in the timeline, when it can be moved. */
  const segmentOf = (page: Page, title: string) =>
    page.locator(`[aria-describedby][data-segment]`).filter({ has: page.getByText(title, { exact: true }) });

  const stored = async (eventId: string): Promise<Record<string, string>> => {
    const rows = await service.db.query<{ title: string; times: string }>(sql`
      select title, to_char(start_time at time zone 'UTC', 'HH24:MI') || ' ' || duration_minutes as times
      from segments where event_id = ${eventId}`);
    return Object.fromEntries(rows.map(({ title, times }) => [title, times]));
  };

  const confirm = async (page: Page, label: string) => {
    await page.getByRole("dialog").getByRole("button", { name: label }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  };

  it("shows gaps, overlaps, speaker clashes and what is outside of the event, in words and in proportion", async () => {
    const { page, segment, expectNoErrors } = await open([
      ...evening,
      { title: "Workshop", at: "17:30", minutes: 15, speakers: [0] },
      { title: "Load-out", at: "19:50", minutes: 30, kind: "logistics" },
    ]);
    await page.getByText("Gap · 5 min").waitFor();
    await page.getByText("Gap · 1 h", { exact: true }).waitFor();
    const overlaps = page.getByRole("list", { name: "Overlaps" });
    expect(await overlaps.innerText()).toMatch(/Overlap 10 min[\s\S]*Ana Silva in 2/);
    const label = await segment("Workshop").getAttribute("aria-label");
    expect(label).toContain("Ana Silva is in Keynote at the same time. Overlaps 10 min with Keynote.");
    expect(await segment("Load-out").getAttribute("aria-label")).toContain("20 min after the end of the event.");
    const [short, long] = [await segment("Break").boundingBox(), await segment("Panel").boundingBox()];
    // A line of one pixel separates the boxes.
    expect(((long?.height ?? 0) + 1) / ((short?.height ?? 0) + 1)).toBeCloseTo(2, 1);
    await expectAccessible(page);
    expectNoErrors();
  });

  it("moves and resizes by keyboard, says so, and saves with the change dialog", async () => {
    const { page, show, segment, expectNoErrors } = await open(evening);
    await segment("Break").focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText("18:40 to 19:05, 25 min.").waitFor();
    expect(await segment("Break").and(page.locator(":focus")).count()).toBe(1);
    await page.keyboard.press("ArrowRight");
    expect(await segment("Panel").and(page.locator(":focus")).count()).toBe(1);
    await page.getByText("1 segment changed, not saved yet").waitFor();
    expect((await stored(show.eventId)).Break).toBe("17:50 20");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("dialog").getByText("25 min").waitFor();
    await expectAccessible(page);
    await confirm(page, "Save segment");
    expect((await stored(show.eventId)).Break).toBe("17:40 25");
    await page.getByText("not saved yet").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    expect((await stored(show.eventId)).Break).toBe("17:50 20");
    expectNoErrors();
  });

  it("moves and resizes by drag in steps of five minutes, and Escape takes a drag back", async () => {
    const { page, segment, show, expectNoErrors } = await open(evening);
    const drag = async (title: string, pixels: number, where: "middle" | "end", drop = true) => {
      const box = await segment(title).boundingBox();
      if (box === null) throw new Error(`${title} is not visible`);
      await page.mouse.move(box.x + 60, where === "end" ? box.y + box.height - 1 : box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + 60, (where === "end" ? box.y + box.height - 1 : box.y + box.height / 2) + pixels, {
        steps: 5,
      });
      if (drop) await page.mouse.up();
    };
    await segment("Welcome").waitFor();
    const perMinute = ((await segment("Keynote").boundingBox())?.height ?? 0) / 30;
    await drag("Break", 9 * perMinute, "middle");
    await page.getByText("Not saved", { exact: true }).waitFor();
    expect(await segment("Break").getAttribute("aria-label")).toContain(
      "19:00 to 19:20, 20 min. Overlaps 10 min with Panel.",
    );
    expect(await page.getByRole("dialog").count()).toBe(0);
    await drag("Panel", 16 * perMinute, "end");
    expect(await segment("Panel").getAttribute("aria-label")).toContain("19:10 to 20:05, 55 min");
    await drag("Keynote", 30 * perMinute, "middle", false);
    await page.keyboard.press("Escape");
    await page.mouse.up();
    expect(await segment("Keynote").getAttribute("aria-label")).toContain("18:10 to 18:40");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Save 2 segments" }).click();
    await page.getByText("2 segments saved").waitFor();
    expect(await stored(show.eventId)).toMatchObject({ Break: "18:00 20", Panel: "18:10 55", Keynote: "17:10 30" });
    expectNoErrors();
  });

  it("saves several moves as one change, shows what somebody else changed meanwhile, and takes them back", async () => {
    const { page, segment, show } = await open(evening);
    await page.getByText("Move what follows too").click();
    await segment("Keynote").focus();
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText("3 segments changed").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Keynote › Length").waitFor();
    await dialog.getByText("Panel › Start").waitFor();
    await expectAccessible(page);
    await service.db.query(sql`
      update segments set start_time = ${`${eventDay}T18:00:00Z`} where event_id = ${show.eventId} and title = 'Break'`);
    await dialog.getByRole("button", { name: "Save 3 segments" }).click();
    await dialog.getByText("Somebody changed this meanwhile").waitFor();
    expect(await stored(show.eventId)).toMatchObject({ Keynote: "17:10 30", Break: "18:00 20", Panel: "18:10 40" });
    await dialog.getByRole("button", { name: "Continue with my change" }).click();
    await dialog.getByRole("button", { name: "Save 3 segments" }).click();
    await page.getByText("3 segments saved").waitFor();
    expect(await stored(show.eventId)).toMatchObject({ Keynote: "17:10 35", Break: "17:55 20", Panel: "18:15 40" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    expect(await stored(show.eventId)).toMatchObject({ Keynote: "17:10 30", Break: "18:00 20", Panel: "18:10 40" });
  });

  it("removes a segment and takes it back, or closes the room that it leaves", async () => {
    const { page, segment, show, expectNoErrors } = await open(evening);
    const dialog = page.getByRole("dialog");
    await segment("Welcome").click();
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();
    await dialog.getByText("Removed", { exact: true }).waitFor();
    expect(await dialog.last().innerText()).toContain("Speakers: Ana Silva");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Remove segment" }).click();
    await page.getByText("Segment removed").waitFor();
    expect(Object.keys(await stored(show.eventId)).sort()).toEqual(["Break", "Keynote", "Panel"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    expect(await stored(show.eventId)).toMatchObject({ Welcome: "17:00 10", Keynote: "17:10 30" });
    await page.getByText("Move what follows too").click();
    await page.getByRole("button", { name: "List" }).click();
    await page.getByRole("button", { name: "Change Keynote" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await dialog.getByText("Panel › Start").waitFor();
    await confirm(page, "Remove segment");
    expect(await stored(show.eventId)).toEqual({ Welcome: "17:00 10", Break: "17:20 20", Panel: "17:40 40" });
    expectNoErrors();
  });

  it("moves the whole run of show, and back", async () => {
    const { page, show, expectNoErrors } = await open(evening);
    await page.getByRole("button", { name: "Shift all" }).click();
    await page.getByRole("menuitem", { name: "30 min later" }).click();
    await confirm(page, "Move run of show");
    expect(await stored(show.eventId)).toEqual({
      ...{ Welcome: "17:30 10", Keynote: "17:40 30", Break: "18:20 20", Panel: "18:40 40" },
    });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    expect(await stored(show.eventId)).toMatchObject({ Welcome: "17:00 10", Panel: "18:10 40" });
    expectNoErrors();
  });

  it("adds in a gap, edits with speakers, warns about a clash, and publishes", async () => {
    const { page, show, expectNoErrors } = await open(evening);
    await page.getByRole("button", { name: /Add a segment at 18:40/ }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Title").fill("Lightning talk");
    expect(await form.getByLabel("Start, Lisbon time").inputValue()).toBe(`${eventDay}T18:40`);
    await form.getByRole("combobox", { name: "Add a speaker" }).fill("Ana");
    await page.getByRole("option", { name: "Ana Silva" }).click();
    await form.getByLabel("Start, Lisbon time").fill(`${eventDay}T18:35`);
    await form.getByText("Ana Silva is in Keynote at the same time.").waitFor();
    await expectAccessible(page);
    await form.getByRole("button", { name: "Review segment" }).click();
    await page.getByRole("dialog").getByText("Speakers:").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Add segment" }).click();
    await page.getByText("Segment added").waitFor();
    expect((await stored(show.eventId))["Lightning talk"]).toBe("17:35 10");
    await page.getByText("1 speaker clash").waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByText(/Ana Silva is in “Keynote” and “Lightning talk” at the same time/)
      .waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    await page.getByText("Run of show published").waitFor();
    await page.getByRole("button", { name: "Unpublish" }).waitFor();
    expectNoErrors();
  });

  it("reorders with buttons, and shows the new times before", async () => {
    const { page, show, expectNoErrors } = await open(evening);
    await page.getByRole("button", { name: "Reorder" }).click();
    await page.getByRole("button", { name: "Move Keynote up" }).click();
    await page
      .getByRole("row", { name: /Keynote/ })
      .getByText("18:00–18:30")
      .waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Review order" }).click();
    await page.getByRole("button", { name: "Save order" }).click();
    await page.getByText("Order saved").waitFor();
    expect(await stored(show.eventId)).toEqual({
      ...{ Keynote: "17:00 30", Welcome: "17:30 10", Break: "17:40 20", Panel: "18:00 40" },
    });
    expectNoErrors();
  });

  it("reorders with the pauses that there are", async () => {
    const { page, show } = await open(evening);
    await page.getByRole("button", { name: "Reorder" }).click();
    await page.getByText("Keep pauses where they are").click();
    await page.getByRole("button", { name: "Move Keynote up" }).click();
    await page.getByRole("row", { name: /Break/ }).getByText("18:50–19:10").waitFor();
    await page.getByRole("button", { name: "Review order" }).click();
    await page.getByRole("button", { name: "Save order" }).click();
    await page.getByText("Order saved").waitFor();
    expect(await stored(show.eventId)).toEqual({
      ...{ Keynote: "17:00 30", Welcome: "17:30 10", Break: "17:50 20", Panel: "18:10 40" },
    });
  });

  it("asks before moves are lost", async () => {
    const { page, segment } = await open(evening);
    await segment("Break").focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("link", { name: /Speakers/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByText("1 segment changed").waitFor();
    await page.getByRole("link", { name: /Speakers/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
    await page.waitForURL("**/speakers");
  });

  it("is a list on phones, with the same changes", async () => {
    const { page, show, expectNoErrors } = await open(evening, { size: "phone" });
    await page.getByRole("row", { name: /18:10–18:40.*Keynote/ }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Change Break" }).click();
    await page.getByRole("menuitem", { name: "15 min later" }).click();
    await page.getByText(/Overlaps 15 min with Panel/).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await confirm(page, "Save segment");
    expect((await stored(show.eventId)).Break).toBe("18:05 20");
    expectNoErrors();
  });

  it("has a timeline on phones too", async () => {
    const { page, expectNoErrors } = await open(evening, { size: "phone" });
    await page.getByRole("button", { name: "Timeline" }).click();
    await page.getByRole("application", { name: "Timeline" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await expectAccessible(page);
    expectNoErrors();
  });

  it("can be read by members, who see why they cannot change it", async () => {
    const { page, expectNoErrors } = await open(evening, { member: true });
    await page.getByText(/Admins and owners of Harbour Works can change this event/).waitFor();
    expect(await page.getByRole("button", { name: /Add segment|Publish|Reorder/ }).count()).toBe(0);
    await page.getByRole("button", { name: /^Welcome/ }).click();
    await page.getByRole("dialog").getByText("Thank the volunteers.").waitFor();
    await expectAccessible(page);
    expectNoErrors();
  });

  it("says what to do when nothing is planned, and prints one table", async () => {
    const empty = await open([]);
    await empty.page.getByRole("button", { name: "Add segment" }).waitFor();
    await expectAccessible(empty.page);
    const { page } = await open(evening);
    await page.evaluate("window.print = () => {}");
    await page.getByRole("button", { name: "Print" }).click();
    await page.getByRole("menuitem", { name: /For the crew/ }).click();
    await page.emulateMedia({ media: "print" });
    const sheet = page.locator("[data-print-sheet]");
    expect(await sheet.innerText()).toContain("Thank the volunteers.");
    expect(await page.locator("#root").isVisible()).toBe(false);
    await page.evaluate("window.dispatchEvent(new Event('afterprint'))");
    await page.emulateMedia({ media: "screen" });
    expect(await sheet.count()).toBe(0);
  });
});
