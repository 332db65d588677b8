import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { confirm, withEventPages } from "./event-pages.ts";

const { service, make, open, newEvent, openEvent } = withEventPages();

const storedHosts = (eventId: string) =>
  service.db.query(sql`
    select name, h.role from event_hosts h join organizations o on o.id = h.organization_id
    where event_id = ${eventId} order by position`);

const offersOf = (eventId: string) =>
  service.db.query(sql`select to_organization_id as "to" from host_offers where event_id = ${eventId}`);

it("adds a co-host that is known by its slug, and takes that back", async () => {
  const fixture = await newEvent();
  const { eventId, otherOrganizationId } = fixture;
  const [other] = await service.db.query<{ slug: string }>(
    sql`select slug from organizations where id = ${otherOrganizationId}`,
  );
  const page = await openEvent(fixture, "/hosts");
  await page.press("Add co-host");
  const search = await page.findByRole("searchbox");
  await page.enter(search, "Next Door");
  const found = within(await page.findByRole("list", { name: "Organizations found" }));
  expect(found.getByText("Next Door").closest("li")?.textContent).toMatch(/Co-host$/);
  expect(found.queryByRole("button")).toBeNull();
  await page.fill(search, "far-away-and-unknown");
  await page.findByText(/^No organization is found by “far-away-and-unknown”/);
  await page.fill(search, ` ${other?.slug} `);
  await page.press(/^Add ?Far Away$/);
  const review = await page.dialog("Add Far Away as co-host");
  await review.findByText(/Everyone at Far Away, and its API keys, will see the guests/);
  expect(review.getByText("Far Away", { selector: "dt" }).nextSibling?.textContent).toMatch(/Not a host.*Co-host/);
  await page.press("Cancel");
  await page.press(/^Add ?Far Away$/);
  await confirm(page, "Add co-host");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(await storedHosts(eventId)).toEqual([
    { name: "Harbour Works", role: "host" },
    { name: "Next Door", role: "co_host" },
    { name: "Far Away", role: "co_host" },
  ]);
  await page.undo();
  expect(await storedHosts(eventId)).toHaveLength(2);
  await expect.poll(() => page.queryByText("Far Away")).toBeNull();
});

it("hands the event over to a co-host at once", async () => {
  const fixture = await newEvent();
  const page = await openEvent(fixture, "/hosts");
  await page.choose("Change Next Door", /^Hand the event over/);
  await page.findByText(/Next Door becomes the host at once, because it is a co-host/);
  await page.findByText(/only Next Door can hand the event back/);
  await confirm(page, "Hand over");
  await page.findByText("Next Door is the host now");
  await page.findByText("Next Door decides who hosts this event");
  expect(await storedHosts(fixture.eventId)).toEqual([
    { name: "Next Door", role: "host" },
    { name: "Harbour Works", role: "co_host" },
  ]);
});

it("withdraws an offer, and makes it again unless that would hand the event over", async () => {
  const fixture = await newEvent();
  const { cohostOrganizationId, otherOrganizationId, eventId, organizationId } = fixture;
  const withdraw = async (name: string, to: string) => {
    await make.hostOffer(eventId, organizationId, to);
    const page = await openEvent(fixture, "/hosts");
    await page.press("Withdraw offer");
    await confirm(page, "Withdraw offer");
    await expect.poll(() => page.queryByText(`This event is offered to ${name}`)).toBeNull();
    expect(await offersOf(eventId)).toEqual([]);
    return page;
  };
  const cohost = await withdraw("Next Door", cohostOrganizationId);
  await cohost.findByText("The offer was withdrawn");
  expect(cohost.queryByRole("button", { name: "Undo" })).toBeNull();
  const page = await withdraw("Far Away", otherOrganizationId);
  await page.press("Undo");
  await page.findByText("This event is offered to Far Away");
  expect(await offersOf(eventId)).toEqual([{ to: otherOrganizationId }]);
});

