import { createHash } from "node:crypto";
import sharp from "sharp";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imagePath, imageStore } from "../../src/modules/images/store.js";
import { posterFormats, posterTemplates } from "../../src/modules/posters/render/poster-input.js";
import type { PosterStudio } from "../../src/modules/posters/studio.js";
import { getEventAssetWorkspace } from "../../src/modules/posters/tools/get-event-asset-workspace.js";
import { inputSchemaOf, parseArguments } from "../../src/mutation/envelope.js";
import { runTool } from "../../src/mutation/run.js";
import { ServiceError } from "../../src/platform/errors.js";
import { tools } from "../../src/registry.js";
import { makeEventWorld } from "../support/event-world.js";
import { makerOn } from "../support/make.js";
import { answerWith, type PictureHost, startPictureHost } from "../support/picture-host.js";
import { publicUrl, type Service, startService } from "../support/service.js";
import { openTestStudio } from "../support/studio.js";
import { callTool } from "./messages.js";

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape.
type Json = any;
type World = Awaited<ReturnType<typeof makeEventWorld>>;

const draft = "generate_event_poster_draft";
const publish = "set_event_poster_publication";
const workspace = "get_event_asset_workspace";

let service: Service;
let studio: PosterStudio;
let host: PictureHost;
let photo: Buffer;

beforeAll(async () => {
  service = await startService();
  photo = await sharp({ create: { width: 300, height: 400, channels: 3, background: "#c08060" } })
    .composite([{ input: Buffer.from('<svg width="300" height="400"><circle cx="150" cy="150" r="90"/></svg>') }])
    .jpeg()
    .toBuffer();
  host = await startPictureHost({
    "/photo.jpg": answerWith("image/jpeg", photo),
    "/photo.txt": answerWith("text/plain", Buffer.from("not a photo")),
  });
  studio = openTestStudio(service.db, publicUrl, { fetcher: host.fetcher() });
});
afterAll(async () => {
  await studio.close();
  await host.close();
  await service.close();
});

