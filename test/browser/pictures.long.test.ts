import type { Page } from "playwright-core";
import sharp from "sharp";
import sql from "sql-template-tag";
import { beforeAll, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { expectAccessible, useBrowser, withBrowser } from "./support.js";

/** What fields for pictures do is tested in console/test; this is what needs a browser: decoding, drawing, and its pointers. */
withBrowser("pictures", () => {
  const service = useBrowser();
  let fixture: EventFixture;
  let cookie: string;

  beforeAll(async () => {
    fixture = await createEventFixture(service.db);
    cookie = await service.signIn(fixture.caller.userId);
  });

  const visit = async (path: string, size: "phone" | "desktop" = "desktop") => {
    const visitor = await service.visit({ cookie, size });
    await visitor.page.goto(`/o/${fixture.organizationId}${path}`);
    return visitor;
  };

  const crop = (page: Page) => page.getByRole("dialog", { name: "Crop the picture" });

  /** Waits until the picture of a field is one that the service has, and returns what it shows. */
  async function shownIn(page: Page, field: string): Promise<Buffer> {
    const picture = page.getByRole("group", { name: field }).locator("img");
    await expect.poll(() => picture.getAttribute("src")).toMatch(/\/images\/[0-9a-f]{64}\.(webp|jpg)$/);
    const response = await page.request.get((await picture.getAttribute("src")) ?? "");
    return response.body();
  }

  it("are chosen, cropped by keyboard, saved, and shown in the place of initials", async () => {
    const { page, expectNoErrors } = await visit("/settings");
    const chooser = page.waitForEvent("filechooser");
    await page
      .getByRole("group", { name: "For light backgrounds" })
      .getByRole("button", { name: /^Choose/ })
      .click();
    await (await chooser).setFiles({
      name: "logo.png",
      mimeType: "image/png",
      buffer: await halves({ width: 900, height: 300 }),
    });
    const frame = crop(page).getByRole("application");
    await frame.waitFor();
    await expectAccessible(page);
    await frame.focus();
    // From the whole picture to the height of it, and to its left end.
    for (let press = 0; press < 12; press++) await page.keyboard.press("+");
    for (let press = 0; press < 12; press++) await page.keyboard.press("Shift+ArrowRight");
    await crop(page).getByRole("button", { name: "Use picture" }).click();
    const { dominant } = await sharp(await shownIn(page, "For light backgrounds")).stats();
    expect(dominant.r).toBeGreaterThan(200);
    expect(dominant.b).toBeLessThan(50);
    await page.getByRole("button", { name: "Save logos" }).click();
    await page.getByText("The logos are saved").waitFor();
    await expectAccessible(page);
    await page
      .getByRole("button", { name: /: switch organization$/ })
      .locator("img")
      .waitFor();
    expectNoErrors();
  });

  it("are moved and enlarged by pointer, and reduced before they are sent", async () => {
    const { page, expectNoErrors } = await visit(`/events/${fixture.eventId}/speakers`, "phone");
    await page.getByRole("button", { name: "Add speaker" }).click();
    const sent: number[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/images?use=photo")) sent.push(request.postDataBuffer()?.length ?? 0);
    });
    const photo = await halves({ width: 4000, height: 3000 }, "jpeg", 6);
    await page
      .locator("input[type=file]:not([capture])")
      .setInputFiles({ name: "photo.jpg", mimeType: "image/jpeg", buffer: photo });
    const frame = crop(page).getByRole("application");
    const box = await frame.boundingBox();
    if (box === null) throw new Error("There is no frame");
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.wheel(0, -300);
    await page.mouse.down();
    await page.mouse.move(middle.x, middle.y - box.height, { steps: 4 });
    await page.mouse.up();
    await expectAccessible(page);
    await crop(page).getByRole("button", { name: "Use picture" }).click();
    const shown = sharp(await shownIn(page, "Photo"));
    // The camera was held upright: what is right in the file is below.
    expect((await shown.stats()).dominant.b).toBeGreaterThan(200);
    expect(await shown.metadata()).toMatchObject({ width: 800, height: 800 });
    expect(sent).toEqual([expect.any(Number)]);
    expect(sent[0]).toBeLessThan(200_000);
    expectNoErrors();
  });

  it("are dropped and pasted, and refused if they are none", async () => {
    const { page, expectNoErrors } = await visit(`/events/${fixture.eventId}/speakers`);
    await page.getByRole("button", { name: "Add speaker" }).click();
    const field = page.getByRole("group", { name: "Photo" });
    await field.waitFor();
    await give(page, "drop", { type: "text/plain", base64: "" });
    await page.getByText(/^This file cannot be read as a picture/).waitFor();
    await expectAccessible(page);
    const picture = { type: "image/png", base64: (await halves({ width: 300, height: 300 })).toString("base64") };
    for (const way of ["drop", "paste"] as const) {
      await give(page, way, picture);
      await crop(page).getByRole("button", { name: "Use picture" }).click();
      await shownIn(page, "Photo");
      await field.getByRole("button", { name: /^Remove/ }).click();
    }
    expectNoErrors();
  });

  it("are added as finished posters, whole, on a phone", async () => {
    await service.db.query(sql`delete from posters where event_id = ${fixture.eventId}`);
    const { page, expectNoErrors } = await visit(`/events/${fixture.eventId}/posters`, "phone");
    await page.getByRole("button", { name: "Upload poster" }).click();
    const dialog = page.getByRole("dialog", { name: "Upload a poster" });
    const poster = await halves({ width: 1080, height: 1350 });
    await dialog.getByLabel(/^Title/).fill("Harbour night");
    await dialog
      .locator("input[type=file]")
      .setInputFiles({ name: "poster.png", mimeType: "image/png", buffer: poster });
    expect(await sharp(await shownIn(page, "Picture")).metadata()).toMatchObject({ width: 1080, height: 1350 });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Review poster" }).click();
    await page.getByRole("dialog", { name: "Add this poster" }).getByRole("img", { name: "Harbour night" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save as draft" }).click();
    await page.getByRole("heading", { name: "Harbour night" }).waitFor();
    expectNoErrors();
  });
});

/** A picture whose left half is red and whose right half is blue; `orientation` says how its camera was held. */
async function halves(size: { width: number; height: number }, format: "png" | "jpeg" = "png", orientation = 1) {
  const right = { create: { width: size.width / 2, height: size.height, channels: 3, background: "#0000ff" } } as const;
  const drawn = sharp({ create: { ...size, channels: 3, background: "#ff0000" } }).composite([
    { input: right, left: size.width / 2, top: 0 },
  ]);
  return drawn.toFormat(format).withMetadata({ orientation }).toBuffer();
}

/** Drops a file on the field of a photo, or pastes it there. */
const give = (page: Page, way: "drop" | "paste", { type, base64 }: { type: string; base64: string }) =>
  page.evaluate(`{
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(atob("${base64}"), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], "file", { type: "${type}" }));
    const options = { bubbles: true, cancelable: true, dataTransfer: transfer, clipboardData: transfer };
    const event = "${way}" === "drop" ? new DragEvent("drop", options) : new ClipboardEvent("paste", options);
    document.querySelector("[role=dialog] fieldset").dispatchEvent(event);
  }`);
