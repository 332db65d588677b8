import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makerOn } from "../support/make.js";
import { type BrowserService, expectAccessible, startBrowserService, type Visitor, withBrowser } from "./support.js";

/** The pages of platform administrators: everything that needed SQL or a shell before. */
withBrowser("administration", () => {
  let service: BrowserService;
  let cookie: string;

  beforeAll(async () => {
    service = await startBrowserService();
    const make = makerOn(service.db);
    const userId = await make.user("Ada Min");
    await service.db.query(sql`update users set platform_admin = true where id = ${userId}`);
    cookie = await service.signIn(userId);
    // More than a list shows before one searches.
    for (let n = 1; n <= 25; n += 1) {
      await make.organization(`Alpha ${n}`);
      await make.conference({ start_date: "2031-12-31" });
    }
  });
  afterAll(() => service?.close());

  it("goes from nothing to a published event with an invited owner and a key", async () => {
    const { page, expectNoErrors, context } = await service.visit({ cookie });
    const word = `Nova${randomUUID().slice(0, 6)}`;
    const confirm = (name: string) => page.getByRole("button", { name, exact: true }).last().click();

    await page.goto("/admin/organizations");
    await page.getByRole("button", { name: "Create organization" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill(`${word} Labs`);
    expect(await page.getByLabel("Slug", { exact: true }).inputValue()).toBe(`${word.toLowerCase()}-labs`);
    await confirm("Review");
    await page.getByLabel("Reason").waitFor();
    await expectAccessible(page);
    await confirm("Create organization");
    await page.getByRole("heading", { level: 1, name: `${word} Labs` }).waitFor();
    await page.getByText("There is no owner").waitFor();
    await confirm("Invite person");
    await page.getByLabel("E-mail address", { exact: true }).fill("not an address");
    await confirm("Review");
    await page.getByText("Enter an e-mail address").waitFor();
    await page.getByLabel("E-mail address", { exact: true }).fill(`${word}@example.com`);
    await confirm("Review");
    await confirm("Invite");
    const link = await page.locator("code", { hasText: "/invite/" }).innerText();
    expect(link).toMatch(/\/invite\/[0-9A-Za-z]{43}$/);
    await expectAccessible(page);
    await page.getByText("I have stored it").click();
    await confirm("Done");
    await page.getByRole("cell", { name: "owner" }).waitFor();

    await page.goto("/admin/conferences");
    await page.getByRole("button", { name: "Create conference" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill(`${word} Days`);
    await page.getByLabel("First day").fill("2031-05-04");
    await page.getByLabel("Last day").fill("2031-05-01");
    await page.getByLabel("City", { exact: true }).fill("Lisbon");
    await page.getByRole("combobox", { name: "Time zone" }).fill("Lisbon");
    await page.getByRole("option", { name: "Europe/Lisbon" }).click();
    await page.getByLabel("Description").fill("Four days");
    await confirm("Review");
    await page.getByText("The last day is before the first").waitFor();
    await page.getByLabel("Last day").fill("2031-05-07");
    await expectAccessible(page);
    await confirm("Review");
    await page.getByLabel("Reason").waitFor();
    await confirm("Create conference");
    await page.getByRole("heading", { level: 1, name: `${word} Days` }).waitFor();

    await page.getByRole("button", { name: "Create event" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill(`${word} opening`);
    await choose(page, "Host", word, `${word} Labs`);
    await page.getByLabel("Ends").fill("2031-05-04T20:00");
    await confirm("Review");
    await page.getByLabel("Reason").waitFor();
    await confirm("Create event");
    await page.getByRole("heading", { level: 1, name: `${word} opening` }).waitFor();
    const [stored] = await service.db.query<{ start: string }>(
      sql`select iso8601(start_time) as start from events where name = ${`${word} opening`}`,
    );
    expect(stored?.start).toBe("2031-05-04T17:00:00.000Z");

    await confirm("Change status");
    await page.getByRole("menuitem", { name: /^Publish/ }).click();
    await page.getByText(`Nobody will see it yet: ${word} Days is a draft.`).waitFor();
    await confirm("Publish");
    await page.getByRole("heading", { level: 1 }).locator("..").getByText("Published").waitFor();
    await confirm("Link event");
    await page.getByLabel(/Id of the event/).fill("7Yx2kQpLmN");
    await confirm("Review");
    await page.getByText("Enter an id such as evt-7Yx2kQpLmN").waitFor();
    await page.getByLabel(/Id of the event/).fill(`evt-${word}`);
    await confirm("Review");
    await confirm("Save link");
    await page.getByText(`evt-${word}`).first().waitFor();
    await page.getByRole("link", { name: `${word} Days` }).click();
    await confirm("Change status");
    await page.getByRole("menuitem", { name: /^Publish/ }).click();
    await confirm("Publish");
    await page.getByRole("heading", { level: 1 }).locator("..").getByText("Published").waitFor();

    await page.goto("/admin/keys");
    await page.getByRole("button", { name: "Create key" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill(`${word} bot`);
    await choose(page, "Conference", word, `${word} Days`);
    await confirm("Review");
    await page.getByLabel("Reason").waitFor();
    await confirm("Create key");
    const key = await page
      .locator("code", { hasText: /svc_mk_\w{43}/ })
      .first()
      .innerText();
    const seen = await service.call("/api/svc/conferences", { key });
    expect(seen.json.items).toMatchObject([{ name: `${word} Days`, status: "published" }]);
    await page.getByText("The first request has arrived: the key works.").waitFor();
    await page.getByText("I have stored it").click();
    await confirm("Done");
    await page.getByRole("button", { name: `Revoke ${word} bot` }).click();
    await confirm("Revoke key");
    await page
      .getByRole("row", { name: new RegExp(`${word} bot`) })
      .getByText("Revoked")
      .waitFor();
    expect((await service.call("/api/svc/conferences", { key })).status).toBe(401);

    await page.goto("/admin/records?tool=create_event");
    await page.getByRole("button", { name: "Show details of “Created event”" }).first().click();
    await page.getByText(`${word} opening`).first().waitFor();
    await expectAccessible(page);
    expectNoErrors();
    await context.close();
  }, 240_000);

  it("reaches every page from the bar of a phone, without scrolling it", async () => {
    const { page, expectNoErrors, context } = await service.visit({ cookie, size: "phone" });
    await page.goto("/admin");
    const bar = page.getByRole("navigation", { name: "Pages" });
    await bar.waitFor();
    const names = await bar.getByRole("listitem").filter({ visible: true }).allInnerTexts();
    expect(names.map((name) => name.trim())).toEqual(["Overview", "Conferences", "Events", "Organizations", "More"]);
    for (const item of await bar.getByRole("listitem").filter({ visible: true }).all()) {
      const box = await item.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    }
    for (const name of ["People", "Platform keys", "Records"]) {
      await page.getByRole("button", { name: /^More pages/ }).tap();
      await page.getByRole("menuitem", { name }).tap();
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await page.getByRole("button", { name: `More pages, now ${name}` }).waitFor();
    }
    await expectAccessible(page);
    expectNoErrors();
    await context.close();
  }, 120_000);

  it("finds host and time zone by keyboard, and what is cleared is not kept", async () => {
    const make = makerOn(service.db);
    const word = `Zed${randomUUID().slice(0, 6)}`;
    await make.organization(`${word} Guild`);
    const { page, expectNoErrors, context } = await service.visit({ cookie });
    await page.goto("/admin/events");
    await page.getByRole("button", { name: "Create event" }).first().click();
    const host = page.getByRole("combobox", { name: "Host" });
    await host.focus();
    await page.keyboard.type(word, { delay: 40 });
    await page.getByRole("option", { name: `${word} Guild` }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("option").first().waitFor({ state: "detached" });
    expect(await host.inputValue()).toBe(`${word} Guild`);
    await page.keyboard.type("xx");
    await page.getByText("Nothing matches").waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => host.inputValue()).toBe(`${word} Guild`);
    await host.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByText("Enter an organization of the list").waitFor();
    const zone = page.getByRole("combobox", { name: "Time zone" });
    await zone.focus();
    await page.keyboard.type("new york", { delay: 40 });
    await page.getByRole("option", { name: "America/New York" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => zone.inputValue()).toBe("America/New York");
    expectNoErrors();
    await context.close();
  }, 90_000);

  it("names what the records are filtered by, and lets go of each filter", async () => {
    const make = makerOn(service.db);
    const organization = await make.organization("Harbour & Sons");
    const person = await make.user("Zoë Ångström");
    const { page, context } = await service.visit({ cookie });
    await page.goto(`/admin/records?organization=${organization}&person=${person}`);
    await page.getByRole("button", { name: "Remove the filter Person: Zoë Ångström" }).click();
    await page.getByRole("button", { name: "Remove the filter Organization: Harbour & Sons" }).click();
    await page.waitForURL("**/admin/records");
    await context.close();
  }, 60_000);

  it("forgets a search when the list is opened again from the navigation", async () => {
    const { page, context } = await service.visit({ cookie });
    await page.goto("/admin/organizations?q=Alpha%2017");
    await page.getByRole("row", { name: /Alpha 17/ }).waitFor();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Organizations" }).click();
    await page.getByRole("row", { name: /Alpha 18/ }).waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("");
    // Longer than the pause after which the field filters.
    await page.waitForTimeout(500);
    expect(new URL(page.url()).search).toBe("");
    await context.close();
  }, 60_000);

  it.each(["phone", "desktop"] as const)(
    "is accessible and fits, on a %s",
    async (size) => {
      const { page, expectNoErrors, context } = await service.visit({ cookie, size });
      const places = ["", "/conferences", "/events", "/organizations", "/people", "/keys", "/records"];
      for (const place of places) {
        await page.goto(`/admin${place}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page
          .locator("[aria-busy=true], [role=status]:has-text('Loading')")
          .first()
          .waitFor({ state: "detached" });
        const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
        expect(overflow, `width of ${place}`).toBeLessThanOrEqual(0);
        if (process.env.SCREENSHOTS) await shoot(page, `${process.env.SCREENSHOTS}/${size}${place.replace("/", "-")}`);
        await expectAccessible(page);
      }
      expectNoErrors();
      await context.close();
    },
    240_000,
  );
});

async function shoot(page: Visitor["page"], name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: `${name}-${colorScheme}.png`, fullPage: true });
  }
}

async function choose(page: Page, field: string, text: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: field }).pressSequentially(text);
  await page.getByRole("option", { name: option }).click();
}
