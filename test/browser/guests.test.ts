import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GuestWorld, startGuestWorld } from "./guests-support.js";
import { expectAccessible, withBrowser } from "./support.js";

/** The checkbox itself is hidden behind its label, as everywhere in the console. */
const select = (page: Page, checkbox: { name: string; exact?: boolean }) =>
  page
    .locator("label")
    .filter({ has: page.getByRole("checkbox", checkbox) })
    .click();

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

  const countsOf = async () => {
    const [row] = await world.service.db.query<Record<string, number>>(
      sql`select pending, approved, waitlisted, declined, checked_in from rosters where event_id = ${world.eventId}`,
    );
    return row;
  };

  it("counts the same guests in the tab and in the list, and scrolls them with the page", async () => {
    const { page, expectNoErrors } = await world.service.visit({ cookie: admin });
    await page.goto(`${world.path}/guests`);
    await page.getByRole("link", { name: "Guests 312" }).waitFor();
    await page.getByRole("button", { name: "All 312" }).waitFor();
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

  it("finds guests as one types, without diacritics, and shows everything about one", async () => {
    const { page, expectNoErrors } = await world.service.visit({ cookie: admin });
    await page.goto(`${world.path}/guests`);
    await page
      .getByRole("row", { name: /Pending Person 0/ })
      .first()
      .waitFor();
    await page.getByRole("searchbox", { name: "Search name or e-mail" }).fill("zoe simek");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await expectAccessible(page);
    await page.getByText("Zoë Šimek").click();
    const drawer = page.getByRole("dialog", { name: "Zoë Šimek" });
    await drawer.getByRole("img", { name: "Guest code of Zoë Šimek" }).waitFor();
    await drawer.getByText("Nothing has changed since the registration.").waitFor();
    await expectAccessible(page);
    await drawer.getByRole("button", { name: "Check in" }).click();
    await page.getByRole("dialog", { name: "Check in: Zoë Šimek" }).getByRole("button", { name: "Check in" }).click();
    await drawer.getByText("From approved to approved, checked in").waitFor();
    await drawer.getByRole("button", { name: "Undo check-in" }).waitFor();
    expectNoErrors();
    await page.context().close();
  });

  it("approves 50 pending guests in one change", async () => {
    const { page, expectNoErrors } = await world.service.visit({ cookie: admin });
    await page.goto(`${world.path}/guests?state=pending`);
    await page.getByText("Pending Person 0", { exact: true }).waitFor();
    await select(page, { name: "Select all loaded rows" });
    await page.getByRole("button", { name: "Approve 50" }).click();
    const dialog = page.getByRole("dialog", { name: "Approve 50 guests" });
    await dialog.getByText("50 guests will be approved.").waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Approve 50 guests" }).click();
    await page.getByText("50 guests approved").waitFor();
    await expect.poll(countsOf).toMatchObject({ pending: 0, approved: 51 });
    await page.getByText("Nobody is in this state").waitFor();
    expectNoErrors();
    await page.context().close();
  });

  it("changes more than one commit takes in several, with one reason", async () => {
    const { page, expectNoErrors } = await world.service.visit({ cookie: admin });
    await page.goto(`${world.path}/guests?state=waitlisted`);
    await page
      .getByRole("row", { name: /Waiting Person/ })
      .first()
      .waitFor();
    await select(page, { name: "Select Waiting Person 0" });
    await page.getByRole("button", { name: "Select all that match" }).click();
    await page.getByText("260 selected").waitFor();
    await page.getByRole("button", { name: "Decline 260" }).click();
    const dialog = page.getByRole("dialog", { name: "Decline 260 guests" });
    await dialog.getByRole("textbox", { name: "Reason" }).fill("The room became smaller");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Decline 260 guests" }).click();
    await dialog.getByText("260 of 260 declined").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    expect(await countsOf()).toMatchObject({ waitlisted: 0, declined: 261 });
    const records = await world.service.db.query(
      sql`select 1 from mutation_records where event_id = ${world.eventId} and reason = 'The room became smaller'`,
    );
    expect(records).toHaveLength(3);
    expectNoErrors();
    await page.context().close();
  });

  it("adds a guest", async () => {
    const { page, expectNoErrors } = await world.service.visit({ cookie: admin, size: "phone" });
    await page.goto(`${world.path}/guests`);
    await page.getByRole("button", { name: "Add guest" }).click();
    const form = page.getByRole("dialog", { name: "Add guest" });
    await form.getByRole("button", { name: "Continue" }).last().click();
    await form.getByText("Enter the guest's name.").waitFor();
    await form.getByRole("textbox", { name: "Name" }).fill("Nadia Novak");
    await form.getByRole("textbox", { name: "E-mail" }).fill("nadia@example.com");
    await expectAccessible(page);
    await form.getByRole("button", { name: "Continue" }).last().click();
    await page.getByRole("dialog", { name: "Add Nadia Novak" }).getByRole("button", { name: "Add guest" }).click();
    await page.getByText("Nadia Novak is on the list").waitFor();
    expectNoErrors();
    await page.context().close();
  });

  it("exports what is shown, with formulas as text, and prints codes", async () => {
    const { page, expectNoErrors } = await world.service.visit({ cookie: admin });
    await page.goto(`${world.path}/guests?state=declined&q=2%2B5`);
    await page.getByText("=2+5").first().waitFor();
    await page.getByRole("button", { name: "More" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Export what is shown" }).click();
    const text = readFileSync(await (await download).path(), "utf8");
    expect(text.split("\r\n")).toHaveLength(3);
    expect(text).toContain("\r\n'=2+5,");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Print guest codes" }).click();
    await page.getByRole("img", { name: "Guest code of Zoë Šimek" }).waitFor();
    await expectAccessible(page);
    expectNoErrors();
    await page.context().close();
  });

  it("lets members look and check in, not change", async () => {
    const { page, expectNoErrors } = await world.service.visit({ cookie: await world.signIn("member") });
    await page.goto(`${world.path}/guests?state=approved`);
    await select(page, { name: "Select Pending Person 1", exact: true });
    await page.getByRole("button", { name: "Check in 1" }).waitFor();
    expect(await page.getByRole("button", { name: /^(Decline|Waitlist) \d|Add guest/ }).count()).toBe(0);
    expectNoErrors();
    await page.context().close();
  });
});
