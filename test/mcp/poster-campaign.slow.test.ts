import { createHmac } from "node:crypto";
import sharp from "sharp";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { previewMinutes } from "../../src/modules/posters/poster-previews.js";
import { createEventFixture } from "../support/event-fixture.js";
import { expectRefused } from "../support/expect-refused.js";
import { createTestPosterGenerator, testPreviews } from "../support/poster-generator.js";
import { publicUrl } from "../support/service.js";
import { reason } from "../support/tool-runner.js";
import { callTool } from "./messages.js";
import { draft, type Json, publish, remove, sha256, update, usePosterTools, workspace } from "./poster-setup.js";

const { service, db, make, posterGenerator, fixture, tools } = usePosterTools();

const campaign = {
  caption_ideas: ["Three rewrites, no lost record.", "Join us at the harbour."],
  hashtags: ["MeridianLisbon", "#Keynote"],
  language: "pt-br",
  link: "https://events.example.com/keynote",
};

describe("a draft", () => {
  it("of several templates adds a poster for each, in order, with captions, language and link in its metadata", async () => {
    const { after, preview } = await tools.commit(draft, {
      ...campaign,
      templates: ["editorial", "headline", "lineup"],
    });
    expect(preview.proposed.drafts).toHaveLength(3);
    expect(preview.proposed.posters.map(({ title }: Json) => title)).toEqual([
      "Test Poster",
      ...Array(3).fill("Test Event"),
    ]);
    expect(after.poster).toBeUndefined();
    const rows = await db.query<Json>(sql`
      select id, sort_order, published, metadata from posters where id = any(${after.drafts.map(({ id }: Json) => id)}::uuid[])
      order by sort_order`);
    expect(rows.map(({ id }: Json) => id)).toEqual(after.drafts.map(({ id }: Json) => id));
    expect(rows.map(({ sort_order }: Json) => sort_order)).toEqual([1, 2, 3]);
    expect(rows.map(({ metadata }: Json) => metadata.style)).toEqual(["editorial", "headline", "lineup"]);
    for (const { metadata, published } of rows) {
      expect(published).toBe(false);
      expect(metadata).toMatchObject({
        caption_ideas: campaign.caption_ideas,
        hashtags: ["#MeridianLisbon", "#Keynote"],
        language: "pt-BR",
        link: campaign.link,
        call_to_action: "Digitalize e inscreva-se",
        when: expect.stringContaining("mai. de 2031"),
      });
    }
    expect(new Set(after.drafts.map(({ image_url }: Json) => image_url)).size).toBe(3);
  });

  it("shows the names of co-hosts, and its link changes the image", async () => {
    const plain = await tools.run(draft, { template: "headline" });
    expect(plain.proposed.material.co_hosts).toEqual(["Next Door"]);
    const linked = await tools.run(draft, { template: "headline", link: campaign.link });
    const called = await tools.run(draft, { template: "headline", link: campaign.link, call_to_action: "Get a seat" });
    const urls = [plain, linked, called].map(({ proposed }) => proposed.poster.image_url);
    expect(new Set(urls).size).toBe(3);
  });

  it("refuses what is not valid", () =>
    expectRefused(tools, draft, [
      [{ template: "headline", templates: ["lineup"] }, "templates: expected either template or templates, not both"],
      [{ templates: ["lineup", "lineup"] }, "templates: expected each template once"],
      [{ templates: [] }, "templates: "],
      [{ call_to_action: "Scan me" }, "call_to_action: needs a link"],
      [{ link: "ftp://x.example/" }, "link: expected an absolute http or https URL"],
      [{ link: `https://x.example/${"a".repeat(200)}` }, "hard to scan"],
      [{ hashtags: ["two words"] }, "hashtags[0]: expected a hashtag"],
      [{ hashtags: Array.from({ length: 31 }, (_, index) => `t${index}`) }, "hashtags: expected at most 30 hashtags"],
      [{ caption_ideas: [" "] }, "caption_ideas[0]: expected a string that is not blank"],
      [{ caption_ideas: Array.from({ length: 11 }, () => "x") }, "caption_ideas: expected at most 10 captions"],
      [{ language: "not a language" }, "language: expected a BCP 47 language tag"],
    ]));
});

