import { decodeQR } from "qr/decode.js";
import sql from "sql-template-tag";
import { afterEach, expect, it, vi } from "vitest";
import { createGuestsEvent, numbered } from "./guests-page.ts";
import { holdCommits } from "./held-commits.ts";
import { type Page, withPages } from "./pages.ts";

const pages = withPages();
const { service, make } = pages;

/** The document has no layout: the list is told how far the page was scrolled. */
const scrollTo = (top: number) => {
  Object.assign(window, { scrollY: top });
  window.dispatchEvent(new Event("scroll"));
};
afterEach(() => void Object.assign(window, { scrollY: 0 }));

const rowHeight = 56;
/** Without the heads of the columns. */
const rows = () => document.querySelectorAll("[role=row]").length - 1;
const focusedRow = () => Number(document.activeElement?.getAttribute("aria-rowindex")) - 1;
/** A state above the list with the number of its guests. */
const counted = (label: string, count: number) => ({ name: new RegExp(`^${label} ?${count}$`) });
const pressed = (page: Page) => page.getAllByRole("button", { pressed: true }).map(({ textContent }) => textContent);

it("counts the same guests in the tab and in the list, and loads further ones on the way down", async () => {
  const event = await createGuestsEvent(pages, [
    ...numbered(210, "Pending Person", "pending"),
    ...numbered(40, "Waiting Person", "waitlisted"),
    { name: "Zoë Šimek", checked_in: true },
  ]);
  const page = await event.open();
  await page.findByRole("link", counted("Guests", 251));
  await page.findByText("Pending Person 0");
  const states = page.getByRole("group", { name: "State of guests" });
  await expect
    .poll(() => [...states.querySelectorAll("button")].map(({ textContent }) => textContent))
    .toEqual(["All251", "Pending210", "Approved1", "Waitlisted40", "Declined0", "Checked in1"]);
  expect(page.getByRole("grid", { name: "Guests" }).getAttribute("aria-rowcount")).toBe("252");
  // Only what is on the screen is in the document.
  expect(rows()).toBeGreaterThan(20);
  expect(rows()).toBeLessThan(60);
  expect(page.queryByText("Pending Person 199")).toBeNull();
  scrollTo(180 * rowHeight);
  await page.findByText("Pending Person 199");
  await page.findByText("Pending Person 201");
  scrollTo(240 * rowHeight);
  await page.findByText("Zoë Šimek");
  expect(rows()).toBeLessThan(60);
});

it("moves between rows with the keyboard, selects and opens one", async () => {
  const event = await createGuestsEvent(pages, numbered(100, "Guest", "approved"));
  const page = await event.open();
  (await page.findByRole("row", { name: /Guest 0/ })).focus();
  for (const [key, place] of [
    ["{ArrowDown}", 2],
    ["{PageDown}", 12],
    ["{ArrowUp}", 11],
    ["{End}", 100],
    ["{ArrowDown}", 100],
    ["{Home}", 1],
  ] as const) {
    await page.user.keyboard(key);
    await expect.poll(focusedRow).toBe(place);
  }
  await page.user.keyboard(" ");
  await page.findByText("1 selected");
  expect(page.getByRole("row", { selected: true }).textContent).toContain("Guest 0");
  await page.user.keyboard("{Enter}");
  await page.dialog("Guest 0");
  expect(page.path()).toContain(`guest=${event.ids[0]}`);
});

