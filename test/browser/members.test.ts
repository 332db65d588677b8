import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createResetLink } from "../../src/sign-in/password-reset.js";
import { type Make, makerOn } from "../support/make.js";
import { type BrowserService, expectAccessible, startBrowserService, withBrowser } from "./support.js";

withBrowser("people, accounts and settings", () => {
  let service: BrowserService;
  let make: Make;

  beforeAll(async () => {
    service = await startBrowserService();
    make = makerOn(service.db);
  });
  afterAll(() => service?.close());

  it("changes a role, and removes somebody", async () => {
    const organizationId = await make.organization();
    const owner = await service.signIn(await make.member(organizationId, "owner"));
    const memberId = await make.member(organizationId, "member");
    await service.db.query(sql`update users set name = 'Ana Reis' where id = ${memberId}`);
    const { page, expectNoErrors } = await service.visit({ cookie: owner });
    await page.goto(`/o/${organizationId}/members`);
    await page.getByRole("button", { name: "Actions for Ana Reis" }).click();
    await page.getByRole("menuitem", { name: "Admin" }).click();
    await page.getByRole("dialog", { name: "Make Ana Reis an admin" }).getByText("member").first().waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Change role" }).click();
    await page.getByRole("row", { name: /Ana Reis.*Admin/ }).waitFor();
    await page.getByRole("button", { name: "Actions for Ana Reis" }).click();
    await page.getByRole("menuitem", { name: "Remove from organization" }).click();
    await page.getByRole("button", { name: "Remove person" }).click();
    await page.getByRole("row", { name: /Ana Reis/ }).waitFor({ state: "detached" });
    expectNoErrors();
  });

  it("resets a password with a link, once", async () => {
    const userId = await make.user();
    await service.signIn(userId);
    const link = await createResetLink(service.db, userId, service.url);
    const { page, expectNoErrors } = await service.visit();
    await page.goto(link);
    await page.getByRole("textbox", { name: "New password" }).fill("a harbour full of boats");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save password" }).click();
    await page.getByText("Your password is changed").waitFor();
    expectNoErrors();
    await page.goto(link);
    await page.getByText("This link no longer works").waitFor();
    await expectAccessible(page);
  });

  it("shows where somebody is signed in, and signs out a device", async () => {
    const userId = await make.user("Ana Reis");
    const cookie = await service.signIn(userId);
    const other = await service.signIn(userId);
    const { page, expectNoErrors } = await service.visit({ cookie });
    await page.goto("/account");
    await page.getByText("This one").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor({ state: "detached" });
    const session = await service.call("/api/console/session", { headers: { cookie: other } });
    expect(session.json.person).toBeNull();
    await page.getByLabel("Name", { exact: true }).fill("Ana Reis Duarte");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByText("Your name is saved").waitFor();
    expectNoErrors();
  });

  it("changes colours with a preview of their contrast; members only look", async () => {
    const organizationId = await make.organization();
    const owner = await service.signIn(await make.member(organizationId, "owner"));
    const { page, expectNoErrors } = await service.visit({ cookie: owner });
    await page.goto(`/o/${organizationId}/settings`);
    await page.getByRole("textbox", { name: "Main colour (optional)" }).fill("#7a1fa2");
    await page
      .getByText(/Contrast \d/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save colours" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Save colours" }).click();
    await page.getByText("The colours are saved").waitFor();
    const [stored] = await service.db.query(
      sql`select brand_primary_color from organizations where id = ${organizationId}`,
    );
    expect(stored).toEqual({ brand_primary_color: "#7a1fa2" });
    expectNoErrors();

    const cookie = await service.signIn(await make.member(organizationId, "member"));
    const member = await service.visit({ cookie, size: "phone" });
    await member.page.goto(`/o/${organizationId}/settings`);
    await member.page.getByText("Owners change these settings").waitFor();
    expect(await member.page.getByRole("button", { name: /^Save/ }).count()).toBe(0);
    await expectAccessible(member.page);
    member.expectNoErrors();
  });
});