describe("a draft through the endpoint", () => {
  it("is a real PNG with a thumbnail, served for a year, unpublished, last in order, and seen by REST", async () => {
    const world = await makeEventWorld(service.db);
    const key = await makerOn(service.db).organizationKey(world.organizationId);
    const ask = async (args: object) =>
      (await callTool(service, key, draft, { event_id: world.eventId, ...args })).result.structuredContent;
    const preview = await ask({ title: "Signals at Dusk" });
    expect(preview).toMatchObject({ dry_run: true, missing: [] });
    const { image_url: proposedUrl } = preview.proposed.poster;
    expect((await service.call(new URL(proposedUrl).pathname)).status).toBe(404);

    const { after } = await ask({ ...preview.commit_with, reason: "for the test" });
    expect({ ...after.poster, id: null, created_at: null }).toEqual(preview.proposed.poster);
    expect(after.poster).toMatchObject({ published: false, sort_order: 1, title: "Signals at Dusk" });
    const image = await download(after.poster.image_url);
    expect(image.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(image.headers.get("content-type")).toBe("image/png");
    expect(after.poster.image_url).toBe(`${publicUrl}/images/${sha256(image.bytes)}.png`);
    expect(await sharp(image.bytes).metadata()).toMatchObject({ format: "png", ...posterFormats.portrait });
    const thumbnail = await download(after.poster.thumbnail_url);
    expect(await sharp(thumbnail.bytes).metadata()).toMatchObject({ format: "png", width: 400, height: 500 });
    expect(thumbnail.bytes.length).toBeLessThan(image.bytes.length);
    const rest = await service.call(`/api/svc/posters/${after.poster.id}`, { key });
    const { alt_text, ...shown } = after.poster;
    expect(rest.json).toMatchObject({ ...shown, event_id: world.eventId, posted_urls: null });
    expect(rest.json.metadata).toMatchObject({ alt_text, format: "portrait", ...posterFormats.portrait });
  });
});

describe("a draft", () => {
  it.each(Object.entries(posterFormats))("has the size of its format: %s", async (format, size) => {
    const { tool } = await enter();
    const { after } = await tool.commit(draft, { format });
    const { bytes } = await download(after.poster.image_url);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", ...size });
  });

  it("of the same input is the same file, also when it is drawn anew", async () => {
    const { tool, world } = await enter();
    const first = await tool.commit(draft, { template: "geometric" });
    const second = await tool.commit(draft, { template: "geometric" });
    expect(second.after.poster.id).not.toBe(first.after.poster.id);
    expect(second.after.poster.image_url).toBe(first.after.poster.image_url);
    expect(second.after.poster.sort_order).toBe(first.after.poster.sort_order + 1);
    const other = openTestStudio(service.db, publicUrl);
    const again = await toolOn(world, other).run(draft, { template: "geometric" });
    expect(again.proposed.poster.image_url).toBe(first.after.poster.image_url);
    await other.close();
    const changed = await tool.run(draft, { template: "geometric", title: "Another title" });
    expect(changed.proposed.poster.image_url).not.toBe(first.after.poster.image_url);
  });

  it("shows the chosen speakers in the chosen order, all by default, none for an empty choice", async () => {
    const { tool, world } = await enter();
    const [first, second, third] = world.speakerIds;
    const names = async (args: object) => (await tool.run(draft, args)).proposed.material.speakers;
    expect(await names({})).toEqual(["Speaker 0", "Speaker 1", "Speaker 2"]);
    expect(await names({ speaker_ids: [third, first] })).toEqual(["Speaker 2", "Speaker 0"]);
    expect(await names({ speaker_ids: [second?.toUpperCase()] })).toEqual(["Speaker 1"]);
    const none = await tool.run(draft, { speaker_ids: [] });
    expect(none.proposed).toMatchObject({ material: { template: "headline", speakers: [] } });
  });

  it("refuses speakers of other events and each speaker twice", async () => {
    const { tool, world } = await enter();
    const elsewhere = await makeEventWorld(service.db);
    const foreign = elsewhere.speakerIds[0];
    expect(await tool.refusal(draft, { speaker_ids: [world.speakerIds[0], foreign] })).toMatchObject({
      code: "invalid_input",
      message: `speaker_ids: no speakers of this event: ${foreign}. get_event_asset_workspace lists them`,
    });
    const twice = { speaker_ids: [world.speakerIds[0], world.speakerIds[0]] };
    expect(await tool.refusal(draft, twice)).toMatchObject({ code: "invalid_input" });
    for (const wrong of [{ template: "poster" }, { format: "a4" }, { title: " " }, { title: "a\nb" }]) {
      expect(await tool.refusal(draft, wrong)).toMatchObject({ code: "invalid_input" });
    }
  });

  it("refuses events of others", async () => {
    const { tool } = await enter();
    const elsewhere = await makeEventWorld(service.db);
    expect(await tool.refusal(draft, { event_id: elsewhere.eventId })).toMatchObject({ code: "forbidden" });
  });

  it("wears the host's brand, also when a co-host draws it", async () => {
    const { world, tool } = await enter();
    await service.db.query(sql`
      update organizations set brand_primary_color = '#123456', brand_secondary_color = '#fedcba'
      where id = ${world.organizationId}`);
    const cohost = toolOn({ ...world, caller: { ...world.caller, organizationId: world.cohostOrganizationId } });
    const expected = { organization: "Harbour Works", colors: ["#123456", "#fedcba"] };
    for (const each of [tool, cohost]) {
      expect((await each.run(draft, {})).current.material).toMatchObject(expected);
    }
  });

  it("says when and where on the clock of the place", async () => {
    const { world, tool } = await enter();
    await service.db.query(
      sql`update events set venue = 'Hall 2', timezone = 'Asia/Tokyo' where id = ${world.eventId}`,
    );
    const { proposed } = await tool.run(draft, {});
    expect(proposed.material).toMatchObject({ when: "Fri 2 May 2031 · 03:00–05:00", where: "Hall 2, Lisbon" });
    expect(proposed.poster.alt_text).toContain("Fri 2 May 2031 · 03:00–05:00, Hall 2, Lisbon");
  });

  it("is refused when what it shows changed since the preview, or while it was drawn", async () => {
    const { world, tool } = await enter();
    const preview = await tool.run(draft, {});
    await service.db.query(sql`update speakers set name = 'Renamed' where id = ${world.speakerIds[0]}`);
    const stale = await tool.refusal(draft, { ...preview.commit_with, reason: "for the test" });
    expect(stale).toMatchObject({
      code: "version_conflict",
      details: { current: { material: { speakers: ["Renamed", "Speaker 1", "Speaker 2"] } } },
    });
    const meddling: PosterStudio = {
      ...studio,
      async draw(job) {
        await service.db.query(sql`update events set name = name || '!' where id = ${world.eventId}`);
        return studio.draw(job);
      },
    };
    expect(await toolOn(world, meddling).refusal(draft, {})).toMatchObject({
      code: "version_conflict",
      message: expect.stringContaining("changed while the poster was drawn"),
    });
  });

  it("says what to do when it cannot be drawn", async () => {
    const { world } = await enter();
    const hasty = openTestStudio(service.db, publicUrl, { renderer: { timeoutMs: 1 } });
    expect(await toolOn(world, hasty).refusal(draft, {})).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("took too long"),
    });
    await hasty.close();
    expect(await toolOn(world, hasty).refusal(draft, {})).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("Try again in a few seconds"),
    });
  });

  it("is refused at once when too many are waiting already", async () => {
    const { world } = await enter();
    const crowded = openTestStudio(service.db, publicUrl, { fetcher: { fetch: () => new Promise(() => {}), close } });
    await service.db.query(
      sql`update organizations set logo_url = 'https://pictures.test/l.png' where id = ${world.organizationId}`,
    );
    const tool = toolOn(world, crowded);
    const waiting = Array.from({ length: 36 }, (_, index) => tool.run(draft, { title: `Title ${index}` }));
    for (const each of waiting) each.catch(() => undefined);
    // Each asks for a poster of its own: the same one would share the drawing that an earlier one waits for.
    let more = 0;
    await expect
      .poll(async () => (await settled(tool.refusal(draft, { title: `More ${more++}` }), 2_000))?.message, {
        timeout: 40_000,
      })
      .toContain("Too many posters are being drawn");
  });
});

