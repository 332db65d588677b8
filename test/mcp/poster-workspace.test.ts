import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { imagePath, imageStore } from "../../src/modules/images/store.js";
import { getEventAssetWorkspace } from "../../src/modules/posters/tools/get-event-asset-workspace.js";
import { posterTemplates } from "../../src/poster-render/poster-input.js";
import { makeEventWorld } from "../support/event-world.js";
import { makerOn } from "../support/make.js";
import { publicUrl } from "../support/service.js";
import { draft, enter, host, type Json, photo, publish, service, sha256, workspace } from "./poster-stage.js";

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
      `Photo of Speaker 1: ${publicUrl}${gone} is not an image of this service`,
      "Photo of Speaker 2: http://169.254.169.254/photo.png is not an https URL",
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
      "No brand colours, defaults are used",
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
