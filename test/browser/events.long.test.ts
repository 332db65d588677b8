import { beforeAll, expect, it } from "vitest";
import { createDashboardFixture, type DashboardFixture } from "../support/dashboard-fixture.js";
import { createLargeOrganization } from "../support/large-organization.js";
import { makerOn } from "../support/make.js";
import { expectAccessible, useBrowser, withBrowser } from "./support.js";

/** Buttons, links and fields of the page that something else covers when they are in view. */
const covered = `[...document.querySelectorAll("main :is(a, button, input, [role=checkbox])")].filter((element) => {
  const shown = element.closest("label") ?? element;
  shown.scrollIntoView({ block: "center" });
  const { left, top, width, height } = shown.getBoundingClientRect();
  if (width <= 1 || height <= 1) return false;
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return found === null || !(shown.contains(found) || found.contains(shown));
}).map((element) => element.textContent || element.getAttribute("aria-label"))`;

const widthBeyondPage = "document.documentElement.scrollWidth - document.body.offsetWidth";

withBrowser("the events, in a browser", () => {
  const service = useBrowser();
  let fixture: DashboardFixture;
  let cookie: string;

  beforeAll(async () => {
    fixture = await createDashboardFixture(service.db);
    cookie = await service.signIn(fixture.ownerId);
  });

  it.each([
    ["", "Founders' breakfast"],
    ["/events", "Founders' breakfast"],
    ["/events?view=calendar", "Opening night at the harbour"],
    ["/settings/keys", "Poster bot"],
  ])("/o/:organization%s fits, covers nothing, and is accessible", async (path, shown) => {
    const { page, expectNoErrors } = await service.visit({ cookie });
    await page.goto(`/o/${fixture.slug}${path}`);
    await page.getByText(shown).filter({ visible: true }).first().waitFor();
    await expect.poll(() => page.locator("[class*=skeleton], [aria-busy=true]").count()).toBe(0);
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => page.evaluate(widthBeyondPage), { message: `${width} px` }).toBeLessThanOrEqual(0);
      expect(await page.evaluate(covered), `${width} px`).toEqual([]);
      await expectAccessible(page);
    }
    expectNoErrors();
  });

  it("selects and opens events by keyboard, and stays quick with 2,000", async () => {
    const large = await createLargeOrganization(service.db, { events: 2_000, postersPerEvent: 1 });
    const owner = await service.signIn(await makerOn(service.db).member(large, "owner"));
    const { page } = await service.visit({ cookie: owner });
    await page.goto(`/o/${large}/events?when=any`);
    const rows = page.getByRole("grid", { name: "Events" }).getByRole("row");
    await rows.nth(1).focus();
    await page.keyboard.press("Space");
    await page.getByRole("region", { name: "Selected events" }).getByText("1 selected").waitFor();
    // Further pages are loaded on the way down.
    const moveDown = async () => {
      await page.keyboard.press("PageDown");
      return page.evaluate("Number(document.activeElement.dataset.index)");
    };
    await expect.poll(moveDown).toBeGreaterThan(100);
    // Only the rows on the screen are in the document.
    expect(await rows.count()).toBeLessThan(60);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/events\/[0-9a-f-]{36}$/);
  });
});