describe("hard material", () => {
  it.each([
    ["no speakers", "A quiet evening", []],
    ["twelve speakers", "A crowd", Array.from({ length: 12 }, (_, index) => `Speaker Number ${index + 1}`)],
    ["sixty speakers", "A multitude", Array.from({ length: 60 }, (_, index) => `Speaker Number ${index + 1}`)],
    ["other scripts", "静かなインフラの夜", ["山田太郎", "Анна Каренина", "محمد الأحمد", "नमस्ते दुनिया", "김민준"]],
    ["emoji", "🚀 Launch 👩🏽‍🚀 night 🇫🇷", ["🦄", "Zoë 🌈"]],
    [
      "long words",
      "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
      ["W".repeat(200)],
    ],
    ["nothing that could be drawn", "߷𓀀", ["𓀀"]],
  ])("%s can be drawn", async (_, title, names) => {
    const { world, tool } = await enter();
    await service.db.query(sql`delete from speakers where event_id = ${world.eventId}`);
    await service.db.query(sql`
      insert into speakers (event_id, name, position)
      select ${world.eventId}, name, position from unnest(${names}::text[]) with ordinality as s (name, position)`);
    for (const template of ["lineup", "headline"]) {
      const { after } = await tool.commit(draft, { template, title, format: "square" });
      const { bytes } = await download(after.poster.image_url);
      expect(await sharp(bytes).metadata()).toMatchObject(posterFormats.square);
      expect(after.poster.title).toBe(title);
      expect(after.material.speakers).toEqual(names.slice(0, 50));
    }
  });
});

