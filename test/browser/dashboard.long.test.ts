import { beforeAll, expect, it } from "vitest";
import { createDashboardFixture, type DashboardFixture } from "../support/dashboard-fixture.js";
import { createLargeOrganization } from "../support/large-organization.js";
import { makerOn } from "../support/make.js";
import { expectAccessible, useBrowser, withBrowser } from "./support.js";

/** Scripts that run in the page. */
const noteShifts = `
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ value }) => value)))
    .observe({ type: "layout-shift", buffered: true });`;
const noteLongestTask = `
  window.longestTaskMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longestTaskMs = Math.max(window.longestTaskMs, duration);
  }).observe({ type: "longtask", buffered: true });`;

withBrowser("the dashboard and the activity, in a browser", () => {
  const service = useBrowser();
  let fixture: DashboardFixture;
  let cookie: string;

  beforeAll(async () => {
    fixture = await createDashboardFixture(service.db);
    cookie = await service.signIn(fixture.ownerId);
  });

  const moveTo = async (venue: string, reason: string) => {
    const path = `/api/console/organizations/${fixture.organizationId}/tools/update_event_details`;
    const headers = { cookie, origin: service.url };
    const args = { event_id: fixture.eventIds[0], venue };
    const preview = await service.call(path, { method: "POST", body: args, headers });
    const body = { ...preview.json.commit_with, reason };
    expect((await service.call(path, { method: "POST", body, headers })).status).toBe(200);
  };

  it.each(["phone", "desktop"] as const)(
    "does not move while it loads, and shows its pictures, on a %s",
    async (size) => {
      const { page, expectNoErrors } = await service.visit({ cookie, size });
      await page.addInitScript({ content: noteShifts });
      await page.goto(`/o/${fixture.slug}`);
      await page.getByRole("link", { name: "Opening night at the harbour", exact: true }).first().waitFor();
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate("shifts.reduce((sum, shift) => sum + shift, 0)")).toBeLessThan(0.1);
      await page.getByRole("img", { name: "A portrait poster" }).first().scrollIntoViewIfNeeded();
      const width = () => page.evaluate(`document.querySelector('img[alt="A portrait poster"]').naturalWidth`);
      await expect.poll(width).toBeGreaterThan(0);
      expectNoErrors();
    },
  );

  it("stays responsive with 2,000 events and 20,000 posters", async () => {
    const large = await createLargeOrganization(service.db, { events: 2_000, postersPerEvent: 10 });
    const user = await makerOn(service.db).member(large);
    const nodesOf = async (organization: string, who: string) => {
      const { page, context } = await service.visit({ cookie: who });
      // The pictures of this organization do not exist.
      await page.route("https://images.example.com/**", (route) => route.fulfill({ status: 204, body: "" }));
      await page.addInitScript({ content: noteLongestTask });
      await page.goto(`/o/${organization}`);
      await page
        .getByRole("region", { name: /^Needs attention/ })
        .getByRole("listitem")
        .first()
        .waitFor();
      await page.waitForLoadState("networkidle");
      const nodes = Number(await page.evaluate("document.querySelectorAll('*').length"));
      const longestMs = Number(await page.evaluate("longestTaskMs"));
      await context.close();
      return { nodes, longestMs };
    };
    const small = await nodesOf(fixture.slug, cookie);
    const big = await nodesOf(large, await service.signIn(user));
    if (process.env.SHOW_TIMES) console.log(small, big);
    expect(big.nodes / small.nodes).toBeLessThan(3);
    // The script itself is the longest task of both; a list that grew with the data would be many times as long.
    expect(big.longestMs / Math.max(small.longestMs, 50)).toBeLessThan(5);
  });

  it("is accessible while a change is undone, or cannot be", async () => {
    await moveTo("Harbour Hall", "Pier 4 is closed");
    await moveTo("Pier 5", "It was too small");
    const { page } = await service.visit({ cookie, size: "phone" });
    await page.goto(`/o/${fixture.slug}/activity`);
    const dialog = page.getByRole("dialog");
    const undo = page.getByRole("button", { name: "Undo “Changed the venue”" });
    await undo.nth(1).click();
    await dialog.getByText(/because the venue of the event .* was changed since/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Close" }).first().click();
    await undo.first().click();
    await page.getByText("Undone", { exact: true }).first().waitFor();
    await expectAccessible(page);
  });

  it("has an accessible command menu", async () => {
    const { page, expectNoErrors } = await service.visit({ cookie });
    await page.goto(`/o/${fixture.slug}`);
    await page.getByRole("button", { name: "Search and commands" }).click();
    await page.getByRole("searchbox", { name: /^Search events/ }).fill("harbour");
    await page.getByRole("menuitem", { name: /^Opening night at the harbour/ }).waitFor();
    await expectAccessible(page);
    expectNoErrors();
  });
});
