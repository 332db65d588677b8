import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { beforeAll, expect, it } from "vitest";
import { createDashboardFixture, type DashboardFixture } from "../../test/support/dashboard-fixture.js";
import { untilShown } from "./event-pages.ts";
import { type Page, type Queries, withPages } from "./pages.ts";

const { service, make, open } = withPages();

let fixture: DashboardFixture;
let cookie: string;

beforeAll(async () => {
  fixture = await createDashboardFixture(service.db);
  cookie = await service.signIn(fixture.ownerId);
});

const region = async (page: Page, name: string | RegExp) => within(await page.findByRole("region", { name }));

/** The row of a list that has this text. */
const rowWith = async (list: Queries, text: string | RegExp) =>
  within((await list.findByText(text)).closest("li") ?? document.body);

const addressOf = (list: Queries, name: string | RegExp) => list.getByRole("link", { name }).getAttribute("href");

it("shows an agent's link without reloading, highlighted, with copy and reshare", async () => {
  const { organizationId, slug, ownerId, eventIds, posterIds } = await createDashboardFixture(service.db);
  const owner = await service.signIn(ownerId);
  const page = await open(`/o/${slug}`, owner);
  const links = await region(page, "Posted links");
  expect(await links.findAllByRole("listitem")).toHaveLength(6);
  expect(links.queryByText("Bluesky")).toBeNull();
  await untilShown(
    (attempt) => {
      const args = { event_id: eventIds[0], venue: `Quay no. ${attempt}` };
      return service.change(organizationId, owner, "update_event_details", args);
    },
    () => page.queryByText(/Quay no\./) !== null,
  );
  const address = "https://bsky.app/profile/harbour/post/1";
  const key = await make.organizationKey(organizationId);
  const reply = await service.call(`/api/svc/posters/${posterIds[0]}`, {
    key,
    body: { posted_urls: { bluesky: address } },
  });
  expect(reply.status).toBe(200);
  await links.findByText("New link on Bluesky");
  const row = links.getByRole("link", { name: /^Bluesky/ }).closest("li");
  expect(row?.getAttribute("data-arrived")).toBe("true");
  const arrived = within(row ?? document.body);
  expect(arrived.getByRole("link", { name: /^Reshare/ }).getAttribute("href")).toBe(
    `https://bsky.app/intent/compose?text=${encodeURIComponent(address)}`,
  );
  await page.user.click(arrived.getByRole("button", { name: "Copy link" }));
  await arrived.findByRole("button", { name: "Copied" });
  expect(await navigator.clipboard.readText()).toBe(address);
});

it("shows posters with their state and links, and filters them by state and by platform", async () => {
  const { slug, eventIds } = fixture;
  const page = await open(`/o/${slug}`, cookie);
  const posters = await region(page, "Posters");
  const posted = await rowWith(posters, "square no. 6");
  posted.getByText("Posted");
  expect(addressOf(posted, /^square no. 6: open/)).toBe(`/o/${slug}/events/${eventIds[1]}/posters`);
  expect(addressOf(posted, /^X/)).toBe("https://x.com/harbour/status/1001");
  posted.getByRole("img", { name: "A square poster" });
  (await rowWith(posters, "story no. 3")).getByText("Not posted");
  (await rowWith(posters, "landscape no. 4")).getByText("Draft");
  const titles = posters
    .getAllByText(/^(portrait|square|story|landscape) no\. \d$/)
    .map(({ textContent }) => textContent);
  expect(titles.map((title) => title.slice(-1)).join("")).toBe("12345678");
  await posters.findByText("portrait no. 1");
  await page.user.click(posters.getByRole("button", { name: "Drafts" }));
  await posters.findByText("landscape no. 4");
  await expect.poll(() => posters.queryByText("portrait no. 1")).toBeNull();
  await page.user.click(posters.getByRole("button", { name: "Not posted" }));
  await posters.findByText("story no. 3");
  expect(posters.queryByText("square no. 6")).toBeNull();
  await page.user.click(posters.getByRole("button", { name: "Posted" }));
  await posters.findByText("square no. 6");
  expect(posters.queryByText("story no. 3")).toBeNull();
  expect(posters.getByRole("button", { name: "Posted" }).getAttribute("aria-pressed")).toBe("true");
  const links = await region(page, "Posted links");
  await page.user.click(links.getByRole("button", { name: "LinkedIn" }));
  await expect.poll(() => links.queryAllByRole("link", { name: /^Instagram/ })).toEqual([]);
  await expect.poll(() => links.queryAllByRole("link", { name: /^LinkedIn/ })).toHaveLength(2);
  await page.user.click(links.getByRole("button", { name: "All" }));
  await expect.poll(() => links.queryAllByRole("link", { name: /^Instagram/ })).toHaveLength(2);
});