it("finds guests as one types, without diacritics, and shows everything about one", async () => {
  const event = await createGuestsEvent(pages, [
    ...numbered(3, "Pending Person", "pending"),
    {
      name: "Zoë Šimek",
      ticket_type: "Speaker",
      answers: { first_time: true, Diet: ["Vegan", "no nuts"], "How did you hear of us?": "A friend" },
    },
  ]);
  const page = await event.open();
  await page.findByText("Pending Person 0");
  await page.enter(page.getByRole("searchbox", { name: "Search name or e-mail" }), "zoe simek");
  await expect.poll(() => rows()).toBe(1);
  await page.user.click(page.getByText("Zoë Šimek"));
  const drawer = await page.dialog("Zoë Šimek");
  await drawer.findByRole("img", { name: "Guest code of Zoë Šimek" });
  drawer.getByText("Nothing has changed since the registration.");
  const facts = drawer.getAllByRole("term").map((term) => `${term.textContent}: ${term.nextSibling?.textContent}`);
  expect(facts).toEqual(
    expect.arrayContaining([
      ...["Ticket: Speaker", "First time: Yes", "Diet: Vegan, no nuts", "How did you hear of us?: A friend"],
    ]),
  );
  await page.user.click(drawer.getByRole("button", { name: "Check in" }));
  await page.findByText("Zoë Šimek is checked in");
  const change = (await drawer.findByText("From approved to approved, checked in")).parentElement;
  expect(change?.textContent).toMatch(/“Checked in from the guest list”Test Person · .*, Lisbon time/);
  await drawer.findByRole("button", { name: "Undo check-in" });
  expect(await event.states()).toMatchObject({ "Zoë Šimek": "checked in" });
  await page.undo();
  expect(await event.states()).toMatchObject({ "Zoë Šimek": "approved" });
});

it("says when a guest registered and arrived, in the zone of the event, and what else is known", async () => {
  const event = await createGuestsEvent(pages, [
    { name: "Ana", ticket_type: "Speaker", answers: { Vegan: false, Seats: { left: 2 }, Phone: null } },
    { name: "Petra", status: "waitlisted" },
  ]);
  await service.db.query(sql`update events set timezone = 'Asia/Tokyo' where id = ${event.eventId}`);
  await service.db.query(sql`
    update registrations set email = 'ana@example.com', registered_at = '2025-04-30T15:30:00Z', source = 'Newsletter',
      checked_in_at = '2025-06-30T09:05:00Z', note = 'Sits in front'
    where id = ${event.ids[0]}`);
  const page = await event.open();
  const cells = (name: RegExp) => {
    const row = page.queryByRole("row", { name });
    return [...(row?.querySelectorAll("[role=gridcell]") ?? [])].slice(1).map(({ textContent }) => textContent);
  };
  await expect.poll(() => cells(/Ana/)).toEqual(["Checked in", "Speaker", "Thu 1 May 2025", "Mon 30 Jun 2025, 18:05"]);
  expect(cells(/Petra/)).toEqual(["Waitlisted", "–", expect.any(String), "–"]);
  await page.user.click(page.getByText("Ana"));
  const drawer = await page.dialog("Ana");
  await drawer.findByText("Sits in front");
  const facts = drawer.getAllByRole("term").map((term) => `${term.textContent}: ${term.nextSibling?.textContent}`);
  expect(facts).toEqual([
    ...["E-mail: ana@example.com", "Ticket: Speaker"],
    expect.stringMatching(/^Registered: Thu 1 May 2025, 00:30, Tokyo time/),
    expect.stringMatching(/^Checked in: Mon 30 Jun 2025, 18:05, Tokyo time/),
    ...["Came from: Newsletter", "Note: Sits in front", "Phone: Not set", 'Seats: {"left":2}', "Vegan: No"],
  ]);
  expect(drawer.getByRole("link", { name: "ana@example.com" }).getAttribute("href")).toBe("mailto:ana@example.com");
});

it("has state and search in the address", async () => {
  const event = await createGuestsEvent(pages, [
    ...[{ name: "Ana Almeida", status: "pending" }, { name: "Ana Brandão" }, { name: "Petra", status: "pending" }],
    { name: "Carla", checked_in: true },
  ]);
  const page = await event.open({ search: "?state=pending&q=ana" });
  await page.findByText("Ana Almeida");
  expect(rows()).toBe(1);
  await expect.poll(() => pressed(page)).toEqual(["Pending2"]);
  expect(page.getByRole("grid", { name: "Guests" }).getAttribute("aria-rowcount")).toBe("2");
  const search = page.getByRole("searchbox");
  expect(search).toHaveProperty("value", "ana");
  await page.press(counted("Approved", 2).name);
  await page.findByText("Ana Brandão");
  await page.findByText("1 guest");
  await page.user.click(page.getByText("Ana Brandão"));
  await page.dialog("Ana Brandão");
  await page.press("Close");
  await expect.poll(page.path).toMatch(/guests\?state=approved&q=ana$/);
  await page.user.clear(search);
  await page.findByText("Carla");
  expect(page.path()).toMatch(/guests\?state=approved$/);
  await page.press(counted("Checked in", 1).name);
  await expect.poll(() => rows()).toBe(1);
  expect(page.path()).toMatch(/guests\?state=checked_in$/);
  await page.enter(search, "nobody");
  await page.findByText("Nobody matches");
  page.getByText("Try part of the name or the e-mail address, or search in all states.");
  await page.press(counted("All", 4).name);
  await page.findByText("Try part of the name or the e-mail address.");
  expect(page.path()).toMatch(/guests\?q=nobody$/);
  await page.press("Clear filters");
  await page.findByText("4 guests");
  expect(search).toHaveProperty("value", "");
  expect(page.path()).toMatch(/guests$/);
  const lost = await event.open({ search: "?state=lost" });
  await lost.findByText("Petra");
  await expect.poll(() => pressed(lost)).toEqual(["All4"]);
});

