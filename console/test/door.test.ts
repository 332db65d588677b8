import { within } from "@testing-library/dom";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { cutConnection, openDoor, showToCamera, signInElsewhere } from "./door-page.ts";
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

it("checks in with a search and one tap, warns of duplicates, refuses, and undoes", async () => {
  const door = await openDoor(pages, [
    { name: "Ana Almeida" },
    { name: "Beatriz Brandão", ticket_type: "Standard" },
    { name: "Petra Pending", status: "pending" },
  ]);
  await door.counts("0 of 2 in");
  door.getByRole("heading", { name: "Test Event" });
  const guests = door.path().replace(/.*(\/events\/.*)door$/, "$1guests");
  expect(door.getByRole("link", { name: "Back to the guest list" }).getAttribute("href")).toContain(guests);
  await door.find("brandao");
  await expect.poll(() => door.queryByText("Ana Almeida")).toBeNull();
  door.getByRole("button", { name: /^Beatriz Brandão ?Standard · .*@example\.com ?Check in$/ });
  await door.press(/^Beatriz Brandão/);
  const welcome = await door.verdict("Welcome");
  welcome.getByText("Beatriz Brandão");
  welcome.getByText("Standard");
  await welcome.findByText("Checked in");
  expect(await door.arrivals()).toEqual(["Beatriz Brandão"]);
  await door.next();
  expect(door.getByRole("searchbox")).toHaveProperty("value", "");
  await door.counts("1 of 2 in");
  const recent = await door.findByRole("region", { name: "Just checked in" });
  const clock = (await door.reasons())[0]?.slice(-5);
  expect(recent.textContent).toBe(`Beatriz Brandão${clock}Undo`);

  await door.find("brandao");
  await door.press(/^Beatriz Brandão/);
  await (await door.verdict("Already checked in")).findByText(/^Checked in at \d\d:\d\d by Dora Keeper$/);
  await door.next();

  await door.find("petra");
  await door.press(/^Petra Pending.*Pending$/);
  await (await door.verdict("Not approved")).findByText("The registration is still pending. Ask the host.");
  await door.next();

  await door.press(/^Undo the check-in of Beatriz Brandão$/);
  await expect.poll(door.arrivals).toEqual([]);
  await door.counts("0 of 2 in");
  expect(await door.reasons()).toEqual([
    expect.stringMatching(/^Checked in at the door by Dora Keeper, \d\d:\d\d$/),
    expect.stringMatching(/^Check-in undone at the door by Dora Keeper, \d\d:\d\d$/),
  ]);
});

it("takes back a check-in where it is shown", async () => {
  const door = await openDoor(pages, [
    { name: "Ana Almeida" },
    { name: "Carla Came", checked_in_at: "2025-06-30T09:05:00Z" },
  ]);
  await door.counts("1 of 2 in");
  await door.find("ana");
  await door.press(/^Ana Almeida/);
  await (await door.verdict("Welcome")).findByText("Checked in");
  await door.press("Undo");
  await expect.poll(door.arrivals).toEqual(["Carla Came"]);
  await expect.poll(() => door.queryByRole("alertdialog")).toBeNull();
  expect(door.getByRole("searchbox")).toHaveProperty("value", "");
  await door.findByRole("region", { name: "Expected" });
  expect(door.queryByRole("region", { name: "Just checked in" })).toBeNull();
  await door.find("carla");
  await door.press(/^Carla Came.*In, Mon 30 Jun 2025$/);
  await (await door.verdict("Already checked in")).findByText("Checked in on Mon 30 Jun 2025 at 18:05");
  await door.press("Undo the check-in");
  await expect.poll(door.arrivals).toEqual([]);
  await door.counts("0 of 2 in");
});

it("lets a welcome go by itself, but no warning", async () => {
  const door = await openDoor(pages, [{ name: "Ana Almeida" }]);
  vi.unstubAllGlobals();
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await door.find("ana");
  await door.press(/^Ana Almeida/);
  await expect.poll(door.arrivals).toEqual(["Ana Almeida"]);
  await expect.poll(() => door.queryByRole("alertdialog")).toBeNull();
  await door.find("ana");
  await door.press(/^Ana Almeida/);
  await door.verdict("Already checked in");
  await vi.advanceTimersByTimeAsync(60_000);
  await door.verdict("Already checked in");
});