it("leads with the next event, says what waits for somebody, and leads to it", async () => {
  const { slug, eventIds } = fixture;
  const page = await open(`/o/${slug}`, cookie);
  const next = await region(page, "Opening night at the harbour");
  next.getByText("in 3 days");
  next.getByText("Pier 4");
  next.getByText("9 guests approved · 120 places · 3 pending · 2 published posters");
  expect(addressOf(next, "Review guests")).toBe(`/o/${slug}/events/${eventIds[0]}/guests?state=pending`);
  expect(addressOf(next, "All events")).toBe(`/o/${slug}/events`);
  expect(addressOf(next, /^Numbers of Opening night/)).toBe(`/o/${slug}/events/${eventIds[0]}/numbers`);
  const attention = await region(page, /^Needs attention/);
  const key = await rowWith(attention, "Key “Poster bot” expires");
  key.getByText("in 6 days");
  expect(addressOf(key, "Rotate key")).toBe(`/o/${slug}/settings/keys`);
  const guests = await rowWith(attention, "3 guests wait for a decision");
  guests.getByText("Opening night at the harbour");
  expect(addressOf(guests, /^Review guests of Opening night/)).toBe(
    `/o/${slug}/events/${eventIds[0]}/guests?state=pending`,
  );
  const workshop = await rowWith(attention, "2 guests wait for a decision");
  expect(addressOf(workshop, /^1 more/)).toBe(`/o/${slug}/events/${eventIds[1]}`);
  expect(attention.getAllByRole("listitem")).toHaveLength(5);
  // What is less urgent of an event that has a line already has none of its own.
  expect(attention.queryByText("1 published poster was not posted anywhere")).toBeNull();
  const drafts = await rowWith(attention, "2 posters are drafts: agents do not see drafts");
  expect(addressOf(drafts, /^Review drafts of Founders' breakfast/)).toBe(`/o/${slug}/events/${eventIds[3]}/posters`);
  expect(attention.queryByRole("button")).toBeNull();
  expect(attention.queryByRole("link", { name: /^All/ })).toBeNull();
});

it("leads to all events that need somebody where there are more than lines", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const conference = await make.conference();
  for (let n = 0; n < 8; n++) {
    await make.poster(await make.event(conference, { name: `Talk ${n}`, hosts: [organizationId] }));
  }
  const page = await open(`/o/${organizationId}`, owner);
  const attention = await region(page, /^Needs attention/);
  await page.user.click(await attention.findByRole("link", { name: "All 8 events that need you" }));
  await page.findByRole("heading", { level: 1, name: "Events" });
  expect(page.path()).toMatch(/\/events\?needs=me$/);
  expect(await page.findAllByRole("link", { name: /^Talk \d$/ })).toHaveLength(8);
});

it("leads with the door where an event has begun", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const times = { start_time: at(-1), end_time: at(2) };
  await make.event(await make.conference(), { name: "Evening", hosts: [organizationId], ...times });
  const page = await open(`/o/${organizationId}`, owner);
  const next = await region(page, "Evening");
  next.getByText("Now");
  next.getByText("in 2 hours");
  next.getByRole("link", { name: "Open the door list" });
});

it("keeps showing a poster that a new one moves from the first page to the next", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const event = await make.event(await make.conference(), { hosts: [organizationId] });
  const addPosters = (from: number, to: number) =>
    service.db.query(sql`
      insert into posters (event_id, image_url, title, published, created_at)
      select ${event}, 'https://images.example.com/poster.png', 'Poster ' || n, true, now() - n * interval '1 hour'
      from generate_series(${from}::int, ${to}::int) n`);
  await addPosters(1, 12);
  const page = await open(`/o/${organizationId}`, owner);
  const posters = await region(page, "Posters");
  await posters.findByText("Poster 8");
  await page.press("Show more posters");
  await posters.findByText("Poster 12");
  await addPosters(-1, 0);
  await untilShown(
    (attempt) =>
      service.change(organizationId, owner, "update_event_details", { event_id: event, venue: `Quay no. ${attempt}` }),
    () => posters.queryByText("Poster -1") !== null,
  );
  await posters.findByText("Poster 12");
  const shown = posters.getAllByText(/^Poster -?\d+$/).map(({ textContent }) => textContent);
  expect(shown).toEqual(Array.from({ length: 14 }, (_, index) => `Poster ${index - 1}`));
});

