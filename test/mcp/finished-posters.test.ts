import sharp from "sharp";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { imageStore } from "../../src/modules/images/store.js";
import { createPosterLoader, type PosterLoader } from "../../src/modules/posters/poster-loader.js";
import { type PictureHost, respondWith, startPictureHost } from "../support/picture-host.js";
import { publicUrl } from "../support/service.js";
import { useDatabase, useEvent } from "../support/setup.js";
import { changesOf, createToolRunner } from "../support/tool-runner.js";

/** Posters that were made elsewhere: uploaded to the service, or fetched and copied. */

const tool = "add_event_poster";
const { db, make } = useDatabase();
const loader = {} as PosterLoader;
const host = {} as PictureHost;
let fetched = 0;
const { tools, fixture } = useEvent(db, {
  loadPoster: (...args) => loader.load(...args),
  imageQuotaBytes: 1_000_000_000,
});

beforeAll(async () => {
  const square = sharp({ create: { width: 3_000, height: 3_000, channels: 3, background: "#804020" } });
  const bytes = await square.png().toBuffer();
  Object.assign(
    host,
    await startPictureHost({
      "/square.png": (response, request) => {
        fetched += 1;
        respondWith("image/png", bytes)(response, request);
      },
      "/page.png": respondWith("image/png", Buffer.from("<html>")),
    }),
  );
  Object.assign(loader, createPosterLoader({ fetcher: host.fetcher(), images: imageStore(db), baseUrl: publicUrl }));
  return async () => {
    await loader.close();
    await host.close();
  };
});

const upload = async (width = 1080, height = 1350) => publicUrl + (await make.picture(width, height));

async function rowOf(id: string) {
  const [row] = await db.query<{ image_url: string; thumbnail_url: string; metadata: object; drawn_from: unknown }>(
    sql`select image_url, thumbnail_url, metadata, drawn_from from posters where id = ${id}`,
  );
  return row;
}

it("adds a draft with the picture, its thumbnail and its texts", async () => {
  const image_url = await upload();
  const args = { image_url, title: "Signals at Dusk", alt_text: "A lighthouse.", hashtags: ["Dusk"], language: "en" };
  const { after, preview } = await tools.commit(tool, args);
  expect(changesOf(preview).map(({ path }) => path)).toEqual(expect.arrayContaining(["poster"]));
  expect(after.poster).toMatchObject({
    title: "Signals at Dusk",
    published: false,
    image_url,
    alt_text: "A lighthouse.",
  });
  expect(after.posters.map(({ title }: { title: string }) => title)).toEqual(["Test Poster", "Signals at Dusk"]);
  const row = await rowOf(after.poster.id);
  expect(row).toEqual({
    image_url: image_url.slice(publicUrl.length),
    thumbnail_url: expect.stringMatching(/^\/images\/[0-9a-f]{64}\.jpg$/),
    metadata: {
      format: "portrait",
      width: 1080,
      height: 1350,
      hashtags: ["#Dusk"],
      language: "en",
      alt_text: "A lighthouse.",
    },
    // Nothing of it ever counts as old.
    drawn_from: null,
  });
  const thumbnail = await imageStore(db).find(row?.thumbnail_url.slice(8, 72) ?? "");
  expect(await sharp(thumbnail?.bytes).metadata()).toMatchObject({ format: "jpeg", width: 400, height: 500 });
});

it("is called as its event by default, and never old", async () => {
  const { after } = await tools.commit(tool, { image_url: await upload(900, 200) });
  expect(after.poster).toMatchObject({
    title: "Test Event",
    alt_text: "Poster of Harbour Works for “Test Event” at Test.",
  });
  expect((await rowOf(after.poster.id))?.metadata).not.toHaveProperty("format");
  await tools.commit("update_event_details", { name: "Another name" });
  const { posters } = await tools.run("get_event_asset_workspace");
  expect(posters.find(({ id }: { id: string }) => id === after.poster.id)).toMatchObject({ stale: [] });
});

it("comes off again when the change is undone, and back when that is", async () => {
  const { after, record_id } = await tools.commit(tool, { image_url: await upload() });
  const undone = await tools.commit("revert_change", { record_id });
  expect(await rowOf(after.poster.id)).toBeUndefined();
  await tools.commit("revert_change", { record_id: undone.record_id });
  expect(await rowOf(after.poster.id)).toBeDefined();
});

describe("a picture elsewhere", () => {
  it("is fetched once, checked, encoded anew and stored", async () => {
    const { after } = await tools.commit(tool, { image_url: host.url("/square.png") });
    expect(fetched).toBe(1);
    expect(after.poster.image_url).toMatch(/^https:\/\/svc\.test\/images\/[0-9a-f]{64}\.jpg$/);
    expect((await rowOf(after.poster.id))?.metadata).toMatchObject({ format: "square", width: 2160, height: 2160 });
  });

  it.each([
    ["that is none", () => host.url("/page.png"), "image_url: the picture is not a PNG, JPEG or WebP image"],
    ["that is not there", () => host.url("/none.png"), "image_url: the picture returned status 404"],
    ["without TLS", () => "http://images.example.com/a.png", "image_url: the picture"],
    ["that is not stored", () => `${publicUrl}/images/${"0".repeat(64)}.jpg`, "This service does not store the image"],
  ])("%s is refused in the preview", async (_, url, message) => {
    expect((await tools.refusal(tool, { image_url: url() })).message).toContain(message);
  });
});

it("stays within the quota of the event's host", async () => {
  const poor = createToolRunner(db, { ...fixture }, { loadPoster: loader.load, imageQuotaBytes: 100 });
  const { code, details } = await poor.refusal(tool, { image_url: await upload() });
  expect(code).toBe("conflict");
  expect(details).toMatchObject({ quota_bytes: 100, used_bytes: 0 });
});