describe("pictures", () => {
  it("come from public hosts, from the service's own store, and are reported when they cannot be had", async () => {
    const { world, tool } = await enter();
    const plain = await tool.run(draft, { template: "lineup" });
    const own = { hash: sha256(photo), contentType: "image/jpeg", bytes: photo } as const;
    await imageStore(service.db).save([own]);
    const setPhotos = async (...urls: (string | null)[]) => {
      for (const [index, url] of urls.entries()) {
        await service.db.query(sql`update speakers set photo_url = ${url} where id = ${world.speakerIds[index]}`);
      }
    };
    await setPhotos(host.url("/photo.jpg"), imagePath(own), null);
    const drawn = await tool.run(draft, { template: "lineup" });
    expect(drawn.missing).toEqual([]);
    expect(drawn.proposed.poster.image_url).not.toBe(plain.proposed.poster.image_url);
    await setPhotos(imagePath(own), host.url("/photo.jpg"), null);
    const swapped = await tool.run(draft, { template: "lineup" });
    expect(swapped.proposed.poster.image_url).toBe(drawn.proposed.poster.image_url);

    const gone = `/images/${"0".repeat(64)}.png`;
    await setPhotos(host.url("/photo.txt"), gone, "http://169.254.169.254/photo.png");
    const failed = await tool.commit(draft, { template: "lineup" });
    expect(failed.missing).toEqual([
      `Photo of Speaker 0: ${host.url("/photo.txt")} is not a PNG, JPEG or WebP image`,
      `Photo of Speaker 1: ${publicUrl}${gone} is not among the images of this service`,
      "Photo of Speaker 2: http://169.254.169.254/photo.png is not an https address",
    ]);
    expect(failed.after.poster.image_url).toBe(plain.proposed.poster.image_url);
  });

  it("are only fetched where the template shows them", async () => {
    const { world, tool } = await enter();
    await service.db.query(
      sql`update speakers set photo_url = ${host.url("/photo.txt")} where event_id = ${world.eventId}`,
    );
    expect((await tool.run(draft, { template: "headline" })).missing).toEqual([]);
    expect((await tool.run(draft, { template: "editorial" })).missing).toHaveLength(3);
  });

  it("that are not there give the organization's name in place of its logo", async () => {
    const { world, tool } = await enter();
    const plain = await tool.run(draft, {});
    await service.db.query(
      sql`update organizations set logo_url = 'https://10.0.0.1/logo.png' where id = ${world.organizationId}`,
    );
    const { missing, proposed } = await tool.run(draft, {});
    expect(missing).toEqual([expect.stringMatching(/^Logo of Harbour Works: https:\/\/10\.0\.0\.1\/logo\.png /)]);
    expect(proposed.poster.image_url).toBe(plain.proposed.poster.image_url);
  });
});

describe("publication", () => {
  it("changes that poster only, and back", async () => {
    const { world, tool } = await enter();
    const other = await makerOn(service.db).poster(world.eventId, { published: false });
    const args = { poster_id: world.posterId, published: "true" };
    const { after } = await tool.commit(publish, args);
    expect(after.poster).toMatchObject({ id: world.posterId, published: true });
    const states = async () =>
      Object.fromEntries((await tool.run(workspace, {})).posters.map(({ id, published }: Json) => [id, published]));
    expect(await states()).toEqual({ [world.posterId]: true, [other]: false });
    expect(await tool.run(publish, args)).toMatchObject({ changes: [], message: expect.stringContaining("Nothing") });
    await tool.commit(publish, { ...args, published: false });
    expect(await states()).toEqual({ [world.posterId]: false, [other]: false });
  });

  it("refuses posters of other events", async () => {
    const { tool } = await enter();
    const elsewhere = await makeEventWorld(service.db);
    expect(await tool.refusal(publish, { poster_id: elsewhere.posterId, published: true })).toMatchObject({
      code: "not_found",
      message: "No poster of this event has that id: get_event_asset_workspace lists them",
    });
  });
});

