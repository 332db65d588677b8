import sharp from "sharp";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { posterFormats } from "../../contract/poster-designs.js";
import type { PosterGenerator } from "../../src/modules/posters/poster-generator.js";
import { createEventFixture } from "../support/event-fixture.js";
import { createTestPosterGenerator } from "../support/poster-generator.js";
import { publicUrl } from "../support/service.js";
import { reason } from "../support/tool-runner.js";
import { callTool } from "./messages.js";
import { draft, sha256, usePosterTools } from "./poster-setup.js";

const { service, db, make, posterGenerator, fixture, tools, toolsWith } = usePosterTools();

describe("a draft through the endpoint", () => {
  it("is a PNG with a thumbnail, cacheable, unpublished, last in order, and visible in REST", async () => {
    const key = await make.organizationKey(fixture.organizationId);
    const callDraft = async (args: object) =>
      (await callTool(service, key, draft, { event_id: fixture.eventId, ...args })).result.structuredContent;
    const preview = await callDraft({ title: "Signals at Dusk" });
    expect(preview).toMatchObject({ dry_run: true, missing: [] });
    const { id: _new, created_at: _never, ...proposed } = preview.proposed.poster;
    expect((await service.call(new URL(proposed.image_url).pathname)).status).toBe(404);

    const { after } = await callDraft({ ...preview.commit_with, reason });
    const { id: _id, created_at: _createdAt, ...made } = after.poster;
    expect(made).toEqual(proposed);
    expect(after.poster).toMatchObject({ published: false, title: "Signals at Dusk" });
    const image = await download(after.poster.image_url);
    expect(image.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(image.headers.get("content-type")).toBe("image/png");
    expect(after.poster.image_url).toBe(`${publicUrl}/images/${sha256(image.bytes)}.png`);
    expect(await sharp(image.bytes).metadata()).toMatchObject({ format: "png", ...posterFormats.portrait });
    const thumbnail = await download(after.poster.thumbnail_url);
    expect(await sharp(thumbnail.bytes).metadata()).toMatchObject({ format: "png", width: 400, height: 500 });
    expect(thumbnail.bytes.length).toBeLessThan(image.bytes.length);
    const rest = await service.call(`/api/svc/posters/${after.poster.id}`, { key });
    const { alt_text, created_at, ...shown } = after.poster;
    expect(Date.parse(created_at)).toBe(Date.parse(rest.json.created_at));
    expect(rest.json).toMatchObject({ ...shown, event_id: fixture.eventId, sort_order: 1, posted_urls: null });
    expect(rest.json.metadata).toMatchObject({ alt_text, format: "portrait", ...posterFormats.portrait });
  });
});

describe("a draft", () => {
  it("of the same input is the same file, even if it is drawn again", async () => {
    const first = await tools.commit(draft, { template: "geometric" });
    const second = await tools.commit(draft, { template: "geometric" });
    expect(second.after.poster.id).not.toBe(first.after.poster.id);
    expect(second.after.poster.image_url).toBe(first.after.poster.image_url);
    const other = createTestPosterGenerator(db, publicUrl);
    const again = await toolsWith(other).run(draft, { template: "geometric" });
    expect(again.proposed.poster.image_url).toBe(first.after.poster.image_url);
    await other.close();
    const changed = await tools.run(draft, { template: "geometric", title: "Another title" });
    expect(changed.proposed.poster.image_url).not.toBe(first.after.poster.image_url);
  });

  it("shows the given speakers in the given order, all by default, none for an empty list", async () => {
    const [first, second, third] = fixture.speakerIds;
    const names = async (args: object) => (await tools.run(draft, args)).proposed.material.speakers;
    expect(await names({})).toEqual(["Speaker 0", "Speaker 1", "Speaker 2"]);
    expect(await names({ speaker_ids: [third, first] })).toEqual(["Speaker 2", "Speaker 0"]);
    expect(await names({ speaker_ids: [second?.toUpperCase()] })).toEqual(["Speaker 1"]);
    const none = await tools.run(draft, { speaker_ids: [] });
    expect(none.proposed).toMatchObject({ material: { template: "headline", speakers: [] } });
  });

  it("refuses speakers of other events, duplicate speakers and invalid values", async () => {
    const elsewhere = await createEventFixture(db);
    const foreign = elsewhere.speakerIds[0];
    expect(await tools.refusal(draft, { speaker_ids: [fixture.speakerIds[0], foreign] })).toMatchObject({
      code: "invalid_input",
      message: `speaker_ids: expected speakers of this event, unknown: ${foreign}. get_event_asset_workspace lists them`,
    });
    const twice = { speaker_ids: [fixture.speakerIds[0], fixture.speakerIds[0]] };
    expect(await tools.refusal(draft, twice)).toMatchObject({ code: "invalid_input" });
    for (const wrong of [{ template: "poster" }, { format: "a4" }, { title: " " }, { title: "a\nb" }]) {
      expect(await tools.refusal(draft, wrong)).toMatchObject({ code: "invalid_input" });
    }
  });

  it("has the host's branding, even if a co-host generates it", async () => {
    await db.query(sql`
      update organizations set brand_primary_color = '#123456', brand_secondary_color = '#fedcba'
      where id = ${fixture.organizationId}`);
    const cohost = tools.as({ organizationId: fixture.cohostOrganizationId });
    const expected = { organization: "Harbour Works", colors: ["#123456", "#fedcba"] };
    for (const each of [tools, cohost]) {
      expect((await each.run(draft, {})).current.material).toMatchObject(expected);
    }
  });

  it("can be published with the commit, and the preview says so", async () => {
    const plain = await tools.run(draft, {});
    expect(plain).not.toHaveProperty("note");
    expect(plain.proposed.poster.published).toBe(false);
    const preview = await tools.run(draft, { templates: ["headline", "lineup"], publish: true });
    expect(preview.note).toContain("attendees and posting agents see it");
    const { after } = await tools.run(draft, { ...preview.commit_with, reason });
    expect(after.drafts).toMatchObject([{ published: true }, { published: true }]);
    const ids = after.drafts.map(({ id }: { id: string }) => id);
    const stored = await db.query(sql`select published from posters where id = any (${ids}::uuid[])`);
    expect(stored).toEqual([{ published: true }, { published: true }]);
  });

  it("is refused if what it shows has changed since the preview or while it was drawn", async () => {
    const preview = await tools.run(draft);
    await db.query(sql`update speakers set name = 'Renamed' where id = ${fixture.speakerIds[0]}`);
    const stale = await tools.refusal(draft, { ...preview.commit_with, reason });
    expect(stale).toMatchObject({
      code: "version_conflict",
      details: { current: { material: { speakers: ["Renamed", "Speaker 1", "Speaker 2"] } } },
    });
    const changing: PosterGenerator = {
      ...posterGenerator,
      async draw(...args) {
        await db.query(sql`update events set name = name || '!' where id = ${fixture.eventId}`);
        return posterGenerator.draw(...args);
      },
    };
    expect(await toolsWith(changing).refusal(draft, {})).toMatchObject({
      code: "version_conflict",
      message: expect.stringContaining("changed while the poster was drawn"),
    });
  });

  it("explains what to do if it cannot be drawn", async () => {
    const timingOut = createTestPosterGenerator(db, publicUrl, { renderer: { timeoutMs: 1 } });
    expect(await toolsWith(timingOut).refusal(draft, {})).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("took too long"),
    });
    await timingOut.close();
    expect(await toolsWith(timingOut).refusal(draft, {})).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("Nothing was changed. Try again in 5 s"),
      headers: { "retry-after": "5" },
    });
  });

  it("is refused immediately if too many are queued", async () => {
    const blocked = createTestPosterGenerator(db, publicUrl, {
      fetcher: { fetch: () => new Promise(() => {}), close },
    });
    await db.query(
      sql`update organizations set logo_url = 'https://pictures.test/l.png' where id = ${fixture.organizationId}`,
    );
    const blockedTools = toolsWith(blocked);
    const waiting = Array.from({ length: 6 }, (_, index) => blockedTools.run(draft, { title: `Title ${index}` }));
    for (const each of waiting) each.catch(() => undefined);
    // Each call asks for a different poster: equal ones would share one drawing.
    let more = 0;
    await expect
      .poll(() => settled(blockedTools.refusal(draft, { title: `More ${more++}` }), 2_000), { timeout: 40_000 })
      .toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("Your organization has 6 posters being drawn or waiting"),
        details: { retry_after_seconds: 5 },
      });
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
