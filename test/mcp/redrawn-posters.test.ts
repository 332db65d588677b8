import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterEach, describe, expect, it } from "vitest";
import { unusedPictureDays } from "../../contract/pictures.js";
import { maximumRedrawn } from "../../contract/poster-designs.js";
import { removeUnusedImages } from "../../src/modules/images/unused.js";
import type { DrawnPoster, PosterJob } from "../../src/modules/posters/poster-job.js";
import { createEventFixture } from "../support/event-fixture.js";
import { testOperator } from "../support/operator.js";
import { useDatabase, useEvent } from "../support/setup.js";
import { changesOf, createToolRunner, reason } from "../support/tool-runner.js";
import { sha256 } from "./poster-setup.js";

/** Outdated posters that are drawn again in place. The pictures are made up; test/browser/event.long.test.ts draws for real. */

const tool = "redraw_event_posters";
const { db, make } = useDatabase(4);

const jobs: PosterJob[] = [];
let whileDrawing: () => Promise<unknown> = async () => {};

afterEach(() => {
  whileDrawing = async () => {};
});

/** The same job gives the same picture, as it does when it is drawn. */
async function drawPoster(job: PosterJob): Promise<DrawnPoster> {
  jobs.push(job);
  await whileDrawing();
  const image = (kind: string) => {
    const bytes = Buffer.from(kind + JSON.stringify(job));
    return { hash: sha256(bytes), contentType: "image/png" as const, bytes };
  };
  return { image: image("p"), thumbnail: image("t"), miniature: Buffer.alloc(1), width: 9, height: 9, missing: [] };
}

const { fixture, tools } = useEvent(db, { drawPoster });

type Row = {
  title: string;
  image_url: string;
  thumbnail_url: string;
  published: boolean;
  sort_order: number;
  metadata: Record<string, unknown>;
  posted_urls: unknown;
};

async function rowOf(id: string): Promise<Row | undefined> {
  const [row] = await db.query<Row>(sql`select * from posters where id = ${id}`);
  return row;
}

async function staleParts(): Promise<Record<string, string[]>> {
  const { posters } = await tools.run("get_event_asset_workspace");
  return Object.fromEntries(posters.map(({ id, stale }: { id: string; stale: string[] }) => [id, stale]));
}

const elsewhere = { shows: { venue: "Hall Nine" } };

