import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { withEventPages } from "./event-pages.ts";

const { service, make, newEvent, openEvent } = withEventPages();

it("shows registrations over time, groups, the show-up rate and links, with the table behind the picture", async () => {
  const fixture = await newEvent();
  await service.db.query(sql`delete from registrations where event_id = ${fixture.eventId}`);
  await service.db.query(sql`
    update events set start_time = '2025-01-05T18:00:00Z' where id = ${fixture.eventId}`);
  await service.db.query(sql`
    insert into registrations (event_id, name, email, status, ticket_type, source, registered_at, checked_in_at)
    select ${fixture.eventId}, 'Guest', n || '@example.com', 'approved', case when n < 3 then 'VIP' end, 'luma',
      '2025-01-01T12:00:00Z'::timestamptz + n % 2 * interval '2 days', case when n < 3 then now() end
    from generate_series(0, 3) n`);
  await service.db.query(sql`
    update posters set posted_urls = '{"bluesky": "https://b.example/1", "twitter": "https://b.example/2", "X": "https://b.example/3"}' where id = ${fixture.posterId}`);
  const page = await openEvent(fixture, "/numbers");
  const chart = await page.findByRole("img", {
    name: /^4 registrations from Sat 21 Dec 2024 to Fri 3 Jan 2025, at most 2 a day/,
  });
  expect([...chart.querySelectorAll("title")].map(({ textContent }) => textContent)).toEqual([
    ...Array.from({ length: 11 }, (_, n) => expect.stringMatching(new RegExp(`^\\w+ ${n + 21} Dec 2024: 0$`))),
    ...["Wed 1 Jan 2025: 2", "Thu 2 Jan 2025: 0", "Fri 3 Jan 2025: 2"],
  ]);
  expect(document.querySelectorAll("svg [style], svg[style]")).toHaveLength(0);
  page.getByText("75%");
  page.getByText("3 of 4 approved guests");
  const cells = (name: string) =>
    within(page.getByRole("table", { name }))
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.textContent);
  expect(cells("Registrations by ticket")).toEqual(["VIP3", "No ticket type1"]);
  expect(cells("Registrations by source")).toEqual(["luma4"]);
  expect(cells("Links by network")).toEqual(["X2", "Bluesky1"]);
  await page.user.click(page.getByText("Registrations by day as a table"));
  expect(cells("Registrations by day")).toEqual(["Fri 3 Jan 20252", "Wed 1 Jan 20252"]);
});

it("counts all events of the conference that the organization hosts", async () => {
  const fixture = await newEvent();
  const other = await make.event(fixture.conferenceId, { hosts: [fixture.organizationId] });
  await service.db.query(sql`
    insert into registrations (event_id, name, email) values (${other}, 'Guest', 'other@example.com')`);
  const page = await openEvent(fixture, "/numbers");
  await page.findByRole("img", { name: /^4 registrations/ });
  await page.user.click(page.getByRole("button", { name: "Your events at this conference" }));
  await page.findByRole("img", { name: /^5 registrations/ });
  page.getByText(/2 events of Test Conference/);
});

it("says when there is nothing to count yet", async () => {
  const fixture = await newEvent();
  await service.db.query(sql`delete from registrations where event_id = ${fixture.eventId}`);
  const page = await openEvent(fixture, "/numbers");
  await page.findByText("Nobody has registered yet.");
  page.getByText("Known once the event has started");
});
