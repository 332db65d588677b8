import { beforeAll, expect, it } from "vitest";
import { createDashboardFixture, type DashboardFixture } from "../support/dashboard-fixture.js";
import { useBrowser, withBrowser } from "./support.js";

/** What is loaded before a page shows anything; `npm run bench:first-paint` measures how long it takes. */
withBrowser("first paint", () => {
  const service = useBrowser();
  let fixture: DashboardFixture;
  let cookie: string;

  beforeAll(async () => {
    fixture = await createDashboardFixture(service.db);
    cookie = await service.signIn(fixture.ownerId);
  });

  const visitDashboard = async () => {
    const visitor = await service.visit({ cookie });
    const paths: string[] = [];
    visitor.page.on("request", (request) => paths.push(new URL(request.url()).pathname));
    return { ...visitor, paths, path: `/o/${fixture.slug}` };
  };

  it("shows the shell until the application is there, also without its style sheet", async () => {
    const { page, path, expectNoErrors } = await visitDashboard();
    let answer = () => {};
    const waiting = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/assets\/(?!boot)/, (route) => waiting.then(() => route.continue()));
    await page.goto(path, { waitUntil: "commit" });
    const shell = page.locator(".shell");
    await shell.getByText("Event platform").waitFor();
    const paints = () => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length);
    await expect.poll(paints).toBe(1);
    answer();
    await page.getByRole("heading", { level: 1, name: "Harbour Works" }).waitFor();
    expect(await shell.isVisible()).toBe(false);
    expectNoErrors();
  });

  it("loads the dashboard in six scripts and a style sheet, which are asked for before the application runs", async () => {
    const { page, path, paths, expectNoErrors } = await visitDashboard();
    const early: string[] = [];
    await page.route(/\/assets\/index-/, async (route) => {
      await expect.poll(() => paths.some((one) => one.startsWith("/assets/frame-"))).toBe(true);
      early.push(...paths);
      await route.continue();
    });
    await page.goto(path);
    await page.getByRole("heading", { level: 1, name: "Harbour Works" }).waitFor();
    const shown = [...paths];
    expect(shown.filter((one) => one.endsWith(".js")).length).toBeLessThanOrEqual(6);
    expect(shown.filter((one) => one.endsWith(".css"))).toHaveLength(1);
    expect(shown.filter((one) => one.endsWith(".js")).toSorted()).toEqual(
      early.filter((one) => one.endsWith(".js")).toSorted(),
    );
    expect(early).toContain("/api/console/session");
    expect(shown.filter((one) => one === "/api/console/session")).toHaveLength(1);
    expectNoErrors();
  });
});
