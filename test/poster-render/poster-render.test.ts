import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { posterFormats, posterTemplates } from "../../contract/poster-designs.js";
import { composePoster } from "../../src/poster-render/draw-poster.js";
import type { PosterInput } from "../../src/poster-render/poster-input.js";
import { createPosterRenderer, posterRenderFailureOf } from "../../src/poster-render/poster-renderer.js";
import { crowd, latinSquare, material, photo, speaker } from "./poster-material.js";

const renderer = createPosterRenderer({ threads: 1, timeoutMs: 60_000, idleMs: 600_000 });
afterAll(() => renderer.close());

describe("a rendered poster", () => {
  test.each(latinSquare(0))("is a PNG of the format's size: $template, $format", async ({ template, format }) => {
    const poster = await renderer.render({ template, format, material: material() });
    const { width, height } = posterFormats[format];
    const image = await sharp(poster.image).metadata();
    const thumbnail = await sharp(poster.thumbnail).metadata();
    expect(image).toMatchObject({ format: "png", width, height, hasAlpha: false });
    expect(thumbnail).toMatchObject({ format: "png", width: 400, height: Math.round((400 * height) / width) });
    expect(poster).toMatchObject({ width, height, thumbnail_width: 400, thumbnail_height: thumbnail.height });
    expect(poster.image.length).toBeLessThan(120 * 1024);
  });

  test("looks different in each template", async () => {
    const posters = await Promise.all(
      posterTemplates.map((template) => composePoster({ template, format: "square", material: material() })),
    );
    expect(new Set(posters.map(({ svg }) => svg)).size).toBe(posterTemplates.length);
  });

  // The renderer has drawn other posters before, the new process has not.
  test("has the same bytes in another process, which then exits by itself", async () => {
    const input: PosterInput = {
      template: "lineup",
      format: "landscape",
      material: material({ title: "静かなインフラ 👩🏽‍🚀", speakers: [speaker("Amara", { photo }), ...crowd(4)] }),
    };
    const script = `
      const { createPosterRenderer } = await import(process.argv[1]);
      const input = JSON.parse(process.argv[2]);
      input.material.speakers[0].photo = Buffer.from(process.argv[3], "base64");
      const { image, thumbnail } = await createPosterRenderer().render(input);
      const { createHash } = await import("node:crypto");
      for (const bytes of [image, thumbnail]) console.log(createHash("sha256").update(bytes).digest("hex"));`;
    const rendererUrl = new URL("../../dist/src/poster-render/poster-renderer.js", import.meta.url).href;
    const plain = JSON.stringify(input, (key, value) => (key === "photo" ? null : value));
    const parameters = ["--input-type=module", "-e", script, rendererUrl, plain, Buffer.from(photo).toString("base64")];
    const [here, { stdout }] = await Promise.all([
      renderer.render(input),
      promisify(execFile)(process.execPath, parameters),
    ]);
    expect(stdout.trim().split("\n")).toEqual([sha256(here.image), sha256(here.thumbnail)]);
  });
});

describe("worker threads", () => {
  test("reports a poster that exceeds its timeout", async () => {
    const impatient = createPosterRenderer({ timeoutMs: 1 });
    const error = await impatient
      .render({ template: "headline", format: "square", material: material() })
      .catch((caught) => caught);
    expect(posterRenderFailureOf(error)).toBe("timeout");
    expect(error.message).toContain("longer than 1 ms");
    await impatient.close();
  });

  test("leave the event loop free while a poster is drawn", async () => {
    const before = performance.eventLoopUtilization();
    await renderer.render({ template: "geometric", format: "square", material: material({ speakers: crowd(12) }) });
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });
});

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
