import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { allPages } from "../src/pages/docs/site.ts";
import { type Page, withPages } from "./pages.ts";

const { service, make, open } = withPages();

const poster = async () => make.poster(await make.event(await make.conference()));

/** The form that sends a request, opened. */
async function openForm(page: Page, operation: string) {
  await page.press(`Run it: ${operation}`);
  const button = await page.findByRole("button", { name: "Send request" });
  const form = within(button.closest("form") as HTMLElement);
  return {
    ...form,
    key: () => form.getByLabelText<HTMLInputElement>(/^API key/),
    send: () => page.user.click(button),
    response: async () => (await form.findByText("Your response")).closest("figure")?.textContent,
  };
}

it("leads a visitor from the start to a first successful call", async () => {
  const [posterId, key] = [await poster(), await make.superAdminKey()];
  const page = await open("/");
  await page.findByRole("heading", { level: 1, name: /Agents do the work\./ });
  await page.findByText(/"documentation_url"/);
  await page.user.click(page.getByRole("link", { name: "Make your first call" }));
  await page.findByRole("heading", { level: 1, name: "Your first call" });
  // Guides show the address of this installation.
  expect(document.querySelector("pre")?.textContent).toContain("export SVC_URL=https://svc.test\n");
  await page.user.click(page.getByRole("link", { name: "reference of posters" }));
  const form = await openForm(page, "getPoster");
  await page.fill(form.key(), "svc_mk_wrong");
  await page.fill(form.getByLabelText(/^id/), posterId);
  await form.send();
  await form.findByText(/^Status 401/);
  await page.fill(form.key(), key);
  await form.send();
  await form.findByText(/^Status 200, \d+ ms, \d+ requests left in this minute$/);
  expect(await form.response()).toContain(posterId);
  // The key is kept in memory only.
  expect(window.location.href).not.toContain(key);
  expect(JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])).not.toContain(key);
});

it("sends a body that is JSON, and no other, and offers the values of a parameter that has few", async () => {
  const posterId = await poster();
  const page = await open("/docs/api/posters");
  const form = await openForm(page, "reportPostedUrls");
  form.getByText(/This request changes data/);
  await page.fill(form.key(), await make.superAdminKey());
  await page.fill(form.getByLabelText(/^id/), posterId);
  const body = form.getByLabelText(/^Body/);
  await page.fill(body, '{ "posted_urls": ');
  await form.send();
  await form.findByText("Body: expected JSON");
  const posted = { bluesky: "https://bsky.app/profile/a/post/1" };
  await page.fill(body, JSON.stringify({ posted_urls: posted }));
  await form.send();
  await form.findByText(/^Status 200/);
  const [stored] = await service.db.query(sql`select posted_urls from posters where id = ${posterId}`);
  expect(stored).toMatchObject({ posted_urls: posted });
  // The key is known to the next form; closing one sends nothing.
  await page.user.click(form.getByRole("button", { name: "Close" }));
  const list = await openForm(page, "listEventPosters");
  expect(list.key().value).toMatch(/^svc_/);
  const eventId = await make.event(await make.conference());
  await make.poster(eventId, { published: false });
  await page.fill(list.getByLabelText(/^id/), eventId);
  const published = within(list.getByRole("group", { name: "published" }));
  expect(published.getByRole("button", { name: "Not sent", pressed: true })).toBeTruthy();
  await list.send();
  await expect.poll(list.response).toContain('"count": 1');
  await page.user.click(published.getByRole("button", { name: "true" }));
  await list.send();
  await expect.poll(list.response).toContain('"count": 0');
});

it("asks for no key where none is needed, and shows an image", async () => {
  const file = await make.image();
  const page = await open("/docs/api/images");
  await page.findByText("Needs no key.");
  const form = await openForm(page, "getImage");
  expect(form.queryByLabelText(/^API key/)).toBeNull();
  await page.fill(form.getByLabelText(/^file/), file);
  await form.send();
  await form.findByText(/^Status 200/);
  expect((await form.findByRole("img")).getAttribute("src")).toMatch(/^blob:/);
  await page.fill(form.getByLabelText(/^file/), "unknown.png");
  await form.send();
  await form.findByText(/^Status 404/);
});

it("finds guides, operations and tools by keyboard", async () => {
  const page = await open("/docs");
  await page.findByRole("heading", { level: 1 });
  await page.user.keyboard("/");
  const field = await page.findByRole("searchbox");
  const results = within(await page.findByRole("menu", { name: "Results" }));
  await page.findByText("Guides, API operations, tools.");
  await page.fill(field, "xylophones everywhere");
  await page.findByText("Nothing matches “xylophones everywhere”. Try fewer words.");
  await page.fill(field, "rate limits");
  await results.findByRole("menuitem", { name: /^Rate limits The REST API/ });
  await page.fill(field, "reportPostedUrls");
  await results.findByRole("menuitem", { name: /^PATCH \/api\/svc\/posters\/\{id\} API reference/ });
  await page.user.clear(field);
  await page.user.type(field, "reorder speakers");
  await results.findByRole("menuitem", { name: /^reorder_event_speakers Tools/ });
  // The best result is chosen already.
  await page.user.keyboard("{Enter}");
  await page.findByRole("heading", { level: 2, name: /^reorder_event_speakers/ });
  expect(window.location.pathname + window.location.hash).toBe("/docs/tools/speakers#reorder_event_speakers");
  expect(page.queryByRole("dialog")).toBeNull();
});