describe("a redrawn poster", () => {
  it("shows what the event is now, and stays the same poster otherwise", async () => {
    const posted_urls = { LinkedIn: "https://www.linkedin.com/posts/1" };
    const id = await make.drawnPoster(fixture.eventId, {
      shows: { venue: "Hall Nine", start_time: "2030-01-01T18:00:00.000Z" },
      title: "Signals at Dusk",
      published: true,
      sort_order: 7,
      posted_urls,
      metadata: {
        style: "editorial",
        format: "story",
        language: "pt-BR",
        link: "https://harbour.example/x",
        call_to_action: "Venha",
        co_hosts: ["Gone"],
        caption_ideas: ["Hall Nine!"],
        hashtags: ["#dusk"],
        note: 1,
      },
    });
    const before = await rowOf(id);
    jobs.length = 0;
    const { preview, after, ...result } = await tools.commit(tool);
    expect(jobs[0]).toMatchObject({
      template: "editorial",
      format: "story",
      title: "Signals at Dusk",
      event_name: "Test Event",
      when: expect.stringContaining("2031"),
      where: "Lisbon",
      words: { with: "com" },
      link: { url: "https://harbour.example/x", call_to_action: "Venha" },
    });
    expect(jobs[0]?.speakers.map(({ name }) => name)).toEqual(["Speaker 0", "Speaker 1", "Speaker 2"]);
    expect(changesOf(preview).map(({ path }) => path.replace(/^.*\]\./, ""))).toEqual([
      ...["alt_text", "image_url", "stale", "thumbnail_url"],
    ]);
    expect(preview.current.posters).toMatchObject([{ id, stale: ["time", "place"], alt_text: "As it was" }]);
    expect(preview.previews).toEqual([expect.objectContaining({ template: "editorial" })]);
    expect(after.posters).toMatchObject([{ id, stale: [], published: true, title: "Signals at Dusk" }]);
    expect(result).toMatchObject({ missing: [], outdated_left: 0 });

    const row = await rowOf(id);
    const changed = ["image_url", "thumbnail_url", "metadata", "drawn_from"];
    const rest = (all: object = {}) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !changed.includes(name)));
    expect(rest(row)).toEqual(rest(before));
    expect(row).toMatchObject({ published: true, sort_order: 7, posted_urls, title: "Signals at Dusk" });
    expect(row?.image_url).toMatch(/^\/images\/[0-9a-f]{64}\.png$/);
    expect(row?.image_url).not.toBe(before?.image_url);
    expect(row?.metadata).toMatchObject({
      style: "editorial",
      format: "story",
      language: "pt-BR",
      link: "https://harbour.example/x",
      call_to_action: "Venha",
      caption_ideas: ["Hall Nine!"],
      hashtags: ["#dusk"],
      note: 1,
      width: 9,
      alt_text: expect.stringMatching(/“Signals at Dusk”, part of “Test Event” at .*, Lisbon\. With Speaker 0/),
    });
    expect(row?.metadata.co_hosts).toEqual(["Next Door"]);
    expect((await staleParts())[id]).toEqual([]);
  });

  it("has the event's new name only where it had the former one", async () => {
    const named = await make.drawnPoster(fixture.eventId, {
      shows: { name: "Former" },
      title: "Former",
      sort_order: 1,
    });
    const own = await make.drawnPoster(fixture.eventId, { shows: { name: "Former" }, title: "Own", sort_order: 2 });
    const none = await make.drawnPoster(fixture.eventId, { shows: { name: "Former" }, title: null, sort_order: 3 });
    jobs.length = 0;
    const { after } = await tools.commit(tool);
    const titles = after.posters.map(({ id, title }: { id: string; title: string }) => [id, title]);
    expect(titles).toEqual([
      [named, "Test Event"],
      [own, "Own"],
      [none, null],
    ]);
    expect(jobs.map(({ title }) => title)).toEqual(expect.arrayContaining(["Test Event", "Own"]));
  });

  it("shows those of its speakers who are still the event's, by their names now, and nobody else", async () => {
    const [first, , third] = fixture.speakerIds;
    const speakers = [
      { id: third, name: "Speaker 2" },
      { id: randomUUID(), name: "Gone" },
      { id: first, name: "Former name" },
    ];
    const id = await make.drawnPoster(fixture.eventId, { shows: { speakers } });
    await make.drawnPoster(fixture.eventId, {
      shows: { speakers: [{ id: randomUUID(), name: "Gone" }] },
      title: "Solo",
    });
    jobs.length = 0;
    const { preview } = await tools.commit(tool);
    expect(jobs.slice(0, 2).map((job) => job.speakers.map(({ name }) => name))).toEqual(
      expect.arrayContaining([["Speaker 2", "Speaker 0"], []]),
    );
    expect(preview.note).toContain("None of the speakers shown is left on “Solo”");
    // Who is not on it is missing there, but nothing on it is wrong.
    expect((await staleParts())[id]).toEqual([]);
  });

  it("is no longer outdated where its picture stays the same", async () => {
    const id = await make.drawnPoster(fixture.eventId, elsewhere);
    await tools.commit(tool);
    await db.query(sql`update posters set drawn_from = drawn_from || '{"timezone": "Europe/London"}' where id = ${id}`);
    const { preview } = await tools.commit(tool);
    expect(changesOf(preview)).toEqual([{ path: `posters[${id}].stale`, from: ["time"], to: [] }]);
    expect((await staleParts())[id]).toEqual([]);
  });
});

