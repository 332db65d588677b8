import { fireEvent, within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { pictureFile, withPictures } from "./drawn-pictures.ts";
import { confirm, withEventPages } from "./event-pages.ts";
import type { Page } from "./pages.ts";

const { service, make, open, newEvent, openEvent } = withEventPages();
const { drawings } = withPictures();

const stored = /^http.*\/images\/[0-9a-f]{64}\.(webp|jpg)$/;
const photo = /^Photo/;
const light = /^For light/;

const fieldOf = (page: Page, name: RegExp) => page.findByRole("group", { name });

const shownIn = async (page: Page, field: RegExp) =>
  (await fieldOf(page, field)).querySelector("img")?.getAttribute("src");

async function choose(page: Page, field: RegExp, file: File): Promise<void> {
  const input = (await fieldOf(page, field)).querySelector<HTMLInputElement>("input[type=file]");
  if (input === null) throw new Error("There is no way to choose a file");
  // Whatever the field asks for, people can choose every file.
  await page.user.upload(input, file);
}

async function openSpeaker(): Promise<Page> {
  const page = await openEvent(await newEvent(), "/speakers");
  await page.press("Add speaker");
  await fieldOf(page, photo);
  return page;
}

/** Answers uploads in place of the service until the returned function is called. */
function answerUploads(answer: (signal: AbortSignal | null | undefined) => Promise<Response>): () => void {
  const fetched = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    String(input).includes("/images?use=") ? answer(init?.signal) : fetched(input, init);
  return () => {
    globalThis.fetch = fetched;
  };
}

const refusal = (code: string, status: number, details = {}) =>
  new Response(JSON.stringify({ error: "Refused", code, details }), { status });

/** Submits the form, whose button is named as the one that opens it. */
const submitSpeaker = async (page: Page) =>
  page.user.click((await page.dialog("Add a speaker")).getByRole("button", { name: "Add speaker" }));

it("uploads a logo that was cropped by keyboard, and shows it beside the name once it is saved", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const page = await open(`/o/${organizationId}/settings`, owner);
  await choose(page, light, await pictureFile());
  const dialog = await page.dialog("Crop the picture");
  const frame = await dialog.findByRole("application", { name: "Part of the picture that is used" });
  expect(dialog.getByRole("slider", { name: "Zoom" })).toHaveProperty("value", "0");
  frame.focus();
  await page.user.keyboard("{+>8/}{-}{ArrowRight}{Shift>}{ArrowLeft}{/Shift}");
  await page.press("Use picture");
  await expect.poll(() => shownIn(page, light)).toMatch(stored);
  const address = await shownIn(page, light);
  const [width = 0, left = 0] = [drawings[0]?.place[2], drawings[0]?.place[0]];
  expect(drawings).toEqual([
    { canvas: { width: 205, height: 205 }, place: [left, expect.any(Number), width, width / 2] },
  ]);
  expect(width / 205).toBeCloseTo(1.1 ** 7);
  expect(left / 205).toBeCloseTo((1 - 1.1 ** 7) / 2 - 0.08);
  await page.press("Save logos");
  await page.findByText("The logos are saved");
  const [row] = await service.db.query<{ logo_url: string }>(
    sql`select logo_url from organizations where id = ${organizationId}`,
  );
  expect(address?.endsWith(row?.logo_url ?? "?")).toBe(true);
  const switcher = page.getByRole("button", { name: /: switch organization$/ });
  await expect.poll(() => switcher.querySelector("img")?.getAttribute("src")).toMatch(stored);
});