it("removes a co-host, and takes that back", async () => {
  const fixture = await newEvent();
  const page = await openEvent(fixture, "/hosts");
  await page.choose("Change Next Door", /^Remove co-host/);
  await page.findByText(/Next Door lose access to the event and its guests at once/);
  await confirm(page, "Remove co-host");
  await page.findByText("Next Door is no co-host any more");
  expect(await storedHosts(fixture.eventId)).toEqual([{ name: "Harbour Works", role: "host" }]);
  await page.undo();
  expect(await storedHosts(fixture.eventId)).toMatchObject([{}, { name: "Next Door", role: "co_host" }]);
});

it("lets the other organization accept an offer, and a co-host leave", async () => {
  const fixture = await newEvent();
  const { cohostOrganizationId, eventId, organizationId } = fixture;
  await make.hostOffer(eventId, organizationId, cohostOrganizationId);
  const admin = await service.signIn(await make.member(cohostOrganizationId, "admin"));
  const accepting = await open(`/o/${cohostOrganizationId}/events/${eventId}/hosts`, admin);
  await accepting.findByText("Harbour Works offers to make Next Door the host");
  expect(accepting.queryByRole("button", { name: /^Change Harbour Works|Add co-host|Withdraw/ })).toBeNull();
  await accepting.press("Accept");
  await accepting.findByText(/Your organization becomes the host/);
  await confirm(accepting, "Accept offer");
  await accepting.findByRole("button", { name: "Add co-host" });

  const page = await openEvent(fixture, "/hosts");
  await page.findByText("Next Door decides who hosts this event");
  expect(page.queryByRole("button", { name: "Add co-host" })).toBeNull();
  await page.choose("Change Harbour Works", /^Leave the event/);
  await page.findByText(/Harbour Works cannot see it afterwards; only Next Door can add you again/);
  await confirm(page, "Leave event");
  await page.findByRole("heading", { name: "Needs attention" });
  expect(await storedHosts(eventId)).toEqual([{ name: "Next Door", role: "host" }]);
});

it("lets an organization that does not host the event answer an offer on its dashboard", async () => {
  const { otherOrganizationId, eventId, organizationId } = await newEvent();
  const admin = await service.signIn(await make.member(otherOrganizationId, "admin"));
  await make.hostOffer(eventId, organizationId, otherOrganizationId);
  const page = await open(`/o/${otherOrganizationId}`, admin);
  await page.findByText("Harbour Works offers to make you the host");
  await page.press(/^Decline ?Test Event$/);
  await confirm(page, "Decline offer");
  await expect.poll(() => page.queryByText("Harbour Works offers to make you the host")).toBeNull();
  expect(await offersOf(eventId)).toEqual([]);
  expect(await storedHosts(eventId)).toMatchObject([{ name: "Harbour Works", role: "host" }, {}]);

  await make.hostOffer(eventId, organizationId, otherOrganizationId);
  const again = await open(`/o/${otherOrganizationId}`, admin);
  await again.press(/^Accept ?Test Event$/);
  await confirm(again, "Accept offer");
  await again.findByRole("link", { name: "Test Event" });
  expect(await storedHosts(eventId)).toContainEqual({ name: "Far Away", role: "host" });
});

it("asks members to let an admin answer an offer", async () => {
  const { otherOrganizationId, eventId, organizationId } = await newEvent();
  await make.hostOffer(eventId, organizationId, otherOrganizationId);
  const member = await service.signIn(await make.member(otherOrganizationId, "member"));
  const page = await open(`/o/${otherOrganizationId}`, member);
  await page.findByText(/Ask an admin to answer/);
  expect(page.queryByRole("button", { name: /Accept|Decline/ })).toBeNull();
});

it("shows an offer to members of the host without letting them withdraw it", async () => {
  const { otherOrganizationId, eventId, organizationId } = await newEvent();
  await make.hostOffer(eventId, organizationId, otherOrganizationId);
  const member = await service.signIn(await make.member(organizationId, "member"));
  const page = await open(`/o/${organizationId}/events/${eventId}/hosts`, member);
  await page.findByText("This event is offered to Far Away");
  expect(page.queryByRole("button", { name: "Withdraw offer" })).toBeNull();
});
