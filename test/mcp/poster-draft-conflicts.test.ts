import { randomBytes } from "node:crypto";
import sql, { type Sql } from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { posterTemplates } from "../../contract/poster-designs.js";
import type { PosterGenerator } from "../../src/modules/posters/poster-generator.js";
import type { DrawnPoster } from "../../src/modules/posters/poster-job.js";
import type { EventFixture } from "../support/event-fixture.js";
import { reason } from "../support/tool-runner.js";
import { draft, sha256, usePosterTools } from "./poster-setup.js";

const { db, fixture, toolsWith } = usePosterTools();

/** One change to each value that a poster shows. */
const shownChanges: Record<string, (fixture: EventFixture) => Sql> = {
  "speakers.name": ({ speakerIds }) => sql`update speakers set name = 'Changed' where id = ${speakerIds[1]}`,
  "speakers.title": ({ speakerIds }) => sql`update speakers set title = 'Changed' where id = ${speakerIds[1]}`,
  "speakers.company": ({ speakerIds }) => sql`update speakers set company = 'Changed' where id = ${speakerIds[1]}`,
  "speakers.role": ({ speakerIds }) => sql`update speakers set role = 'moderator' where id = ${speakerIds[1]}`,
  "speakers.photo_url": ({ speakerIds }) =>
    sql`update speakers set photo_url = 'https://pictures.test/changed.png' where id = ${speakerIds[1]}`,
  "speakers.position": ({ speakerIds }) => sql`update speakers set position = 9 where id = ${speakerIds[1]}`,
  "speaker removed": ({ speakerIds }) => sql`delete from speakers where id = ${speakerIds[1]}`,
  "speaker added": ({ eventId }) =>
    sql`insert into speakers (event_id, name, position) values (${eventId}, 'Added', 9)`,
  "events.name": ({ eventId }) => sql`update events set name = 'Changed' where id = ${eventId}`,
  "events.start_time": ({ eventId }) =>
    sql`update events set start_time = start_time - interval '1 hour' where id = ${eventId}`,
  "events.end_time": ({ eventId }) =>
    sql`update events set end_time = end_time + interval '1 hour' where id = ${eventId}`,
  "events.timezone": ({ eventId }) => sql`update events set timezone = 'Asia/Tokyo' where id = ${eventId}`,
  "events.venue": ({ eventId }) => sql`update events set venue = 'Changed' where id = ${eventId}`,
  "conferences.short_name": ({ eventId }) =>
    sql`update conferences set short_name = 'Changed' where id = (select conference_id from events where id = ${eventId})`,
  "conferences.city": ({ eventId }) =>
    sql`update conferences set city = 'Changed' where id = (select conference_id from events where id = ${eventId})`,
  "organizations.name": ({ organizationId }) =>
    sql`update organizations set name = 'Changed' where id = ${organizationId}`,
  "organizations.brand_primary_color": ({ organizationId }) =>
    sql`update organizations set brand_primary_color = '#123456' where id = ${organizationId}`,
  "organizations.brand_secondary_color": ({ organizationId }) =>
    sql`update organizations set brand_secondary_color = '#123456' where id = ${organizationId}`,
  "organizations.logo_url": ({ organizationId }) =>
    sql`update organizations set logo_url = 'https://pictures.test/changed.png' where id = ${organizationId}`,
  "organizations.logo_dark_url": ({ organizationId }) =>
    sql`update organizations set logo_dark_url = 'https://pictures.test/changed.png' where id = ${organizationId}`,
};

describe("a commit of a poster draft", () => {
  it.each(Object.entries(shownChanges))(
    "is refused after a change while the poster was drawn: %s",
    async (_, change) => {
      const drawn = makeDrawnPoster();
      const { commit_with } = await toolsWith(fakeGenerator(drawn)).run(draft);
      const changing = fakeGenerator(drawn, () => db.query(change(fixture)));
      const refusal = await toolsWith(changing).refusal(draft, { ...commit_with, reason });
      expect(refusal).toMatchObject({
        code: "version_conflict",
        details: { current: { material: { drawing: null } } },
      });
      expect(await countPosters(fixture)).toBe(1);
    },
  );

  it("goes through when only values change that a poster does not show", async () => {
    const drawn = makeDrawnPoster();
    const { commit_with } = await toolsWith(fakeGenerator(drawn)).run(draft);
    const changing = fakeGenerator(drawn, async () => {
      await db.query(sql`update speakers set bio = 'Changed' where id = ${fixture.speakerIds[1]}`);
      await db.query(sql`update events set description = 'Changed', capacity = 9 where id = ${fixture.eventId}`);
      await db.query(
        sql`update organizations set contact_email = 'changed@example.com' where id = ${fixture.organizationId}`,
      );
    });
    await toolsWith(changing).run(draft, { ...commit_with, reason });
    expect(await countPosters(fixture)).toBe(2);
  });

  it("is made together with others that were previewed at the same time, each in a place of its own", async () => {
    const drawing = toolsWith(fakeGenerator(makeDrawnPoster()));
    const previews = await Promise.all(posterTemplates.map((template) => drawing.run(draft, { template })));
    await Promise.all(previews.map(({ commit_with }) => drawing.run(draft, { ...commit_with, reason })));
    const rows = await db.query(sql`
      select sort_order from posters where event_id = ${fixture.eventId} order by sort_order`);
    expect(rows).toEqual([0, 1, 2, 3, 4].map((sort_order) => ({ sort_order })));
  });
});

/** Stands in for the renderer: the checks are about what was read before drawing, not about the image. */
function fakeGenerator(drawn: DrawnPoster, whileDrawing: () => Promise<unknown> = async () => {}): PosterGenerator {
  return {
    async draw() {
      await whileDrawing();
      return drawn;
    },
    usage: () => ({ active: 0, queued: 0 }),
    close: async () => {},
  };
}

function makeDrawnPoster(): DrawnPoster {
  const image = () => {
    const bytes = randomBytes(20);
    return { hash: sha256(bytes), contentType: "image/png" as const, bytes };
  };
  return { image: image(), thumbnail: image(), miniature: Buffer.alloc(1), width: 1080, height: 1350, missing: [] };
}

async function countPosters({ eventId }: EventFixture): Promise<number> {
  return (await db.query(sql`select id from posters where event_id = ${eventId}`)).length;
}
