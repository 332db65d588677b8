import { waitFor, within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { confirm, withEventPages } from "./event-pages.ts";
import type { Page } from "./pages.ts";

const { service, make, open, newEvent, openEvent } = withEventPages();

async function choose(page: Page, label: string): Promise<void> {
  await page.user.click(await page.findByRole("button", { name: "More actions" }));
  await page.user.click(await page.findByRole("menuitem", { name: new RegExp(`^${label}`) }));
}

const administrator = async () => service.signIn(await make.platformAdministrator());

const eventNamed = async (name: string) => {
  const [row] = await service.db.query<{ id: string; status: string; starts: string; reason: string | null }>(sql`
    select e.id, e.status, iso8601(e.start_time) as starts, p.return_reason as reason
    from events e left join event_proposals p on p.event_id = e.id where e.name = ${name}`);
  return row;
};

describe("an organizer", () => {
  it("proposes an event from the page of events and sees that it waits", async () => {
    const { organizationId, conferenceId, caller } = await newEvent();
    await service.db.query(sql`update conferences set start_date = current_date + 30 where id = ${conferenceId}`);
    const name = `Breakfast ${organizationId}`;
    const page = await open(`/o/${organizationId}/events`, await service.signIn(caller.userId));
    await page.user.click(await page.findByRole("button", { name: "Propose event" }));
    const dialog = within(await page.findByRole("dialog", { name: "Propose event" }));
    await page.user.click(dialog.getByRole("button", { name: "Continue" }));
    await dialog.findByText("Enter a name");
    await page.enter(dialog.getByLabelText("Name"), name);
    await page.fillTime("Starts", "2031-06-02T08:00");
    await page.fillTime("Ends", "2031-06-02T07:00");
    await page.user.click(dialog.getByRole("button", { name: "Continue" }));
    await dialog.findByText("It must end after it starts");
    await page.fillTime("Ends", "2031-06-02T09:30");
    await page.user.click(dialog.getByRole("button", { name: "Continue" }));
    await confirm(page, "Propose event");
    await page.findByRole("heading", { level: 1, name });
    await page.findByText("Waiting for the platform’s administrators");
    // Lisbon is an hour ahead of UTC in June.
    expect(await eventNamed(name)).toMatchObject({ status: "draft", starts: "2031-06-02T07:00:00.000Z" });
    await page.user.click(within(page.getByRole("main")).getByRole("link", { name: "Events" }));
    const list = within(await page.findByRole("region", { name: /^Proposed events/ }));
    list.getByRole("link", { name });
    list.getByText("Waiting");
  });

  it("duplicates an event a week later", async () => {
    const fixture = await newEvent();
    const page = await openEvent(fixture);
    await choose(page, "Duplicate event");
    const dialog = within(await page.findByRole("dialog", { name: "Duplicate event" }));
    expect(["date", "time"].map((part) => dialog.getByLabelText<HTMLInputElement>(`Starts: ${part}`).value)).toEqual([
      ...["Thu 8 May 2031", "19:00"],
    ]);
    await page.fill(dialog.getByLabelText("Name"), `Copy of ${fixture.eventId}`);
    await page.user.click(dialog.getByRole("button", { name: "Continue" }));
    await confirm(page, "Propose the copy");
    await page.findByRole("heading", { level: 1, name: `Copy of ${fixture.eventId}` });
    expect(await eventNamed(`Copy of ${fixture.eventId}`)).toMatchObject({
      status: "draft",
      starts: "2031-05-08T18:00:00.000Z",
    });
    const tabs = within(page.getByRole("navigation", { name: "Parts of the event" }));
    await page.user.click(tabs.getByRole("link", { name: /^Speakers/ }));
    await page.findByRole("heading", { level: 3, name: "Speaker 2" });
  });

  it("reads why a proposal was returned, and proposes it again", async () => {
    const fixture = await newEvent();
    const eventId = await make.proposal(fixture.conferenceId, fixture.organizationId, {
      returned: "Name the speakers",
    });
    const page = await openEvent({ ...fixture, eventId });
    await page.findByText("Name the speakers");
    await page.user.click(page.getByRole("button", { name: "Propose again" }));
    await confirm(page, "Propose again");
    await page.findByText("Waiting for the platform’s administrators");
  });
});

it("proposes a day of the conference that is chosen, unless another was entered", async () => {
  const { organizationId, conferenceId, caller } = await newEvent();
  const other = await make.conference({ status: "published" });
  await make.event(other, { hosts: [organizationId] });
  await service.db.query(sql`
    update conferences set start_date = '2032-02-01', end_date = '2032-02-03', name = 'First Days' where id = ${conferenceId}`);
  await service.db.query(sql`
    update conferences set start_date = '2033-03-01', end_date = '2033-03-03', name = 'Second Days' where id = ${other}`);
  const page = await open(`/o/${organizationId}/events`, await service.signIn(caller.userId));
  await page.press("Propose event");
  const dialog = await page.dialog("Propose event");
  const date = async (label: string) => (await page.findByLabelText<HTMLInputElement>(`${label}: date`)).value;
  const chooseConference = async (name: string) => {
    await page.user.click(dialog.getByRole("button", { name: /Conference$/ }));
    await page.user.click(await page.findByRole("option", { name }));
  };
  const years = async () => (await Promise.all([date("Starts"), date("Ends")])).map((day) => day.slice(-4));
  await chooseConference("Second Days");
  expect(await years()).toEqual(["2033", "2033"]);
  await chooseConference("First Days");
  expect(await years()).toEqual(["2032", "2032"]);
  await page.fillTime("Starts", "2032-02-02T08:00");
  await chooseConference("Second Days");
  expect(await date("Starts")).toBe("Mon 2 Feb 2032");
});

it("cancels an event after reading whom it affects, and undoes that", async () => {
  const fixture = await newEvent();
  await service.db.query(sql`
    update posters set posted_urls = '{"x": "https://x.com/a/status/1", "twitter": "https://x.com/a/status/2"}'
    where id = ${fixture.posterId}`);
  const page = await openEvent(fixture);
  await choose(page, "Cancel event");
  const dialog = within(await page.findByRole("dialog", { name: "Cancel Test Event" }));
  await dialog.findByText("1 approved, 1 pending, 1 waitlisted, 1 declined");
  dialog.getByText("Guest approved, Guest pending");
  dialog.getByText("2 links: X");
  dialog.getByRole("button", { name: "Keep event" });
  await confirm(page, "Cancel event");
  await page.findByText("This event is cancelled");
  expect(page.queryByRole("button", { name: "Edit details" })).toBeNull();
  expect(page.queryByRole("button", { name: "More actions" })).toBeNull();
  expect(page.queryByRole("link", { name: "Open the door list" })).toBeNull();
  const openTab = async (name: RegExp) => {
    const tabs = within(page.getByRole("navigation", { name: "Parts of the event" }));
    await page.user.click(tabs.getByRole("link", { name }));
  };
  await openTab(/^Posters/);
  await page.findByRole("button", { name: /^Details.*Test Poster/ });
  await openTab(/^Guests/);
  await page.findByText("Guest approved");
  page.getByText(/^It is cancelled\. /);
  expect(page.queryByRole("button", { name: "Add guest" })).toBeNull();
  expect(page.queryByRole("checkbox", { name: /^Select/ })).toBeNull();
  await page.user.click(page.getByText("Guest approved"));
  await (await page.dialog("Guest approved")).findByText("Registered");
  expect(page.queryByRole("button", { name: "Check in" })).toBeNull();
  await page.user.keyboard("{Escape}");
  await page.user.click(await page.findByRole("link", { name: "Show activity" }));
  await page.user.click(await page.findByRole("button", { name: /^Undo “Cancelled event”/ }));
  await waitFor(() => expect(page.queryByText("This event is cancelled")).toBeNull());
  await page.findByRole("button", { name: "More actions" });
});

it("is not offered what needs a higher role, or to be the host", async () => {
  const { organizationId, cohostOrganizationId, eventId } = await newEvent();
  const member = await make.member(organizationId, "member");
  const page = await open(`/o/${organizationId}/events/${eventId}`, await service.signIn(member));
  await page.findByRole("heading", { level: 2, name: "Details" });
  expect(page.queryByRole("button", { name: "More actions" })).toBeNull();
  const cohost = await make.member(cohostOrganizationId, "admin");
  const other = await open(`/o/${cohostOrganizationId}/events/${eventId}`, await service.signIn(cohost));
  await other.user.click(await other.findByRole("button", { name: "More actions" }));
  await other.findByRole("menuitem", { name: /^Duplicate event/ });
  expect(other.queryByRole("menuitem", { name: /^Cancel event/ })).toBeNull();
});

describe("an administrator", () => {
  it("finds what was proposed, and returns it with a reason", async () => {
    const { organizationId, conferenceId } = await newEvent();
    const name = `Proposed by ${organizationId}`;
    await make.proposal(conferenceId, organizationId, { name, start_time: "2031-12-30T18:00:00Z" });
    const page = await open("/admin/events?proposed=true", await administrator());
    await page.user.click(await page.findByRole("link", { name }));
    const section = within(await page.findByRole("region", { name: "Proposal" }));
    section.getByRole("link", { name: "Harbour Works" });
    await page.user.click(section.getByRole("button", { name: "Return…" }));
    const dialog = within(await page.findByRole("dialog", { name: "Return proposal" }));
    await page.user.click(dialog.getByRole("button", { name: "Review" }));
    await dialog.findByText("Enter what the organizers should change");
    await page.enter(dialog.getByLabelText("What should they change?"), "Name the speakers");
    await page.user.click(dialog.getByRole("button", { name: "Review" }));
    await confirm(page, "Return proposal");
    await section.findByText("Name the speakers");
    expect(await eventNamed(name)).toMatchObject({ status: "draft", reason: "Name the speakers" });
  });

  it("accepts a proposal, which is approved then", async () => {
    const { organizationId, conferenceId } = await newEvent();
    const id = await make.proposal(conferenceId, organizationId);
    const page = await open(`/admin/events/${id}`, await administrator());
    await page.user.click(await page.findByRole("button", { name: "Accept" }));
    await waitFor(() => expect(page.queryByRole("region", { name: "Proposal" })).toBeNull());
    const [row] = await service.db.query(sql`select status from events where id = ${id}`);
    expect(row).toEqual({ status: "approved" });
  });
});
