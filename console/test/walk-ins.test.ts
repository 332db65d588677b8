import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { cutConnection, openDoor } from "./door-page.ts";
import { withPages } from "./pages.ts";

const pages = withPages();

beforeEach(() => {
  // Otherwise a welcome goes away by itself, before a busy machine has looked at it.
  const matchMedia = (query: string) => ({ ...window.matchMedia(query), matches: /reduced-motion/.test(query) });
  vi.stubGlobal("matchMedia", matchMedia);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** The form for somebody who is not on the list of an event with one guest. */
async function openForm(search = "") {
  const door = await openDoor(pages, [{ name: "Ana Almeida" }]);
  if (search !== "") await door.find(search);
  const open = async () => {
    await door.press("Add a guest who is not on the list");
    return door.dialog("Add a guest");
  };
  const form = await open();
  const enter = async (name: string, email: string) => {
    const current = await door.dialog("Add a guest");
    await door.fill(current.getByLabelText("Name"), name);
    await door.fill(current.getByLabelText("E-mail"), email);
  };
  return { door, form, open, enter };
}

it("adds a guest and checks them in, and begins with the name that was searched for", async () => {
  const { door, form, open, enter } = await openForm("Wanda Walker");
  expect(form.getByLabelText("Name")).toHaveProperty("value", "Wanda Walker");
  await door.press("Add and check in");
  form.getByText("Enter an e-mail address");
  await door.fill(form.getByLabelText("E-mail"), "wanda@example.com");
  await door.press("Add and check in");
  (await door.verdict("Welcome")).getByText("Wanda Walker");
  expect(await door.arrivals()).toEqual(["Wanda Walker"]);
  await door.next();
  await door.counts("1 of 2 in");
  expect(await door.reasons()).toEqual([expect.stringMatching(/^Added at the door by Dora Keeper, \d\d:\d\d$/)]);

  const again = await open();
  await enter("Wanda", "Wanda@example.com");
  await door.press("Add and check in");
  await again.findByText(/^Wanda@example\.com is on the guest list already, approved, checked in/);
  await door.press("Cancel");
  await door.press("Discard");

  await door.press(/^Undo the check-in of Wanda Walker$/);
  await expect.poll(door.arrivals).toEqual([]);
  await door.counts("0 of 2 in");
});

it("asks before it adds a guest to an event that is full", async () => {
  const { door, form, enter } = await openForm();
  await door.limit(1);
  await enter("Wanda Walker", "wanda@example.com");
  await door.press("Add and check in");
  await form.findByText("The event is full: with this guest, 2 are approved for 1 seats");
  expect(await door.arrivals()).toEqual([]);
  await door.fill(form.getByLabelText("Name"), "Wanda");
  await door.press("Add and check in");
  await form.findByRole("button", { name: "Add anyway" });
  expect(await door.arrivals()).toEqual([]);
  await door.press("Add anyway");
  await door.verdict("Welcome");
  expect(await door.arrivals()).toEqual(["Wanda"]);
});

it("begins with the address that was searched for, and keeps it while there is no connection", async () => {
  const { door, form, enter } = await openForm("wanda@example.com");
  expect(form.getByLabelText("Name")).toHaveProperty("value", "");
  expect(form.getByLabelText("E-mail")).toHaveProperty("value", "wanda@example.com");
  const reconnect = cutConnection();
  onTestFinished(reconnect);
  await form.findByText(/^There is no connection\. Check-ins wait on this device, but adding a guest needs/);
  await enter("Wanda Walker", "wanda@example.com");
  expect(form.getByRole("button", { name: "Add and check in" })).toHaveProperty("disabled", true);
  reconnect();
  await expect.poll(() => form.queryByText(/^There is no connection/)).toBeNull();
  await door.press("Add and check in");
  await door.verdict("Welcome");
});
