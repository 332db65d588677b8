import { Resvg } from "@resvg/resvg-js";
import sharp, { type PngOptions, type WebpOptions } from "sharp";
import type { PosterTemplate } from "../../contract/poster-designs.js";
import { type Canvas, createCanvas, shapesOf } from "./canvas.js";
import { createPictureDecoder } from "./pictures.js";
import type { PosterInput, RenderedPoster } from "./poster-input.js";
import { type ShapedLine, shapeText } from "./shape-text.js";
import { drawEditorial } from "./templates/editorial.js";
import { drawGeometric } from "./templates/geometric.js";
import { drawHeadline } from "./templates/headline.js";
import { drawLineup } from "./templates/lineup.js";

const templates: Record<PosterTemplate, (canvas: Canvas) => Promise<void>> = {
  headline: drawHeadline,
  lineup: drawLineup,
  geometric: drawGeometric,
  editorial: drawEditorial,
};

const thumbnailWidth = 400;
/** Large enough for a model to see the layout and to read the title. */
const miniatureWidth = 240;
/** In a result its base64 is the largest part: higher quality costs a quarter more and shows nothing more. */
const miniatureOptions: WebpOptions = { quality: 45, effort: 6 };
const maxAttempts = 3;

/** Flat colors and their antialiased edges fit into 256 colors without visible loss. */
const flatPng: PngOptions = { palette: true, quality: 100, effort: 1, dither: 0, compressionLevel: 9 };
/** Light dithering avoids banding in photos; more would double the file size. */
const photographicPng: PngOptions = { palette: true, quality: 94, effort: 1, dither: 0.4, compressionLevel: 8 };

export async function drawPoster(input: PosterInput): Promise<RenderedPoster> {
  const pictures = createPictureDecoder();
  const { svg, width, height, hasPictures } = await composePoster(input, pictures);
  const rendered = new Resvg(svg, { font: { loadSystemFonts: false }, logLevel: "off" }).render();
  const pixels = rendered.pixels;
  const open = () => sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
  const thumbnailHeight = Math.round((height * thumbnailWidth) / width);
  const image = await open()
    .png(hasPictures ? photographicPng : flatPng)
    .toBuffer();
  const thumbnail = await open().resize(thumbnailWidth, thumbnailHeight).png(flatPng).toBuffer();
  const miniature = await open().resize(miniatureWidth).webp(miniatureOptions).toBuffer();
  return {
    image,
    thumbnail,
    miniature,
    width,
    height,
    thumbnail_width: thumbnailWidth,
    thumbnail_height: thumbnailHeight,
    unusable_logo: pictures.isUnusable(input.material.organization.logo),
    unusable_photos: input.material.speakers.flatMap(({ photo }, index) => (pictures.isUnusable(photo) ? [index] : [])),
  };
}

/** Lays out the poster as SVG without fonts or external references, and reports where its lines of text are. */
export async function composePoster(
  input: PosterInput,
  pictures = createPictureDecoder(),
): Promise<{ svg: string; width: number; height: number; lines: ShapedLine[]; hasPictures: boolean }> {
  let slack = 1;
  for (let attempt = 1; ; attempt += 1) {
    const canvas = createCanvas(input, pictures, slack);
    await templates[input.template](canvas);
    const { width, height, shapes, texts } = canvas;
    const { markup, lines } = shapeText(texts);
    const excess = Math.max(1, ...lines.map((line) => (line.width - 1) / line.room));
    if (excess === 1 || attempt === maxAttempts) {
      const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${shapesOf(canvas)}${markup}</svg>`;
      return { svg, width, height, lines, hasPictures: shapes.some((shape) => shape.includes("<image")) };
    }
    slack *= excess * 1.01;
  }
}
