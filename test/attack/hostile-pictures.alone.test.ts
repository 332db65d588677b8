import { hash } from "node:crypto";
import sharp from "sharp";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../../src/infra/observability/log.js";
import { createPosterGenerator } from "../../src/modules/posters/poster-generator.js";
import type { PosterJob } from "../../src/modules/posters/poster-job.js";
import { createPosterRenderer } from "../../src/poster-render/poster-renderer.js";

/** A picture of a few hundred bytes that decodes to 49 million pixels must not cost more than the rest of a poster. */

const speakers = 8;

it("costs little although every speaker has a picture of 7,000 by 7,000 pixels", async () => {
  const hostile = await sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: "#888888" } })
    .webp({ lossless: true, effort: 0 })
    .toBuffer();
  expect(hostile.length).toBeLessThan(1_000);
  const { draw, close } = createPosterGenerator({
    renderer: createPosterRenderer({ threads: 1, timeoutMs: 60_000 }),
    fetcher: { fetch: async () => ({ bytes: hostile }), close: async () => {} },
    images: { save: async () => {}, find: async () => undefined },
    baseUrl: "https://svc.test",
    log: createLog("silent"),
  });
  onTestFinished(close);
  const drawOne = async (title: string, photo: boolean) => {
    const before = process.cpuUsage();
    const poster = await draw(job(title, photo), "organization");
    const { user, system } = process.cpuUsage(before);
    return { poster, cpuMs: (user + system) / 1_000 };
  };
  await drawOne("warm up", false);
  const plain = await drawOne("plain", false);
  const attacked = await drawOne("attacked", true);
  expect(attacked.poster.missing).toHaveLength(speakers);
  expect(attacked.poster.missing[0]).toContain("has more than 16 megapixels");
  expect(attacked.cpuMs).toBeLessThan(plain.cpuMs * 3);
});

function job(title: string, photo: boolean): PosterJob {
  const url = (index: number) => `https://pictures.test/${hash("sha256", String(index))}.webp`;
  return {
    template: "lineup",
    format: "square",
    title,
    event_name: "Event",
    conference_name: "Conference",
    when: "Monday",
    where: "Room 1",
    organization: { name: "Organization", logo_url: null },
    primary_color: "#204060",
    secondary_color: "#f0c040",
    co_hosts: [],
    link: null,
    words: { with: "with", more: "more", moderator: "Moderator", host: "Host" },
    speakers: Array.from({ length: speakers }, (_, index) => ({
      name: `Speaker ${index}`,
      title: null,
      company: null,
      role: "speaker" as const,
      photo_url: photo ? url(index) : null,
    })),
  };
}
