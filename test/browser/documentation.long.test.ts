import { afterAll, beforeAll, expect, it } from "vitest";
import { makerOn } from "../support/make.js";
import { type BrowserService, expectAccessible, startBrowserService, type Visitor, withBrowser } from "./support.js";

/** What needs a browser: looks, sizes, what is kept. What the pages do is tested in console/test/documentation.test.ts. */
withBrowser("the documentation", () => {
  let service: BrowserService;

  beforeAll(async () => {
    service = await startBrowserService();
  });
  afterAll(() => service?.close());

  it("forgets the key of a request with the page, and is accessible with its response", async () => {
    const make = makerOn(service.db);
    const posterId = await make.poster(await make.event(await make.conference()));
    const key = await make.superAdminKey();
    const { page, expectNoErrors, context } = await service.visit();
    await page.goto("/docs/api/posters");
    await page.getByRole("button", { name: "Run it: getPoster" }).click();
    await page.getByLabel("API key").fill(key);
    await page.getByRole("textbox", { name: /^id/ }).fill(posterId);
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText(/^Status 200/).waitFor();
    await expectAccessible(page);
    expect(page.url()).not.toContain(key);
    expect(JSON.stringify(await context.storageState({ indexedDB: true }))).not.toContain(key);
    await page.reload();
    await page.getByRole("button", { name: "Run it: getPoster" }).click();
    expect(await page.getByLabel("API key").inputValue()).toBe("");
    expectNoErrors();
    await context.close();
  });

  it("finds pages by keyboard, accessibly, and shows the section", async () => {
    const { page, expectNoErrors, context } = await service.visit();
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
    await context.close();
  });

  it("shows and hides its navigation on a phone", async () => {
    const { page, context } = await service.visit({ size: "phone" });
    await page.goto("/docs/quick-start");
    await page.getByRole("button", { name: "Open the navigation" }).click();
    await expectAccessible(page);
    await page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Errors" }).click();
    await page.getByRole("heading", { level: 1, name: "Errors" }).waitFor();
    expect(await page.getByRole("navigation", { name: "Documentation" }).isVisible()).toBe(false);
    await context.close();
  });

  it("fits a phone on every page", async () => {
    const visitor = await service.visit({ size: "phone" });
    for (const path of ["/", ...(await pathsOfPages(visitor))]) {
      await openPage(visitor, path);
      expect(await visitor.page.evaluate(widthBeyondWindow), path).toBeLessThanOrEqual(0);
    }
    for (const path of ["/", "/docs/quick-start", "/docs/api/images", "/docs/errors"]) {
      await openPage(visitor, path);
      await expectAccessible(visitor.page);
    }
    await visitor.context.close();
  });
});

async function pathsOfPages({ page }: Visitor): Promise<string[]> {
  await page.goto("/docs");
  const links = page.getByRole("navigation", { name: "Documentation", includeHidden: true }).locator("a");
  await links.first().waitFor({ state: "attached" });
  const paths = await Promise.all((await links.all()).map(async (link) => (await link.getAttribute("href")) ?? ""));
  expect(paths.length).toBeGreaterThan(20);
  return paths;
}

const widthBeyondWindow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

async function openPage({ page, expectNoErrors }: Visitor, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  expectNoErrors();
}