it("shows what somebody else changes", async () => {
  const event = await createGuestsEvent(pages, numbered(2, "Guest", "approved"));
  const page = await event.open();
  await page.findByRole("row", { name: /Guest 1.*Approved/ });
  const other = await service.signIn(await make.member(event.organizationId, "member"));
  const args = { event_id: event.eventId, registration_id: event.ids[1], checked_in: true };
  const reply = await service.change(event.organizationId, other, "set_event_registration_check_in", args);
  expect(reply.status).toBe(200);
  await page.findByRole("row", { name: /Guest 1.*Checked in/ });
  await page.findByRole("button", counted("Checked in", 1));
});

it("offers what can be done with a guest in each state", async () => {
  const offers = {
    pending: ["Approve", "Waitlist", "Decline"],
    approved: ["Check in", "Waitlist", "Decline"],
    waitlisted: ["Approve", "Decline"],
    declined: ["Restore"],
    "checked in": ["Undo check-in"],
  };
  const guestIn = (name: string) => ({ name, ...(name === "checked in" ? { checked_in: true } : { status: name }) });
  const event = await createGuestsEvent(pages, Object.keys(offers).map(guestIn));
  const page = await event.open();
  for (const [state, labels] of Object.entries(offers)) {
    await page.user.click(await page.findByText(state));
    const drawer = await page.dialog(state);
    await drawer.findByText("Nothing has changed since the registration.");
    expect(drawer.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["", ...labels]);
    expect(drawer.queryByText("Guest code") !== null).toBe(state === "approved" || state === "checked in");
    await page.press("Close");
    await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  }
});

it("changes the state of one guest, asks why somebody is declined, and takes it back", async () => {
  const event = await createGuestsEvent(pages, [{ name: "Ana", status: "pending" }]);
  const page = await event.open({ search: `?guest=${event.ids[0]}` });
  const stored = async () => (await event.states()).Ana;
  for (const [move, state, done] of [
    ["Waitlist", "waitlisted", "Ana is on the waiting list"],
    ["Approve", "approved", "Ana is approved"],
  ] as const) {
    await page.press(move);
    await page.findByText(done);
    expect(await stored()).toBe(state);
  }
  await page.press("Decline");
  const dialog = await page.dialog("Decline: Ana");
  const reason = await dialog.findByRole("textbox", { name: "Reason" });
  expect(reason).toHaveProperty("value", "Declined from the guest list");
  await page.fill(reason, "She cannot come");
  await page.press("Decline");
  await page.findByText("Ana is declined");
  expect(await stored()).toBe("declined");
  await page.undo();
  expect(await stored()).toBe("approved");
  expect(await event.reasons()).toEqual([
    ...["Waitlisted from the guest list", "Approved from the guest list", "She cannot come"],
    "Undid “Declined from the guest list”",
  ]);
});

