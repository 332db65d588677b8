import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { beforeAll, expect, it } from "vitest";
import { createDashboardFixture, type DashboardFixture } from "../../test/support/dashboard-fixture.js";
import { untilShown } from "./event-pages.ts";
import { type Page, withPages } from "./pages.ts";

const { service, make, open } = withPages();

let fixture: DashboardFixture;
let cookie: string;

beforeAll(async () => {
  fixture = await createDashboardFixture(service.db);
  cookie = await service.signIn(fixture.ownerId);
});

const region = async (page: Page, name: string) => within(await page.findByRole("region", { name }));

it("shows an agent's link without reloading, highlighted, with copy and reshare", async () => {
  const { organizationId, slug, eventIds, posterIds } = fixture;
  const page = await open(`/o/${slug}`, cookie);
  const links = await region(page, "Posted links");
  expect(await links.findAllByRole("listitem")).toHaveLength(6);
  expect(links.queryByText("Bluesky")).toBeNull();
  await untilShown(
    (attempt) => {
      const args = { event_id: eventIds[0], venue: `Quay no. ${attempt}` };
      return service.change(organizationId, cookie, "update_event_details", args);
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

it("filters posters by state, events by time and links by platform", async () => {
  const page = await open(`/o/${fixture.slug}`, cookie);
  const posters = await region(page, "Posters");
  await posters.findByText("portrait no. 1");
  await page.user.click(posters.getByRole("button", { name: "Drafts" }));
  await posters.findByText("landscape no. 4");
  await expect.poll(() => posters.queryByText("portrait no. 1")).toBeNull();
  const events = await region(page, "Events");
  events.getByText("Founders' breakfast");
  await page.user.click(events.getByRole("button", { name: "Past" }));
  await page.findByText("No past events yet.");
  const links = await region(page, "Posted links");
  await page.user.click(links.getByRole("button", { name: "LinkedIn" }));
  await expect.poll(() => links.queryAllByRole("link", { name: /^Instagram/ })).toEqual([]);
  await expect.poll(() => links.queryAllByRole("link", { name: /^LinkedIn/ })).toHaveLength(2);
});

it("says what to do next in a new organization", async () => {
  const empty = await make.organization("Brand New");
  await service.db.query(
    sql`insert into members (organization_id, user_id, role) values (${empty}, ${fixture.ownerId}, 'owner')`,
  );
  const page = await open(`/o/${empty}`, cookie);
  await page.findByRole("link", { name: "Create a key for an agent" });
  await page.findByText("Nothing needs you right now.");
});
