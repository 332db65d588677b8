import { fireEvent, within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { confirm, withEventPages } from "./event-pages.ts";
import { holdCommits } from "./held-commits.ts";

const { service, make, open, newEvent, openEvent } = withEventPages();

const removePosters = (eventId: string) => service.db.query(sql`delete from posters where event_id = ${eventId}`);

it("draws a poster and publishes it, and undoes that", async () => {
  const fixture = await newEvent();
  await removePosters(fixture.eventId);
  const page = await openEvent(fixture, "/posters");
  await page.press("Draw poster");
  const chosen = () =>
    page.getAllByRole("radio", { checked: true }).map((radio) => radio.closest("label")?.textContent);
  await page.findByRole("radio", { name: /Headline/ });
  expect(chosen()).toEqual([expect.stringMatching(/^Line-up/), expect.stringMatching(/^Portrait.*1080 × 1350$/)]);
  page.getByPlaceholderText("Test Event");
  page.getByText("Harbour Works has no brand colours: the poster uses neutral ones.");
  await page.user.click(page.getByRole("radio", { name: /Headline/ }));
  await page.user.click(page.getByRole("radio", { name: /Square/ }));
  await page.fill(page.getByLabelText(/^Title on the poster/), "Opening night");
  await page.user.click((await page.dialog("Draw a poster")).getByRole("button", { name: "Draw poster" }));
  await page.findByText("Poster saved as a draft");
  const stored = () =>
    service.db.query(sql`
      select title, published, metadata->>'format' as format, metadata->>'style' as template
      from posters where event_id = ${fixture.eventId}`);
  expect(await stored()).toEqual([
    { title: "Opening night", published: false, format: "square", template: "headline" },
  ]);
  await page.press(/^Publish ?Opening night$/);
  await page.findByText("Published, not posted");
  expect(await stored()).toMatchObject([{ published: true }]);
  await page.undo();
  expect(await stored()).toMatchObject([{ published: false }]);
});

it("publishes one poster while another is being published", async () => {
  const fixture = await newEvent();
  await make.posters(fixture.eventId, [{ published: false }]);
  await service.db.query(sql`update posters set title = 'Pier' where event_id = ${fixture.eventId} and title is null`);
  const page = await openEvent(fixture, "/posters");
  await page.findByRole("button", { name: /^Publish ?Pier$/ });
  const { release } = holdCommits();
  await page.press(/^Publish ?Pier$/);
  await page.press(/^Publish ?Test Poster$/);
  release();
  await expect.poll(() => page.getAllByText("Poster published")).toHaveLength(2);
  expect(page.queryByRole("dialog")).toBeNull();
});

it("compares two or three posters, enlarged together", async () => {
  const fixture = await newEvent();
  await removePosters(fixture.eventId);
  await make.posters(fixture.eventId, [{ sort_order: 1 }, { sort_order: 2 }, { sort_order: 3 }, { sort_order: 4 }]);
  const page = await openEvent(fixture, "/posters");
  const [first, second, third, fourth] = await page.findAllByRole("checkbox", { name: /^Compare/ });
  const choose = (box: HTMLElement | undefined) => page.user.click(box ?? document.body);
  await choose(first);
  await page.findByText("Choose one or two more posters to compare.");
  expect(page.queryByRole("button", { name: "Compare" })).toBeNull();
  for (const box of [second, third, fourth]) await choose(box);
  await page.findByText("3 selected");
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
  await page.user.keyboard("{Escape}");
  await choose(second);
  await page.findByText("2 selected");
  await page.press("Clear the selection");
  await expect.poll(() => page.queryByRole("region", { name: "Comparison" })).toBeNull();
});

it("redraws outdated posters after showing each before and after, and undoes that at once", async () => {
  const fixture = await newEvent();
  await removePosters(fixture.eventId);
  const former = { name: "Pier Night", venue: "Hall Nine" };
  await make.drawnPoster(fixture.eventId, { shows: former, title: "Pier Night" });
  await make.drawnPoster(fixture.eventId, { shows: former, title: "Own title", published: true, sort_order: 1 });
  await make.drawnPoster(fixture.eventId, { title: "As it is", sort_order: 2 });
  await make.drawnPoster(fixture.eventId, {
    shows: former,
    title: "Made elsewhere",
    sort_order: 3,
    metadata: { generator: { name: "Another program" } },
  });
  const stored = () =>
    service.db.query<{ title: string; image_url: string; published: boolean }>(sql`
      select title, image_url, published from posters where event_id = ${fixture.eventId} order by sort_order`);
  const before = await stored();
  const page = await openEvent(fixture, "/posters");
  await page.findByText("2 posters were drawn before the event changed.");
  await page.press("Redraw 2 outdated posters");
  const dialog = await page.dialog("Redraw 2 outdated posters");
  await dialog.findByText("1 of 2 is published: attendees and posting agents see the new picture at once.");
  // The poster that had the event's former name gets the new one.
  for (const name of ["Test Event", "Own title"]) dialog.getByRole("heading", { name });
  dialog.getByAltText("Test Event as it is");
  expect(dialog.getAllByText("Shows an old name and place")).toHaveLength(2);
  const drawings = dialog.getAllByAltText("What the poster would look like");
  expect(drawings.map((drawing) => (drawing as HTMLImageElement).src)).toEqual(
    Array.from({ length: 2 }, () => expect.stringMatching(/\/images\/[0-9a-f]{64}\.png\?preview=/)),
  );
  expect(await stored()).toEqual(before);
  expect(dialog.queryByLabelText(/Reason/)).toBeNull();
  await confirm(page, "Replace 2 pictures");
  await page.findByText("2 posters redrawn");
  await expect.poll(() => page.queryByText(/drawn before the event changed/)).toBeNull();
  const [first, second, ...others] = await stored();
  expect([first, second]).toMatchObject([{ title: "Test Event" }, { title: "Own title", published: true }]);
  for (const [place, row] of [first, second].entries()) expect(row?.image_url).not.toBe(before[place]?.image_url);
  expect(others).toEqual(before.slice(2));
  const [record] = await service.db.query(sql`
    select reason from mutation_records where event_id = ${fixture.eventId} and tool = 'redraw_event_posters'`);
  expect(record).toEqual({ reason: "Redrew 2 outdated posters for Test Event" });
  await page.undo();
  expect(await stored()).toEqual(before);
  await page.findByText("2 posters were drawn before the event changed.");
});

it("redraws one poster from its dialog, and more than one change draws in parts", async () => {
  const fixture = await newEvent();
  for (let place = 1; place <= 8; place += 1) {
    const title = `Poster ${place}`;
    await make.drawnPoster(fixture.eventId, { shows: { venue: "Hall Nine" }, title, sort_order: place });
  }
  const page = await openEvent(fixture, "/posters");
  await page.findByText("8 posters were drawn before the event changed.");
  page.getByRole("button", { name: "Redraw the first 6" });
  await page.press(/^Details ?Test Poster$/);
  expect((await page.dialog("Test Poster")).queryByRole("button", { name: "Redraw" })).toBeNull();
  await page.user.keyboard("{Escape}");
  await page.press(/^Details ?Poster 3$/);
  await page.press("Redraw");
  await page.findByText(/^7 more outdated posters remain/);
  await confirm(page, "Replace picture");
  await page.findByText("Poster redrawn");
  await expect.poll(() => page.queryByRole("button", { name: "Redraw" })).toBeNull();
  page.getByText("7 posters were drawn before the event changed.");
});

it("has all that is needed to share a poster, and takes it back", async () => {
  const fixture = await newEvent();
  await removePosters(fixture.eventId);
  const metadata = {
    format: "square",
    style: "headline",
    alt_text: "A pier at night",
    language: "pt",
    caption_ideas: ["Come to the pier"],
    hashtags: ["harbour", "#pier"],
  };
  const posted = { x: "https://x.com/harbour/status/12", instagram: "https://instagram.com/p/1" };
  await service.db.query(sql`
    insert into posters (event_id, title, image_url, published, metadata, posted_urls, created_at)
    values (${fixture.eventId}, 'Pier', '/images/none.png', true, ${JSON.stringify(metadata)}, ${JSON.stringify(posted)},
      '2026-06-30T23:30:00Z')`);
  const page = await openEvent(fixture, "/posters");
  await page.findByText("X and Instagram");
  expect(page.queryByRole("checkbox", { name: /^Compare/ })).toBeNull();
  expect(page.queryByRole("button", { name: /^Publish/ })).toBeNull();
  await page.press(/^Share ?Pier$/);
  const dialog = await page.dialog("Pier");
  for (const text of ["Come to the pier", "#harbour #pier", "A pier at night", "Headline · Square · 1080 × 1080"])
    dialog.getByText(text);
  expect(dialog.getByText("Come to the pier").getAttribute("lang")).toBe("pt");
  expect(dialog.getByText(/^Made/).textContent).toMatch(/^Made Wed 1 Jul/);
  const reshare = dialog.getAllByRole("link", { name: /^Reshare/ }).map((link) => link.getAttribute("href"));
  expect(reshare).toEqual(["https://x.com/intent/retweet?tweet_id=12"]);
  await page.press("Unpublish");
  await page.findByText(/Attendees and posting agents no longer see it\.$/);
  await confirm(page, "Unpublish poster");
  await dialog.findByText("Draft");
  const stored = () => service.db.query(sql`select published from posters where event_id = ${fixture.eventId}`);
  expect(await stored()).toEqual([{ published: false }]);
  await page.undo();
  expect(await stored()).toEqual([{ published: true }]);
});

it("gives the picture a readable name, keeps captions, and notes what somebody posted by hand", async () => {
  const fixture = await newEvent();
  await removePosters(fixture.eventId);
  const image = `/images/${"a".repeat(64)}.png`;
  await service.db.query(sql`
    insert into posters (event_id, title, image_url, published, metadata)
    values (${fixture.eventId}, 'Pier: night', ${image}, true,
      '{"format": "square", "caption_ideas": ["Come to the pier"]}')`);
  const page = await openEvent(fixture, "/posters");
  const archive = await page.findByRole("link", { name: "Download pictures" });
  expect(archive.getAttribute("href")).toMatch(/\/pictures\.zip$/);
  await page.press(/^Share ?Pier: night$/);
  const dialog = await page.dialog("Pier: night");
  const download = dialog.getByRole("link", { name: "Download picture" });
  expect([download.getAttribute("href"), download.getAttribute("download")]).toEqual([
    image,
    "Pier night – square.png",
  ]);

  await page.press("Edit caption 1");
  await page.fill(dialog.getByRole("textbox", { name: "Caption" }), "Come to the pier at night ");
  await page.press("Save caption");
  const closed = () => expect.poll(() => dialog.queryByRole("textbox", { name: "Caption" })).toBeNull();
  await closed();
  await dialog.findByText("Come to the pier at night");
  await page.press("Add caption");
  await page.enter(dialog.getByRole("textbox", { name: "Caption" }), "Doors at 9");
  await page.press("Save caption");
  await closed();
  await dialog.findByText("Doors at 9");

  await page.press("I posted it myself");
  const link = dialog.getByRole("textbox", { name: "Link to the post" });
  await page.enter(link, "linkedin.com/posts/1");
  await page.press("Save link");
  dialog.getByText(/^Paste the whole address/);
  await page.fill(link, "https://www.linkedin.com/posts/1");
  await page.press("Save link");
  await dialog.findByRole("link", { name: /^LinkedIn/ });
  const stored = () =>
    service.db.query(sql`
      select posted_urls, metadata->'caption_ideas' as captions from posters where event_id = ${fixture.eventId}`);
  expect(await stored()).toEqual([
    {
      posted_urls: { LinkedIn: "https://www.linkedin.com/posts/1" },
      captions: ["Come to the pier at night", "Doors at 9"],
    },
  ]);
  await page.press("Remove the link to LinkedIn");
  await confirm(page, "Remove link");
  await dialog.findByText(/^Not posted yet\./);
  expect(await stored()).toMatchObject([{ posted_urls: null }]);
  await page.undo();
  expect(await stored()).toMatchObject([{ posted_urls: { LinkedIn: "https://www.linkedin.com/posts/1" } }]);
});

it("hands the picture and a caption to another app where the browser can", async () => {
  const fixture = await newEvent();
  await removePosters(fixture.eventId);
  await service.db.query(sql`
    insert into posters (event_id, title, image_url, published, metadata)
    values (${fixture.eventId}, 'Pier', ${`/images/${await make.image()}`}, true,
      '{"caption_ideas": ["Come to the pier"], "hashtags": ["pier"]}')`);
  const shared: { names: string[]; text: string | undefined }[] = [];
  const share = async ({ files = [], text }: ShareData) =>
    void shared.push({ names: files.map(({ name }) => name), text });
  Object.assign(navigator, { canShare: () => true, share });
  try {
    const page = await openEvent(fixture, "/posters");
    await page.press(/^Share ?Pier$/);
    await page.press("Share picture");
    expect(shared).toEqual([{ names: ["Pier.png"], text: "Come to the pier\n\n#pier" }]);
  } finally {
    Object.assign(navigator, { canShare: undefined, share: undefined });
  }
});

it("shows members what they can share, without what admins change", async () => {
  const fixture = await newEvent();
  await service.db.query(sql`
    update posters set published = true, posted_urls = '{"X": "https://x.com/1"}',
      metadata = '{"caption_ideas": ["Come to the pier"]}' where event_id = ${fixture.eventId}`);
  await make.drawnPoster(fixture.eventId, { shows: { venue: "Hall Nine" }, sort_order: 1 });
  const member = await service.signIn(await make.member(fixture.organizationId, "member"));
  const page = await open(`/o/${fixture.organizationId}/events/${fixture.eventId}/posters`, member);
  await page.user.click((await page.findAllByRole("button", { name: /^Share/ }))[0] as HTMLElement);
  const dialog = within(await page.findByRole("dialog"));
  dialog.getByRole("button", { name: "Copy caption" });
  page.getByText("Shows an old place");
  expect(page.queryByRole("button", { name: /^Redraw/, hidden: true })).toBeNull();
  expect(dialog.queryByRole("button", { name: /^(Edit|Add|Remove|I posted|Unpublish)/ })).toBeNull();
});

it("shows more posters on demand", async () => {
  const fixture = await newEvent();
  await make.posters(
    fixture.eventId,
    Array.from({ length: 60 }, (_, sort_order) => ({ sort_order })),
  );
  const page = await openEvent(fixture, "/posters");
  const count = () => page.queryAllByRole("button", { name: /^Look at/ }).length;
  await expect.poll(count).toBe(50);
  await page.press("Show more posters");
  await expect.poll(count).toBe(61);
  expect(page.queryByRole("button", { name: "Show more posters" })).toBeNull();
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