it("checks in the only match with Enter", async () => {
  const door = await openDoor(pages, [{ name: "Ana Almeida" }, { name: "Anabela Antunes" }]);
  await door.find("ana{Enter}");
  expect(door.queryByRole("alertdialog")).toBeNull();
  await door.find("ana alm{Enter}");
  await (await door.verdict("Welcome")).findByText("Checked in");
  await door.next();
  expect(await door.arrivals()).toEqual(["Ana Almeida"]);
  await door.find("nobody");
  await door.findByText(/^Nobody on this device matches/);
  await door.addGuests([{ name: "Nobody Expected" }]);
  await door.press(/^Read the list again$/);
  await door.findByText("Nobody Expected");
});

it("says that the guests could not be loaded, and tries again", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
  const page = await open(`/o/${organizationId}/events/${eventId}`, owner);
  const links = await page.findAllByRole("link", { name: "Open the door list" });
  const connected = globalThis.fetch;
  let isBroken = true;
  globalThis.fetch = async (input, init) =>
    isBroken && String(input).endsWith("/door") ? Response.json({}, { status: 500 }) : connected(input, init);
  await page.user.click(links[0] as HTMLElement);
  await page.findByText("The service has a problem");
  await page.findByText("Not loaded");
  isBroken = false;
  await page.press("Try again");
  await page.findByText("Up to date");
  await page.findByText("No guest is approved yet.");
});

it("says that nothing is on the device where there has been no connection yet", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
  const page = await open(`/o/${organizationId}/events/${eventId}`, owner);
  const links = await page.findAllByRole("link", { name: "Open the door list" });
  const connect = cutConnection();
  await page.user.click(links[0] as HTMLElement);
  await page.findByText("No connection, and no guests on this device yet");
  connect();
  await page.findByText("Up to date");
});

it("goes on without a connection, and sends everything when it is back", async () => {
  const door = await openDoor(pages, [{ name: "Carlos Çelik" }, { name: "Dana Dvořák" }, { name: "Eva Ekström" }]);
  const connect = cutConnection();
  await door.findByText("Offline");
  await door.press(/^Dana Dvořák/);
  await (await door.verdict("Welcome")).findByText("Checked in on this device, sent when there is a connection");
  await door.next();
  await door.findByText("Offline · 1 waiting");
  await door.press(/^Carlos Çelik/);
  await door.next();
  await door.findByText("Offline · 2 waiting");
  const recent = within(door.getByRole("region", { name: "Just checked in" })).getAllByRole("listitem");
  expect(recent.map(({ textContent }) => textContent)).toEqual([
    ...[expect.stringMatching(/^Carlos Çelik/), expect.stringMatching(/^Dana Dvořák/)],
  ]);
  await door.press(/^Eva Ekström/);
  await door.next();
  await door.press(/^Undo the check-in of Eva Ekström$/);
  await door.counts("2 of 3 in");
  expect(await door.arrivals()).toEqual([]);
  connect();
  await door.findByText("Up to date");
  expect(await door.arrivals()).toEqual(["Dana Dvořák", "Carlos Çelik"]);
  await door.counts("2 of 3 in");
  expect(await door.reasons()).toHaveLength(2);
});

it("shows what another device does, and reports a guest whom both checked in", async () => {
  const door = await openDoor(pages, [{ name: "Eva Ekström" }, { name: "Filip Fišer" }]);
  await door.checkInElsewhere("Eva Ekström");
  await door.counts("1 of 2 in");
  const connect = cutConnection();
  await door.press(/^Filip Fišer/);
  await door.next();
  await door.checkInElsewhere("Filip Fišer");
  connect();
  await door.press(/^1 check-in needs a look$/);
  const dialog = within(await door.findByRole("dialog", { name: "Check-ins that need a look" }));
  await dialog.findByText(/^Already checked in at \d\d:\d\d by Ines First\. Here at \d\d:\d\d\.$/);
  await door.user.click(dialog.getByRole("button", { name: "Done" }));
  await expect.poll(() => door.queryByText("1 check-in needs a look")).toBeNull();
});