describe("which posters are redrawn", () => {
  it("is every outdated one that the service drew", async () => {
    const own = { generator: { name: "Another program" } };
    await make.drawnPoster(fixture.eventId, { ...elsewhere, metadata: own });
    await make.drawnPoster(fixture.eventId, { title: "As it is" });
    const [one, two] = [
      await make.drawnPoster(fixture.eventId, { ...elsewhere, sort_order: 5 }),
      await make.drawnPoster(fixture.eventId, { ...elsewhere, sort_order: 4 }),
    ];
    const { current } = await tools.run(tool);
    expect(current.posters.map(({ id }: { id: string }) => id)).toEqual([two, one]);
  });

  it("is decided by their ids, where they are named", async () => {
    const current = await make.drawnPoster(fixture.eventId, { title: "Rebranded" });
    await make.drawnPoster(fixture.eventId, elsewhere);
    const preview = await tools.run(tool, { poster_ids: [current] });
    expect(preview.proposed.posters).toMatchObject([{ id: current }]);
    expect(preview).toMatchObject({
      outdated_left: 1,
      note: `1 more outdated poster remains: at most ${maximumRedrawn} are redrawn at once.`,
    });
  });

  it("is nothing where none is outdated, which the result says", async () => {
    await make.drawnPoster(fixture.eventId);
    expect(await tools.run(tool)).toMatchObject({
      message: expect.stringContaining("Nothing to change"),
      note: "No poster that this service drew is outdated.",
    });
  });

  it("is bounded, and the rest comes with the next call", async () => {
    const ids: string[] = [];
    for (let place = 0; place < maximumRedrawn + 2; place += 1) {
      ids.push(await make.drawnPoster(fixture.eventId, { ...elsewhere, sort_order: place }));
    }
    const first = await tools.commit(tool);
    expect(first.after.posters).toHaveLength(maximumRedrawn);
    expect(first.preview.note).toContain(
      `2 more outdated posters remain: at most ${maximumRedrawn} are redrawn at once.`,
    );
    expect(first.outdated_left).toBe(2);
    const second = await tools.commit(tool);
    expect(second.after.posters.map(({ id }: { id: string }) => id)).toEqual(ids.slice(maximumRedrawn));
    expect(await tools.refusal(tool, { poster_ids: ids })).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(`expected 1 to ${maximumRedrawn} ids`),
    });
  });

  it("excludes posters that the service did not draw, by their names", async () => {
    const { code, message } = await tools.refusal(tool, { poster_ids: [fixture.posterId] });
    expect([code, message]).toEqual([
      "invalid_input",
      `poster_ids: “Test Poster” (${fixture.posterId}) was not drawn by this service, so it cannot redraw it`,
    ]);
  });

  it("excludes posters of other events, and those that are gone", async () => {
    const other = await createEventFixture(db);
    const foreign = await make.drawnPoster(other.eventId, elsewhere);
    const own = await make.drawnPoster(fixture.eventId, elsewhere);
    expect(await tools.refusal(tool, { poster_ids: [own, foreign] })).toMatchObject({
      code: "not_found",
      message: expect.stringContaining(`No poster of this event has the id ${foreign}`),
    });
    expect(await tools.refusal(tool, { event_id: other.eventId })).toMatchObject({ code: "forbidden" });
    const preview = await tools.run(tool, { poster_ids: [own] });
    await tools.commit("remove_event_poster", { poster_id: own });
    expect(await tools.refusal(tool, { ...preview.commit_with, reason })).toMatchObject({ code: "not_found" });
  });
});

describe("the note of a preview", () => {
  it("says what changes at once for others, and which posts stay as they are", async () => {
    const posted_urls = { x: "https://x.com/1", linkedin: "https://www.linkedin.com/posts/1" };
    const posted = await make.drawnPoster(fixture.eventId, {
      ...elsewhere,
      published: true,
      title: "Posted",
      posted_urls,
    });
    await make.drawnPoster(fixture.eventId, elsewhere);
    const note = async (args: object) => (await tools.run(tool, args)).note;
    expect(await note({})).toBe(
      "1 of 2 is published: attendees and posting agents see the new picture at once. Posts on LinkedIn, X keep the old picture: “Posted”.",
    );
    expect(await note({ poster_ids: [posted] })).toMatch(/^It is published: /);
  });

  it("is absent for drafts", async () => {
    await make.drawnPoster(fixture.eventId, elsewhere);
    expect(await tools.run(tool)).not.toHaveProperty("note");
  });
});

