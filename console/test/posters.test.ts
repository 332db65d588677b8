import { fireEvent, within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { confirm, withEventPages } from "./event-pages.ts";

const { service, make, newEvent, openEvent } = withEventPages();

const removePosters = (eventId: string) => service.db.query(sql`delete from posters where event_id = ${eventId}`);

it("draws a poster and publishes it, and undoes that", async () => {
  const fixture = await newEvent();
  await removePosters(fixture.eventId);
  const page = await openEvent(fixture, "/posters");
  await page.press("Draw poster");
  await page.user.click(await page.findByRole("radio", { name: /Headline/ }));
  await page.user.click(page.getByRole("radio", { name: /Square/ }));
  await page.fill(page.getByLabelText(/^Title on the poster/), "Opening night");
  await page.press("Draw poster");
  const picture = () => document.querySelector("img[src*='size=full']")?.getAttribute("src");
  await expect.poll(picture).toMatch(/template=headline&format=square&size=full&title=Opening\+night/);
  await confirm(page, "Save as draft");
  await page.findByText("Poster saved as a draft");
  const stored = () =>
    service.db.query(sql`
      select title, published, metadata->>'format' as format, metadata->>'style' as template
      from posters where event_id = ${fixture.eventId}`);
  expect(await stored()).toEqual([
    { title: "Opening night", published: false, format: "square", template: "headline" },
  ]);
  await page.press(/^Publish ?Opening night$/);
  await confirm(page, "Publish poster");
  await page.findByText("Published, not posted");
  expect(await stored()).toMatchObject([{ published: true }]);
  await page.press("Undo");
  await page.findByText("Undone");
  expect(await stored()).toMatchObject([{ published: false }]);
});

it("compares two or three posters, enlarged together", async () => {
  const fixture = await newEvent();
  await removePosters(fixture.eventId);
  await make.posters(fixture.eventId, [{ sort_order: 1 }, { sort_order: 2 }, { sort_order: 3 }, { sort_order: 4 }]);
  const page = await openEvent(fixture, "/posters");
  const [first, second, third, fourth] = await page.findAllByRole("checkbox", { name: /^Compare/ });
  const choose = (box: HTMLElement | undefined) => page.user.click(box ?? document.body);
  await choose(first);
  await page.findByText("Choose one or two more posters to compare");
  expect(page.getByRole("button", { name: "Compare" })).toHaveProperty("disabled", true);
  for (const box of [second, third, fourth]) await choose(box);
  await page.findByText("3 posters chosen, the most");
  expect([first, second, third, fourth].map((box) => (box as HTMLInputElement).checked)).toEqual([
    ...[false, true, true, true],
  ]);
  await page.press("Compare");
  const dialog = await page.dialog("Compare posters");
  expect(dialog.getAllByRole("region")).toHaveLength(3);
  await page.press("Larger");
  await page.press("Larger");
  await dialog.findByText("200 %");
  await page.press("Smaller");
  await dialog.findByText("150 %");
});

it("shows the thumbnail where the picture cannot be loaded, and says so where neither can", async () => {
  const fixture = await newEvent();
  await removePosters(fixture.eventId);
  await service.db.query(sql`
    insert into posters (event_id, title, image_url, thumbnail_url)
    values (${fixture.eventId}, 'A poster', '/images/none.png', '/images/small.png')`);
  const page = await openEvent(fixture, "/posters");
  const poster = within(await page.findByRole("button", { name: "Look at A poster" }));
  const picture = poster.getByAltText("A poster");
  expect(picture.getAttribute("src")).toMatch(/\/images\/none\.png$/);
  fireEvent.error(picture);
  await expect.poll(() => poster.getByAltText("A poster").getAttribute("src")).toMatch(/\/images\/small\.png$/);
  expect(poster.queryByText("The picture could not be loaded")).toBeNull();
  fireEvent.error(poster.getByAltText("A poster"));
  await poster.findByText("The picture could not be loaded");
});
