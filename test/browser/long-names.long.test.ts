import type { Page } from "playwright-core";
import sql from "sql-template-tag";
import { beforeAll, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { createToolRunner } from "../support/tool-runner.js";
import { useBrowser, withBrowser } from "./support.js";

const flag = "\u{1f3f3}\ufe0f\u200d\u{1f308}";

/** As long as names can be, and nowhere to break them. */
const names = {
  "one word": "W".repeat(200),
  "flags of several characters": flag.repeat(33),
  "letters from right to left": "مؤتمر".repeat(40),
};

/** Names of 200 characters on a phone: they stay within pages and dialogs. */
withBrowser.each(Object.keys(names) as (keyof typeof names)[])("names of %s", (kind) => {
  const service = useBrowser();
  const name = names[kind];
  let fixture: EventFixture;
  let cookie: string;

  beforeAll(async () => {
    fixture = await createEventFixture(service.db);
    cookie = await service.signIn(fixture.caller.userId);
    const { db } = service;
    await db.query(sql`update users set platform_admin = true, name = ${name} where id = ${fixture.caller.userId}`);
    await db.query(sql`update organizations set name = ${name} where id = ${fixture.organizationId}`);
    await db.query(
      sql`update speakers set name = ${name}, title = ${name}, company = ${name} where event_id = ${fixture.eventId}`,
    );
    await db.query(sql`update registrations set name = ${name} where event_id = ${fixture.eventId}`);
    await db.query(sql`update posters set title = ${name}, published = true where event_id = ${fixture.eventId}`);
    await db.query(sql`update events set name = ${name}, venue = ${name} where id = ${fixture.eventId}`);
    await createToolRunner(db, fixture).commit("update_event_details", { venue_address: name });
  });

  const organization = () => `/o/${fixture.organizationId}`;
  const event = () => `${organization()}/events/${fixture.eventId}`;
  const press = (button: RegExp | string) => async (page: Page) => {
    await page.getByRole("button", { name: button }).first().click();
    await page.getByRole("dialog").first().waitFor();
  };

  const expectNothingOutside = async (page: Page) => expect(await page.evaluate<string[]>(outside)).toEqual([]);

  it.each<[string, () => string, ((page: Page) => Promise<void>)?]>([
    ["the dashboard", organization],
    ["the events", () => `${organization()}/events`],
    ["the form of an event", event, (page) => page.getByRole("button", { name: "Edit details" }).click()],
    ["the dialog of a speaker", () => `${event()}/speakers`, press("Add speaker")],
    ["the dialog of a guest", () => `${event()}/guests`, press("Add guest")],
    ["the dialog of a poster", () => `${event()}/posters`, press(/^Share/)],
    ["a new key", () => `${organization()}/settings/keys`, press("Create key")],
    ["an invitation", () => `${organization()}/settings/members`, press("Invite person")],
    [
      "the dialog of a change",
      () => `${event()}/speakers`,
      async (page) => {
        await page
          .getByRole("button", { name: /^Change / })
          .first()
          .click();
        await page.getByRole("menuitem", { name: /^Remove/ }).click();
        await page.getByRole("dialog").getByLabel("Reason").waitFor();
      },
    ],
    ["the activity", () => `${organization()}/activity`],
    ["the form of an event for administrators", () => `/admin/events/${fixture.eventId}`, press("Edit")],
    ["the list of events for administrators", () => "/admin/events"],
    ["the form of an organization", () => `/admin/organizations/${fixture.organizationId}`, press("Edit")],
    ["the invitation of an owner", () => `/admin/organizations/${fixture.organizationId}`, press("Invite person")],
  ])("stay within %s", async (_place, path, show) => {
    const { page } = await service.visit({ cookie, size: "phone" });
    await page.goto(path());
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await show?.(page);
    await page.getByLabel("Loading", { exact: true }).first().waitFor({ state: "detached" });
    await expectNothingOutside(page);
  });

  it("are noticed where they do not", async () => {
    const { page } = await service.visit({ cookie, size: "phone" });
    await page.goto(event());
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.evaluate(`document.querySelector("h1").style.whiteSpace = "nowrap"`);
    expect(await page.evaluate<string[]>(outside)).not.toEqual([]);
  });

  it("stay within the question before a form is left", async () => {
    const { page } = await service.visit({ cookie, size: "phone" });
    await page.goto(`${event()}/speakers`);
    await press("Add speaker")(page);
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill(name);
    await expectNothingOutside(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alertdialog").waitFor();
    await expectNothingOutside(page);
  });
});

/** Run in the page: what is beyond the sides of the window or of a dialog, and is not cut or scrolled on purpose. */
const outside = `(() => {
  const { clientWidth: width, scrollWidth } = document.documentElement;
  const found = scrollWidth > width ? ["the page is " + scrollWidth + " wide"] : [];
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest(".visually-hidden, svg") === null;
  const isCut = (element) => {
    for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
      if (parent.matches("[role=dialog], [role=alertdialog], body")) return false;
      if (getComputedStyle(parent).overflowX !== "visible") return true;
    }
    return false;
  };
  for (const element of document.body.querySelectorAll("*")) {
    const { left, right, width: own } = element.getBoundingClientRect();
    if (own === 0 || (left >= -1 && right <= width + 1) || !isShown(element) || isCut(element)) continue;
    found.push(element.tagName + " " + element.className + " from " + Math.round(left) + " to " + Math.round(right));
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode() !== null) {
    const { currentNode: text } = texts;
    const parent = text.parentElement;
    range.selectNodeContents(text);
    const { left, right, width: own } = range.getBoundingClientRect();
    if (own === 0 || (left >= -1 && right <= width + 1) || !isShown(parent) || isCut(text)) continue;
    found.push("text of " + parent.tagName + " from " + Math.round(left) + " to " + Math.round(right));
  }
  for (const dialog of document.querySelectorAll("[role=dialog], [role=alertdialog]")) {
    if (dialog.scrollWidth > dialog.clientWidth) found.push("a dialog is " + dialog.scrollWidth + " wide");
  }
  return found;
})()`;
