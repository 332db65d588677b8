import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { projectRoot } from "../src/platform/project-root.js";

export type DemoImage = { hash: string; bytes: Buffer; contentType: "image/png" };

const hash = z.string().regex(/^[0-9a-f]{64}$/);

const manifestSchema = z.strictObject({
  /** By poster id. */
  posters: z.record(z.string(), z.strictObject({ image: hash, thumbnail: hash })),
  /** By organization slug: for light and for dark backgrounds. */
  logos: z.record(z.string(), z.strictObject({ light: hash, dark: hash })),
  /** By conference slug. */
  banners: z.record(z.string(), hash),
});

export type DemoManifest = z.infer<typeof manifestSchema>;

export const demoFolder = new URL("demo/", projectRoot);

/** Every image of the demo, in a fixed order and each once. */
export async function* demoImages(): AsyncGenerator<DemoImage> {
  for (const each of manifestHashes(readDemoManifest())) {
    yield { hash: each, bytes: await readFile(demoImageFile(each)), contentType: "image/png" };
  }
}

export function readDemoManifest(): DemoManifest {
  return manifestSchema.parse(JSON.parse(readFileSync(new URL("images.json", demoFolder), "utf8")));
}

export function manifestHashes({ posters, logos, banners }: DemoManifest): string[] {
  const all = [
    ...Object.values(posters).flatMap(({ image, thumbnail }) => [image, thumbnail]),
    ...Object.values(logos).flatMap(({ light, dark }) => [light, dark]),
    ...Object.values(banners),
  ];
  return [...new Set(all)].sort();
}

export function demoImageFile(imageHash: string): URL {
  return new URL(`images/${imageHash}.png`, demoFolder);
}

export function imageUrl(baseUrl: string, imageHash: string | undefined): string | null {
  return imageHash === undefined ? null : `${baseUrl}/images/${imageHash}.png`;
}
