import { afterAll, beforeAll, expect, it } from "vitest";
import { makerOn } from "../support/make.js";
import { type BrowserService, expectAccessible, startBrowserService, type Visitor, withBrowser } from "./support.js";

/** The pages that need no sign-in: what a developer reads who never saw the product. */
withBrowser("the documentation", () => {
  let service: BrowserService;
  let key: string;
  let posterId: string;

  beforeAll(async () => {
    service = await startBrowserService();
    const make = makerOn(service.db);
    posterId = await make.poster(await make.event(await make.conference()));
    key = await make.superAdminKey();
  });
  afterAll(() => service?.close());

  it("leads a visitor from the start to a first successful call", async () => {
    const { page, expectNoErrors, context } = await service.visit();
    await page.goto("/");
    await page.getByRole("heading", { level: 1, name: "Agents do the work." }).waitFor();
    await page.getByText('"documentation_url"').waitFor();
    await page.getByRole("link", { name: "Make your first call" }).click();
    await page.getByRole("heading", { level: 1, name: "Your first call" }).waitFor();
    await page.getByText(`export SVC_URL=${service.url}`).waitFor();
    await page.getByRole("link", { name: "reference of posters" }).click();
    await page.getByRole("button", { name: "Run it: getPoster" }).click();
    await page.getByLabel("API key").fill("svc_mk_wrong");
    await page.getByRole("textbox", { name: /^id/ }).fill(posterId);
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText(/^Status 401/).waitFor();
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText(/^Status 200/).waitFor();
    expect(await page.getByRole("figure").filter({ hasText: "Your response" }).innerText()).toContain(posterId);
    await expectAccessible(page);
    expect(page.url()).not.toContain(key);
    const { cookies, origins } = await context.storageState();
    expect(JSON.stringify({ cookies, origins })).not.toContain(key);
    await page.reload();
    await page.getByRole("button", { name: "Run it: getPoster" }).click();
    expect(await page.getByLabel("API key").inputValue()).toBe("");
    // The browser itself logs the refused request.
    expectNoErrorsBut(expectNoErrors, /401/);
    await context.close();
  });

  it("finds guides, operations and tools by keyboard", async () => {
    const { page, expectNoErrors, context } = await service.visit();
    await page.goto("/docs");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill("reorder speakers");
    await page.getByRole("menuitem", { name: /^reorder_event_speakers/ }).waitFor();
    await expectAccessible(page);
    // The best result is chosen already.
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/tools/speakers#reorder_event_speakers");
    await page.getByRole("heading", { level: 2, name: "reorder_event_speakers" }).waitFor();
    expectNoErrors();
    await context.close();
  });

  it("moves between guides without a load, and shows a page for what does not exist", async () => {
    const { page, expectNoErrors, context } = await service.visit();
    await page.goto("/docs");
    await page.evaluate("window.sameDocument = true");
    await page.getByRole("main").getByRole("link", { name: "Connect your agent" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Connect your agent" }).waitFor();
    expect(await page.evaluate("window.sameDocument")).toBe(true);
    await page.goto("/docs/no-such-page");
    await page.getByText("There is no such page").waitFor();
    expectNoErrors();
    await context.close();
  });

  it("opens its navigation on a phone", async () => {
    const { page, context } = await service.visit({ size: "phone" });
    await page.goto("/docs/quick-start");
    await page.getByRole("button", { name: "Open the navigation" }).click();
    await page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Errors" }).click();
    await page.getByRole("heading", { level: 1, name: "Errors" }).waitFor();
    expect(await page.getByRole("navigation", { name: "Documentation" }).isVisible()).toBe(false);
    await context.close();
  });

  it("is accessible on every page, in both themes", { timeout: 900_000 }, async () => {
    const visitor = await service.visit();
    for (const path of ["/", ...(await pathsOfPages(visitor))]) {
      await openPage(visitor, path);
      await expectAccessible(visitor.page);
    }
    await visitor.context.close();
  });

  it("fits a phone on every page", { timeout: 300_000 }, async () => {
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

function expectNoErrorsBut(expectNoErrors: () => void, allowed: RegExp): void {
  try {
    expectNoErrors();
  } catch (error) {
    const { actual } = error as { actual: string[] };
    expect(actual.filter((text) => !allowed.test(text))).toEqual([]);
  }
}
