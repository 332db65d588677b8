import type { Page } from "playwright-core";
import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { makerOn } from "../support/make.js";
import { createToolRunner } from "../support/tool-runner.js";
import { type BrowserService, expectAccessible, startBrowserService, type Visitor, withBrowser } from "./support.js";

withBrowser("undoing a change on the activity page", { timeout: 120_000 }, () => {
  let service: BrowserService;
  let fixture: EventFixture;
  let visitor: Visitor | undefined;

  beforeAll(async () => {
    service = await startBrowserService();
  }, 60_000);
  afterAll(() => service.close());
  beforeEach(async () => {
    await visitor?.context.close();
    fixture = await createEventFixture(service.db);
  });

  const commit = (tool: string, args: object, why: string) =>
    createToolRunner(service.db, fixture).commit(tool, args, why);
  const venue = async () => {
    const [row] = await service.db.query<{ venue: string | null }>(
      sql`select venue from events where id = ${fixture.eventId}`,
    );
    return row?.venue;
  };
  async function open(userId = fixture.caller.userId, size: "phone" | "desktop" = "desktop"): Promise<Page> {
    visitor = await service.visit({ cookie: await service.signIn(userId), size });
    await visitor.page.goto(`/o/${fixture.organizationId}/activity`);
    return visitor.page;
  }
  const undoButtons = (page: Page) => page.getByRole("listitem").getByRole("button", { name: /^Undo “/ });

  it.each(["desktop", "phone"] as const)("previews, undoes and does it again, on a %s", async (size) => {
    await commit("update_event_details", { venue: "Harbour Hall" }, "Pier 4 is closed");
    const page = await open(fixture.caller.userId, size);
    await page.getByText("Pier 4 is closed").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBeLessThanOrEqual(0);
    await page.getByRole("button", { name: "Undo “Changed event details”" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Harbour Hall").waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Undo change" }).click();
    await page.getByText("Change undone").waitFor();
    expect(await venue()).toBeNull();
    await page.getByText("Undid: Changed event details").waitFor();
    await page.getByText("Undone", { exact: true }).waitFor();
    expect(await undoButtons(page).count()).toBe(1);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Undo “Undid: Changed event details”" }).click();
    await dialog.getByRole("button", { name: "Undo change" }).click();
    await expect.poll(venue).toBe("Harbour Hall");
    visitor?.expectNoErrors();
  });

  it("says why it is not possible, and what to do instead", async () => {
    await commit("update_event_details", { venue: "Harbour Hall" }, "Pier 4 is closed");
    await commit("update_event_details", { venue: "Pier 5" }, "It was too small");
    const page = await open();
    await page.getByText("Pier 4 is closed").waitFor();
    await undoButtons(page).last().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/because the venue of the event “Test Event” was changed since/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Close" }).first().click();
    expect(await venue()).toBe("Pier 5");
  });

  it("is offered to those who may make the change", async () => {
    await commit("update_event_details", { venue: "Harbour Hall" }, "Pier 4 is closed");
    const page = await open(await makerOn(service.db).member(fixture.organizationId, "member"));
    await page.getByText("Pier 4 is closed").waitFor();
    expect(await undoButtons(page).count()).toBe(0);
    visitor?.expectNoErrors();
  });
});