describe("a preview through the endpoint", () => {
  async function previewDraft(args: object = {}) {
    const key = await make.organizationKey(fixture.organizationId);
    const { result } = await callTool(service, key, draft, { event_id: fixture.eventId, ...args });
    return { key, content: result.content as Json[], ...result.structuredContent };
  }
  const load = (url: string) => fetch(service.url + url.slice(publicUrl.length));

  it("has a small image for each template, and a commit has none", async () => {
    const { key, content, commit_with } = await previewDraft({ templates: ["headline", "geometric"] });
    const images = content.filter(({ type }: Json) => type === "image");
    expect(images).toHaveLength(2);
    for (const { data, mimeType } of images) {
      expect(mimeType).toBe("image/webp");
      expect(await sharp(Buffer.from(data, "base64")).metadata()).toMatchObject({ format: "webp", width: 240 });
      expect(data.length).toBeLessThan(20_000);
    }
    const { result } = await callTool(service, key, draft, { ...commit_with, reason });
    expect(result.content.map(({ type }: Json) => type)).toEqual(["text"]);
    expect(result.structuredContent.previews).toBeUndefined();
  });

  it("has URLs that show the drawing before the commit and after it", async () => {
    const { key, previews, commit_with } = await previewDraft({ template: "headline", link: campaign.link });
    const [{ url, template, expires_at }] = previews;
    const stored = url.split("?")[0];
    expect(template).toBe("headline");
    const minutes = (Date.parse(expires_at) - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(previewMinutes);
    expect((await load(stored)).status).toBe(404);
    const before = await load(url);
    expect(before.status).toBe(200);
    expect(before.headers.get("cache-control")).toBe("private, max-age=600");
    const bytes = Buffer.from(await before.arrayBuffer());
    expect(url.startsWith(`${publicUrl}/images/${sha256(bytes)}.png?preview=`)).toBe(true);
    await callTool(service, key, draft, { ...commit_with, reason });
    const after = Buffer.from(await (await load(url)).arrayBuffer());
    expect(sha256(after)).toBe(sha256(bytes));
    expect((await load(stored)).status).toBe(200);
  });

  it("has URLs that show nothing else: not another image, not after a change of the event, not made up", async () => {
    // A drawing that no test has stored.
    const title = "Never committed";
    const one = await previewDraft({ title, template: "headline" });
    const other = await previewDraft({ title, template: "editorial" });
    const [path, token] = one.previews[0].url.split("?preview=");
    const [otherPath] = other.previews[0].url.split("?preview=");
    expect((await load(`${otherPath}?preview=${token}`)).status).toBe(404);
    expect((await load(`${path}?preview=${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`)).status).toBe(404);
    for (const madeUp of ["", "x", "~~~~", "a".repeat(8000), forged()]) {
      expect((await load(`${path}?preview=${madeUp}`)).status).toBe(404);
    }
    expect((await load(`${path}?preview=${"a".repeat(9000)}`)).status).toBe(400);
    await db.query(sql`update events set name = name || '!' where id = ${fixture.eventId}`);
    expect((await load(one.previews[0].url)).status).toBe(404);
    await db.query(sql`delete from speakers where event_id = ${fixture.eventId}`);
    expect((await load(one.previews[0].url)).status).toBe(404);
  });

  function forged(): string {
    const payload = Buffer.from("{}");
    const proof = createHmac("sha256", "guessed").update(payload).digest().subarray(0, 16);
    return Buffer.concat([proof, payload]).toString("base64url").replaceAll("-", "~");
  }
});

describe("the URL of a preview", () => {
  it("is answered by another process, which draws again, until it expires", async () => {
    let now = Date.now();
    const first = testPreviews(db, publicUrl, posterGenerator.draw, () => now);
    const elsewhere = createTestPosterGenerator(db, publicUrl);
    const other = testPreviews(db, publicUrl, elsewhere.draw, () => now);
    const choice = { template: "lineup", format: "square", speaker_ids: fixture.speakerIds.slice(0, 2) } as const;
    const { proposed } = await tools.run(draft, choice);
    const image = {
      hash: proposed.poster.image_url.slice(-68, -4),
      contentType: "image/png",
      bytes: Buffer.alloc(0),
    } as const;
    const preview = {
      organization_id: fixture.organizationId,
      event_id: fixture.eventId,
      choice: { ...choice, speaker_ids: [...choice.speaker_ids] },
    };
    const { url } = await first.urlOf(preview, image);
    const { pathname, searchParams } = new URL(url);
    const token = searchParams.get("preview") ?? "";
    const found = await other.find(pathname, token);
    expect(sha256(found?.body as Buffer)).toBe(image.hash);
    now += previewMinutes * 60_000 + 1_000;
    expect(await other.find(pathname, token)).toBeUndefined();
    await elsewhere.close();
  });
});

describe("update_event_poster", () => {
  it("changes title, order and metadata, and keeps what is not named", async () => {
    await db.query(
      sql`update posters set metadata = '{"style": "lineup", "note": 1, "language": "en"}' where id = ${fixture.posterId}`,
    );
    const { after } = await tools.commit(update, {
      poster_id: fixture.posterId,
      title: "Renamed",
      sort_order: -2,
      metadata: { caption_ideas: ["New"], hashtags: ["tag"], language: null, extra: { deep: [1] } },
    });
    const metadata = { style: "lineup", note: 1, caption_ideas: ["New"], hashtags: ["#tag"], extra: { deep: [1] } };
    expect(after.poster).toEqual({
      id: fixture.posterId,
      title: "Renamed",
      published: false,
      sort_order: -2,
      metadata,
    });
    const key = await make.organizationKey(fixture.organizationId);
    const { json } = await service.call(`/api/svc/posters/${fixture.posterId}`, { key });
    expect(json).toMatchObject({ title: "Renamed", sort_order: -2, metadata });
    expect((await tools.commit(update, { poster_id: fixture.posterId, title: null })).after.poster.title).toBeNull();
  });

  it("refuses what is not valid", () =>
    expectRefused(
      tools,
      update,
      (
        [
          [{}, "title: expected at least one of title, sort_order and metadata"],
          [{ metadata: { style: "own" } }, "metadata.style: describes the image and cannot be changed"],
          [{ metadata: { caption_ideas: "one" } }, "metadata.caption_ideas"],
          [{ metadata: { language: "not a language" } }, "metadata.language: expected a BCP 47 language tag"],
          [{ metadata: { notes: "x".repeat(17_000) } }, "metadata: expected at most 16384 bytes of JSON in all"],
          [{ metadata: { notes: "a\0b" } }, "expected valid Unicode without NUL characters"],
          [{ sort_order: 1e300 }, "sort_order: expected an integer from -1000000 to 1000000"],
        ] as [object, string][]
      ).map(([args, text]) => [{ poster_id: fixture.posterId, ...args }, text]),
    ));

  it("refuses posters of other events", async () => {
    const elsewhere = await createEventFixture(db);
    for (const tool of [update, remove]) {
      const args = { poster_id: elsewhere.posterId, ...(tool === update ? { title: "x" } : {}) };
      expect(await tools.refusal(tool, args)).toMatchObject({ code: "not_found" });
    }
  });
});

describe("remove_event_poster", () => {
  it("removes a draft, and its record shows what it was", async () => {
    const { after, record_id } = await tools.commit(remove, { poster_id: fixture.posterId });
    expect(after).toEqual({ poster: null, posters: [] });
    expect(await db.query(sql`select from posters where id = ${fixture.posterId}`)).toHaveLength(0);
    const [record] = await db.query<Json>(sql`select before from mutation_records where id = ${record_id}`);
    expect(record.before.poster).toMatchObject({
      id: fixture.posterId,
      title: "Test Poster",
      published: false,
      metadata: {},
    });
    expect(await tools.refusal(remove, { poster_id: fixture.posterId })).toMatchObject({ code: "not_found" });
    const key = await make.organizationKey(fixture.organizationId);
    expect((await service.call(`/api/svc/posters/${fixture.posterId}`, { key })).status).toBe(404);
  });

  it("refuses posters that are published or were posted", async () => {
    await tools.commit(publish, { poster_id: fixture.posterId, published: true });
    expect(await tools.refusal(remove, { poster_id: fixture.posterId })).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("unpublish it with set_event_poster_publication first"),
    });
    await tools.commit(publish, { poster_id: fixture.posterId, published: false });
    await db.query(sql`update posters set posted_urls = '{"x": "https://x.example/1"}' where id = ${fixture.posterId}`);
    expect(await tools.refusal(remove, { poster_id: fixture.posterId })).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("was posted on x"),
    });
  });
});

