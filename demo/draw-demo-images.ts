import { createHash } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { createPosterRenderer } from "../src/poster-render/poster-renderer.js";
import { conferences } from "./content/conferences.js";
import { getEventSeed } from "./content/events.js";
import { organizations } from "./content/organizations.js";
import { posters } from "./content/poster-seeds.js";
import { type DemoManifest, demoFolder, demoImageFile, manifestHashes } from "./demo-images.js";
import { drawBanner } from "./draw/draw-banner.js";
import { drawLogo } from "./draw/draw-logo.js";
import { posterId, posterMaterial } from "./poster-material.js";

/** Draws every image of the demo into demo/images, writes the manifest, and removes images that it no longer names. */
async function drawDemoImages(): Promise<void> {
  await mkdir(new URL("images/", demoFolder), { recursive: true });
  const manifest: DemoManifest = { posters: {}, logos: {}, banners: {} };
  const logos: Logos = new Map();
  for (const organization of organizations) {
    const light = await drawLogo(organization, "light");
    const dark = await drawLogo(organization, "dark");
    logos.set(organization.slug, { light, dark });
    manifest.logos[organization.slug] = { light: await store(light), dark: await store(dark) };
  }
  for (const conference of conferences) {
    manifest.banners[conference.slug] = await store(await drawBanner(conference));
  }
  manifest.posters = await drawPosters(logos);
  await writeFile(new URL("images.json", demoFolder), `${JSON.stringify(manifest, null, 2)}\n`);
  const removed = await removeUnnamed(new Set(manifestHashes(manifest)));
  const count = manifestHashes(manifest).length;
  process.stdout.write(`${count} images in demo/images, ${removed} removed that were no longer named\n`);
}

type Logos = Map<string, { light: Buffer; dark: Buffer }>;

async function drawPosters(logos: Logos): Promise<DemoManifest["posters"]> {
  const renderer = createPosterRenderer();
  const drawn: DemoManifest["posters"] = {};
  try {
    for (const seed of posters) {
      const logo = logos.get(getEventSeed(seed.event).host);
      // Every organization's first colour is dark, and the logo stands on it, save in the one template that is all paper.
      const material = posterMaterial(seed, (seed.template === "editorial" ? logo?.light : logo?.dark) ?? null);
      const { image, thumbnail } = await renderer.render({ template: seed.template, format: seed.format, material });
      drawn[posterId(seed)] = { image: await store(image), thumbnail: await store(thumbnail) };
    }
  } finally {
    await renderer.close();
  }
  return drawn;
}

async function store(bytes: Buffer): Promise<string> {
  const hash = createHash("sha256").update(bytes).digest("hex");
  await writeFile(demoImageFile(hash), bytes);
  return hash;
}

async function removeUnnamed(named: ReadonlySet<string>): Promise<number> {
  const present = await readdir(new URL("images/", demoFolder));
  const unnamed = present.filter((file) => !named.has(file.replace(/\.png$/, "")));
  for (const file of unnamed) await rm(new URL(`images/${file}`, demoFolder));
  return unnamed.length;
}

await drawDemoImages();