describe("the workspace", () => {
  it("shows posters, designs, material and what is missing", async () => {
    const { world, tool } = await enter();
    const result = await tool.run(workspace, {});
    getEventAssetWorkspace.output.strict().parse(result);
    expect(result.posters).toEqual([
      {
        id: world.posterId,
        title: "Test Poster",
        published: false,
        sort_order: 0,
        image_url: "https://images.example.com/poster.png",
        thumbnail_url: null,
        style: null,
        format: null,
        posted_urls: null,
        created_at: "2026-01-01T00:00:00.000Z",
      },
    ]);
    expect(result.templates.map(({ name }: Json) => name)).toEqual([...posterTemplates]);
    expect(result.formats).toContainEqual(expect.objectContaining({ name: "story", width: 1080, height: 1920 }));
    expect(result.material).toMatchObject({
      title: "Test Event",
      template: "lineup",
      when: "Thu 1 May 2031 · 19:00–21:00",
      where: "Lisbon",
      organization: { name: "Harbour Works", logo_url: null },
      speakers: world.speakerIds.map((id, index) => ({ id, name: `Speaker ${index}`, photo: false })),
    });
    expect(result.missing.map((text: string) => text.split(":")[0])).toEqual([
      "No photo, initials are drawn",
      "No logo, the name is drawn",
      "No brand colours, neutral ones are used",
      "No venue, the city is shown (update_event_details)",
    ]);
  });

  it("stays small however many posters and links there are, and counts the rest", async () => {
    const { world, tool } = await enter();
    await makerOn(service.db).posters(
      world.eventId,
      Array.from({ length: 80 }, () => ({})),
    );
    expect(await tool.run(workspace, {})).toMatchObject({ posters: { length: 60 }, more_posters: 21 });
    const links = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`p${index}`, `https://x.test/${"a".repeat(1900)}`]),
    );
    await service.db.query(sql`update posters set posted_urls = ${JSON.stringify(links)} where id = ${world.posterId}`);
    const result = await tool.run(workspace, {});
    expect(result.posters.length + result.more_posters).toBe(81);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(90_000);
  });
});

async function enter() {
  const world = await makeEventWorld(service.db);
  return { world, tool: toolOn(world) };
}

function toolOn(world: World, drawing: PosterStudio = studio) {
  const run = async (name: string, args: object): Promise<Json> => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const parsed = parseArguments(inputSchemaOf(tool), { event_id: world.eventId, ...args });
    const runner = { db: service.db, baseUrl: publicUrl, services: { drawPoster: drawing.draw } };
    return JSON.parse(JSON.stringify(await runTool(runner, tool, world.caller, parsed)));
  };
  return {
    run,
    async commit(name: string, args: object): Promise<Json> {
      const preview = await run(name, args);
      return run(name, { ...preview.commit_with, reason: "for the test" });
    },
    async refusal(name: string, args: object): Promise<ServiceError> {
      const outcome = await run(name, args).catch((error: unknown) => error);
      if (outcome instanceof ServiceError) return outcome;
      throw new Error(`expected a refusal, got ${JSON.stringify(outcome)}`);
    },
  };
}

async function download(url: string): Promise<{ headers: Headers; bytes: Buffer }> {
  expect(url.startsWith(`${publicUrl}/images/`)).toBe(true);
  const response = await fetch(service.url + new URL(url).pathname);
  expect(response.status).toBe(200);
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

function settled<Value>(promise: Promise<Value>, limitMs: number): Promise<Value | undefined> {
  return Promise.race([promise, new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), limitMs))]);
}

async function close(): Promise<void> {}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
