import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Make, makerOn } from "../support/make.js";
import { type BrowserService, expectAccessible, startBrowserService, withBrowser } from "./support.js";

withBrowser("API keys", () => {
  let service: BrowserService;
  let make: Make;

  beforeAll(async () => {
    service = await startBrowserService();
    make = makerOn(service.db);
  });
  afterAll(() => service.close());

  async function newOrganization() {
    const organizationId = await make.organization("Harbour Works");
    const ownerId = await make.member(organizationId, "owner");
    return { organizationId, ownerId, owner: await service.signIn(ownerId) };
  }

  it("is rotated before it expires, on a phone", async () => {
    const { organizationId, ownerId, owner } = await newOrganization();
    const old = await make.organizationKey(organizationId, { userId: ownerId });
    await service.db.query(sql`
      update api_keys set name = 'Guest agent', expires_at = now() + interval '5 days'
      where id = ${await make.keyId(old)}`);
    const { page, expectNoErrors } = await service.visit({ cookie: owner, size: "phone" });
    await page.goto(`/o/${organizationId}/keys`);
    await page.getByText("“Guest agent” expires in 5 days").waitFor();
    await expectAccessible(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);

    await page.getByRole("button", { name: "Rotate key" }).click();
    const dialog = page.getByRole("dialog", { name: "Rotate “Guest agent”" });
    await dialog.getByRole("radio", { name: /Keep it for 24 hours/ }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Rotate key" }).click();
    const shown = page.getByRole("dialog", { name: "“Guest agent” is ready" });
    const key = await shown.getByText(/^svc_mk_/).innerText();
    for (const each of [old, key]) expect((await service.call("/api/svc/ping", { key: each })).status).toBe(200);
    await shown.getByText("I have stored it").click();
    await shown.getByRole("button", { name: "Done" }).click();
    await page.waitForFunction('document.activeElement?.id === "main"');
    await page.getByText("Replaced, ends").waitFor();
    expectNoErrors();
  });

  it("returns the focus to the button that opened the form, after the key was shown", async () => {
    const { organizationId, ownerId, owner } = await newOrganization();
    await make.organizationKey(organizationId, { userId: ownerId });
    const { page, expectNoErrors } = await service.visit({ cookie: owner });
    await page.goto(`/o/${organizationId}/keys`);
    await page.getByRole("button", { name: "Create key" }).click();
    const form = page.getByRole("dialog", { name: "Create an API key" });
    await form.getByRole("button", { name: "Create key" }).click();
    const shown = page.getByRole("dialog", { name: /is ready$/ });
    await shown.getByText("I have stored it").click();
    await shown.getByRole("button", { name: "Done" }).click();
    await page.waitForFunction('document.activeElement?.textContent === "Create key"');
    expectNoErrors();
  });

  it("shows admins and members why they cannot", async () => {
    const { organizationId, ownerId } = await newOrganization();
    await make.organizationKey(organizationId, { userId: ownerId });
    for (const role of ["admin", "member"] as const) {
      const cookie = await service.signIn(await make.member(organizationId, role));
      const { page, expectNoErrors } = await service.visit({ cookie });
      await page.goto(`/o/${organizationId}/keys`);
      await page.getByText("Owners manage API keys").waitFor();
      await page.getByRole("table", { name: "API keys that work" }).waitFor();
      expect(await page.getByRole("button", { name: /Create key|Actions/ }).count()).toBe(0);
      await expectAccessible(page);
      expectNoErrors();
    }
  });
});
