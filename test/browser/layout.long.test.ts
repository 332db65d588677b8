import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import sharp from "sharp";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { expectLaidOut } from "./geometry.js";
import { dialogs, documentation, type Person, pages, type Step, usePages, views } from "./pages.js";
import { expectAccessible, sizes, waitForFrame, withBrowser } from "./support.js";

const tablet = { width: 768, height: 1024 };

/** On a phone so high that no bar covers a part of a link, which axe would take for its size. */
async function smallTargets(page: Page): Promise<string[]> {
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  await page.setViewportSize({ ...sizes.phone, height: Math.max(height + 200, 2000) });
  const { violations } = await new AxeBuilder({ page }).withRules("target-size").setLegacyMode(true).analyze();
  return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html));
}

/** In the topmost dialog or menu. */
async function take(page: Page, step: Step): Promise<void> {
  const top = page.locator("[role=dialog], [role=menu], body").last();
  if (typeof step === "string") {
    const name = new RegExp(`^${step}`);
    return top.getByRole("button", { name }).or(top.getByRole("menuitem", { name })).first().click();
  }
  if (Array.isArray(step)) return top.getByLabel(step[0]).first().fill(step[1]);
  const picture = sharp({ create: { width: 900, height: 600, channels: 3, background: "#3a6ea5" } });
  const file = { name: step.picture, mimeType: "image/png", buffer: await picture.png().toBuffer() };
  return top.locator("input[type=file]:not([capture])").setInputFiles(file);
}

/** accessibility.test.ts checks each page on a desk and on a phone. */
withBrowser("every page", () => {
  const { service, open, eventId } = usePages();

  const all: [route: string, who: Person, shown?: string][] = [
    ...pages,
    ...documentation.map((path): [string, Person] => [path, "owner"]),
  ];

  it.each(all)("%s fits and covers nothing on a tablet, and is large enough to touch on a phone", async (...row) => {
    const [route, who, shown] = row;
    const { page } = await open(who, route, shown === undefined ? {} : { shown });
    await page.emulateMedia({ colorScheme: "dark" });
    await expectLaidOut(page, tablet);
    await page.setViewportSize(sizes.phone);
    // Lists become cards, which takes a moment.
    await expect.poll(() => smallTargets(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
  });

  it.each(views)("%s fits, covers nothing and is accessible", async (route, who, shown) => {
    const { page, expectNoErrors } = await open(who, route, { shown });
    for (const size of [sizes.desktop, tablet, sizes.phone]) await expectLaidOut(page, size);
    await expectAccessible(page);
    expectNoErrors();
  });

  it.each(dialogs)("%s as %s: %j fits, covers nothing and is accessible in both themes", async (...row) => {
    const [route, who, steps, title] = row;
    const { page, expectNoErrors } = await open(who, route);
    for (const step of steps) await take(page, step);
    const dialog = page.locator("[role=dialog], [role=alertdialog]").filter({ hasText: title }).last();
    await dialog.waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const size of [sizes.desktop, tablet, sizes.phone]) await expectLaidOut(page, size);
    }
    await expectAccessible(page);
    expectNoErrors();
  });

  /** How much of the window is covered by what stays in place when the page is scrolled. */
  const fixedShare = `(() => {
    scrollTo(0, 200);
    const isFixed = (element) => ["fixed", "sticky"].includes(getComputedStyle(element).position);
    const heights = [...document.querySelectorAll("header, nav")]
      .filter((element) => isFixed(element) && element.checkVisibility())
      .map((element) => element.getBoundingClientRect())
      .filter(({ width, top, bottom }) => width > innerWidth / 2 && bottom > 0 && top < innerHeight)
      .map(({ height }) => height);
    return heights.reduce((sum, height) => sum + height, 0) / innerHeight;
  })()`;

  it("leaves most of the window to its content when it is zoomed to 200 %", async () => {
    const { page } = await open("owner", "/o/$organization/settings", { shown: "Brand colours" });
    for (const size of [
      { width: 720, height: 450 },
      { width: 640, height: 400 },
    ]) {
      await expectLaidOut(page, size);
      expect(await page.evaluate(fixedShare), `${size.width} px`).toBeLessThan(0.15);
    }
  });

  it("shows the current tab when the window becomes narrower", async () => {
    const { page } = await open("owner", "/o/$organization/settings/apps", { shown: "Harbour Agent" });
    await page.setViewportSize(sizes.phone);
    const tab = page.getByRole("link", { name: "Connected apps" });
    await expect.poll(async () => ((await tab.boundingBox())?.x ?? 999) + 100).toBeLessThan(sizes.phone.width);
  });

  it("has the colours of the theme at once for people who ask for less motion", async () => {
    const { page } = await open("owner", "/o/$organization/events", { shown: "Founders' breakfast" });
    const colour = `getComputedStyle(document.querySelector("[role=rowheader] a")).color`;
    await page.emulateMedia({ colorScheme: "dark" });
    await waitForFrame(page);
    const dark = await page.evaluate(colour);
    await page.emulateMedia({ colorScheme: "light" });
    await waitForFrame(page);
    expect(await page.evaluate(`${colour} === getComputedStyle(document.body).color`)).toBe(true);
    expect(await page.evaluate(colour)).not.toBe(dark);
  });

  it("prints its content alone, black on white, with all loaded rows of a list", async () => {
    await service.db.query(sql`
      insert into registrations (event_id, name, email, status)
      select ${eventId()}, 'Printed ' || n, 'printed' || n || '@example.com', 'approved' from generate_series(1, 60) n`);
    const { page } = await open("owner", "/o/$organization/events/$event/guests", { shown: "guest1@example.com" });
    await page.evaluate(`dispatchEvent(new Event("beforeprint"))`);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await waitForFrame(page);
    expect(await page.getByText(/^Printed \d+$/).count()).toBe(60);
    expect(await page.getByRole("navigation").filter({ visible: true }).count()).toBe(0);
    expect(await page.getByRole("button").filter({ visible: true }).count()).toBe(0);
    const look = `[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor,
      getComputedStyle(document.querySelector("[role=rowgroup]")).display]`;
    expect(await page.evaluate(look)).toEqual(["rgb(0, 0, 0)", "rgb(255, 255, 255)", "table-header-group"]);
    await page.evaluate(`dispatchEvent(new Event("afterprint"))`);
    await page.emulateMedia({ media: null, colorScheme: "light" });
    await expect.poll(() => page.getByText(/^Printed \d+$/).count()).toBeLessThan(60);
  });
});