describe("stale posters", () => {
  const listed = async () => {
    const { posters } = await tools.run(workspace);
    const snapshot = await tools.run("get_event_admin_snapshot");
    const marks = (rows: Json[]) => Object.fromEntries(rows.map(({ id, stale }) => [id, stale]));
    expect(marks(snapshot.posters)).toEqual(marks(posters));
    expect(JSON.stringify([posters, snapshot.posters])).not.toContain("drawn_from");
    return marks(posters);
  };

  it("are marked with what is old on them, until it is as drawn again", async () => {
    const [first, , third] = fixture.speakerIds;
    const all = (await tools.commit(draft, { template: "headline" })).after.poster.id;
    const one = (await tools.commit(draft, { template: "headline", speaker_ids: [third] })).after.poster.id;
    await tools.commit(publish, { poster_id: all, published: true });
    const unknown = { [fixture.posterId]: [] };
    expect(await listed()).toEqual({ ...unknown, [all]: [], [one]: [] });
    await tools.commit("update_event_speaker", { speaker_id: first, name: "Renamed" });
    expect(await listed()).toEqual({ ...unknown, [all]: ["speakers"], [one]: [] });
    await tools.commit("update_event_speaker", { speaker_id: first, name: "Speaker 0" });
    expect(await listed()).toEqual({ ...unknown, [all]: [], [one]: [] });
    const before = { name: "Test Event", venue: null };
    await tools.commit("update_event_details", { name: "Another name", venue: "Hall 9" });
    expect(await listed()).toEqual({ ...unknown, [all]: ["name", "place"], [one]: ["name", "place"] });
    await tools.commit("update_event_details", before);
    await db.query(sql`update events set end_time = end_time + interval '1 hour' where id = ${fixture.eventId}`);
    expect(await listed()).toEqual({ ...unknown, [all]: ["time"], [one]: ["time"] });
    await db.query(sql`update events set end_time = end_time - interval '1 hour' where id = ${fixture.eventId}`);
    await tools.commit("add_event_speaker", { name: "Added" });
    expect(await listed()).toEqual({ ...unknown, [all]: [], [one]: [] });
    await tools.commit("remove_event_speaker", { speaker_id: third });
    expect(await listed()).toEqual({ ...unknown, [all]: ["speakers"], [one]: ["speakers"] });
  });
});
