import { randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import type { DrawnImage, DrawnPoster } from "../../src/modules/posters/poster-job.js";
import { useDatabase, useEvent } from "../support/setup.js";
import { createToolRunner } from "../support/tool-runner.js";

/** The images of an organization's posters stay within its quota, also when several are committed at once. */

const { db, make } = useDatabase(8);
const { fixture } = useEvent(db);

const draft = "generate_event_poster_draft";
const imageBytes = 100_000;
/** Of a poster and its thumbnail. */
const posterBytes = 2 * imageBytes;

function randomImage(): DrawnImage {
  const bytes = randomBytes(imageBytes);
  return { hash: randomBytes(32).toString("hex"), contentType: "image/png", bytes };
}

/** Tools that draw a poster of random bytes for each title. */
function toolsWithQuota(imageQuotaBytes: number, eventId = fixture.eventId) {
  const drawn = new Map<string, DrawnPoster>();
  return createToolRunner(
    db,
    { ...fixture, eventId },
    {
      imageQuotaBytes,
      async drawPoster({ title }) {
        const known = drawn.get(title);
        if (known !== undefined) return known;
        const poster = {
          image: randomImage(),
          thumbnail: randomImage(),
          miniature: Buffer.alloc(1),
          width: 1,
          height: 1,
          missing: [],
        };
        drawn.set(title, poster);
        return poster;
      },
    },
  );
}

const storedBytes = async (): Promise<number> => {
  const [row] = await db.query<{ bytes: number }>(sql`
    select coalesce(sum(octet_length(bytes)), 0)::bigint as bytes from images where exists (
      select from posters where event_id = ${fixture.eventId}
        and (image_url like '%' || hash || '%' or thumbnail_url like '%' || hash || '%'))`);
  return row?.bytes ?? 0;
};

describe("the quota of images", () => {
  it("refuses the poster that would exceed it, in preview and commit, with quota and usage", async () => {
    const tools = toolsWithQuota(2.5 * posterBytes);
    await tools.commit(draft, { title: "one" });
    await tools.commit(draft, { title: "two" });
    for (const error of [
      await tools.refusal(draft, { title: "three" }),
      await toolsWithQuota(2.5 * posterBytes).refusal(draft, { title: "four" }),
    ]) {
      expect(error).toMatchObject({
        code: "conflict",
        details: { quota_bytes: 500_000, used_bytes: 400_000, added_bytes: 200_000 },
        message: expect.stringContaining("in total. They have 0.4 MB, and this would add 0.2 MB"),
      });
    }
    expect(await storedBytes()).toBe(2 * posterBytes);
  });

  it("counts an image once, however many posters show it", async () => {
    const tools = toolsWithQuota(posterBytes);
    await tools.commit(draft, { title: "same" });
    await tools.commit(draft, { title: "same" });
    expect(await storedBytes()).toBe(posterBytes);
  });

  it("is the host's, over all its events; another organization's is not affected", async () => {
    const own = await make.event(await make.conference(), { hosts: [fixture.organizationId] });
    const others = await make.event(await make.conference(), {
      hosts: [fixture.cohostOrganizationId, fixture.organizationId],
    });
    await toolsWithQuota(posterBytes).commit(draft, { title: "one" });
    expect((await toolsWithQuota(posterBytes, own).refusal(draft, { title: "two" })).code).toBe("conflict");
    await toolsWithQuota(posterBytes, others).commit(draft, { title: "three" });
  });

  it("holds when commits of several events come at once", async () => {
    const conference = await make.conference();
    const events = await Promise.all(
      Array.from({ length: 5 }, () => make.event(conference, { hosts: [fixture.organizationId] })),
    );
    const runs = events.map((eventId) => ({ eventId, tools: toolsWithQuota(2 * posterBytes, eventId) }));
    const previews = await Promise.all(runs.map(({ tools }) => tools.run(draft, { title: "at once" })));
    const commits = await Promise.allSettled(
      runs.map(({ tools }, index) => tools.run(draft, { ...previews[index].commit_with, reason: "all at once" })),
    );
    expect(commits.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  });
});
