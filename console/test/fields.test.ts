import { expect, it } from "vitest";
import { maximumText } from "../../contract/nouns.js";
import { withEventPages } from "./event-pages.ts";

const { newEvent, openEvent } = withEventPages();

it("takes a number as it is typed, before the field is left", async () => {
  const page = await openEvent(await newEvent());
  await page.press("Edit details");
  const capacity = await page.findByRole<HTMLInputElement>("textbox", { name: "Capacity (optional)" });
  await page.user.click(capacity);
  await page.user.keyboard("12");
  page.getByText("1 changed");
  expect(page.getByRole("button", { name: "Review changes" })).toHaveProperty("disabled", false);
  await page.user.keyboard("00");
  expect(capacity.value).toBe("1200");
  await page.user.tab();
  expect(capacity.value).toBe("1,200");
  await page.user.clear(capacity);
  await expect.poll(() => page.queryByText("Nothing changed yet")).not.toBeNull();
  await page.user.type(capacity, "99999999999");
  await page.user.tab();
  expect(capacity.value).toBe("10,000,000");
});

it("keeps a text that is too long, says so, and does not submit it", async () => {
  const page = await openEvent(await newEvent());
  await page.press("Edit details");
  const description = await page.findByLabelText<HTMLTextAreaElement>("Description (optional)");
  await page.fill(description, "a".repeat(maximumText + 1));
  expect(description.value).toHaveLength(maximumText + 1);
  await page.findByText("At most 4,000 characters; these are 4,001.");
  await page.press("Review changes");
  expect(document.activeElement).toBe(description);
  expect(page.queryByRole("dialog")).toBeNull();
  await page.fill(description, "a".repeat(maximumText));
  await page.press("Review changes");
  await page.dialog("Change the event's details");
});
