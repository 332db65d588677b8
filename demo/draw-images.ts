import { createHash } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { createPosterRenderer } from "../src/poster-render/poster-renderer.js";
import { posterId, posterMaterial } from "./build-posters.js";
import { type DemoPoster, demoFolder, readDemoContent } from "./content.js";
import { drawBanner, drawLogo } from "./draw-branding.js";
import { demoImageFile, type ImageManifest, manifestHashes } from "./image-manifest.js";

/** Draws every image of the demo into demo/images, writes demo/images.json, and deletes images that it no longer lists. */
async function drawDemoImages(): Promise<void> {
  const content = readDemoContent();
  await mkdir(new URL("images/", demoFolder), { recursive: true });
  const manifest: ImageManifest = { posters: {}, logos: {}, banners: {} };
  const logos: Logos = new Map();
  for (const organization of content.organizations) {
    const light = await drawLogo(organization, "light");
    const dark = await drawLogo(organization, "dark");
    logos.set(organization.slug, { light, dark });
    manifest.logos[organization.slug] = { light: await store(light), dark: await store(dark) };
  }
  for (const conference of content.conferences) {
    manifest.banners[conference.slug] = await store(await drawBanner(conference));
  }
  manifest.posters = await drawPosters(content.posters, logos);
  await writeFile(new URL("images.json", demoFolder), `${JSON.stringify(manifest, null, 2)}\n`);
  const deleted = await deleteUnlisted(new Set(manifestHashes(manifest)));
  const count = manifestHashes(manifest).length;
  process.stdout.write(`${count} images in demo/images, ${deleted} unlisted ones deleted\n`);
}

type Logos = Map<string, { light: Buffer; dark: Buffer }>;

async function drawPosters(posters: DemoPoster[], logos: Logos): Promise<ImageManifest["posters"]> {
  const renderer = createPosterRenderer();
  const drawn: ImageManifest["posters"] = {};
  try {
    for (const poster of posters) {
      const { template, format } = poster;
      const logo = logos.get(poster.event.host.slug);
      // The logo is on the primary color, which is dark in every organization; only the editorial template is light.
      const material = posterMaterial(poster, (template === "editorial" ? logo?.light : logo?.dark) ?? null);
      const { image, thumbnail } = await renderer.render({ template, format, material });
      drawn[posterId(poster)] = { image: await store(image), thumbnail: await store(thumbnail) };
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

async function deleteUnlisted(listed: ReadonlySet<string>): Promise<number> {
  const present = await readdir(new URL("images/", demoFolder));
  const unlisted = present.filter((file) => !listed.has(file.replace(/\.png$/, "")));
  for (const file of unlisted) await rm(new URL(`images/${file}`, demoFolder));
  return unlisted.length;
}

await drawDemoImages();
