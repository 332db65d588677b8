import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { confirm } from "./event-pages.ts";
import { type Page, withPages } from "./pages.ts";

const { service, make, open } = withPages();

const dayMs = 86_400_000;
const at = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

async function newOrganization(events: { name: string; days: number; status?: string }[]) {
  const { organizationId, owner } = await service.newOrganization();
  const conference = await make.conference();
  const ids: string[] = [];
  for (const { name, days, status = "published" } of events) {
    const times = { start_time: at(days), end_time: at(days + 0.1) };
    ids.push(await make.event(conference, { name, status, hosts: [organizationId], ...times }));
  }
  return { organizationId, owner, conference, ids };
}

const names = async (page: Page) => {
  const table = within(await page.findByRole("grid", { name: "Events" }));
  return table.getAllByRole("rowheader").map((cell) => within(cell).getAllByRole("link")[0]?.textContent);
};

const three = [
  { name: "Breakfast", days: 40 },
  { name: "Opening", days: 3, status: "approved" },
  { name: "Rehearsal", days: -2 },
];

it("lists events, and keeps its filters in the address", async () => {
  const { organizationId, owner, ids } = await newOrganization(three);
  await service.db.query(
    sql`insert into registrations (event_id, name, email, status) values (${ids[1]}, 'A', 'a@example.com', 'pending')`,
  );
  const page = await open(`/o/${organizationId}/events`, owner);
  await expect.poll(() => names(page)).toEqual(["Opening", "Breakfast"]);
  page.getByText("2 events");
  const row = within(page.getByRole("row", { name: /Opening/ }));
  row.getByText("Approved");
  row.getByText("1 pending");
  expect(row.getAllByRole("link", { name: /^1 guest waits for a decision/ })).not.toEqual([]);
  await page.press("Needs me");
  await expect.poll(() => names(page)).toEqual(["Opening"]);
  expect(page.path()).toMatch(/\/events\?needs=me$/);
  await page.press("All");
  await page.press(/Date$/);
  await page.user.click(await page.findByRole("option", { name: "Past" }));
  await expect.poll(() => names(page)).toEqual(["Rehearsal"]);

  const sorted = await open(`/o/${organizationId}/events?when=any&sort=name`, owner);
  await expect.poll(() => names(sorted)).toEqual(["Breakfast", "Opening", "Rehearsal"]);
  const none = await open(`/o/${organizationId}/events?when=past&status=approved`, owner);
  await none.findByText("No event matches");
  await none.press("Clear filters");
  await expect.poll(() => names(none)).toEqual(["Opening", "Breakfast"]);
  const calm = await open(`/o/${organizationId}/events?needs=me&status=published`, owner);
  await calm.findByText("No event needs you");
});

it("publishes approved events after a preview, and takes it back", async () => {
  const { organizationId, owner, ids } = await newOrganization([
    ...three,
    { name: "Closing", days: 5, status: "approved" },
  ]);
  const page = await open(`/o/${organizationId}/events`, owner);
  const statuses = async () => {
    const rows = await service.db.query<{ status: string }>(
      sql`select status from events where id = any(${ids}::uuid[]) order by name`,
    );
    return rows.map(({ status }) => status);
  };
  await page.user.click(await page.findByRole("checkbox", { name: "Select Breakfast" }));
  await page.findByText("All of them are published.");
  await page.user.click(page.getByRole("checkbox", { name: "Select all loaded rows" }));
  await page.press("Publish 2 events");
  const dialog = await page.dialog("Publish 2 events");
  const names = (await dialog.findAllByRole("listitem")).map(({ textContent }) => textContent);
  expect(names).toEqual(["Opening", "Closing"]);
  await confirm(page, "Publish 2 events");
  await page.findByText("2 events published");
  expect(await statuses()).toEqual(["published", "published", "published", "published"]);
  const records = await service.db.query(
    sql`select reason from mutation_records where event_id = any(${ids}::uuid[]) and tool = 'update_event_details'`,
  );
  expect(records).toEqual([{ reason: "Published 2 events" }, { reason: "Published 2 events" }]);
  expect(page.queryByRole("region", { name: "Selected events" })).toBeNull();
  await page.undo();
  expect(await statuses()).toEqual(["published", "approved", "approved", "published"]);
});

it("leaves out an event that cannot be published any more, and says why", async () => {
  const { organizationId, owner, ids } = await newOrganization([
    { name: "Opening", days: 3, status: "approved" },
    { name: "Closing", days: 5, status: "approved" },
  ]);
  const page = await open(`/o/${organizationId}/events`, owner);
  await page.user.click(await page.findByRole("checkbox", { name: "Select all loaded rows" }));
  await service.db.query(sql`update events set status = 'archived' where id = ${ids[1]}`);
  await page.press("Publish 2 events");
  const dialog = await page.dialog("Publish 2 events");
  await confirm(page, "Publish 2 events");
  await dialog.findByText(/^1 event left out\. /);
  await page.user.click(dialog.getByText("Close"));
  await page.findByText("1 event published");
});

it("clears the selection with the filters, and offers none to members", async () => {
  const { organizationId, owner } = await newOrganization(three);
  const page = await open(`/o/${organizationId}/events`, owner);
  await page.user.click(await page.findByRole("checkbox", { name: "Select Opening" }));
  await page.findByRole("region", { name: "Selected events" });
  await page.press("Needs me");
  await page.findByText("No event needs you");
  await page.press("All");
  await expect.poll(() => names(page)).toEqual(["Opening", "Breakfast"]);
  expect(page.queryByRole("region", { name: "Selected events" })).toBeNull();
  const member = await open(
    `/o/${organizationId}/events`,
    await service.signIn(await make.member(organizationId, "member")),
  );
  await expect.poll(() => names(member)).toEqual(["Opening", "Breakfast"]);
  expect(member.queryByRole("checkbox")).toBeNull();
});

it("shows a month, first that of the next event, each event on its day", async () => {
  const { organizationId, owner, conference } = await newOrganization([]);
  const event = (name: string, start_time: string) =>
    make.event(conference, { name, start_time, hosts: [organizationId] });
  for (const name of ["One", "Two", "Three", "Four"]) await event(name, "2031-05-07T17:00:00Z");
  // In Lisbon it is the first of June already.
  await event("Midnight", "2031-05-31T23:30:00Z");
  const page = await open(`/o/${organizationId}/events`, owner);
  await page.press("Calendar");
  await page.findByRole("heading", { level: 2, name: "May 2031" });
  const day = (name: RegExp) => within(page.getByRole("heading", { level: 3, name }).closest("li") as HTMLElement);
  const seventh = await page.findByRole("heading", { level: 3, name: /\b7 May/ });
  expect(within(seventh.closest("li") as HTMLElement).getAllByRole("link")).toHaveLength(3);
  await page.press("1 more");
  expect(day(/\b7 May/).getAllByRole("link")).toHaveLength(4);
  // Whole weeks: the lines of the rows go on under the days of other months.
  expect(seventh.closest("ol")?.children).toHaveLength(35);
  expect(page.queryByText("Midnight")).toBeNull();
  await page.press("Next month");
  await page.findByText("Midnight");
  day(/\b1 June?/).getByText("Midnight");
  expect(page.path()).toMatch(/\?view=calendar&month=2031-06$/);
  await page.press("Next month");
  await page.findByText("No events in July 2031.");
});
