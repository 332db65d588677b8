import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Image } from "../src/modules/images/store.js";
import { demoFolder, readJson } from "./content.js";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

const manifestSchema = z.strictObject({
  /** By poster id. */
  posters: z.record(z.string(), z.strictObject({ image: hash, thumbnail: hash })),
  /** By organization slug: for light and for dark backgrounds. */
  logos: z.record(z.string(), z.strictObject({ light: hash, dark: hash })),
  /** By conference slug. */
  banners: z.record(z.string(), hash),
});

/** The images of the demo, each by the SHA-256 of its file. */
export type ImageManifest = z.infer<typeof manifestSchema>;

export function readImageManifest(): ImageManifest {
  return readJson(new URL("images.json", demoFolder), "demo/images.json", manifestSchema);
}

export async function readDemoImages(): Promise<Image[]> {
  return Promise.all(
    manifestHashes(readImageManifest()).map(async (hash) => ({
      hash,
      bytes: await readFile(demoImageFile(hash)),
      contentType: "image/png" as const,
    })),
  );
}

export function manifestHashes({ posters, logos, banners }: ImageManifest): string[] {
  const hashes = [
    ...Object.values(posters).flatMap(({ image, thumbnail }) => [image, thumbnail]),
    ...Object.values(logos).flatMap(({ light, dark }) => [light, dark]),
    ...Object.values(banners),
  ];
  return [...new Set(hashes)].sort();
}

export function demoImageFile(imageHash: string): URL {
  return new URL(`images/${imageHash}.png`, demoFolder);
}

export function demoImageUrl(baseUrl: string, imageHash: string | undefined): string | null {
  return imageHash === undefined ? null : `${baseUrl}/images/${imageHash}.png`;
}
