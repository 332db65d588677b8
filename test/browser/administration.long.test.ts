import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { makerOn } from "../support/make.js";
import { expectAccessible, useBrowser, withBrowser } from "./support.js";

/** What needs layout. console/test/administration.test.ts has the rest. */
withBrowser("administration in a browser", () => {
  const service = useBrowser();
  let cookie: string;

  beforeAll(async () => {
    const userId = await makerOn(service.db).platformAdministrator();
    cookie = await service.signIn(userId);
  });

  it("has accessible forms and dialogs", async () => {
    const { page, expectNoErrors } = await service.visit({ cookie });
    const confirm = (name: string) => page.getByRole("button", { name, exact: true }).last().click();
    const name = `Nova${randomUUID().slice(0, 6)}`;
    await page.goto("/admin/organizations");
    await confirm("Create organization");
    await page.getByLabel("Name", { exact: true }).fill(name);
    await confirm("Review");
    await page.getByRole("dialog", { name: `Create ${name}` }).waitFor();
    await expectAccessible(page);
    await confirm("Create organization");
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await confirm("Invite person");
    await page.getByLabel("E-mail address", { exact: true }).fill(`${name}@example.com`);
    await confirm("Review");
    await confirm("Invite");
    await page.locator("code", { hasText: "/invite/" }).waitFor();
    await expectAccessible(page);

    await page.goto("/admin/conferences");
    await confirm("Create conference");
    await page.getByLabel("First day", { exact: true }).fill("2031-05-04");
    await page.getByLabel("Last day", { exact: true }).fill("2031-05-01");
    await confirm("Review");
    await page.getByText("The last day is before the first").waitFor();
    await expectAccessible(page);

    await page.goto("/admin/records?tool=create_organization");
    await page.getByRole("button", { name: "Show details of “Created organization”" }).first().click();
    await page.getByText(/^Record .*, tool/).waitFor();
    await expectAccessible(page);
    expectNoErrors();
  });

  it("has a bar on phones that needs no scrolling", async () => {
    const { page, expectNoErrors } = await service.visit({ cookie, size: "phone" });
    await page.goto("/admin");
    const bar = page.getByRole("navigation", { name: "Pages" });
    await bar.waitFor();
    const items = bar.getByRole("listitem").filter({ visible: true });
    const names = await items.allInnerTexts();
    expect(names.map((name) => name.trim())).toEqual(["Overview", "Conferences", "Events", "Organizations", "More"]);
    for (const item of await items.all()) {
      const box = await item.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    }
    expectNoErrors();
  });
});