it("approves one guest while another is being approved", async () => {
  const event = await createGuestsEvent(pages, [
    { name: "Ana", status: "pending" },
    { name: "Ben", status: "pending" },
  ]);
  const page = await event.open({ search: `?guest=${event.ids[0]}` });
  const { release } = holdCommits();
  await page.press("Approve");
  await page.user.keyboard("{Escape}");
  await page.user.click(await page.findByRole("row", { name: /Ben/ }));
  await page.dialog("Ben");
  await page.press("Approve");
  release();
  await page.findByText("Ana is approved");
  await page.findByText("Ben is approved");
  expect(page.queryByRole("dialog", { name: "Approve: Ben" })).toBeNull();
  expect(await event.states()).toEqual({ Ana: "approved", Ben: "approved" });
});

it("asks where a guest's state was changed while the next change of it waited", async () => {
  const event = await createGuestsEvent(pages, [{ name: "Ana", status: "pending" }]);
  const page = await event.open({ search: `?guest=${event.ids[0]}` });
  const { release } = holdCommits();
  await page.press("Waitlist");
  await page.press("Approve");
  release();
  const dialog = await page.dialog("Approve: Ana");
  await dialog.findByRole("button", { name: "Approve" });
  expect(await event.states()).toEqual({ Ana: "waitlisted" });
});

/** What a scanner reads from a picture of a code. */
function readQrCode(picture: HTMLElement): string {
  const scale = 4;
  const size = Number(picture.getAttribute("viewBox")?.split(" ")[2]) * scale;
  const data = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [, x, y, width] of picture.innerHTML.matchAll(/M(\d+) (\d+)h(\d+)v1/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      for (let column = Number(x) * scale; column < (Number(x) + Number(width)) * scale; column += 1)
        data.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3);
    }
  }
  return decodeQR({ width: size, height: size, data });
}

/** Submits the form, whose button is named as the one that opens it. */
const submitGuest = async (page: Page) =>
  page.user.click((await page.dialog("Add guest")).getByRole("button", { name: "Add guest" }));

const addGuest = async (page: Page, name: string) => {
  await page.press("Add guest");
  const form = await page.dialog("Add guest");
  await page.enter(form.getByRole("textbox", { name: "Name" }), name);
  await page.enter(form.getByRole("textbox", { name: "E-mail" }), "nadia@example.com");
  return form;
};

it("adds a guest", async () => {
  const event = await createGuestsEvent(pages, []);
  const page = await event.open();
  await page.findByText("Nobody has registered yet");
  page.getByText("Guests appear here when they register, or when you add them.");
  await page.press("Add guest");
  const empty = await page.dialog("Add guest");
  await submitGuest(page);
  empty.getByText("Enter the guest's name.");
  empty.getByText("Enter an e-mail address");
  await page.enter(empty.getByRole("textbox", { name: "E-mail" }), "nadia@example");
  await submitGuest(page);
  empty.getByText("Enter an e-mail address");
  await page.press("Cancel");
  await page.press("Discard");
  const form = await addGuest(page, " Nadia Novak ");
  await page.enter(form.getByRole("textbox", { name: /^Ticket/ }), " Speaker ");
  await page.user.click(form.getByRole("radio", { name: /^Pending/ }));
  await submitGuest(page);
  await page.findByText("Nadia Novak is on the list");
  await page.findByRole("row", { name: /Nadia Novak.*Pending/ });
  const stored = await service.db.query(
    sql`select name, email, status, ticket_type from registrations where event_id = ${event.eventId}`,
  );
  expect(stored).toEqual([
    { name: "Nadia Novak", email: "nadia@example.com", status: "pending", ticket_type: "Speaker" },
  ]);
  expect(await event.reasons()).toEqual(["Added from the guest list"]);
  expect(page.queryByRole("dialog")).toBeNull();
  expect(page.path()).toMatch(/\/guests$/);
});

it("warns before a guest is added to a full event, and says who is on the list already", async () => {
  const event = await createGuestsEvent(pages, [{ name: "Ana" }], { capacity: 1 });
  const page = await event.open();
  await page.findByRole("button", counted("Approved", 1));
  await addGuest(page, "Nadia");
  await submitGuest(page);
  await (await page.dialog("Add Nadia")).findByText("The event is full: 1 of 1 places are taken.");
  expect(page.queryByRole("textbox", { name: "Reason" })).toBeNull();
  await page.press("Cancel");
  expect((await page.dialog("Add guest")).getByRole("textbox", { name: "Name" })).toHaveProperty("value", "Nadia");
  await submitGuest(page);
  await page.findByText(/^The event is full/);
  await page.press("Add guest");
  await page.findByText("Nadia is on the list");
  expect(await event.counts()).toMatchObject({ approved: 2 });
  await addGuest(page, "Nadia again");
  await submitGuest(page);
  await page.findByText("This change is not possible");
  expect(await event.counts()).toMatchObject({ approved: 2 });
});

