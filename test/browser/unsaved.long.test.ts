import sql from "sql-template-tag";
import { beforeAll, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { expectAccessible, useBrowser, withBrowser } from "./support.js";

/** What forms keep is tested in console/test; this is what needs a browser: its storage, its history and its window. */
withBrowser("unsaved input", () => {
  const service = useBrowser();
  let fixture: EventFixture;
  beforeAll(async () => {
    fixture = await createEventFixture(service.db);
  });

  const visit = async (path: string, size: "phone" | "desktop" = "desktop") => {
    const visitor = await service.visit({ cookie: await service.signIn(fixture.caller.userId), size });
    const asked: string[] = [];
    visitor.page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await visitor.page.goto(`/o/${fixture.organizationId}${path}`);
    return { ...visitor, asked };
  };

  it("is there after the window was closed, which asks, and is gone after it was discarded", async () => {
    const { page, asked, expectNoErrors } = await visit("/settings");
    const website = page.getByLabel("Website (optional)");
    await website.fill("https://kept.example");
    await page.reload();
    expect(asked).toEqual(["beforeunload"]);
    await page.getByText("You have unsaved changes from").waitFor();
    expect(await website.inputValue()).toBe("https://kept.example");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Discard" }).click();
    await page.reload();
    await website.waitFor();
    expect(await website.inputValue()).toBe("");
    expect(asked).toHaveLength(1);
    expectNoErrors();
  });

  it("survives Back in a dialog, on a phone", async () => {
    const event = `/events/${fixture.eventId}`;
    const { page, expectNoErrors } = await visit(event, "phone");
    await page
      .getByRole("link", { name: /^Speakers/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Add speaker" }).click();
    const name = page.getByRole("dialog").getByLabel("Name", { exact: true });
    await name.fill("Nadia Novak");
    await page.goBack();
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await question.waitFor();
    await expectAccessible(page);
    await question.getByRole("button", { name: "Stay" }).click();
    expect(await name.inputValue()).toBe("Nadia Novak");
    await page.goBack();
    await question.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { name: "Details" }).waitFor();
    await page.goForward();
    await page.getByRole("button", { name: "Add speaker" }).click();
    expect(await name.inputValue()).toBe("Nadia Novak");
    await page.getByRole("button", { name: "Discard" }).click();
    expectNoErrors();
  });

  it("is behind a dialog to sign in that is accessible", async () => {
    const { page } = await visit("/settings");
    await page.getByLabel("Website (optional)").fill("https://again.example");
    await service.db.query(sql`delete from sessions where user_id = ${fixture.caller.userId}`);
    await page.getByRole("button", { name: "Save profile" }).click();
    await page.getByRole("dialog", { name: "Sign in to continue" }).waitFor();
    await expectAccessible(page);
  });

  it("asks before a key that is shown once goes with Back or the window", async () => {
    const { page, asked, expectNoErrors } = await visit("/settings/members");
    await page.getByRole("link", { name: "API keys" }).first().click();
    await page.getByRole("button", { name: "Create key" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const key = page.getByText(/^svc_mk_\w+$/);
    await key.waitFor();
    await page.goBack();
    await page.getByRole("alertdialog", { name: "Leave without the key?" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Stay" }).click();
    expect(await key.isVisible()).toBe(true);
    await page.reload();
    expect(asked).toEqual(["beforeunload"]);
    expectNoErrors();
  });
});

withBrowser("parts of a page", () => {
  const service = useBrowser();

  const visitSpeakers = async () => {
    const { organizationId, eventId, caller } = await createEventFixture(service.db);
    const visitor = await service.visit({ cookie: await service.signIn(caller.userId) });
    await visitor.page.goto(`/o/${organizationId}/events/${eventId}/speakers`);
    return visitor;
  };

  it("reloads the page when a new version has renamed a part", async () => {
    const { page } = await visitSpeakers();
    await page.getByRole("button", { name: "Add speaker" }).waitFor();
    let isGone = true;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) isGone = false;
    });
    await page.route("**/assets/**", (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()));
    const reloaded = page.waitForEvent("load");
    await page.getByRole("button", { name: "Add speaker" }).click();
    await reloaded;
    await page.getByRole("button", { name: "Add speaker" }).click();
    await page.getByRole("dialog", { name: "Add a speaker" }).waitFor();
  });

  it("reloads the page for a missing page when somebody goes there, and not when they point at its link", async () => {
    const { page } = await visitSpeakers();
    await page.getByRole("button", { name: "Add speaker" }).waitFor();
    let navigations = 0;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) navigations += 1;
    });
    await page.route("**/assets/**", (route) =>
      navigations === 0 ? route.fulfill({ status: 404 }) : route.continue(),
    );
    const link = page
      .getByRole("navigation", { name: "Parts of the event" })
      .getByRole("link", { name: /^Run of show/ });
    const missing = page.waitForResponse((response) => response.status() === 404);
    await link.hover();
    await missing;
    expect(navigations).toBe(0);
    const reloaded = page.waitForEvent("load");
    await link.click();
    await reloaded;
    expect(navigations).toBe(1);
    await page.getByRole("button", { name: "Add segment" }).waitFor();
  });

  it("waits for a part while there is no connection", async () => {
    const { page, context } = await visitSpeakers();
    await page.getByRole("button", { name: "Add speaker" }).waitFor();
    await context.setOffline(true);
    await page.getByRole("button", { name: "Add speaker" }).click();
    await page.getByText("A part of this page could not be loaded. Trying again…").waitFor();
    await context.setOffline(false);
    const dialog = page.getByRole("dialog", { name: "Add a speaker" });
    const add = page.getByRole("button", { name: "Add speaker" });
    // Chromium may keep the failure of a file: then the page is loaded again.
    await expect
      .poll(async () => (await dialog.isVisible()) || (await add.click({ timeout: 500 }).catch(() => undefined)))
      .toBe(true);
  });
});
