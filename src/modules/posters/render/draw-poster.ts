import { Resvg } from "@resvg/resvg-js";
import sharp, { type Sharp } from "sharp";
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

export async function drawPoster(input: PosterInput): Promise<RenderedPoster> {
  const { svg, width, height } = await composePoster(input);
  const drawn = new Resvg(svg, { font: { loadSystemFonts: false }, logLevel: "off" }).render();
  const raw = { raw: { width, height, channels: 4 as const } };
  const pixels = drawn.pixels;
  const thumbnailHeight = Math.round((height * thumbnailWidth) / width);
  const [image, thumbnail] = await Promise.all([
    encode(sharp(pixels, raw)),
    encode(sharp(pixels, raw).resize(thumbnailWidth, thumbnailHeight)),
  ]);
  return { image, thumbnail, width, height, thumbnail_width: thumbnailWidth, thumbnail_height: thumbnailHeight };
}

/** The poster as SVG without fonts or external references, and where its lines of text stand. */
export async function composePoster(
  input: PosterInput,
): Promise<{ svg: string; width: number; height: number; lines: SetLine[] }> {
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
      return { svg, width, height, lines };
    }
    slack *= excess * 1.01;
  }
}

function encode(image: Sharp): Promise<Buffer> {
  return image
    .removeAlpha()
    .png({ palette: true, quality: 88, effort: 4, compressionLevel: 9, dither: 0.5 })
    .toBuffer();
}