it("takes a photo that is pasted into the dialog or dropped on the field", async () => {
  const page = await openSpeaker();
  const name = page.getByLabelText("Name");
  const [png] = [await pictureFile()];
  const clipboard = (types: string[]) => ({ clipboardData: { files: [png], types } });
  // Whether the browser goes on with it.
  expect(fireEvent.paste(name, clipboard(["text/plain", "Files"]))).toBe(true);
  expect(fireEvent.paste(name, clipboard(["Files"]))).toBe(false);
  await page.dialog("Crop the picture");
  await page.press("Use picture");
  await expect.poll(() => shownIn(page, photo)).toMatch(stored);
  // A square of the middle, in the colour of paper where it is transparent.
  expect(drawings).toEqual([{ canvas: { width: 200, height: 200 }, place: [-100, 0, 400, 200] }]);

  const field = await fieldOf(page, photo);
  const files = { dataTransfer: { files: [await pictureFile("other.webp", "image/webp")], types: ["Files"] } };
  expect(fireEvent.dragOver(field, files)).toBe(false);
  const isOver = () => field.querySelector("[data-over]") !== null;
  await expect.poll(isOver).toBe(true);
  fireEvent.drop(field, files);
  await expect.poll(isOver).toBe(false);
  await page.dialog("Crop the picture");
  await page.press("Cancel");
  // What is dropped elsewhere does not replace the page.
  expect(fireEvent.drop(document.body, files)).toBe(false);
  expect(files.dataTransfer).toMatchObject({ dropEffect: "none" });
  await page.fill(name, "Pia Reis");
  await submitSpeaker(page);
  await page.findByRole("heading", { name: "Pia Reis" });
  const [row] = await service.db.query<{ photo_url: string }>(
    sql`select photo_url from speakers where name = 'Pia Reis' limit 1`,
  );
  expect(row?.photo_url).toMatch(/^\/images\/[0-9a-f]{64}\.webp$/);
});

it("says why something is not a picture", async () => {
  const page = await openSpeaker();
  const words = /^This file cannot be read as a picture/;
  const files = {
    dataTransfer: { files: [new File(["text"], "notes.txt", { type: "text/plain" })], types: ["Files"] },
  };
  fireEvent.drop(await fieldOf(page, photo), files);
  await page.findByText(words);
  await choose(page, photo, await pictureFile("broken"));
  const dialog = await page.dialog("Crop the picture");
  await dialog.findByText(words);
  expect(dialog.getByRole("button", { name: "Use picture" })).toHaveProperty("disabled", true);
});

it("says why a picture was not uploaded, and tries again with it", async () => {
  const page = await openSpeaker();
  const answers = [refusal("conflict", 409, { quota_bytes: 500_000_000 }), refusal("too_large", 413)];
  const stop = answerUploads(async () => {
    const answer = answers.shift();
    if (answer === undefined) throw new TypeError("no connection");
    return answer;
  });
  await choose(page, photo, await pictureFile());
  await page.press("Use picture");
  await page.findByText(/^The pictures of the organization may have 500 MB in total, and this one no longer fits\./);
  await page.press("Try again");
  await page.findByText("This picture is too large: at most 10 MB.");
  await page.press("Try again");
  await page.findByText(/^The service could not be reached\./);
  stop();
  await page.press("Try again");
  await expect.poll(() => shownIn(page, photo)).toMatch(stored);
  expect(page.queryByRole("button", { name: "Try again" })).toBeNull();
});

it("waits for an upload before the form is sent, and can stop it", async () => {
  const page = await openSpeaker();
  await page.fill(page.getByLabelText("Name"), "Ana Reis");
  const aborted: boolean[] = [];
  const stop = answerUploads(
    (signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          aborted.push(true);
          reject(new Error("aborted"));
        });
      }),
  );
  await choose(page, photo, await pictureFile());
  await page.press("Use picture");
  await page.findByRole("progressbar", { name: "Uploading: Photo" });
  await submitSpeaker(page);
  expect(document.activeElement?.textContent).toMatch(/^Choose a picture/);
  expect(page.queryByRole("dialog", { name: "Add Ana Reis" })).toBeNull();
  await page.press(/^Cancel upload/);
  expect(page.queryByRole("progressbar")).toBeNull();
  expect(aborted).toEqual([true]);
  stop();
  await submitSpeaker(page);
  await page.findByText("Ana Reis added");
});

it("takes an address instead, and no picture at all", async () => {
  const page = await openSpeaker();
  const use = () => page.getByRole("button", { name: /^Use an address instead/ });
  expect(page.queryByLabelText("Photo: address")).toBeNull();
  await page.user.click(use());
  expect(use().getAttribute("aria-expanded")).toBe("true");
  const address = page.getByLabelText("Photo: address");
  await page.fill(address, "ana.jpg");
  await submitSpeaker(page);
  await page.findByText("Start with https://, for example https://example.com/photo.jpg.");
  await page.fill(address, "https://pictures.example/ana.jpg");
  expect(await shownIn(page, photo)).toBe("https://pictures.example/ana.jpg");
  const [picture] = (await fieldOf(page, photo)).querySelectorAll("img");
  fireEvent.error(picture as HTMLImageElement);
  await page.findByText("This browser cannot show this picture.");
  await page.press(/^Remove ?: Photo/);
  expect(address).toHaveProperty("value", "");
  expect(await shownIn(page, photo)).toBeUndefined();
});

