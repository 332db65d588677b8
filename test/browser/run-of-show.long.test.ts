import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { makerOn } from "../support/make.js";
import { createRunOfShow, evening, type FixtureSegment, storedTimes } from "../support/run-of-show-fixture.js";
import { expectAccessible, useBrowser, withBrowser } from "./support.js";

/** What needs layout, a mouse or a printer. console/test/run-of-show.test.ts has the rest. */
withBrowser("the run of show in a browser", () => {
  const service = useBrowser();

  async function open(segments: FixtureSegment[], options: { size?: "phone"; member?: boolean } = {}) {
    const show = await createRunOfShow(service.db, segments);
    const userId = options.member ? await makerOn(service.db).member(show.organizationId, "member") : show.ownerId;
    const cookie = await service.signIn(userId);
    const visitor = await service.visit({ cookie, ...(options.size === undefined ? {} : { size: options.size }) });
    await visitor.page.goto(show.path);
    await visitor.page.getByRole("heading", { name: "Run of show" }).waitFor();
    return { ...visitor, show, segment: (name: string) => segmentOf(visitor.page, name) };
  }

  /** The box in the timeline, when it can be moved. */
  const segmentOf = (page: Page, title: string) =>
    page.locator(`[aria-describedby][data-segment]`).filter({ has: page.getByText(title, { exact: true }) });

  it("shows segments in proportion, and problems so that everybody can see them", async () => {
    const { page, segment, expectNoErrors } = await open([
      ...evening,
      { title: "Workshop", at: "17:30", minutes: 15, speakers: [0] },
      { title: "Load-out", at: "19:50", minutes: 30, kind: "logistics" },
    ]);
    const [short, long] = [await segment("Break").boundingBox(), await segment("Panel").boundingBox()];
    // A line of one pixel separates the boxes.
    expect(((long?.height ?? 0) + 1) / ((short?.height ?? 0) + 1)).toBeCloseTo(2, 1);
    await expectAccessible(page);
    expectNoErrors();
  });

  it("moves and resizes by drag in steps of five minutes, and Escape takes a drag back", async () => {
    const { page, segment, show, expectNoErrors } = await open(evening);
    const drag = async (title: string, pixels: number, where: "middle" | "end", drop = true) => {
      const box = await segment(title).boundingBox();
      if (box === null) throw new Error(`${title} is not visible`);
      const y = where === "end" ? box.y + box.height - 1 : box.y + box.height / 2;
      await page.mouse.move(box.x + 60, y);
      await page.mouse.down();
      await page.mouse.move(box.x + 60, y + pixels, { steps: 5 });
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
    await expect.poll(() => segment("Keynote").getAttribute("aria-label")).toContain("18:10 to 18:40");
    await page.mouse.up();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    // They overlap.
    await page.getByRole("dialog").getByRole("button", { name: "Save 2 segments" }).click();
    await page.getByText("2 segments saved").waitFor();
    expect(await storedTimes(service.db, show.eventId)).toMatchObject({
      Break: "18:00 20",
      Panel: "18:10 55",
      Keynote: "17:10 30",
    });
    expectNoErrors();
  });

  it("has accessible dialogs", async () => {
    const { page, segment, expectNoErrors } = await open(evening);
    const dialog = page.getByRole("dialog");
    await segment("Welcome").click();
    await dialog.getByLabel("Start, Lisbon time: time").fill("18:05");
    await dialog.getByText("Overlaps 5 min with Keynote.").waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();
    await dialog.getByText("Removed", { exact: true }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Cancel" }).last().click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Reorder" }).click();
    await page.getByRole("button", { name: "Move Keynote up" }).click();
    await expectAccessible(page);
    expectNoErrors();
    const member = await open(evening, { member: true });
    await member.page.getByRole("button", { name: /^Welcome/ }).click();
    await member.page.getByRole("dialog").getByText("Thank the volunteers.").waitFor();
    await expectAccessible(member.page);
    member.expectNoErrors();
  });

  it("has a timeline that fits on phones", async () => {
    const { page, expectNoErrors } = await open(evening, { size: "phone" });
    await page.getByRole("button", { name: "Timeline" }).click();
    await page.getByRole("application", { name: "Timeline" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await expectAccessible(page);
    expectNoErrors();
  });

  it("prints nothing but the table", async () => {
    const { page } = await open(evening);
    await page.evaluate("window.print = () => {}");
    await page.getByRole("button", { name: "Print" }).click();
    await page.getByRole("menuitem", { name: /For the crew/ }).click();
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("[data-print-sheet]").isVisible()).toBe(true);
    expect(await page.locator("#root").isVisible()).toBe(false);
  });
});