describe("a commit", () => {
  it("is refused after a change to what is drawn, or to the poster, since the preview or while it was drawn", async () => {
    const id = await make.drawnPoster(fixture.eventId, elsewhere);
    const changes = [
      () => sql`update events set venue = 'Hall ' || random() where id = ${fixture.eventId}`,
      () => sql`update speakers set title = 'Dr ' || random() where id = ${fixture.speakerIds[0]}`,
      () => sql`update posters set title = 'T ' || random() where id = ${id}`,
    ];
    for (const change of changes) {
      const preview = await tools.run(tool);
      await db.query(change());
      const late = await tools.refusal(tool, { ...preview.commit_with, reason });
      expect(late).toMatchObject({ code: "version_conflict", details: { dry_run: true } });
    }
    for (const change of [
      ...changes,
      () => sql`update posters set metadata = metadata || '{"a": 1}' where id = ${id}`,
    ]) {
      const preview = await tools.run(tool);
      whileDrawing = () => db.query(change());
      const meanwhile = await tools.refusal(tool, { ...preview.commit_with, reason });
      whileDrawing = async () => {};
      expect(meanwhile).toMatchObject({ code: "version_conflict", details: { current: { drawing: null } } });
    }
    expect((await rowOf(id))?.metadata.alt_text).toBe("As it was");
  });

  it("goes through when a link was reported, or captions were edited before it", async () => {
    const id = await make.drawnPoster(fixture.eventId, elsewhere);
    const preview = await tools.run(tool);
    await db.query(sql`
      update posters set posted_urls = '{"X": "https://x.com/1"}', metadata = metadata || '{"caption_ideas": ["New"]}'
      where id = ${id}`);
    await tools.run(tool, { ...preview.commit_with, reason });
    expect(await rowOf(id)).toMatchObject({
      posted_urls: { X: "https://x.com/1" },
      metadata: { caption_ideas: ["New"] },
    });
  });

  it("of two at once is made once", async () => {
    const id = await make.drawnPoster(fixture.eventId, elsewhere);
    const previews = await Promise.all([tools.run(tool), tools.run(tool)]);
    const outcomes = await Promise.allSettled(
      previews.map(({ commit_with }) => tools.run(tool, { ...commit_with, reason })),
    );
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
    expect(refused).toEqual(["version_conflict"]);
    expect((await staleParts())[id]).toEqual([]);
  });

  it("is one of a co-host too, with the host's brand and in the host's quota", async () => {
    await make.drawnPoster(fixture.eventId, elsewhere);
    const cohost = tools.as({ organizationId: fixture.cohostOrganizationId });
    jobs.length = 0;
    await cohost.commit(tool);
    expect(jobs[0]?.organization.name).toBe("Harbour Works");
    const outsider = tools.as({ organizationId: fixture.otherOrganizationId });
    expect((await outsider.refusal(tool)).code).toBe("forbidden");
  });
});

describe("the quota of images", () => {
  const bytesOfPoster = async (id: string) => {
    const [row] = await db.query<{ bytes: number }>(sql`
      select sum(octet_length(i.bytes))::int as bytes from images i, posters p
      where p.id = ${id} and i.hash in (substring(p.image_url from 9 for 64), substring(p.thumbnail_url from 9 for 64))`);
    return row?.bytes ?? 0;
  };

  it("counts the pictures that a poster has, not those that are replaced", async () => {
    const id = await make.drawnPoster(fixture.eventId, elsewhere);
    const { record_id } = await tools.commit(tool);
    const needed = await bytesOfPoster(id);
    await tools.commit("revert_change", { record_id });
    const within = createToolRunner(db, { ...fixture }, { drawPoster, imageQuotaBytes: needed });
    const redrawn = await within.commit(tool);
    await within.commit("revert_change", { record_id: redrawn.record_id });
    const below = createToolRunner(db, { ...fixture }, { drawPoster, imageQuotaBytes: needed - 1 });
    expect(await below.refusal(tool)).toMatchObject({
      code: "conflict",
      details: { quota_bytes: needed - 1, used_bytes: 0, added_bytes: needed },
    });
  });
});

describe("undoing", () => {
  it("brings all former pictures back at once, and can be undone itself", async () => {
    const ids = [
      await make.drawnPoster(fixture.eventId, { shows: { name: "Former" }, title: "Former" }),
      await make.drawnPoster(fixture.eventId, elsewhere),
    ];
    const before = await Promise.all(ids.map(rowOf));
    const { record_id } = await tools.commit(tool);
    const redrawn = await Promise.all(ids.map(rowOf));
    const undone = await tools.commit("revert_change", { record_id });
    expect(await Promise.all(ids.map(rowOf))).toEqual(before);
    await tools.commit("revert_change", { record_id: undone.record_id });
    expect(await Promise.all(ids.map(rowOf))).toEqual(redrawn);
  });

  it("keeps the former pictures for some time, however old they are, and is refused when one was removed since", async () => {
    const id = await make.drawnPoster(fixture.eventId, elsewhere);
    const before = await rowOf(id);
    const hash = before?.image_url.slice(8, 72);
    const grow = () =>
      db.query(sql`
        update images set created_at = created_at - ${unusedPictureDays + 1}::int * interval '1 day' where hash = ${hash}`);
    const stored = () => db.query(sql`select hash from images where hash = ${hash}`);
    await grow();
    const { record_id } = await tools.commit(tool);
    await removeUnusedImages(db, testOperator);
    expect(await stored()).toHaveLength(1);
    await grow();
    await removeUnusedImages(db, testOperator);
    expect(await stored()).toHaveLength(0);
    expect(await tools.refusal("revert_change", { record_id })).toMatchObject({
      code: "conflict",
      message: expect.stringMatching(
        /the image of the poster “.*” was removed since.*Nothing was reverted\. Use redraw_event_posters or/,
      ),
    });
    expect((await rowOf(id))?.image_url).not.toBe(before?.image_url);
  });
});
