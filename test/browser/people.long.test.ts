import sql from "sql-template-tag";
import { beforeAll, it } from "vitest";
import { createResetLink } from "../../src/modules/users/reset-links.js";
import { type Make, makerOn } from "../support/make.js";
import { expectAccessible, useBrowser, withBrowser } from "./support.js";

/** What the pages about people, keys and settings do is tested in console/test; this is what needs a browser. */
withBrowser("people, keys and settings", () => {
  const service = useBrowser();
  let make: Make;

  beforeAll(() => {
    make = makerOn(service.db);
  });

  async function newOrganization() {
    const organizationId = await make.organization("Harbour Works");
    const ownerId = await make.member(organizationId, "owner");
    return { organizationId, ownerId, owner: await service.signIn(ownerId) };
  }

  it("are accessible while somebody is invited or gets another role", async () => {
    const { organizationId, owner } = await newOrganization();
    const memberId = await make.member(organizationId, "member");
    await service.db.query(sql`update users set name = 'Ana Reis' where id = ${memberId}`);
    const { page, expectNoErrors } = await service.visit({ cookie: owner });
    await page.goto(`/o/${organizationId}/settings/members`);
    await page.getByRole("button", { name: "Invite person" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Invite person" }).click();
    await page.getByText("Enter an e-mail address").waitFor();
    await expectAccessible(page);
    await page.getByRole("textbox", { name: "E-mail" }).fill("ines@example.com");
    await page.getByRole("dialog").getByRole("button", { name: "Invite person" }).click();
    await page.getByText(/\/invite\/[0-9A-Za-z]{43}$/).waitFor();
    await expectAccessible(page);
    await page.getByText("I have stored it").click();
    await page.getByRole("button", { name: "Done" }).click();

    await page.getByRole("button", { name: "Actions for Ana Reis" }).click();
    await page.getByRole("menuitem", { name: "Admin" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("menuitem", { name: "Admin" }).click();
    await page.getByText("Ana Reis is now an admin").waitFor();
    await expectAccessible(page);
    expectNoErrors();
  });

  it("are accessible while a key is rotated or revoked, on a phone", async () => {
    const { organizationId, ownerId, owner } = await newOrganization();
    const old = await make.organizationKey(organizationId, { userId: ownerId });
    await service.db.query(sql`
      update api_keys set name = 'Guest agent', created_at = now() - interval '80 days', expires_at = now() + interval '5 days'
      where id = ${await make.keyId(old)}`);
    const { page, expectNoErrors } = await service.visit({ cookie: owner, size: "phone" });
    await page.goto(`/o/${organizationId}/settings/keys`);
    await page.getByRole("button", { name: "Rotate key" }).click();
    const dialog = page.getByRole("dialog", { name: "Rotate “Guest agent”" });
    await dialog.getByRole("radio", { name: /Keep it for 24 hours/ }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Rotate key" }).click();
    const shown = page.getByRole("dialog", { name: "“Guest agent” is ready" });
    await shown.getByText(/^svc_mk_/).waitFor();
    await expectAccessible(page);
    await shown.getByText("I have stored it").click();
    await shown.getByRole("button", { name: "Done" }).click();
    await page.getByText("Replaced, ends").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Actions for Guest agent" }).first().click();
    await page.getByRole("menuitem", { name: "Revoke key" }).click();
    await page.getByText("is refused from the next request on").waitFor();
    await expectAccessible(page);
    expectNoErrors();
  });

  it("are accessible while a key is created", async () => {
    const { organizationId, owner } = await newOrganization();
    const { page, expectNoErrors } = await service.visit({ cookie: owner });
    await page.goto(`/o/${organizationId}/settings/keys?create=true`);
    const form = page.getByRole("dialog", { name: "Create an API key" });
    await form.getByText("Choose what it may do").waitFor();
    await expectAccessible(page);
    await form.getByText("Choose what it may do").click();
    await form.getByRole("button", { name: "Create key" }).click();
    await form.getByText("Say what uses this key.").waitFor();
    await expectAccessible(page);
    expectNoErrors();
  });

  it("are accessible with a preview of colours", async () => {
    const { organizationId, owner } = await newOrganization();
    const { page, expectNoErrors } = await service.visit({ cookie: owner });
    await page.goto(`/o/${organizationId}/settings`);
    await page.getByRole("textbox", { name: "Main colour (optional)" }).fill("#7a1fa2");
    await page
      .getByText(/Contrast \d/)
      .first()
      .waitFor();
    await expectAccessible(page);
    expectNoErrors();
  });

  it("are accessible after a password was reset", async () => {
    const userId = await make.user();
    const { page, expectNoErrors } = await service.visit();
    await page.goto(await createResetLink(service.db, service.url, { userId: userId, createdBy: null }));
    await page.getByRole("textbox", { name: "New password" }).fill("a harbour full of boats");
    await page.getByRole("button", { name: "Save password" }).click();
    await page.getByText("Your password is changed").waitFor();
    await expectAccessible(page);
    expectNoErrors();
  });
});