it("shows requests in the language of the reader on every page", async () => {
  const page = await open("/docs/api/posters");
  const choices = await page.findAllByRole("button", { name: "Python" });
  await page.user.click(choices[0] as HTMLElement);
  const requests = () => page.getAllByText("Request").map((caption) => caption.closest("figure")?.textContent ?? "");
  expect(requests()).toHaveLength(choices.length);
  for (const request of requests()) expect(request).toContain("urllib.request");
  await page.user.click(page.getByRole("link", { name: "Speakers" }));
  await page.findAllByText("Over HTTP");
  expect(page.getAllByRole("button", { name: "Python", pressed: true }).length).toBeGreaterThan(3);
});

it("leads people who are signed in to the keys of their organization", async () => {
  const organizationId = await make.organization("Key Works");
  const page = await open("/docs/api/posters", await service.signIn(await make.member(organizationId)));
  const form = await openForm(page, "listPosters");
  const link = await form.findByRole<HTMLAnchorElement>("link", { name: "Keys of Key Works" });
  expect(link.pathname).toMatch(/^\/o\/[^/]+\/settings\/keys$/);
});

it("types a slash where it is text, and opens the search from a field as the console does", async () => {
  const page = await open("/docs/api/posters");
  const form = await openForm(page, "reportPostedUrls");
  for (const field of [form.key(), form.getByLabelText<HTMLTextAreaElement>(/^Body/)]) {
    await page.user.type(field, "a/b");
    expect(field.value).toMatch(/a\/b$/);
  }
  expect(page.queryByRole("searchbox")).toBeNull();
  await page.user.keyboard("{Control>}k{/Control}");
  await page.findByRole("searchbox", { name: "Search the documentation" });
});

it("leads from one kind of reference to the next", async () => {
  // The end of the API reference, with the errors, and the beginning of the tools.
  const place = allPages.findIndex(({ content }) => content.kind === "errors");
  const expected = allPages.slice(place - 1, place + 3);
  expect(expected.map(({ content }) => content.kind)).toContain("errors");
  const page = await open(expected[0]?.path ?? "");
  for (const { path, title } of expected) {
    await page.findByText((_text, element) => element?.tagName === "H1" && element.textContent === title);
    expect(page.path()).toBe(path);
    const current = document.querySelectorAll("nav[aria-label='Documentation'] [aria-current='page']");
    expect([...current].map(({ textContent }) => textContent)).toEqual([title]);
    await page.user.click(within(page.getByText(/^Next:/)).getByRole("link"));
  }
});

it("lists what a tool returns", async () => {
  const page = await open("/docs/tools/registrations");
  const [first] = await page.findAllByText(/^Result/, { selector: "summary" });
  expect(first?.textContent).toBe("Result items, pagination, counts, events, message, suggestions");
});

it("moves between guides without a load, and shows a page for what does not exist", async () => {
  const page = await open("/docs");
  const main = within(await page.findByRole("main"));
  const [link] = await main.findAllByRole("link", { name: "Connect your agent" });
  // A click that is not taken over would load the page, which a document without a browser refuses with an error.
  await page.user.click(link as HTMLElement);
  await page.findByRole("heading", { level: 1, name: "Connect your agent" });
  expect(page.path()).toBe("/docs/connect-your-agent");
  const missing = await open("/docs/no-such-page");
  await missing.findByText("There is no such page");
});

it("opens its navigation, and closes it on the next page", async () => {
  const page = await open("/docs/quick-start");
  const navigation = await page.findByRole("navigation", { name: "Documentation" });
  expect(navigation.dataset.open).toBe("false");
  await page.press("Open the navigation");
  expect(navigation.dataset.open).toBe("true");
  await page.user.click(within(navigation).getByRole("link", { name: "Errors" }));
  await page.findByRole("heading", { level: 1, name: "Errors" });
  expect(navigation.dataset.open).toBe("false");
  await page.findByRole("button", { name: "Open the navigation" });
});

it("offers the console to people who are signed in", async () => {
  const { owner } = await service.newOrganization();
  const visitor = await open("/docs");
  expect((await visitor.findByRole("link", { name: "Sign in" })).getAttribute("href")).toBe("/sign-in");
  await visitor.press("Use dark colours");
  expect(document.documentElement.dataset.theme).toBe("dark");
  await visitor.press("Use light colours");
  expect(document.documentElement.dataset.theme).toBe("light");
  delete document.documentElement.dataset.theme;
  const page = await open("/docs", owner);
  expect((await page.findByRole("link", { name: "Console" })).getAttribute("href")).toBe("/");
});
