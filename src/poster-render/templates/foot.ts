import { type Color, inkOn } from "../../../contract/colors.js";
import { type Canvas, place, typeset } from "../canvas.js";
import type { Rect } from "../svg-shapes.js";
import { drawBrand } from "./brand.js";
import { drawLink } from "./link.js";

/** Date and place beside the brand; with a link, all of them beside the QR code. */
export async function drawFoot(canvas: Canvas, area: Rect, background: Color, size: number): Promise<void> {
  const color = inkOn(background);
  const gap = Math.round(size * 1.1);
  if (canvas.material.link === null) {
    const brandWidth = area.width * 0.34;
    const brandHeight = Math.min(area.height, 84);
    const brand = {
      x: area.x + area.width - brandWidth,
      y: area.y + (area.height - brandHeight) / 2,
      width: brandWidth,
    };
    await drawBrand(canvas, { ...brand, height: brandHeight, background, align: "end", size });
    const width = area.width - brandWidth - gap;
    const { when, where } = setDateAndPlace(canvas, { width, height: area.height }, size);
    const y = area.y + (area.height - when.height - where.height) / 2;
    const below = place(canvas, when, { x: area.x, y, width, color });
    place(canvas, where, { x: area.x, y: below, width, color });
    return;
  }
  const side = area.height;
  const linkWidth = side + Math.round(size * 5.4);
  drawLink(canvas, {
    x: area.x + area.width - linkWidth,
    y: area.y,
    width: linkWidth,
    height: side,
    color,
    size: Math.round(size * 0.92),
    label: "before",
  });
  const width = area.width - linkWidth - gap;
  const brandHeight = Math.min(84, area.height * 0.4);
  const { when, where } = setDateAndPlace(canvas, { width, height: area.height - brandHeight - gap * 0.5 }, size);
  const below = place(canvas, when, { x: area.x, y: area.y, width, color });
  place(canvas, where, { x: area.x, y: below, width, color });
  const brand = { x: area.x, y: area.y + area.height - brandHeight, width, height: brandHeight };
  await drawBrand(canvas, { ...brand, background, align: "start", size });
}

function setDateAndPlace(canvas: Canvas, { width, height }: { width: number; height: number }, size: number) {
  const { when: date, where: venue } = canvas.material;
  const when = typeset(
    canvas,
    date,
    { family: "inter", weight: 800 },
    { width, height: height * 0.66, size, minSize: 16, lines: 2, leading: 1.16, tracking: -0.012, whole: true },
  );
  const room = height - when.height;
  const where = typeset(
    canvas,
    venue ?? "",
    { family: "inter", weight: 500 },
    { width, height: room, size: Math.round(size * 0.8), minSize: 15, lines: 2, leading: 1.24, even: true },
  );
  return { when, where: where.height <= room ? where : { ...where, lines: [], height: 0 } };
}
