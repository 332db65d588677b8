import type { Locator, Page } from "playwright-core";
import sql from "sql-template-tag";
import { beforeEach, expect, it } from "vitest";
import { factsNow } from "../../src/modules/posters/store.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { makerOn } from "../support/make.js";
import { createToolRunner } from "../support/tool-runner.js";
import { expectAccessible, useBrowser, withBrowser } from "./support.js";

withBrowser("the pages of an event, in a browser", () => {
  const service = useBrowser();
  let fixture: EventFixture;
  let base: string;

  beforeEach(async () => {
    fixture = await createEventFixture(service.db);
    base = `/o/${fixture.organizationId}/events/${fixture.eventId}`;
    await service.db.query(sql`
      update posters set image_url = '/api/svc/nothing.png' where id = ${fixture.posterId}`);
  });

  /** A window of a person who is signed in. */
  async function open(userId: string, path: string, size: "phone" | "desktop" = "desktop"): Promise<Page> {
    const { page } = await service.visit({ cookie: await service.signIn(userId), size });
    await page.goto(path);
    return page;
  }
  const openAsOwner = (part = "", size?: "phone") => open(fixture.caller.userId, base + part, size);

  const namesIn = (list: Locator) =>
    list.allTextContents().then((texts) => texts.map((text) => text.match(/Speaker \d/)?.[0]));
  const choiceOf = (page: Page) => page.locator("label").filter({ hasText: "Compare" });
  const offerTo = (organizationId: string) =>
    makerOn(service.db).hostOffer(fixture.eventId, fixture.organizationId, organizationId);

  it("are accessible while details are edited, and changed by somebody else meanwhile", async () => {
    const page = await openAsOwner();
    await page.getByRole("button", { name: "Edit details" }).click();
    await page.getByLabel("Venue (optional)").fill("Hall Two");
    await page.getByLabel("Ends: time").fill("18:30");
    await page.getByRole("button", { name: "Save details" }).click();
    await page.getByText("The event must end after it starts.").waitFor();
    await expectAccessible(page);
    await page.getByLabel("Ends: time").fill("21:30");
    let isChanged = false;
    await page.route("**/tools/update_event_details*", async (route) => {
      if (!isChanged && route.request().postData()?.includes("idempotency_key")) {
        isChanged = true;
        await createToolRunner(service.db, fixture).commit("update_event_details", { venue: "Hall One" });
      }
      await route.continue();
    });
    await page.getByRole("button", { name: "Save details" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Somebody changed this in the meantime").waitFor();
    await expectAccessible(page);
  });

  it("reorder speakers by drag, accessibly", async () => {
    const page = await openAsOwner("/speakers");
    await page.getByRole("button", { name: "Reorder" }).click();
    const rows = page.getByRole("grid", { name: "Order of speakers" }).getByRole("row");
    await rows.first().waitFor();
    await expectAccessible(page);
    const [from, to] = [await rows.nth(2).boundingBox(), await rows.nth(0).boundingBox()];
    if (from === null || to === null) throw new Error("the rows are not visible");
    await page.mouse.move(from.x + 14, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + 20, from.y + from.height / 2 - 10, { steps: 4 });
    await page.mouse.move(to.x + 20, to.y + 4, { steps: 12 });
    await page.mouse.up();
    await page.getByText("Speaker 2 is now 1 of 3").waitFor();
    expect(await namesIn(rows)).toEqual(["Speaker 2", "Speaker 0", "Speaker 1"]);
  });

  it("are accessible while a speaker is edited", async () => {
    const page = await openAsOwner("/speakers");
    await page.getByRole("button", { name: "Change Speaker 1" }).click();
    await page.getByRole("menuitem", { name: "Edit speaker" }).click();
    await page.getByLabel("Biography (optional)").waitFor();
    await expectAccessible(page);
  });

  it("draw posters that the browser shows, accessibly", async () => {
    const page = await openAsOwner("/posters");
    await page.getByRole("button", { name: "Draw poster" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("img[data-loaded]").first().waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Draw poster" }).click();
    await page.getByText("Poster saved as a draft").waitFor();
    await expectAccessible(page);
  });

  it("are accessible while a poster is published", async () => {
    const page = await openAsOwner("/posters");
    await page.getByRole("button", { name: "Publish Test Poster" }).click();
    await page.getByText("Poster published").waitFor();
    await expectAccessible(page);
  });

  it("move posters together that are compared", async () => {
    await makerOn(service.db).posters(fixture.eventId, [{ sort_order: 1 }, { sort_order: 2 }]);
    const page = await openAsOwner("/posters");
    for (const place of [0, 1]) await choiceOf(page).nth(place).click();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByRole("button", { name: "Larger" }).click();
    await page.getByRole("button", { name: "Larger" }).click();
    // In the page there are types of a browser, which the tests do not have.
    await page.evaluate(`{
      const pane = document.querySelector("[role=dialog] section[tabindex]");
      pane.scrollTo(pane.scrollWidth, pane.scrollHeight);
    }`);
    const ends = () =>
      page.evaluate(`[...document.querySelectorAll("[role=dialog] section[tabindex]")].map((pane) =>
        Math.round((10 * (pane.scrollTop + pane.clientHeight)) / pane.scrollHeight))`);
    await expect.poll(ends).toEqual([10, 10]);
    await expectAccessible(page);
  });

  it("show outdated ones before and after, whole, and replace them", async () => {
    const make = makerOn(service.db);
    for (const [sort_order, format] of ["portrait", "landscape"].entries()) {
      await make.drawnPoster(fixture.eventId, { shows: { venue: "Hall Nine" }, sort_order, metadata: { format } });
    }
    const page = await openAsOwner("/posters", "phone");
    await page.getByRole("button", { name: "Redraw 2 outdated posters" }).click();
    const drawings = page.getByAltText("What the poster would look like");
    for (const [place, ratio] of [1080 / 1350, 1200 / 630].entries()) {
      const drawing = drawings.nth(place);
      const sizes = () =>
        drawing.evaluate((image: { naturalWidth: number; naturalHeight: number; width: number; height: number }) => [
          image.naturalWidth / image.naturalHeight,
          image.width / image.height,
        ]);
      await expect.poll(sizes).toEqual([expect.closeTo(ratio, 1), expect.closeTo(ratio, 1)]);
    }
    await expectAccessible(page);
    await page.getByRole("button", { name: "Replace 2 pictures" }).click();
    await page.getByText("2 posters redrawn").waitFor();
    await page.getByText("Shows an old place").first().waitFor({ state: "hidden" });
    await expectAccessible(page);
  });

  it("keep the notes of a poster clear of its buttons", async () => {
    await service.db.query(sql`
      update posters p set published = true, drawn_from = ${factsNow}::jsonb || '{"venue": "Hall Nine"}',
        posted_urls = '{"x": "https://x.com/a/status/1", "instagram": "https://instagram.com/p/1"}'
      from events e where e.id = p.event_id and p.id = ${fixture.posterId}`);
    await makerOn(service.db).posters(fixture.eventId, [{ sort_order: 1 }, { sort_order: 2 }]);
    const page = await openAsOwner("/posters");
    const card = page.getByRole("listitem").filter({ hasText: "Shows an old place" });
    for (const width of [360, 390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await card.getByRole("button", { name: /^Share/ }).waitFor();
      const parts = [
        card.getByText("Posted on"),
        card.getByText("Shows an old place"),
        card.getByRole("button", { name: /^Share/ }),
      ];
      const [posted, stale, share] = await Promise.all(parts.map((part) => part.boundingBox()));
      if (!posted || !stale || !share) throw new Error("a part of the card is not visible");
      expect(stale.y, `at ${width} px`).toBeGreaterThanOrEqual(posted.y + posted.height);
      expect(share.y, `at ${width} px`).toBeGreaterThanOrEqual(stale.y + stale.height);
    }
  });

  it("leave no checkbox behind the bar of the comparison on a phone", async () => {
    await makerOn(service.db).posters(fixture.eventId, [{ sort_order: 1 }, { sort_order: 2 }]);
    const page = await openAsOwner("/posters", "phone");
    await choiceOf(page).first().click();
    await page.getByRole("region", { name: "Comparison" }).waitFor();
    const boxes = await page.getByRole("checkbox").all();
    expect(boxes).toHaveLength(3);
    for (const box of boxes) {
      await box.focus();
      const isUncovered = await page.evaluate(`{
        const label = document.activeElement.closest("label");
        const { x, y, width, height } = label.getBoundingClientRect();
        label.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      }`);
      expect(isUncovered).toBe(true);
    }
  });

  it("show offers accessibly, to the host, to a co-host and on a dashboard", async () => {
    const { cohostOrganizationId, otherOrganizationId, eventId } = fixture;
    await offerTo(cohostOrganizationId);
    const mine = await openAsOwner("/hosts");
    await mine.getByText("This event is offered to Next Door").waitFor();
    await expectAccessible(mine);
    const cohost = await makerOn(service.db).member(cohostOrganizationId, "admin");
    const theirs = await open(cohost, `/o/${cohostOrganizationId}/events/${eventId}/hosts`, "phone");
    await theirs.getByText("Harbour Works offers to make Next Door the host").waitFor();
    await expectAccessible(theirs);
    await service.db.query(sql`delete from host_offers where event_id = ${eventId}`);
    await offerTo(otherOrganizationId);
    const other = await makerOn(service.db).member(otherOrganizationId, "admin");
    const dashboard = await open(other, `/o/${otherOrganizationId}`, "phone");
    await dashboard.getByText("Harbour Works offers to make you the host").waitFor();
    await expectAccessible(dashboard);
  });
});
