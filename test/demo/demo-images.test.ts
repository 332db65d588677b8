import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildDemoDocument } from "../../demo/build-document.js";
import { demoFolder } from "../../demo/content.js";
import { demoImageFile, manifestHashes, readDemoImages, readImageManifest } from "../../demo/image-manifest.js";

const baseUrl = "http://127.0.0.1:3000";
const someDate = new Date("2027-02-10T15:04:05.678Z");
const document = buildDemoDocument({ baseUrl, now: someDate });

describe("images of the demo", () => {
  const manifest = readImageManifest();

  test("are exactly those of the posters, logos and banners", () => {
    expect(Object.keys(manifest.posters).sort()).toEqual(document.posters.map(({ id }) => id).sort());
    expect(Object.keys(manifest.logos)).toEqual(document.organizations.map(({ slug }) => slug));
    expect(Object.keys(manifest.banners)).toEqual(document.conferences.map(({ slug }) => slug));
    const files = readdirSync(new URL("images/", demoFolder)).sort();
    expect(files).toEqual(manifestHashes(manifest).map((hash) => `${hash}.png`));
  });

  test("are PNG files named after the SHA-256 of their content, less than 8 MiB in total", async () => {
    let total = 0;
    for (const { hash, bytes, contentType } of await readDemoImages()) {
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(hash);
      expect(contentType).toBe("image/png");
      expect(bytes.subarray(0, 8)).toEqual(Buffer.from("89504e470d0a1a0a", "hex"));
      total += bytes.length;
    }
    expect(total).toBeLessThan(8 * 1024 * 1024);
  });

  test("have the size that the metadata of the poster states", () => {
    for (const { id, metadata } of document.posters) {
      const header = readFileSync(demoImageFile(manifest.posters[id]?.image ?? "")).subarray(16, 24);
      expect({ width: header.readUInt32BE(0), height: header.readUInt32BE(4) }).toEqual({
        width: metadata?.width,
        height: metadata?.height,
      });
    }
  });

  test("have URLs below the base URL, or paths without one", () => {
    const served = /^https:\/\/events\.example\.org\/images\/[0-9a-f]{64}\.png$/;
    const elsewhere = buildDemoDocument({ baseUrl: "https://events.example.org/", now: someDate });
    for (const { image_url, thumbnail_url } of elsewhere.posters) {
      expect(image_url).toMatch(served);
      expect(thumbnail_url).toMatch(served);
    }
    for (const { logo_url, logo_dark_url } of elsewhere.organizations) {
      expect(logo_url).toMatch(served);
      expect(logo_dark_url).toMatch(served);
    }
    const relative = buildDemoDocument({ baseUrl: "", now: someDate });
    expect(relative.posters[0]?.image_url).toMatch(/^\/images\/[0-9a-f]{64}\.png$/);
  });
});
