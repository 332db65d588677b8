import { expect, it } from "vitest";
import { makerOn } from "../support/make.js";
import { expectAccessible, useBrowser, withBrowser } from "./support.js";

/** What needs a browser: looks and sizes. What the pages do is tested in console/test/documentation.test.ts. */
withBrowser("the documentation", () => {
  const service = useBrowser();

  it("is accessible with the response of a request", async () => {
    const make = makerOn(service.db);
    const posterId = await make.poster(await make.event(await make.conference()));
    const { page, expectNoErrors } = await service.visit();
    await page.goto("/docs/api/posters");
    await page.getByRole("button", { name: "Run it: getPoster" }).click();
    await page.getByLabel("API key").fill(await make.superAdminKey());
    await page.getByRole("textbox", { name: /^id/ }).fill(posterId);
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText(/^Status 200/).waitFor();
    await expectAccessible(page);
    expectNoErrors();
  });

  it("finds pages by keyboard, accessibly, and shows the section", async () => {
    const { page, expectNoErrors } = await service.visit();
    await page.goto("/docs");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill("reorder speakers");
    await page.getByRole("menuitem", { name: /^reorder_event_speakers/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/tools/speakers#reorder_event_speakers");
    await page.getByRole("heading", { level: 2, name: "reorder_event_speakers" }).waitFor();
    const isInWindow = `{
      const { top, bottom } = document.getElementById("reorder_event_speakers").getBoundingClientRect();
      top >= 0 && bottom <= innerHeight;
    }`;
    await expect.poll(() => page.evaluate(isInWindow)).toBe(true);
    expectNoErrors();
  });

  it("shows and hides its navigation on a phone", async () => {
    const { page } = await service.visit({ size: "phone" });
    await page.goto("/docs/quick-start");
    await page.getByRole("button", { name: "Open the navigation" }).click();
    await expectAccessible(page);
    await page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Errors" }).click();
    await page.getByRole("heading", { level: 1, name: "Errors" }).waitFor();
    expect(await page.getByRole("navigation", { name: "Documentation" }).isVisible()).toBe(false);
  });

  it("shows where a page comes while it loads, with room around it", async () => {
    const { page } = await service.visit();
    await page.goto("/docs");
    await page.getByRole("heading", { level: 1 }).waitFor();
    const loaded = (await page.getByRole("heading", { level: 1 }).boundingBox())?.x;
    await page.route("**/*glossary*", async (route) => {
      await page.locator("[class*=skeleton]").first().waitFor();
      await expect.poll(async () => (await page.locator("[class*=skeleton]").first().boundingBox())?.x).toBe(loaded);
      await route.continue();
    });
    await page.getByRole("link", { name: "Glossary" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Glossary" }).waitFor();
  });
});