it("adds a finished poster, which is sent as it is if it can be", async () => {
  const fixture = await newEvent();
  const page = await openEvent(fixture, "/posters");
  await page.press("Upload poster");
  await fieldOf(page, /^Picture/);
  await page.press("Review poster");
  await page.findByText("Choose the picture of the poster.");
  await choose(page, /^Picture/, await pictureFile("poster.svg", "image/svg+xml"));
  await expect.poll(() => shownIn(page, /^Picture/)).toMatch(stored);
  expect(drawings).toEqual([{ canvas: { width: 400, height: 200 }, place: [0, 0, 400, 200] }]);
  const drawn = await shownIn(page, /^Picture/);
  await choose(page, /^Picture/, await pictureFile());
  await expect.poll(() => shownIn(page, /^Picture/)).not.toBe(drawn);
  await expect.poll(() => shownIn(page, /^Picture/)).toMatch(stored);
  expect(drawings).toHaveLength(1);
  await page.enter(page.getByLabelText(/^Title/), "Harbour night");
  await page.enter(page.getByLabelText(/^What the picture shows/), "A pier at night");
  await page.press("Review poster");
  const picture = await (await page.dialog("Add this poster")).findByRole("img", { name: "Harbour night" });
  expect(picture.getAttribute("src")).toMatch(stored);
  await confirm(page, "Save as draft");
  await page.findByText("Poster saved as a draft");
  await page.findByRole("heading", { name: "Harbour night" });
  const rows = await service.db.query(sql`
    select published, metadata->>'alt_text' as alt_text, metadata->'width' as width
    from posters where event_id = ${fixture.eventId} and title = 'Harbour night'`);
  expect(rows).toEqual([{ published: false, alt_text: "A pier at night", width: 400 }]);
});

async function openAsAdministrator(path: string): Promise<Page> {
  const person = await make.user();
  await service.db.query(sql`update users set platform_admin = true where id = ${person}`);
  const page = await open(`/admin/${path}`, await service.signIn(person));
  await page.press("Edit");
  return page;
}

it("uploads tiles of events for the platform", async () => {
  const { eventId } = await newEvent();
  const page = await openAsAdministrator(`events/${eventId}`);
  await choose(page, /^Tile/, await pictureFile());
  await page.press("Use picture");
  await expect.poll(() => shownIn(page, /^Tile/)).toMatch(stored);
  await confirm(page, "Save changes");
  const [event] = await service.db.query(sql`select tile_image_url from events where id = ${eventId}`);
  expect(event).toEqual({ tile_image_url: expect.stringMatching(/^\/images\/[0-9a-f]{64}\.(webp|jpg)$/) });
});

it("uploads banners of conferences for the platform", async () => {
  const event = await newEvent();
  const [conference] = await service.db.query<{ id: string }>(
    sql`select conference_id as id from events where id = ${event.eventId}`,
  );
  const page = await openAsAdministrator(`conferences/${conference?.id}`);
  await choose(page, /^Banner/, await pictureFile());
  await page.press("Use picture");
  await expect.poll(() => shownIn(page, /^Banner/)).toMatch(stored);
  expect(drawings).toMatchObject([{ canvas: { width: 356, height: 200 } }]);
});

it("shows what cannot be changed without ways to change it", async () => {
  const { organizationId } = await service.newOrganization();
  await service.db.query(
    sql`update organizations set logo_url = 'https://x.example/l.png' where id = ${organizationId}`,
  );
  const member = await service.signIn(await make.member(organizationId, "member"));
  const page = await open(`/o/${organizationId}/settings`, member);
  const field = await fieldOf(page, light);
  expect(await shownIn(page, light)).toBe("https://x.example/l.png");
  expect(within(field).queryAllByRole("button")).toEqual([]);
  const dataTransfer = { files: [await pictureFile()], types: ["Files"] };
  fireEvent.drop(field, { dataTransfer });
  expect(dataTransfer).toMatchObject({ dropEffect: "none" });
});
