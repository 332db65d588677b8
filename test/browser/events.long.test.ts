import { expect, it } from "vitest";
import { createLargeOrganization } from "../support/large-organization.js";
import { makerOn } from "../support/make.js";
import { useBrowser, withBrowser } from "./support.js";

withBrowser("the events, in a browser", () => {
  const service = useBrowser();

  it("selects and opens events by keyboard, and renders only the rows on the screen of 2,000", async () => {
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