it("exports what is shown, with formulas as text", async () => {
  const event = await createGuestsEvent(pages, [
    ...[{ name: "=2+5", status: "declined" }, { name: "2+5" }, { name: "Ana", status: "declined" }],
  ]);
  const page = await event.open({ search: "?state=declined&q=2%2B5" });
  await page.findByText("=2+5");
  const addresses: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    addresses.push(this.pathname + this.search);
  });
  await page.choose("More", /^Export what is shown/);
  const headers = { cookie: page.cookie() ?? "" };
  const shown = await service.call(addresses[0] ?? "", { headers });
  expect(shown.text.split("\r\n")).toHaveLength(3);
  expect(shown.text).toContain("\r\n'=2+5,");
  await page.press(counted("All", 3).name);
  await page.user.clear(page.getByRole("searchbox"));
  await page.choose("More", /^Export all guests/);
  expect((await service.call(addresses[1] ?? "", { headers })).text.split("\r\n")).toHaveLength(5);
});

it("prints the codes of approved guests", async () => {
  const event = await createGuestsEvent(pages, [
    { name: "Ana", ticket_type: "Speaker" },
    ...[
      { name: "Petra", status: "pending" },
      { name: "Carla", checked_in: true },
    ],
  ]);
  const page = await event.open();
  await page.choose("More", /^Print guest codes/);
  const picture = await page.findByRole("img", { name: "Guest code of Ana" });
  expect(page.path()).toMatch(/\/guests\/print$/);
  page.getByText("Test Event, Thu 1 May 2031, 19:00–21:00, Lisbon time");
  expect(page.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["AnaSpeaker", "Carla"]);
  const address = `organizations/${event.organizationId}/events/${event.eventId}/guests/${event.ids[0]}/code`;
  expect(readQrCode(picture)).toBe((await service.get(address, page.cookie() ?? "")).json.code);
  expect(page.getAllByRole("img", { name: /^Guest code of/ })).toHaveLength(2);
  const print = vi.spyOn(window, "print").mockImplementation(() => {});
  await page.press("Print 2 codes");
  expect(print).toHaveBeenCalledOnce();
});

it("lets members look and check in, not change", async () => {
  const event = await createGuestsEvent(pages, [{ name: "Petra", status: "pending" }, { name: "Ana" }]);
  const page = await event.open({ role: "member", search: "?add=true" });
  await page.user.click(await page.findByRole("checkbox", { name: "Select all loaded rows" }));
  await page.findByRole("button", { name: "Check in 1" });
  expect(page.queryByRole("button", { name: /^(Approve|Decline|Waitlist|Restore) \d|Add guest/ })).toBeNull();
  expect(page.queryByRole("dialog")).toBeNull();
  await page.user.click(page.getByText("Petra"));
  const petra = await page.dialog("Petra");
  await petra.findByText("Nothing has changed since the registration.");
  expect(petra.queryByRole("button", { name: /Approve|Waitlist|Decline/ })).toBeNull();
  await page.press("Close");
  await page.user.click(page.getByText("Ana"));
  const ana = await page.dialog("Ana");
  await page.press("Check in");
  await ana.findByRole("button", { name: "Undo check-in" });
  expect(await event.states()).toEqual({ Petra: "pending", Ana: "checked in" });
  const arrival = () =>
    service.db.query(sql`
    select checked_in_at::text from registrations where event_id = ${event.eventId} and name = 'Ana'`);
  const arrivedAt = await arrival();
  await page.press("Undo check-in");
  await page.findByText("Ana is no longer checked in");
  expect(await event.states()).toMatchObject({ Ana: "approved" });
  await page.undo();
  expect(await event.states()).toMatchObject({ Ana: "checked in" });
  expect(await arrival()).toEqual(arrivedAt);
});
