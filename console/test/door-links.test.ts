import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { cutConnection } from "./door-page.ts";
import { withPages } from "./pages.ts";

const pages = withPages();
const { service, make, open } = pages;

beforeEach(() => {
  // Otherwise a welcome goes away by itself, before a busy machine has looked at it.
  const matchMedia = (query: string) => ({ ...window.matchMedia(query), matches: /reduced-motion/.test(query) });
  vi.stubGlobal("matchMedia", matchMedia);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** An event with two guests, and the cookie of Sofia Marques, who owns its organization. */
async function newDoor() {
  const organizationId = await make.organization("Harbour Works");
  const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
  const userId = await make.member(organizationId, "owner");
  await service.db.query(sql`update users set name = 'Sofia Marques' where id = ${userId}`);
  await service.db.query(sql`
    insert into registrations (event_id, name, email, status)
    select ${eventId}, name, lower(name) || '@example.com', 'approved' from unnest(array['Ana', 'Bea']) name`);
  const cookie = await service.signIn(userId);
  const createLink = async () => {
    const { json } = await service.change(organizationId, cookie, "create_door_link", {
      event_id: eventId,
      name: "Main entrance",
    });
    return {
      id: json.after.door_link.id as string,
      path: new URL(json.link).pathname + new URL(json.link).hash,
      pin: json.pin as string,
    };
  };
  const revoke = (id: string) =>
    service.change(organizationId, cookie, "revoke_door_link", { event_id: eventId, door_link_id: id });
  const arrivals = async () => {
    const rows = await service.db.query<{ name: string }>(
      sql`select name from registrations where event_id = ${eventId} and checked_in_at is not null order by name`,
    );
    return rows.map(({ name }) => name);
  };
  return { organizationId, eventId, cookie, createLink, revoke, arrivals };
}

/** The door as a volunteer has opened it. */
async function openAsVolunteer() {
  const door = await newDoor();
  const link = await door.createLink();
  const page = await open(link.path);
  await page.enter(await page.findByLabelText("PIN"), link.pin);
  await page.press("Open the door");
  await page.findByText("Up to date");
  return { ...door, link, page };
}

it("opens with the PIN, shows names only, and checks in and adds guests", async () => {
  const door = await newDoor();
  const link = await door.createLink();
  const page = await open(link.path);
  await page.findByRole("heading", { name: "Check guests in" });
  await page.enter(page.getByLabelText("PIN"), link.pin === "000000" ? "000001" : "000000");
  await page.press("Open the door");
  await page.findByText("This is not the PIN. 9 more and the link is locked");
  await page.fill(page.getByLabelText("PIN"), link.pin);
  await page.press("Open the door");
  await page.findByText("Up to date");
  expect(page.path() + window.location.hash).toBe("/door");
  page.getByRole("heading", { name: "Test Event" });
  page.getByText("Door link of Sofia Marques (Main entrance)");
  expect(page.queryByRole("link", { name: "Back to the guest list" })).toBeNull();
  expect(page.queryByRole("button", { name: "Door links for volunteers" })).toBeNull();
  expect(document.body.textContent).not.toContain("@");

  await page.press(/^Ana/);
  await within(await page.findByRole("alertdialog", { name: "Welcome" })).findByText("Checked in");
  await page.press("Next guest");
  await page.press("Add a guest who is not on the list");
  const form = await page.dialog("Add a guest");
  await page.fill(form.getByLabelText("Name"), "Wanda Walker");
  await page.fill(form.getByLabelText("E-mail"), "wanda@example.com");
  await page.press("Add and check in");
  within(await page.findByRole("alertdialog", { name: "Welcome" })).getByText("Wanda Walker");
  await page.press("Next guest");
  expect(await door.arrivals()).toEqual(["Ana", "Wanda Walker"]);
  await page.press("Undo the check-in of Ana");
  await expect.poll(door.arrivals).toEqual(["Wanda Walker"]);
});

it("does not offer to undo what others did", async () => {
  const { page, organizationId, cookie, eventId } = await openAsVolunteer();
  const [bea] = await service.db.query<{ id: string }>(
    sql`select id from registrations where event_id = ${eventId} and name = 'Bea'`,
  );
  await service.change(organizationId, cookie, "set_event_registration_check_in", {
    event_id: eventId,
    registration_id: bea?.id,
    checked_in: true,
  });
  await page.press(/^Bea/);
  const verdict = within(await page.findByRole("alertdialog", { name: "Already checked in" }));
  await verdict.findByText(/^Checked in at \d\d:\d\d$/);
  expect(verdict.queryByRole("button", { name: "Undo the check-in" })).toBeNull();
});

it("says that the link has ended, also while check-ins wait", async () => {
  const { page, link, revoke, arrivals } = await openAsVolunteer();
  const reconnect = cutConnection();
  onTestFinished(reconnect);
  await page.press(/^Ana/);
  await page.findByRole("alertdialog", { name: "Welcome" });
  await page.press("Next guest");
  await page.findByText("Offline · 1 waiting");
  await revoke(link.id);
  reconnect();
  await page.findByRole("heading", { name: "This door link has ended" });
  expect(await arrivals()).toEqual([]);
});

it("signs out, and leaves nothing to come back to", async () => {
  const { page } = await openAsVolunteer();
  await page.press("Sign out");
  const question = within(await page.findByRole("alertdialog"));
  question.getByText(/^The guests are removed from this device/);
  await page.user.click(question.getByRole("button", { name: "Sign out" }));
  await page.findByRole("heading", { name: "No door link is open" });
  expect(page.cookie()).toBeUndefined();
});

it("is created, listed and revoked by the organizers, at the door and on the guests page", async () => {
  const { organizationId, eventId, cookie } = await newDoor();
  const base = `/o/${organizationId}/events/${eventId}`;
  const page = await open(`${base}/guests`, cookie);
  await page.choose("More", /^Door links/);
  const empty = await page.dialog("Door links");
  await empty.findByText("No door links yet");
  await page.press("Create door link");
  await page.press("Create door link");
  await page.findByText("Enter a name.");
  await page.enter(page.getByLabelText("Name"), "Main entrance");
  await page.press("Create door link");
  const shown = await page.dialog("Door link Main entrance");
  shown.getByText(/\/door#[0-9A-Za-z]{43}$/);
  shown.getByText(/^\d{6}$/);
  expect(shown.getByRole("button", { name: "Done" })).toHaveProperty("disabled", true);
  await page.user.click(shown.getByRole("checkbox", { name: "I have stored it" }));
  await page.press("Done");
  const list = await page.dialog("Door links");
  await list.findByText("Main entrance");
  list.getByText("Not opened yet");

  const door = await open(`${base}/door`, cookie);
  await door.press("Door links for volunteers");
  await door.press("Revoke Main entrance");
  await door.findByText(/^Phones that have opened it are signed out at once/);
  await door.press("Revoke link");
  await door.findByText("No door links yet");
  await door.findByText("Main entrance is revoked");
});

it("is not offered to members", async () => {
  const { organizationId, eventId } = await newDoor();
  const member = await service.signIn(await make.member(organizationId, "member"));
  const page = await open(`/o/${organizationId}/events/${eventId}/door`, member);
  await page.findByText("Up to date");
  expect(page.queryByRole("button", { name: "Door links for volunteers" })).toBeNull();
});
