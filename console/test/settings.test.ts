import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { type Page, type Queries, withPages } from "./pages.ts";

const { service, make, open } = withPages();

type Row = Record<string, unknown>;

async function stored(organizationId: string): Promise<Row | undefined> {
  const [row] = await service.db.query<Row>(sql`
    select name, description, website_url, contact_email, social_links, logo_url, logo_dark_url, brand_primary_color,
      brand_secondary_color
    from organizations where id = ${organizationId}`);
  return row;
}

/** What the last change of a tool was asked to do. */
async function lastRequest(organizationId: string, tool: string): Promise<Row | undefined> {
  const [record] = await service.db.query<{ request: Row }>(sql`
    select request from mutation_records where organization_id = ${organizationId} and tool = ${tool}
    order by at desc limit 1`);
  return record?.request;
}

const openSettings = async (set: Row = {}) => {
  const { organizationId, owner } = await service.newOrganization();
  await service.db.query(sql`
    update organizations o set description = s.description, website_url = s.website_url,
      social_links = coalesce(s.social_links, '{}')
    from jsonb_to_record(${JSON.stringify(set)}) s (description text, website_url text, social_links jsonb)
    where o.id = ${organizationId}`);
  const page = await open(`/o/${organizationId}/settings`, owner);
  await page.findByRole("heading", { level: 1, name: "Profile and branding" });
  return { organizationId, page };
};

async function enterLogo(page: Page, field: string, address: string): Promise<void> {
  await page.press(new RegExp(`^Use an address instead ?: ${field}`));
  await page.enter(await page.findByRole("textbox", { name: `${field}: address` }), address);
}

const formOf = (page: Page, name: string): Queries => within(page.getByRole("form", { name }));

it("changes colours with a preview of their contrast, and takes them back", async () => {
  const { organizationId, page } = await openSettings();
  const field = page.getByRole("textbox", { name: /^Main colour/ });
  const save = page.getByRole("button", { name: "Save colours" });
  expect(save).toHaveProperty("disabled", true);
  await page.fill(field, "#7a1fa");
  page.getByText("Enter a colour such as #1a2b3c.");
  expect(save).toHaveProperty("disabled", true);
  await page.enter(field, "2");
  expect(page.queryByText("Enter a colour such as #1a2b3c.")).toBeNull();
  const preview = page.getByRole("region", { name: "Preview of the main colour" });
  expect(preview.textContent).toMatch(/^LightPublish posterContrast \d+\.\d : 1DarkPublish poster.*\d+\.\d : 1$/);
  expect(page.getByLabelText("Main colour: pick")).toHaveProperty("value", "#7a1fa2");
  const second = page.getByRole("textbox", { name: /^Second colour/ });
  await page.fill(second, "#00ff0");
  expect(save).toHaveProperty("disabled", true);
  await page.user.clear(second);
  await page.press("Save colours");
  await page.findByText("The colours are saved");
  expect(await stored(organizationId)).toMatchObject({ brand_primary_color: "#7a1fa2", brand_secondary_color: null });
  await page.undo();
  expect(await stored(organizationId)).toMatchObject({ brand_primary_color: null });
});

it("changes only what was edited, and clears what was emptied", async () => {
  const { organizationId, page } = await openSettings({
    description: "By the sea",
    website_url: "https://old.example",
    social_links: { mastodon: "https://m.example/a" },
  });
  const form = formOf(page, "Profile");
  expect(form.getByRole("button", { name: "Save profile" })).toHaveProperty("disabled", true);
  await page.fill(form.getByRole("textbox", { name: "Name" }), "Harbour Works");
  await page.user.clear(form.getByRole("textbox", { name: /^Website/ }));
  await page.press("Add link");
  const [, platform] = form.getAllByRole("textbox", { name: "Platform" });
  const [, address] = form.getAllByRole("textbox", { name: "Address" });
  await page.enter(platform as HTMLElement, "instagram");
  await page.enter(address as HTMLElement, "https://i.example/h");
  await page.press("Save profile");
  await page.findByText("The profile is saved");
  const social_links = { mastodon: "https://m.example/a", instagram: "https://i.example/h" };
  expect(await stored(organizationId)).toMatchObject({
    name: "Harbour Works",
    description: "By the sea",
    website_url: null,
    social_links,
  });
  const request = await lastRequest(organizationId, "update_organization_profile");
  expect(Object.keys(request ?? {})).not.toContain("description");
  expect(Object.keys(request ?? {})).not.toContain("contact_email");
  // The form starts anew with what is stored.
  await expect.poll(() => page.getByRole("button", { name: "Save profile" })).toHaveProperty("disabled", true);
  await page.press("Remove mastodon");
  await page.press("Save profile");
  await expect.poll(() => stored(organizationId)).toMatchObject({ social_links: { instagram: "https://i.example/h" } });
});

