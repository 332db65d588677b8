import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GuestWorld, startGuestWorld } from "./guests-support.js";
import { expectAccessible, withBrowser } from "./support.js";

/** The checkbox itself is hidden behind its label, as everywhere in the console. */
const select = (page: Page, name: string) =>
  page
    .locator("label")
    .filter({ has: page.getByRole("checkbox", { name }) })
    .click();

/** What the guests tab does is tested in console/test; this is what needs a browser. */
withBrowser("the guests tab", () => {
  let world: GuestWorld;
  let admin: string;

  beforeAll(async () => {
    world = await startGuestWorld();
    admin = await world.signIn("admin");
    await world.addGuests([
      ...Array.from({ length: 50 }, (_, n) => ({ name: `Pending Person ${n}`, status: "pending" })),
      ...Array.from({ length: 260 }, (_, n) => ({ name: `Waiting Person ${n}`, status: "waitlisted" })),
      { name: "Zoë Šimek", ticket_type: "Speaker" },
      { name: "=2+5", status: "declined" },
    ]);
  });
  afterAll(() => world?.close());

  async function open(search: string, size: "phone" | "desktop" = "desktop") {
    const visitor = await world.service.visit({ cookie: admin, size });
    await visitor.page.goto(`${world.path}/guests${search}`);
    return visitor;
  }

  it("scrolls with the page, and keeps the focused row in view", async () => {
    const { page, expectNoErrors } = await open("");
    const row = (place: number) => page.locator(`[role=row][aria-rowindex="${place + 1}"]`);
    await row(1).waitFor();
    const scrolls = `[...document.querySelectorAll("main, main *")].filter((each) =>
      each.scrollHeight > each.clientHeight + 1 && getComputedStyle(each).overflowY === "auto").length`;
    expect(await page.evaluate(scrolls)).toBe(0);
    // Only what is on the screen is in the document, and the end of the list is reached by keyboard.
    expect(await page.getByRole("row").count()).toBeLessThan(60);
    const focused = () => page.evaluate(`Number(document.activeElement.ariaRowIndex) - 1`);
    await row(1).focus();
    await page.keyboard.press("End");
    await expect.poll(focused).toBe(200);
    await row(201).waitFor();
    await page.keyboard.press("End");
    await expect.poll(focused).toBe(312);
    expect(await page.getByRole("row").count()).toBeLessThan(60);
    // The focused row is between the heads of the columns, which stay in view, and the lower edge.
    const isUncovered = () =>
      page.evaluate(`{
        const row = document.activeElement;
        const { x, y, width, height } = row.getBoundingClientRect();
        [1, height - 2].every((part) => row.contains(document.elementFromPoint(x + width / 2, y + part)));
      }`);
    for (const [key, times, place] of [
      ["Home", 1, 1],
      ["ArrowDown", 30, 31],
      ["ArrowUp", 20, 11],
    ] as const) {
      for (let pressed = 0; pressed < times; pressed++) {
        await page.keyboard.press(key);
        await page.evaluate("new Promise(requestAnimationFrame)");
      }
      await expect.poll(focused).toBe(place);
      expect(await isUncovered()).toBe(true);
    }
    expectNoErrors();
    await page.context().close();
  });

  it("is accessible with a guest, a selection or a change open", async () => {
    const { page, expectNoErrors } = await open("?q=zoe");
    await page.getByText("Zoë Šimek").click();
    await page.getByRole("img", { name: "Guest code of Zoë Šimek" }).waitFor();
    await expectAccessible(page);

    await page.goto(`${world.path}/guests?state=pending`);
    await page.getByText("Pending Person 0", { exact: true }).waitFor();
    await select(page, "Select all loaded rows");
    await page.getByRole("button", { name: "Approve 50" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Approve 50" }).click();
    await page.getByText("50 guests will be approved.").waitFor();
    await expectAccessible(page);

    await page.goto(`${world.path}/guests?state=waitlisted`);
    await select(page, "Select all loaded rows");
    await page.getByRole("button", { name: "Decline 200" }).click();
    const dialog = page.getByRole("dialog", { name: "Decline 200 guests" });
    await dialog.getByRole("textbox", { name: "Reason" }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Decline 200 guests" }).click();
    await dialog.getByText("200 of 200 declined").waitFor();
    await expectAccessible(page);
    expectNoErrors();
    await page.context().close();
  });

  it("is accessible while a guest is added, on a phone", async () => {
    const { page, expectNoErrors } = await open("?add=true", "phone");
    const form = page.getByRole("dialog", { name: "Add guest" });
    await form.getByRole("button", { name: "Continue" }).last().click();
    await form.getByText("Enter the guest's name.").waitFor();
    await expectAccessible(page);
    expectNoErrors();
    await page.context().close();
  });

  it("saves the export as a file, and stays where it is", async () => {
    const { page, expectNoErrors } = await open("?state=declined&q=2%2B5");
    await page.getByText("=2+5").first().waitFor();
    await page.getByRole("button", { name: "More" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Export what is shown" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("evening-at-the-harbour-guests.csv");
    expect(readFileSync(await file.path(), "utf8")).toContain("\r\n'=2+5,");
    expect(new URL(page.url()).pathname).toBe(`${world.path}/guests`);
    expectNoErrors();
    await page.context().close();
  });
});
