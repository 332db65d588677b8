import { expect, it } from "vitest";
import { maximumLine, maximumText } from "../../contract/nouns.js";
import { withEventPages } from "./event-pages.ts";

const { service, open, newEvent, openEvent } = withEventPages();

it("takes a number as it is typed, keeps one that is out of bounds, says what they are, and does not submit it", async () => {
  const page = await openEvent(await newEvent());
  await page.press("Edit details");
  const capacity = await page.findByRole<HTMLInputElement>("textbox", { name: "Capacity (optional)" });
  await page.user.click(capacity);
  await page.user.keyboard("12");
  page.getByText("1 changed");
  expect(page.getByRole("button", { name: "Save details" })).toHaveProperty("disabled", false);
  await page.user.keyboard("00");
  expect(capacity.value).toBe("1200");
  await page.user.tab();
  expect(capacity.value).toBe("1,200");
  await page.user.clear(capacity);
  await expect.poll(() => page.queryByText("Nothing changed yet")).not.toBeNull();
  await page.enter(capacity, "99999999999");
  await page.user.tab();
  expect(capacity.value).toBe("99,999,999,999");
  await page.fill(capacity, "10000001");
  await page.findByText("At most 10,000,000.");
  await page.press("Save details");
  expect(capacity.value).toBe("10,000,001");
  expect(document.activeElement).toBe(capacity);
  expect(capacity.getAttribute("aria-invalid")).toBe("true");
  await page.fill(capacity, "10000000");
  await expect.poll(() => page.queryByText("At most 10,000,000.")).toBeNull();
  await page.press("Save details");
  await page.findByText("Details saved");
});

it("keeps a text that is too long, says so, and does not submit it", async () => {
  const page = await openEvent(await newEvent());
  await page.press("Edit details");
  const description = await page.findByLabelText<HTMLTextAreaElement>("Description (optional)");
  await page.fill(description, "a".repeat(maximumText + 1));
  expect(description.value).toHaveLength(maximumText + 1);
  await page.findByText("At most 4,000 characters; these are 4,001.");
  await page.press("Save details");
  expect(document.activeElement).toBe(description);
  expect(page.queryByRole("dialog")).toBeNull();
  await page.fill(description, "a".repeat(maximumText));
  await page.press("Save details");
  await page.findByText("Details saved");
});

it("says near its limit how many characters are left, of letters that take several too", async () => {
  const page = await openEvent(await newEvent());
  await page.press("Edit details");
  const name = await page.findByLabelText<HTMLInputElement>("Name");
  const help = () => document.getElementById(name.getAttribute("aria-describedby")?.split(" ")[0] ?? "")?.textContent;
  await page.fill(name, "a".repeat(maximumLine * 0.9 - 1));
  expect(page.queryByText(/characters? left$/)).toBeNull();
  await page.user.type(name, "a");
  await expect.poll(help).toMatch(/20 characters left$/);
  // The flag is one letter to people, and six characters to the service.
  const flag = "\u{1f3f3}\ufe0f\u200d\u{1f308}";
  await page.fill(name, flag.repeat(33));
  await expect.poll(help).toMatch(/2 characters left$/);
  await page.fill(name, flag.repeat(34));
  expect(name.value).toBe(flag.repeat(34));
  await page.findByText("At most 200 characters; these are 204.");
  expect(page.queryByText(/characters? left$/)).toBeNull();
  await page.press("Save details");
  expect(document.activeElement).toBe(name);
  expect(page.queryByRole("dialog")).toBeNull();
});

it("keeps a colour that is too long, and says what a colour looks like", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const page = await open(`/o/${organizationId}/settings`, owner);
  const color = await page.findByLabelText<HTMLInputElement>(/^Main colour \(/);
  await page.fill(color, "#1a2b3c4d");
  expect(color.value).toBe("#1a2b3c4d");
  page.getByText("Enter a colour such as #1a2b3c.");
});

async function openTimes() {
  const page = await openEvent(await newEvent());
  await page.press("Edit details");
  const date = await page.findByLabelText<HTMLInputElement>("Starts: date");
  const time = page.getByLabelText<HTMLInputElement>("Starts: time");
  return { page, date, time };
}

it("reads a date and a time as people type them, and says what it accepts", async () => {
  const { page, date, time } = await openTimes();
  expect([date.value, time.value]).toEqual(["Thu 1 May 2031", "19:00"]);
  await page.fill(date, "2 may 2031");
  await page.fill(time, "7.30pm");
  await page.user.tab();
  await expect.poll(() => [date.value, time.value]).toEqual(["Fri 2 May 2031", "19:30"]);
  await page.fill(date, "some day");
  expect(page.queryByText(/^Enter a date/)).toBeNull();
  await page.user.tab();
  await page.findByText("Enter a date, such as 8 Dec 2026 or 2026-12-08.");
  expect(date.value).toBe("some day");
  expect(date.getAttribute("aria-invalid")).toBe("true");
  await page.fill(date, "today");
  await page.fill(time, "25:00");
  await page.user.tab();
  await page.findByText("Enter a time, such as 14:30 or 2pm.");
});

it("chooses a day from a calendar by keyboard", async () => {
  const { page, date } = await openTimes();
  const focused = () => document.activeElement?.getAttribute("aria-label");
  date.focus();
  await page.user.keyboard("{Alt>}{ArrowDown}{/Alt}");
  const calendar = await page.dialog("Starts");
  await expect.poll(focused).toBe("Thu 1 May 2031");
  calendar.getByRole("heading", { name: "May 2031" });
  await page.user.keyboard("{ArrowDown}{ArrowRight}{PageDown}");
  await expect.poll(focused).toBe("Mon 9 Jun 2031");
  await page.user.keyboard("{Enter}");
  await expect.poll(() => page.queryByRole("dialog")).toBeNull();
  expect(date.value).toBe("Mon 9 Jun 2031");
  await page.press("Starts: choose from a calendar");
  await page.user.click((await page.dialog("Starts")).getByRole("button", { name: "Next month" }));
  await page.user.click(page.getByRole("button", { name: "Sat 12 Jul 2031" }));
  await expect.poll(() => date.value).toBe("Sat 12 Jul 2031");
});
