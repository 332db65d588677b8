import type { Locator, Page } from "playwright-core";
import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { makerOn } from "../support/make.js";
import { type BrowserService, expectAccessible, startBrowserService, type Visitor, withBrowser } from "./support.js";

const tabs = ["", "/hosts", "/speakers", "/posters"];
const headings = ["Details", "Hosts", "Speakers", "Posters"];

withBrowser("the pages of an event", { timeout: 120_000 }, () => {
  let service: BrowserService;
  let fixture: EventFixture;
  let base: string;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    service = await startBrowserService();
  }, 60_000);
  afterAll(() => service.close());

  beforeEach(async () => {
    for (const { context } of visitors.splice(0)) await context.close();
    fixture = await createEventFixture(service.db);
    base = `/o/${fixture.organizationId}/events/${fixture.eventId}`;
    await service.db.query(sql`
      update posters set image_url = '/api/svc/nothing.png' where id = ${fixture.posterId}`);
  });

  /** A window of a person who is signed in. */
  async function open(userId: string, path: string, size: "phone" | "desktop" = "desktop"): Promise<Visitor> {
    const visitor = await service.visit({ cookie: await service.signIn(userId), size });
    visitors.push(visitor);
    await visitor.page.goto(path);
    return visitor;
  }
  const openAsOwner = (part = "", size?: "phone" | "desktop") => open(fixture.caller.userId, base + part, size);

  const confirm = async (page: Page, label: string) => {
    const dialog = page.getByRole("dialog").last();
    await dialog.getByRole("button", { name: label, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  };
  const namesIn = (list: Locator) =>
    list.allTextContents().then((texts) => texts.map((text) => text.match(/Speaker \d/)?.[0]));

  const choiceOf = (page: Page) => page.locator("label").filter({ hasText: "Compare" });

  it("show the event, its hosts, speakers and posters, accessibly and without errors", async () => {
    await service.db.query(sql`delete from posters where event_id = ${fixture.eventId}`);
    const visitor = await openAsOwner();
    for (const [index, tab] of tabs.entries()) {
      await visitor.page.goto(base + tab);
      await visitor.page.getByRole("heading", { level: 2, name: headings[index] ?? "", exact: true }).waitFor();
      await expectAccessible(visitor.page);
      visitor.expectNoErrors();
    }
  });

  it("change only the fields that were edited, in the event's zone, and undo it", async () => {
    const { page, expectNoErrors } = await openAsOwner();
    await page.getByRole("button", { name: "Edit details" }).click();
    await page.getByLabel("Venue (optional)").fill("Hall of Mirrors");
    await page.getByLabel("Ends").fill("2031-05-01T21:30");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Review changes" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Hall of Mirrors").waitFor();
    expect(await dialog.getByRole("term").allTextContents()).toEqual(["End time", "Venue"]);
    await expectAccessible(page);
    await confirm(page, "Save details");
    await page.getByText("Hall of Mirrors").first().waitFor();
    const stored = () =>
      service.db.query(sql`select venue, iso8601(end_time) as ends from events where id = ${fixture.eventId}`);
    expect(await stored()).toEqual([{ venue: "Hall of Mirrors", ends: "2031-05-01T20:30:00.000Z" }]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    expect(await stored()).toEqual([{ venue: null, ends: "2031-05-01T20:00:00.000Z" }]);
    expectNoErrors();
  });

  it("show in a second window what changed meanwhile, and let one continue", async () => {
    const [first, second] = [await openAsOwner(), await openAsOwner()];
    for (const [{ page }, venue] of [
      [first, "Hall One"],
      [second, "Hall Two"],
    ] as const) {
      await page.getByRole("button", { name: "Edit details" }).click();
      await page.getByLabel("Venue (optional)").fill(venue);
      await page.getByRole("button", { name: "Review changes" }).click();
      await page.getByRole("dialog").getByText(venue).waitFor();
    }
    await confirm(first.page, "Save details");
    const dialog = second.page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Save details" }).click();
    await dialog.getByText("Somebody changed this meanwhile").waitFor();
    const theirs = dialog.getByRole("heading", { name: "Changed by somebody else" }).locator("..");
    expect(await theirs.textContent()).toContain("Hall One");
    await expectAccessible(second.page);
    await dialog.getByRole("button", { name: "Continue with my change" }).click();
    await dialog.getByText("Hall Two").waitFor();
    expect(await dialog.textContent()).toContain("Hall One");
    await confirm(second.page, "Save details");
    // The first window follows by itself.
    await first.page.getByText("Hall Two").first().waitFor();
    first.expectNoErrors();
    // The refused commit is a response that the browser reports.
    await second.page.close();
  });

  it("reorder speakers by keyboard, and save once", async () => {
    const { page, expectNoErrors } = await openAsOwner("/speakers");
    await page.getByRole("button", { name: "Reorder" }).click();
    const rows = page.getByRole("grid", { name: "Order of speakers" }).getByRole("row");
    await rows.first().waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Drag Speaker 0" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText(/^Speaker 0 is now \d of 3$/).waitFor();
    const moved = await namesIn(rows);
    expect(moved).not.toEqual(["Speaker 0", "Speaker 1", "Speaker 2"]);
    await page.getByRole("button", { name: "Move Speaker 2 up" }).press("Enter");
    await page.getByText(/^Speaker 2 is now \d of 3$/).waitFor();
    const wanted = await namesIn(rows);
    await page.getByRole("button", { name: "Save order" }).click();
    await page.getByRole("dialog").getByRole("listitem").first().waitFor();
    await confirm(page, "Save order");
    const stored = async () => {
      const rows = await service.db.query<{ name: string }>(
        sql`select name from speakers where event_id = ${fixture.eventId} order by position`,
      );
      return rows.map(({ name }) => name);
    };
    await expect.poll(stored).toEqual(wanted);
    expectNoErrors();
  });

  it("reorder speakers by drag", async () => {
    const { page, expectNoErrors } = await openAsOwner("/speakers");
    await page.getByRole("button", { name: "Reorder" }).click();
    const rows = page.getByRole("grid", { name: "Order of speakers" }).getByRole("row");
    await rows.first().waitFor();
    const [from, to] = [await rows.nth(2).boundingBox(), await rows.nth(0).boundingBox()];
    if (from === null || to === null) throw new Error("the rows are not visible");
    await page.mouse.move(from.x + 14, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + 20, from.y + from.height / 2 - 10, { steps: 4 });
    await page.mouse.move(to.x + 20, to.y + 4, { steps: 12 });
    await page.mouse.up();
    await page.getByText("Speaker 2 is now 1 of 3").waitFor();
    expect(await namesIn(rows)).toEqual(["Speaker 2", "Speaker 0", "Speaker 1"]);
    expectNoErrors();
  });

  it("edit a speaker, with the difference of the biography by words", async () => {
    await service.db.query(sql`
      update speakers set bio = 'She designs harbours that last, and teaches people to build them by hand.'
      where id = ${fixture.speakerIds[1]}`);
    const { page, expectNoErrors } = await openAsOwner("/speakers");
    await page.getByRole("button", { name: "Change Speaker 1" }).click();
    await page.getByRole("menuitem", { name: "Edit speaker" }).click();
    await page
      .getByLabel("Biography (optional)")
      .fill("She designs bridges that last, and teaches people to build them by hand.");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Review changes" }).click();
    const dialog = page.getByRole("dialog", { name: "Change Speaker 1" });
    await dialog.locator("ins").waitFor();
    expect(await dialog.locator("ins").textContent()).toContain("bridges");
    expect(await dialog.locator("del").textContent()).toContain("harbours");
    await dialog.getByRole("button", { name: "Save speaker" }).click();
    await page.getByText("She designs bridges").waitFor();
    expectNoErrors();
  });

  it("draw a poster and publish it", async () => {
    await service.db.query(sql`delete from posters where event_id = ${fixture.eventId}`);
    const { page, expectNoErrors } = await openAsOwner("/posters");
    await page.getByRole("button", { name: "Draw poster" }).click();
    await page.getByRole("radio", { name: /Headline/ }).check({ force: true });
    await page.getByRole("radio", { name: /Square/ }).check({ force: true });
    await page.getByRole("dialog").getByRole("img").first().waitFor();
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Draw poster" }).click();
    await page.getByRole("button", { name: "Save as draft" }).click({ timeout: 60_000 });
    await page.getByText("Poster saved as a draft").waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Publish Test Event" }).click();
    await expectAccessible(page);
    await confirm(page, "Publish poster");
    await page.getByText("Published, not posted").waitFor();
    const [poster] = await service.db.query(
      sql`select published, metadata->>'format' as format from posters where event_id = ${fixture.eventId}`,
    );
    expect(poster).toEqual({ published: true, format: "square" });
    expectNoErrors();
  });

  it("compare posters, enlarged together", async () => {
    await makerOn(service.db).posters(fixture.eventId, [{ sort_order: 1 }, { sort_order: 2 }]);
    const { page } = await openAsOwner("/posters");
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

  it("leave no checkbox behind the bar of the comparison on a phone", async () => {
    await makerOn(service.db).posters(fixture.eventId, [{ sort_order: 1 }, { sort_order: 2 }]);
    const { page } = await openAsOwner("/posters", "phone");
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

  it("show the thumbnail where the picture cannot be loaded, and say so where neither can", async () => {
    await service.db.query(sql`delete from posters where event_id = ${fixture.eventId}`);
    await service.db.query(sql`
      insert into posters (event_id, title, image_url, thumbnail_url)
      values (${fixture.eventId}, 'Only a thumbnail', '/images/none.png', '/images/small.png'),
        (${fixture.eventId}, 'Nothing at all', '/images/none.png', '/images/none-small.png')`);
    const { page } = await openAsOwner("/posters");
    const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    await page.route("**/images/small.png", (route) =>
      route.fulfill({ body: Buffer.from(pixel, "base64"), contentType: "image/png" }),
    );
    await page.reload();
    const shown = () =>
      page.evaluate(`[...document.querySelectorAll('[aria-label="Look at Only a thumbnail"] img')].map(
        ({ alt, naturalWidth }) => [alt, naturalWidth])`);
    await expect.poll(shown).toEqual([["Only a thumbnail", 1]]);
    await page.getByText("The picture could not be loaded").waitFor();
  });

  it("add a co-host that is known by its slug, and hand the event over", async () => {
    const [other] = await service.db.query<{ slug: string }>(
      sql`select slug from organizations where id = ${fixture.otherOrganizationId}`,
    );
    const { page, expectNoErrors } = await openAsOwner("/hosts");
    await page.getByRole("button", { name: "Add co-host" }).click();
    await page.getByRole("searchbox").fill(other?.slug ?? "");
    await page.getByRole("button", { name: "Add Far Away" }).click();
    await confirm(page, "Add co-host");
    await page.getByRole("button", { name: "Change Far Away" }).click();
    await page.getByRole("menuitem", { name: "Hand the event over" }).click();
    await page.getByText(/Nothing changes until Far Away accepts/).waitFor();
    await confirm(page, "Hand over");
    await page.getByText("This event is offered to Far Away").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Withdraw offer" }).click();
    await confirm(page, "Withdraw offer");
    await page.getByText("This event is offered to Far Away").waitFor({ state: "detached" });
    expectNoErrors();
  });

  it("let the other organization accept an offer, and a co-host leave", async () => {
    const { cohostOrganizationId, eventId, organizationId } = fixture;
    await service.db.query(sql`
      insert into host_offers (event_id, from_organization_id, to_organization_id)
      values (${eventId}, ${organizationId}, ${cohostOrganizationId})`);
    const other = await makerOn(service.db).member(cohostOrganizationId, "admin");
    const accepting = await open(other, `/o/${cohostOrganizationId}/events/${eventId}/hosts`, "phone");
    await accepting.page.getByText("Harbour Works offers to make Next Door the host").waitFor();
    await expectAccessible(accepting.page);
    await accepting.page.getByRole("button", { name: "Accept" }).click();
    await accepting.page.getByText(/Your organization becomes the host/).waitFor();
    await confirm(accepting.page, "Accept offer");
    await accepting.page.getByRole("button", { name: "Add co-host" }).waitFor();
    accepting.expectNoErrors();
    const { page, expectNoErrors } = await openAsOwner("/hosts");
    await page.getByText("Next Door decides who hosts this event").waitFor();
    expect(await page.getByRole("button", { name: "Add co-host" }).count()).toBe(0);
    await page.getByRole("button", { name: "Change Harbour Works" }).click();
    await page.getByRole("menuitem", { name: "Leave the event" }).click();
    await page.getByText(/Only its host can add Harbour Works again/).waitFor();
    await confirm(page, "Leave event");
    await page.getByRole("heading", { name: "Needs attention" }).waitFor();
    expect(await service.db.query(sql`select role from event_hosts where event_id = ${eventId}`)).toEqual([
      { role: "host" },
    ]);
    expectNoErrors();
  });

  it("let an organization that does not host the event answer an offer on its dashboard", async () => {
    const { otherOrganizationId, eventId, organizationId } = fixture;
    // Its picture cannot be loaded.
    await service.db.query(sql`delete from posters where event_id = ${eventId}`);
    const offer = () =>
      service.db.query(sql`
        insert into host_offers (event_id, from_organization_id, to_organization_id)
        values (${eventId}, ${organizationId}, ${otherOrganizationId})`);
    await offer();
    const admin = await makerOn(service.db).member(otherOrganizationId, "admin");
    const { page, expectNoErrors } = await open(admin, `/o/${otherOrganizationId}`, "phone");
    await page.getByText("Harbour Works offers to make you the host").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Decline Test Event" }).click();
    await confirm(page, "Decline offer");
    await page.getByText("Harbour Works offers to make you the host").waitFor({ state: "detached" });
    await offer();
    await page.reload();
    await page.getByRole("button", { name: "Accept Test Event" }).click();
    await confirm(page, "Accept offer");
    await page
      .getByRole("link", { name: /Test Event/ })
      .first()
      .waitFor();
    expectNoErrors();
  });

  it("let members look, and say why they cannot change anything", async () => {
    const member = await makerOn(service.db).member(fixture.organizationId, "member");
    const { page } = await open(member, base, "phone");
    for (const [index, tab] of tabs.entries()) {
      await page.goto(base + tab);
      await page.getByRole("heading", { level: 2, name: headings[index] ?? "", exact: true }).waitFor();
      await page.getByText("You can look at this event, but not change it").waitFor();
      const changing = page.getByRole("main").getByRole("button", { name: /edit|add|change|reorder|publish|draw/i });
      expect(await changing.count()).toBe(0);
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect(width).toBeLessThanOrEqual(360);
    }
  });
});
