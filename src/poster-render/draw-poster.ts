import { Resvg } from "@resvg/resvg-js";
import sharp, { type PngOptions } from "sharp";
import type { PosterInput, PosterTemplate, RenderedPoster } from "./poster-input.js";
import { type SetLine, setText } from "./set-text.js";
import { openStage, type Stage } from "./stage.js";
import { drawEditorial } from "./templates/editorial.js";
import { drawGeometric } from "./templates/geometric.js";
import { drawHeadline } from "./templates/headline.js";
import { drawLineup } from "./templates/lineup.js";

const templates: Record<PosterTemplate, (stage: Stage) => Promise<void>> = {
  headline: drawHeadline,
  lineup: drawLineup,
  geometric: drawGeometric,
  editorial: drawEditorial,
};

const thumbnailWidth = 400;
const attempts = 3;

/** Flat colours and the edges between them fit into 256 colours without loss that could be seen. */
const flatPng: PngOptions = { palette: true, quality: 100, effort: 1, dither: 0, compressionLevel: 9 };
/** A little dithering keeps skin and skies from banding; more would double the size. */
const photographicPng: PngOptions = { palette: true, quality: 94, effort: 1, dither: 0.4, compressionLevel: 8 };

export async function drawPoster(input: PosterInput): Promise<RenderedPoster> {
  const { svg, width, height, hasPictures } = await composePoster(input);
  const drawn = new Resvg(svg, { font: { loadSystemFonts: false }, logLevel: "off" }).render();
  const pixels = drawn.pixels;
  const open = () => sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
  const thumbnailHeight = Math.round((height * thumbnailWidth) / width);
  const image = await open()
    .png(hasPictures ? photographicPng : flatPng)
    .toBuffer();
  const thumbnail = await open().resize(thumbnailWidth, thumbnailHeight).png(flatPng).toBuffer();
  return { image, thumbnail, width, height, thumbnail_width: thumbnailWidth, thumbnail_height: thumbnailHeight };
}

/** The poster as SVG without fonts or external references, and where its lines of text stand. */
export async function composePoster(
  input: PosterInput,
): Promise<{ svg: string; width: number; height: number; lines: SetLine[]; hasPictures: boolean }> {
  let slack = 1;
  for (let attempt = 1; ; attempt += 1) {
    const stage = openStage(input, slack);
    await templates[input.template](stage);
    const { width, height, scene } = stage;
    const { markup, lines } = await setText(scene.texts, width, height);
    const excess = Math.max(1, ...lines.map((line) => (line.width - 1) / line.room));
    if (excess === 1 || attempt === attempts) {
      const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${scene.markup.join("")}${markup}</svg>`;
      return { svg, width, height, lines, hasPictures: scene.markup.some((each) => each.includes("<image")) };
    }
    slack *= excess * 1.01;
  }
}
