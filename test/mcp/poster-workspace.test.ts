import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { posterTemplates } from "../../contract/poster-designs.js";
import { imagePath, imageStore } from "../../src/modules/images/store.js";
import { getEventAssetWorkspace } from "../../src/modules/posters/tools/get-event-asset-workspace.js";
import { createEventFixture } from "../support/event-fixture.js";
import { publicUrl } from "../support/service.js";
import { draft, type Json, photo, publish, sha256, usePosterTools, workspace } from "./poster-setup.js";

const { db, make, host, fixture, tools } = usePosterTools();

describe("pictures", () => {
  it("are loaded from public hosts and the image store if the template shows them, and reported if they cannot be", async () => {
    const plain = await tools.run(draft, { template: "lineup" });
    const own = { hash: sha256(photo), contentType: "image/jpeg", bytes: photo } as const;
    await imageStore(db).save([own]);
    const setPhotos = async (...urls: (string | null)[]) => {
      for (const [index, url] of urls.entries()) {
        await db.query(sql`update speakers set photo_url = ${url} where id = ${fixture.speakerIds[index]}`);
      }
    };
    await setPhotos(host.url("/photo.jpg"), imagePath(own), null);
    const drawn = await tools.run(draft, { template: "lineup" });
    expect(drawn.missing).toEqual([]);
    expect(drawn.proposed.poster.image_url).not.toBe(plain.proposed.poster.image_url);

    const gone = `/images/${"0".repeat(64)}.png`;
    await setPhotos(host.url("/photo.txt"), gone, "http://169.254.169.254/photo.png");
    await db.query(
      sql`update organizations set logo_url = 'https://10.0.0.1/logo.png' where id = ${fixture.organizationId}`,
    );
    const failed = await tools.commit(draft, { template: "lineup" });
    expect(failed.missing).toEqual([
      expect.stringMatching(/^Logo of Harbour Works: https:\/\/10\.0\.0\.1\/logo\.png /),
      `Photo of Speaker 0: ${host.url("/photo.txt")} is not a PNG, JPEG or WebP image`,
      `Photo of Speaker 1: ${publicUrl}${gone} is not an image of this service`,
      "Photo of Speaker 2: http://169.254.169.254/photo.png is not an https URL",
    ]);
    // Initials and the organization's name take their places.
    expect(failed.after.poster.image_url).toBe(plain.proposed.poster.image_url);
    const { missing } = await tools.run(draft, { template: "headline" });
    expect(missing).toEqual([expect.stringMatching(/^Logo/)]);
  });
});

describe("publication", () => {
  it("changes only that poster, and can be undone", async () => {
    const other = await make.poster(fixture.eventId, { published: false });
    const args = { poster_id: fixture.posterId, published: "true" };
    const { after } = await tools.commit(publish, args);
    expect(after.poster).toMatchObject({ id: fixture.posterId, published: true });
    const states = async () =>
      Object.fromEntries((await tools.run(workspace)).posters.map(({ id, published }: Json) => [id, published]));
    expect(await states()).toEqual({ [fixture.posterId]: true, [other]: false });
    expect(await tools.run(publish, args)).toMatchObject({ message: expect.stringContaining("Nothing") });
    await tools.commit(publish, { ...args, published: false });
    expect(await states()).toEqual({ [fixture.posterId]: false, [other]: false });
  });

  it("refuses posters of other events", async () => {
    const elsewhere = await createEventFixture(db);
    expect(await tools.refusal(publish, { poster_id: elsewhere.posterId, published: true })).toMatchObject({
      code: "not_found",
      message: expect.stringMatching(/^No poster of this event has the id .*: get_event_asset_workspace lists them$/),
    });
  });
});

describe("the workspace", () => {
  it("shows posters, designs, material and missing material", async () => {
    const result = await tools.run(workspace);
    getEventAssetWorkspace.output.strict().parse(result);
    expect(result.posters).toEqual([
      {
        id: fixture.posterId,
        title: "Test Poster",
        published: false,
        sort_order: 0,
        image_url: "https://images.example.com/poster.png",
        thumbnail_url: null,
        style: null,
        format: null,
        posted_urls: null,
        created_at: "2026-01-01T00:00:00.000Z",
        stale: [],
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
      speakers: fixture.speakerIds.map((id, index) => ({ id, name: `Speaker ${index}`, photo: false })),
    });
    expect(result.missing.map((text: string) => text.split(":")[0])).toEqual([
      "No photo, initials are drawn",
      "No logo, the name is drawn",
      "No brand colours, defaults are used",
      "No venue, the city is shown (update_event_details)",
    ]);
  });

  it("is bounded for many posters and links, and counts the omitted ones", async () => {
    await make.posters(
      fixture.eventId,
      Array.from({ length: 80 }, () => ({})),
    );
    expect(await tools.run(workspace)).toMatchObject({ posters: { length: 60 }, more_posters: 21 });
    const links = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`p${index}`, `https://x.test/${"a".repeat(1900)}`]),
    );
    await db.query(sql`update posters set posted_urls = ${JSON.stringify(links)} where id = ${fixture.posterId}`);
    const result = await tools.run(workspace);
    expect(result.posters.length + result.more_posters).toBe(81);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(90_000);
  });
});