it("shows more of each list, with the same filter", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const conference = await make.conference();
  const event = await make.event(conference, { hosts: [organizationId] });
  await service.db.query(sql`
    insert into posters (event_id, image_url, title, published, created_at, posted_urls)
    select ${event}, 'https://images.example.com/poster.png', 'Poster ' || n, true, now() - n * interval '1 hour',
      jsonb_build_object('x', 'https://x.com/p/' || n, 'linkedin', 'https://www.linkedin.com/p/' || n)
    from generate_series(1, 60) n`);
  const page = await open(`/o/${organizationId}`, owner);
  const posters = await region(page, "Posters");
  await posters.findByText("Poster 8");
  expect(posters.queryByText("Poster 9")).toBeNull();
  await page.press("Show more posters");
  await posters.findByText("Poster 58");
  await page.press("Show more posters");
  await posters.findByText("Poster 60");
  expect(posters.getAllByText(/^Poster \d+$/)).toHaveLength(60);
  await expect.poll(() => posters.queryByRole("button", { name: "Show more posters" })).toBeNull();

  const links = await region(page, "Posted links");
  await page.user.click(links.getByRole("button", { name: "LinkedIn" }));
  await expect.poll(() => links.queryAllByRole("link", { name: /^LinkedIn/ })).toHaveLength(50);
  await page.press("Show more links");
  await expect.poll(() => links.queryAllByRole("link", { name: /^LinkedIn/ })).toHaveLength(60);
  expect(links.queryAllByRole("link", { name: /^X/ })).toEqual([]);
  await expect.poll(() => links.queryByRole("button", { name: "Show more links" })).toBeNull();
});

it("leads to the changes since the last visit", async () => {
  const { organizationId } = fixture;
  const visitor = await make.member(organizationId, "member");
  await service.db.query(sql`
    insert into visits (user_id, organization_id, visited_at)
    values (${visitor}, ${organizationId}, now() - interval '2 days')`);
  await service.change(organizationId, cookie, "update_organization_profile", { description: "By the river" });
  const page = await open(`/o/${fixture.slug}`, await service.signIn(visitor));
  const link = await page.findByRole<HTMLAnchorElement>("link", { name: /changes? by others$/ });
  const since = new URLSearchParams(link.search).get("since") ?? "";
  expect(Math.round((Date.now() - Date.parse(since)) / 86_400_000)).toBe(2);
  page.getByText("30 guests registered");
  page.getByText(/^\d links posted$/);
  const links = await region(page, "Posted links");
  const rows = links.getAllByRole("listitem");
  expect(links.getAllByText("New")).toHaveLength(rows.length);
  page.getByText(/Ask an owner to replace it\./);
  expect(addressOf(page, "Open keys")).toBe(`/o/${fixture.slug}/settings/keys`);
  const isNoted = async () => {
    const [visit] = await service.db.query<{ noted: boolean }>(
      sql`select visited_at > now() - interval '1 hour' as noted from visits where user_id = ${visitor}`,
    );
    return visit?.noted;
  };
  await expect.poll(isNoted).toBe(true);
});