it("keeps what was typed in one form when another is saved", async () => {
  const { organizationId, page } = await openSettings();
  const profile = formOf(page, "Profile");
  await page.fill(profile.getByRole("textbox", { name: "Name" }), "Harbour Works");
  await page.enter(profile.getByRole("textbox", { name: /^Description/ }), "By the sea");
  await page.enter(profile.getByRole("textbox", { name: /^Contact e-mail/ }), "hello@harbour.example");
  await enterLogo(page, "For light backgrounds", "https://images.example.com/light.png");
  const second = () => page.getByRole<HTMLInputElement>("textbox", { name: /^Second colour/ });
  await page.enter(second(), "#00AA55");
  for (const [button, done] of [
    ["Save colours", "The colours are saved"],
    ["Save logos", "The logos are saved"],
    ["Save profile", "The profile is saved"],
  ] as const) {
    await page.press(button);
    await page.findByText(done);
    await expect.poll(() => page.getByRole("button", { name: button })).toHaveProperty("disabled", true);
  }
  const saved = await stored(organizationId);
  expect(saved).toMatchObject({
    name: "Harbour Works",
    description: "By the sea",
    contact_email: "hello@harbour.example",
    logo_url: "https://images.example.com/light.png",
    logo_dark_url: null,
    brand_primary_color: null,
  });
  expect(second().value).toBe(saved?.brand_secondary_color);
  expect(second().value).toMatch(/^#00aa55$/i);
});

it("says why a profile cannot be saved", async () => {
  const { organizationId, page } = await openSettings();
  await page.fill(formOf(page, "Profile").getByRole("textbox", { name: /^Contact e-mail/ }), "nobody");
  await page.press("Save profile");
  await page.findByText("This change is not possible");
  expect(await stored(organizationId)).toMatchObject({ contact_email: null });
});

it("has at most 20 social links, each edited by itself, also after one was removed", async () => {
  const links = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`site${index}`, `https://${index}.example`]));
  const { page } = await openSettings({ social_links: links(20) });
  expect(page.queryByRole("button", { name: "Add link" })).toBeNull();
  await page.press("Remove site0");
  await page.press("Add link");
  expect(page.queryByRole("button", { name: "Add link" })).toBeNull();
  const platforms = () => page.getAllByRole<HTMLInputElement>("textbox", { name: "Platform" });
  await page.enter(platforms().at(-1) as HTMLElement, "github");
  const others = Object.keys(links(20)).slice(1);
  expect(platforms().map(({ value }) => value)).toEqual([...others, "github"]);
});

it("saves a name beside a description that is too long to edit, and shows the old one after an undo", async () => {
  const description = "word ".repeat(801);
  const { organizationId, page } = await openSettings({ description });
  page.getByText("It came from an import and is too long to be edited here.");
  const form = formOf(page, "Profile");
  expect(form.getByRole("textbox", { name: /^Description/ })).toHaveProperty("readOnly", true);
  const name = () => formOf(page, "Profile").getByRole<HTMLInputElement>("textbox", { name: "Name" });
  const before = name().value;
  await page.fill(name(), "Harbour Works");
  await page.press("Save profile");
  await page.findByText("The profile is saved");
  expect(await stored(organizationId)).toMatchObject({ name: "Harbour Works", description });
  await page.undo();
  await expect.poll(() => name().value).toBe(before);
});

it("changes logos", async () => {
  const { organizationId, page } = await openSettings();
  await enterLogo(page, "For dark backgrounds", "https://images.example.com/dark.png");
  const pictures = formOf(page, "Logos").getAllByRole("presentation");
  expect(pictures.map((picture) => picture.getAttribute("src"))).toEqual(["https://images.example.com/dark.png"]);
  await page.press("Save logos");
  await page.findByText("The logos are saved");
  expect(await stored(organizationId)).toMatchObject({
    logo_url: null,
    logo_dark_url: "https://images.example.com/dark.png",
  });
});

it("lets admins look, not change", async () => {
  const { organizationId } = await service.newOrganization();
  await service.db.query(sql`
    update organizations set social_links = '{"mastodon": "https://m.example/a"}' where id = ${organizationId}`);
  const page = await open(
    `/o/${organizationId}/settings`,
    await service.signIn(await make.member(organizationId, "admin")),
  );
  await page.findByText("Owners change these settings");
  expect(page.queryByRole("button", { name: /^(Save|Add|Remove)/ })).toBeNull();
  const fields = page.getAllByRole<HTMLInputElement>("textbox");
  expect(fields.filter(({ readOnly }) => !readOnly)).toEqual([]);
  expect(fields.map(({ value }) => value)).toContain("https://m.example/a");
});

it("makes one change after the other", async () => {
  const { page } = await openSettings();
  const connected = globalThis.fetch;
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sent: string[] = [];
  globalThis.fetch = async (input, init) => {
    const [tool] = /update_organization_\w+/.exec(String(input)) ?? [];
    const isCommit = /"dry_run":false/.test(String(init?.body));
    if (tool !== undefined) sent.push(`${isCommit ? "commit" : "preview"} ${tool}`);
    if (isCommit) await isReleased;
    return connected(input, init);
  };
  const profile = ["preview", "commit"].map((step) => `${step} update_organization_profile`);
  await page.fill(page.getByLabelText("Website (optional)"), "https://pier.example");
  await page.fill(page.getByRole("textbox", { name: /^Main colour/ }), "#7a1fa2");
  await page.press("Save profile");
  await expect.poll(() => sent).toEqual(profile);
  await page.press("Save colours");
  await page.findByText("Saving…");
  expect(sent).toEqual(profile);
  release();
  await page.findByText("The colours are saved");
  expect(sent).toEqual([...profile, "preview update_organization_branding", "commit update_organization_branding"]);
});
