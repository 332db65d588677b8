import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDashboardFixture, type DashboardFixture } from "../support/dashboard-fixture.js";
import { createLargeOrganization } from "../support/large-organization.js";
import { makerOn } from "../support/make.js";
import { type BrowserService, expectAccessible, startBrowserService, withBrowser } from "./support.js";

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

/** A busy machine takes most of a minute for axe. */
const timeout = 180_000;

withBrowser("the dashboard", { timeout }, () => {
  let service: BrowserService;
  let fixture: DashboardFixture;
  let cookie: string;

  beforeAll(async () => {
    service = await startBrowserService();
    fixture = await createDashboardFixture(service.db);
    cookie = await service.signIn(fixture.ownerId);
  });
  afterAll(() => service?.close());

  const report = async (posterId: string | undefined, links: Record<string, string>) => {
    const key = await makerOn(service.db).organizationKey(fixture.organizationId);
    const { status } = await service.call(`/api/svc/posters/${posterId}`, {
      method: "PATCH",
      key,
      body: { posted_urls: links },
    });
    expect(status).toBe(200);
  };
  const commit = async (tool: string, args: object, reason: string) => {
    const path = `/api/console/organizations/${fixture.organizationId}/tools/${tool}`;
    const headers = { cookie, origin: service.url };
    const preview = await service.call(path, { method: "POST", body: args, headers });
    const body = { ...preview.json.commit_with, reason };
    expect((await service.call(path, { method: "POST", body, headers })).status).toBe(200);
  };

  it("shows an agent's link without reloading, highlighted, with copy and reshare", async () => {
    const { page, context, expectNoErrors } = await service.visit({ cookie });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`/o/${fixture.slug}`);
    const links = page.getByRole("region", { name: "Posted links" });
    await links.getByRole("listitem").first().waitFor();
    expect(await links.getByText("Bluesky").count()).toBe(0);
    const address = "https://bsky.app/profile/harbour/post/1";
    await report(fixture.posterIds[0], { bluesky: address });
    const arrived = links.getByRole("listitem").filter({ has: page.getByRole("link", { name: /^Bluesky/ }) });
    await arrived.waitFor();
    expect(await arrived.getAttribute("data-arrived")).toBe("true");
    expect(await arrived.getByRole("link", { name: /^Reshare/ }).getAttribute("href")).toBe(
      `https://bsky.app/intent/compose?text=${encodeURIComponent(address)}`,
    );
    await arrived.getByRole("button", { name: "Copy link" }).click();
    await arrived.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(address);
    expectNoErrors();
  });

  it.each(["phone", "desktop"] as const)(
    "is accessible, does not move while it loads and fits on a %s",
    async (size) => {
      const { page, expectNoErrors } = await service.visit({ cookie, size });
      await page.addInitScript({ content: noteShifts });
      await page.goto(`/o/${fixture.slug}`);
      await page.getByRole("link", { name: "Opening night at the harbour", exact: true }).waitFor();
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate("shifts.reduce((sum, shift) => sum + shift, 0)")).toBeLessThan(0.1);
      expect(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBeLessThanOrEqual(0);
      await expectAccessible(page);
      expectNoErrors();
    },
  );

  it("filters posters by state, events by time and links by platform", async () => {
    const { page, expectNoErrors } = await service.visit({ cookie });
    await page.goto(`/o/${fixture.slug}`);
    const posters = page.getByRole("region", { name: "Posters" });
    await posters.getByRole("listitem").first().waitFor();
    await posters.getByRole("button", { name: "Drafts" }).click();
    await posters.getByText("landscape no. 4").waitFor();
    await expect.poll(() => posters.getByText("portrait no. 1").count()).toBe(0);
    await page.getByRole("region", { name: "Events" }).getByRole("button", { name: "Past" }).click();
    await page.getByText("No past events yet.").waitFor();
    const links = page.getByRole("region", { name: "Posted links" });
    await links.getByRole("button", { name: "LinkedIn" }).click();
    await expect.poll(() => links.getByRole("link", { name: /^Instagram/ }).count()).toBe(0);
    await expect.poll(() => links.getByRole("link", { name: /^LinkedIn/ }).count()).toBe(2);
    expectNoErrors();
  });

  it("says what to do next in a new organization", async () => {
    const make = makerOn(service.db);
    const empty = await make.organization("Brand New");
    await service.db.query(
      sql`insert into members (organization_id, user_id, role) values (${empty}, ${fixture.ownerId}, 'owner')`,
    );
    const { page, expectNoErrors } = await service.visit({ cookie });
    await page.goto(`/o/${empty}`);
    await page.getByRole("link", { name: "Create a key for an agent" }).waitFor();
    await page.getByText("Nothing needs you right now.").waitFor();
    expectNoErrors();
  });

  it("stays responsive with 2,000 events and 20,000 posters", async () => {
    const large = await createLargeOrganization(service.db, { events: 2_000, postersPerEvent: 10 });
    const user = await makerOn(service.db).member(large);
    const nodesOf = async (organization: string, who: string) => {
      const { page, context } = await service.visit({ cookie: who });
      // The pictures of this organization do not exist.
      await page.route("https://images.example.com/**", (route) => route.fulfill({ status: 204, body: "" }));
      await page.addInitScript({ content: noteLongestTask });
      await page.goto(`/o/${organization}`);
      await page.getByRole("region", { name: "Events" }).getByRole("listitem").first().waitFor();
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

  it("has an activity page with filters in the address, and an export", async () => {
    await commit("update_event_details", { event_id: fixture.eventIds[0], venue: "Harbour Hall" }, "Pier 4 is closed");
    await commit("update_organization_profile", { description: "By the river" }, "Spring cleaning");
    const { page, expectNoErrors } = await service.visit({ cookie });
    await page.goto(`/o/${fixture.slug}/activity`);
    await page.getByText("Pier 4 is closed").waitFor();
    await page.getByText("Spring cleaning").waitFor();
    await expectAccessible(page);
    await page.getByRole("searchbox", { name: /Search/ }).fill("pier closed");
    await expect.poll(() => new URL(page.url()).searchParams.get("text")).toBe("pier closed");
    await expect.poll(() => page.getByText("Spring cleaning").count()).toBe(0);
    await page.reload();
    await page.getByText("Harbour Hall").waitFor();
    expect(await page.getByText("Spring cleaning").count()).toBe(0);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export JSON lines" }).click();
    expect((await download).suggestedFilename()).toBe(`activity-${fixture.slug}.jsonl`);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("Spring cleaning").waitFor();
    await page.goto(`/o/${fixture.slug}/events/${fixture.eventIds[0]}/activity`);
    await page.getByText("Pier 4 is closed").waitFor();
    expect(await page.getByText("Spring cleaning").count()).toBe(0);
    await expectAccessible(page);
    expectNoErrors();
  });
});
