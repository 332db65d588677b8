import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { createGuestWorld, type GuestWorld } from "./guests-support.js";
import { expectAccessible, sizes, useBrowser, waitForFrame, withBrowser } from "./support.js";

/** The checkbox itself is hidden behind its label, as everywhere in the console. */
const select = (page: Page, name: string) =>
  page
    .locator("label")
    .filter({ has: page.getByRole("checkbox", { name }) })
    .click();

/** What the guests tab does is tested in console/test; this is what needs a browser. */
withBrowser("the guests tab", () => {
  const service = useBrowser();
  let world: GuestWorld;
  let admin: string;

  beforeAll(async () => {
    world = await createGuestWorld(service);
    admin = await world.signIn("admin");
    await world.addGuests([
      ...Array.from({ length: 50 }, (_, n) => ({ name: `Pending Person ${n}`, status: "pending" })),
      ...Array.from({ length: 260 }, (_, n) => ({ name: `Waiting Person ${n}`, status: "waitlisted" })),
      { name: "Zoë Šimek", ticket_type: "Speaker" },
    ]);
  });

  async function open(search: string, size: "phone" | "desktop" = "desktop") {
    const visitor = await service.visit({ cookie: admin, size });
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
    await expect.poll(focused).toBe(311);
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
    await page.getByText("200 guests declined").waitFor();
    await expectAccessible(page);
    expectNoErrors();
  });

  it("covers the bar of the selection with no notice, also when it is zoomed to 200 %", async () => {
    const { page, expectNoErrors } = await open("?state=declined");
    await world.addGuests([
      { name: "Dora Declined", status: "declined" },
      { name: "Emil Declined", status: "declined" },
    ]);
    await page.reload();
    await select(page, "Select Dora Declined");
    await page.getByRole("button", { name: "Restore 1" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Restore/ })
      .click();
    await page.getByRole("button", { name: "Undo", exact: true }).waitFor();
    // Until the guest has left the list, the rows below still move up.
    await page.getByRole("checkbox", { name: "Select Dora Declined" }).waitFor({ state: "detached" });
    await select(page, "Select Emil Declined");
    await page.getByRole("button", { name: "Restore 1" }).waitFor();
    const covered = `[...document.querySelectorAll("[aria-label='Selected guests'] button")].filter((button) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      return !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }).map((button) => button.textContent)`;
    for (const size of [sizes.desktop, { width: 720, height: 450 }, { width: 640, height: 400 }, sizes.phone]) {
      await page.setViewportSize(size);
      for (const place of ["0", "document.body.scrollHeight"]) {
        await page.evaluate(`scrollTo(0, ${place})`);
        await waitForFrame(page);
        expect(await page.evaluate(covered), `${size.width} px, at ${place}`).toEqual([]);
      }
    }
    expectNoErrors();
  });

  it("is accessible while a guest is added, on a phone", async () => {
    const { page, expectNoErrors } = await open("?add=true", "phone");
    const form = page.getByRole("dialog", { name: "Add guest" });
    await form.getByRole("button", { name: "Add guest" }).click();
    await form.getByText("Enter the guest's name.").waitFor();
    await expectAccessible(page);
    expectNoErrors();
  });

  it("saves the export as a file, and stays where it is", async () => {
    const { page, expectNoErrors } = await open("");
    await page.getByRole("button", { name: "More", exact: true }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: /^Export/ }).click();
    expect((await download).suggestedFilename()).toBe("evening-at-the-harbour-guests.csv");
    expect(new URL(page.url()).pathname).toBe(`${world.path}/guests`);
    expectNoErrors();
  });
});