it("keeps what waits when the session has ended, and sends it after signing in again", async () => {
  const door = await openDoor(pages, [{ name: "Ana Almeida" }]);
  service.signOut(door.cookie);
  await door.press(/^Ana Almeida/);
  await (await door.verdict("Welcome")).findByText("Checked in on this device, sent when there is a connection");
  await door.next();
  const link = await door.findByRole("link", { name: "Sign in to send 1" });
  const { search } = new URL((link as HTMLAnchorElement).href);
  expect(new URLSearchParams(search).get("return_to")).toMatch(/^\/o\/[0-9a-f-]{36}\/events\/[0-9a-f-]{36}\/door$/);
  await door.counts("1 of 1 in");
  door.getByText("Everybody is in.");
  expect(await door.arrivals()).toEqual([]);
  await signInElsewhere(service.url, await door.signIn("Emil Next"));
  await door.findByText("Up to date");
  expect(await door.arrivals()).toEqual(["Ana Almeida"]);
  // By whoever stood at the door.
  expect(await door.reasons()).toEqual([expect.stringMatching(/^Checked in at the door by Dora Keeper/)]);
});

it("is told apart without looking, unless sound and vibration are off", async () => {
  const vibrate = vi.fn();
  vi.stubGlobal("navigator", Object.create(navigator, { vibrate: { value: vibrate } }));
  const door = await openDoor(pages, [{ name: "Ana Almeida" }, { name: "Petra Pending", status: "pending" }]);
  await door.press(/^Ana Almeida/);
  await door.verdict("Welcome");
  expect(vibrate).toHaveBeenLastCalledWith([60]);
  await door.next();
  await door.find("petra");
  await door.press(/^Petra Pending/);
  await door.verdict("Not approved");
  expect(vibrate).toHaveBeenLastCalledWith([400]);
  await door.next();
  await door.find("ana");
  await door.press(/^Ana Almeida/);
  await door.verdict("Already checked in");
  expect(vibrate).toHaveBeenLastCalledWith([120, 80, 120]);
  await door.next();
  vibrate.mockClear();
  await door.press("Turn sound and vibration off");
  await door.find("ana");
  await door.press(/^Ana Almeida/);
  await door.verdict("Already checked in");
  expect(vibrate).not.toHaveBeenCalled();
  await door.next();
  await door.press("Turn sound and vibration on");
  await door.find("petra");
  await door.press(/^Petra Pending/);
  await door.verdict("Not approved");
  expect(vibrate).toHaveBeenCalledOnce();
});

it("reads guest codes with the camera, also of guests who registered later", async () => {
  const { show, stop, look } = showToCamera();
  const door = await openDoor(pages, [{ name: "Quentin Code" }]);
  await door.press("Scan");
  await door.findByText("Hold the guest code into the frame");
  show(await door.codeOf("Quentin Code"));
  await (await door.verdict("Welcome")).findByText("Quentin Code");
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await door.next();
  // The guest still holds it up.
  look.mockClear();
  await expect.poll(() => look.mock.calls.length).toBeGreaterThan(3);
  expect(door.queryByRole("alertdialog")).toBeNull();
  vi.setSystemTime(Date.now() + 4000);
  await door.verdict("Already checked in");
  vi.useRealTimers();
  show("not-a-code");
  await door.next();
  await door.verdict("Unknown code");
  await door.addGuests([{ name: "Rita Late" }]);
  show(await door.codeOf("Rita Late"));
  await door.next();
  await (await door.verdict("Welcome")).findByText("Rita Late");
  show("");
  await door.next();
  await expect.poll(door.arrivals).toEqual(["Quentin Code", "Rita Late"]);
  expect(stop).not.toHaveBeenCalled();
  await door.press("Close camera");
  expect(door.queryByText("Hold the guest code into the frame")).toBeNull();
  expect(stop).toHaveBeenCalledOnce();
});

it("says why there is no picture, and what to do", async () => {
  const door = await openDoor(pages, [{ name: "Quentin Code" }]);
  await door.press("Scan");
  expect((await door.findByRole("alert")).textContent).toBe("The camera works only over https. Search by name.");
  for (const [name, words] of [
    ["NotAllowedError", /^The browser does not allow the camera\./],
    ["NotFoundError", /^This device has no camera\./],
    ["NotReadableError", /^The camera could not be started\./],
  ] as const) {
    await door.press("Close camera");
    const getUserMedia = () => Promise.reject(new DOMException("", name));
    vi.stubGlobal("navigator", Object.create(navigator, { mediaDevices: { value: { getUserMedia } } }));
    await door.press("Scan");
    expect((await door.findByRole("alert")).textContent).toMatch(words);
  }
});

it("says that nothing is kept where the browser keeps nothing", async () => {
  const door = await openDoor(pages, []);
  await door.findByText(/^This browser keeps nothing/);
});
