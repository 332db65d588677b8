import { waitFor, within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { confirm, withEventPages } from "./event-pages.ts";
import type { Page } from "./pages.ts";

const { service, newEvent, openEvent } = withEventPages();

const storedNames = async (eventId: string) => {
  const rows = await service.db.query<{ name: string }>(
    sql`select name from speakers where event_id = ${eventId} order by position`,
  );
  return rows.map(({ name }) => name);
};

const namesIn = (page: Page) => page.getAllByRole("row").map((row) => /Speaker \d/.exec(row.textContent)?.[0]);

it("reorders speakers by keyboard, saves once and undoes it", async () => {
  const fixture = await newEvent();
  const page = await openEvent(fixture, "/speakers");
  await page.press("Reorder");
  expect(await page.findByRole("button", { name: "Save order" })).toHaveProperty("disabled", true);
  (await page.findByRole("button", { name: "Drag Speaker 0" })).focus();
  await page.user.keyboard("{Enter}");
  await page.user.keyboard("{ArrowDown}{ArrowDown}");
  await page.user.keyboard("{Enter}");
  await page.findByText("Speaker 0 is now 3 of 3");
  expect(namesIn(page)).toEqual(["Speaker 1", "Speaker 2", "Speaker 0"]);
  page.getByRole("button", { name: "Move Speaker 2 up" }).focus();
  await page.user.keyboard("{Enter}");
  await page.findByText("Speaker 2 is now 1 of 3");
  expect(namesIn(page)).toEqual(["Speaker 2", "Speaker 1", "Speaker 0"]);
  expect(await storedNames(fixture.eventId)).toEqual(["Speaker 0", "Speaker 1", "Speaker 2"]);
  await page.press("Save order");
  await page.findByRole("button", { name: "Reorder" });
  expect(await storedNames(fixture.eventId)).toEqual(["Speaker 2", "Speaker 1", "Speaker 0"]);
  await page.undo();
  expect(await storedNames(fixture.eventId)).toEqual(["Speaker 0", "Speaker 1", "Speaker 2"]);
});

it("keeps the focus on the arrow that was pressed, or on the other one at an end of the list", async () => {
  const page = await openEvent(await newEvent(), "/speakers");
  await page.press("Reorder");
  const focused = () => document.activeElement?.getAttribute("aria-label");
  (await page.findByRole("button", { name: "Move Speaker 1 up" })).focus();
  await page.user.keyboard("{Enter}");
  await expect.poll(focused).toBe("Move Speaker 1 down");
  await page.user.keyboard("{Enter}");
  await page.findByText("Speaker 1 is now 2 of 3");
  await expect.poll(focused).toBe("Move Speaker 1 down");
  await page.user.keyboard("{Enter}");
  await expect.poll(focused).toBe("Move Speaker 1 up");
});

it("edits a speaker, takes that back, and shows in the activity which words of the biography changed", async () => {
  const fixture = await newEvent();
  const bio = (what: string) => `She designs ${what} that last, and teaches people to build them by hand.`;
  await service.db.query(sql`update speakers set bio = ${bio("harbours")} where id = ${fixture.speakerIds[1]}`);
  const page = await openEvent(fixture, "/speakers");
  await page.choose("Change Speaker 1", "Edit speaker");
  const field = await page.findByLabelText("Biography (optional)");
  await page.user.clear(field);
  await page.user.paste(bio("bridges"));
  await page.press("Save speaker");
  await page.findByText(bio("bridges"));
  await page.undo();
  await page.findByText(bio("harbours"));
  const activity = await openEvent(fixture, "/activity");
  const differences = await waitFor(() => {
    const found = activity.getAllByRole("button", { name: "Show 1 difference" });
    expect(found).toHaveLength(2);
    return found;
  });
  await activity.user.click(differences[1] as HTMLElement);
  expect((await activity.findByText("bridges")).tagName).toBe("INS");
  expect(activity.getByText("harbours").tagName).toBe("DEL");
});

it("shows all about a speaker, changes links and the role, and says what removing leaves behind", async () => {
  const fixture = await newEvent();
  await service.db.query(sql`
    update speakers set title = 'Engineer', company = 'Harbour Works', bio = ${"Long. ".repeat(31)},
      links = '{"web": "https://one.example", "linkedin": "https://linkedin.com/in/one"}'
    where id = ${fixture.speakerIds[0]}`);
  const page = await openEvent(fixture, "/speakers");
  const card = () => page.queryByRole("heading", { name: "Speaker 0" })?.closest("li") ?? null;
  const linkNames = () =>
    within(card() ?? document.body)
      .getAllByRole("link")
      .map((link) => `${link.textContent} ${link.getAttribute("href")}`.replace(/ ?\(.*\)/, ""));
  await page.findByText("Engineer, Harbour Works");
  within(card() ?? document.body).getByText("Segment 0");
  await page.press(/^Show all/);
  await page.findByRole("button", { name: /^Show less/, expanded: true });
  expect(linkNames()).toEqual(["Web https://one.example", "LinkedIn https://linkedin.com/in/one"]);
  await page.choose("Change Speaker 0", "Edit speaker");
  expect(await page.findByRole("button", { name: "Save speaker" })).toHaveProperty("disabled", true);
  await page.press("Remove the link web");
  await page.press("Add link");
  await page.enter(page.getAllByLabelText("Link name")[1] ?? document.body, "blog");
  await page.enter(page.getAllByLabelText("Link address")[1] ?? document.body, "https://blog.example");
  await page.press(/Role at the event/);
  await page.user.click(await page.findByRole("option", { name: "Moderator" }));
  await page.press("Save speaker");
  await expect.poll(linkNames).toEqual(["Blog https://blog.example", "LinkedIn https://linkedin.com/in/one"]);
  within(card() ?? document.body).getByText("Moderator");
  await page.choose("Change Speaker 0", "Remove speaker");
  await page.findByText("The run of show keeps “Segment 0”, without Speaker 0.");
  await confirm(page, "Remove speaker");
  await expect.poll(card).toBeNull();
  await page.findByRole("link", { name: "Speakers 2" });
});

it("adds a speaker who has a name, and takes that back", async () => {
  const fixture = await newEvent();
  const page = await openEvent(fixture, "/speakers");
  const submit = async () =>
    page.user.click((await page.dialog("Add a speaker")).getByRole("button", { name: "Add speaker" }));
  await page.press("Add speaker");
  await submit();
  await page.findByText("A speaker needs a name.");
  await page.user.click(page.getByLabelText("Name"));
  await page.user.paste("Ana Reis");
  await submit();
  await page.findByRole("heading", { name: "Ana Reis" });
  expect(await storedNames(fixture.eventId)).toEqual(["Speaker 0", "Speaker 1", "Speaker 2", "Ana Reis"]);
  await page.undo();
  expect(await storedNames(fixture.eventId)).toEqual(["Speaker 0", "Speaker 1", "Speaker 2"]);
});
