import sharp from "sharp";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import type { PosterGenerator } from "../../src/modules/posters/poster-generator.js";
import { posterFormats } from "../../src/poster-render/poster-input.js";
import { makeEventWorld } from "../support/event-world.js";
import { makerOn } from "../support/make.js";
import { createTestPosterGenerator } from "../support/poster-generator.js";
import { publicUrl } from "../support/service.js";
import { callTool } from "./messages.js";
import { draft, enter, posterGenerator, service, sha256, toolOn } from "./poster-stage.js";

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
    const other = createTestPosterGenerator(service.db, publicUrl);
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
      message: `speaker_ids: expected speakers of this event, unknown: ${foreign}. get_event_asset_workspace lists them`,
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
    const meddling: PosterGenerator = {
      ...posterGenerator,
      async draw(job) {
        await service.db.query(sql`update events set name = name || '!' where id = ${world.eventId}`);
        return posterGenerator.draw(job);
      },
    };
    expect(await toolOn(world, meddling).refusal(draft, {})).toMatchObject({
      code: "version_conflict",
      message: expect.stringContaining("changed while the poster was drawn"),
    });
  });

  it("says what to do when it cannot be drawn", async () => {
    const { world } = await enter();
    const hasty = createTestPosterGenerator(service.db, publicUrl, { renderer: { timeoutMs: 1 } });
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
    const crowded = createTestPosterGenerator(service.db, publicUrl, {
      fetcher: { fetch: () => new Promise(() => {}), close },
    });
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