it("finds events, guests and actions in the command menu", async () => {
  const page = await open(`/o/${fixture.slug}`, cookie);
  await page.findByRole("button", { name: "Search and commands" });
  const search = async (words: string) => {
    await page.user.keyboard("{Control>}k{/Control}");
    const field = await page.findByRole("searchbox", { name: /^Search events/ });
    await page.fill(field, words);
    return field;
  };
  const field = await search("harbour");
  await page.findByRole("menuitem", { name: /^Opening night at the harbour/ });
  await page.fill(field, "breakfast founders");
  const breakfast = await page.findByRole("menuitem", { name: /^Founders' breakfast/ });
  expect(page.queryByRole("menuitem", { name: /^Opening night/ })).toBeNull();
  await page.user.click(breakfast);
  await page.findByRole("heading", { level: 1, name: "Founders' breakfast" });
  await search("guest10@example");
  await page.user.click(await page.findByRole("menuitem", { name: /^Guest 10/ }));
  await page.dialog("Guest 10");
  await page.press("Close");
  await search("add guest");
  await page.user.click(await page.findByRole("menuitem", { name: /^Add guest/ }));
  (await page.dialog("Add guest")).getByRole("textbox", { name: "Name" });
  await page.press("Cancel");
  await search("people");
  await page.user.click(await page.findByRole("menuitem", { name: /^People/ }));
  await page.findByRole("heading", { level: 1, name: "People" });
});

it("says what to do next in a new organization", async () => {
  const empty = await make.organization("Brand New");
  await service.db.query(
    sql`insert into members (organization_id, user_id, role) values (${empty}, ${fixture.ownerId}, 'owner')`,
  );
  const page = await open(`/o/${empty}`, cookie);
  await page.findByRole("link", { name: "Create a key for an agent" });
  await page.findByText("Nothing needs you right now.");
  page.getByText("What needs you, what agents posted, and your events.");
  page.getByText(/^No posters yet\./);
  page.getByText(/^No upcoming events\./);
  const steps = await region(page, "First steps");
  expect(addressOf(steps, "Open events")).toMatch(/\/events$/);
  expect(addressOf(steps, "Add logo")).toMatch(/\/settings$/);
  expect(addressOf(steps, "Invite person")).toMatch(/\/settings\/members\?invite=true$/);
  const posters = await region(page, "Posters");
  await page.user.click(posters.getByRole("button", { name: "Drafts" }));
  await posters.findByText("No drafts: every poster is published.");
});

it("offers every platform for the links, also those of links that are not loaded yet", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
  const poster = (platform: string, ageHours: number) =>
    service.db.query(sql`
      insert into posters (event_id, image_url, published, posted_urls, created_at)
      values (${eventId}, '/images/none.png', true, ${JSON.stringify({ [platform]: "https://example.com/1" })},
        now() - ${ageHours} * interval '1 hour')`);
  for (let hours = 1; hours <= 8; hours++) await poster("linkedin", hours);
  await poster("Weibo", 20);
  const page = await open(`/o/${organizationId}`, owner);
  const links = await region(page, "Posted links");
  await page.user.click(await links.findByRole("button", { name: "weibo" }));
  await expect.poll(() => links.queryAllByRole("link", { name: /^Weibo/ })).toHaveLength(1);
  expect(links.queryAllByRole("link", { name: /^LinkedIn/ })).toEqual([]);
});

it("leads members to what they can look at, not to what they may not do", async () => {
  const { organizationId } = await service.newOrganization();
  const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
  await service.db.query(sql`
    insert into registrations (event_id, name, email, status) values (${eventId}, 'Guest', 'guest@example.com', 'pending')`);
  const member = await service.signIn(await make.member(organizationId, "member"));
  const page = await open(`/o/${organizationId}`, member);
  await page.findByRole("link", { name: /^Open guests of/ });
  expect(page.queryByRole("link", { name: /^Review guests/ })).toBeNull();
  const admin = await open(`/o/${organizationId}`, await service.signIn(await make.member(organizationId, "admin")));
  await admin.findByRole("link", { name: /^Review guests of/ });
  const event = await open(`/o/${organizationId}/events/${eventId}`, member);
  await event.findByRole("link", { name: "Open guests" });
  event.getByRole("link", { name: "Open speakers" });
  expect(event.queryByRole("link", { name: /^(Add|Draw|Review)/ })).toBeNull();
});

it("leaves keys to owners, and says that nothing happened since the last visit", async () => {
  const { organizationId } = await service.newOrganization();
  const admin = await make.member(organizationId, "admin");
  await service.db.query(sql`
    insert into visits (user_id, organization_id, visited_at)
    values (${admin}, ${organizationId}, now() - interval '3 days')`);
  const page = await open(`/o/${organizationId}`, await service.signIn(admin));
  await page.findByText(/^No links yet\./);
  expect(page.queryByRole("link", { name: "Create a key for an agent" })).toBeNull();
  expect((await page.findByText(/^Nothing new since your last visit/)).textContent).toMatch(/\(3 days ago\)\.$/);
});

it("lists the first steps until they are done or closed, for owners", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const adminId = await make.member(organizationId, "admin");
  const page = await open(`/o/${organizationId}`, owner);
  const steps = await region(page, "First steps");
  expect(steps.getAllByRole("link").map(({ textContent }) => textContent)).toEqual(["Open events", "Add logo"]);
  steps.getByText(/makes your organization the host of its first one\. You can propose more yourself\./);
  expect(steps.queryByRole("button", { name: "Propose event" })).toBeNull();
  await page.press("Close the first steps");
  expect(page.queryByRole("region", { name: "First steps" })).toBeNull();

  const admin = await open(`/o/${organizationId}`, await service.signIn(adminId));
  await admin.findByText(/^No upcoming events\./);
  expect(admin.queryByRole("region", { name: "First steps" })).toBeNull();

  await make.event(await make.conference(), { hosts: [organizationId] });
  const hosting = await open(`/o/${organizationId}`, owner);
  await hosting.user.click(
    await (await region(hosting, "First steps")).findByRole("button", { name: "Propose event" }),
  );
  await hosting.dialog("Propose event");
  await service.db.query(
    sql`update organizations set logo_url = 'https://x.example/l.png' where id = ${organizationId}`,
  );
  const later = await open(`/o/${organizationId}`, owner);
  await region(later, "Test Event");
  expect(later.queryByRole("region", { name: "First steps" })).toBeNull();
});
