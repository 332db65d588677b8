import { type Canvas, draw, place, typeset } from "../canvas.js";
import { type Color, inkOn, mix, readable } from "../colors.js";
import { n, path, type Rect, rectangle } from "../svg-shapes.js";
import { drawBrand } from "./brand.js";
import { headlineOf, kickerOf, selectSpeakers } from "./poster-text.js";
import { drawSpeakerList } from "./speaker-list.js";

const layouts = {
  portrait: { margin: 72, top: 64, bottom: 64, band: 420, title: 250, when: 62, where: 31, name: 33, event: 38 },
  square: { margin: 68, top: 56, bottom: 52, band: 312, title: 220, when: 52, where: 27, name: 28, event: 34 },
  story: { margin: 80, top: 200, bottom: 200, band: 880, title: 260, when: 88, where: 38, name: 40, event: 42 },
  landscape: { margin: 56, top: 38, bottom: 36, band: 190, title: 156, when: 40, where: 22, name: 22, event: 26 },
} as const;

const display = { family: "bricolage-grotesque", weight: 800 } as const;
const barHeight = 60;

/** Typographic: the headline as large as possible, above a band in the secondary color. */
export async function drawHeadline(canvas: Canvas): Promise<void> {
  const { width, height, primary, secondary, format } = canvas;
  const layout = layouts[format];
  const inner = width - 2 * layout.margin;
  const bandTop = height - layout.band;
  draw(canvas, rectangle({ x: 0, y: 0, width, height }, primary));
  draw(canvas, rectangle({ x: 0, y: bandTop, width, height: layout.band }, secondary));
  const headline = headlineOf(canvas, display.family);
  const kicker = kickerOf(canvas, headline);
  await drawTopBar(canvas, { x: layout.margin, y: layout.top, width: inner, height: barHeight }, kicker.conference);

  const top = layout.top + barHeight + 44;
  const bottom = bandTop - (format === "landscape" ? 16 : 36);
  const event = typeset(
    canvas,
    kicker.event,
    { family: "inter", weight: 600 },
    { width: inner, size: layout.event, minSize: 24, lines: 2, leading: 1.25 },
  );
  const gap = event.height > 0 ? 16 : 0;
  const title = typeset(canvas, headline, display, {
    width: inner,
    height: bottom - top - event.height - gap,
    size: layout.title,
    minSize: 34,
    lines: 10,
    leading: 0.94,
    tracking: -0.028,
  });
  const titleTop = bottom - title.height;
  const textTop = titleTop - gap - event.height;
  place(canvas, event, {
    x: layout.margin,
    y: textTop,
    width: inner,
    color: readable(secondary, primary, 4.5),
    align: "start",
  });
  place(canvas, title, { x: layout.margin, y: titleTop, width: inner, color: inkOn(primary), align: "start" });
  drawArrow(canvas, { x: layout.margin, y: top, width: inner, height: textTop - top - 36 });
  drawBand(canvas, { x: layout.margin, y: bandTop, width: inner, height: layout.band - layout.bottom });
}

async function drawTopBar(canvas: Canvas, bar: Rect, conference: string): Promise<void> {
  const background = canvas.primary;
  const ink = inkOn(background);
  const half = bar.width / 2 - 20;
  await drawBrand(canvas, { ...bar, width: half, background, align: "left" });
  const name = typeset(
    canvas,
    conference,
    { family: "inter", weight: 600 },
    { width: half, height: bar.height, size: 28, minSize: 20, lines: 2, leading: 1.2 },
  );
  const at = { x: bar.x + bar.width - half, y: bar.y + (bar.height - name.height) / 2 };
  place(canvas, name, { ...at, width: half, color: ink, align: "right" });
  draw(
    canvas,
    rectangle({ x: bar.x, y: bar.y + bar.height + 16, width: bar.width, height: 3 }, mix(background, ink, 0.9)),
  );
}

/** Fills the space that a short headline leaves. */
function drawArrow(canvas: Canvas, area: Rect): void {
  const side = Math.min(area.height, area.width * 0.52);
  if (side < 150) return;
  const left = area.x + area.width - side;
  const right = area.x + area.width;
  const bottom = area.y + side;
  const stroke = side * 0.19;
  // The extent of the slanted shaft's width along each axis.
  const diagonal = stroke / Math.SQRT2;
  const bar = { start: left + side * 0.1, end: bottom - side * 0.1, inner: right - stroke, under: area.y + stroke };
  draw(
    canvas,
    path(
      `M${n(bar.start)} ${n(area.y)}H${n(right)}V${n(bar.end)}H${n(bar.inner)}V${n(bar.under + diagonal)}` +
        `L${n(left + diagonal)} ${n(bottom)}L${n(left)} ${n(bottom - diagonal)}L${n(bar.inner - diagonal)} ${n(bar.under)}` +
        `H${n(bar.start)}Z`,
      canvas.secondary,
    ),
  );
}

function drawBand(canvas: Canvas, band: Rect): void {
  const { material, format, secondary } = canvas;
  const layout = layouts[format];
  const color: Color = inkOn(secondary);
  const hasSpeakers = selectSpeakers(canvas, 1).shown.length > 0;
  const stacked = format === "story" || !hasSpeakers;
  const column = stacked ? band.width : Math.round((band.width - 48) * 0.48);
  const top = band.y + (format === "landscape" ? 26 : 46);
  const bottom = band.y + band.height;
  const when = typeset(canvas, material.when, display, {
    width: column,
    height: (bottom - top) * 0.62,
    size: layout.when,
    minSize: 22,
    lines: 3,
    leading: 1.02,
    tracking: -0.02,
  });
  const whenBottom = place(canvas, when, { x: band.x, y: top, width: column, color });
  const gap = format === "landscape" ? 8 : 16;
  const where = typeset(
    canvas,
    material.where ?? "",
    { family: "inter", weight: 500 },
    {
      width: column,
      height: Math.min(bottom - whenBottom - gap, 130),
      size: layout.where,
      minSize: 17,
      lines: 3,
      leading: 1.28,
    },
  );
  const whereBottom = place(canvas, where, { x: band.x, y: whenBottom + gap, width: column, color });
  if (!hasSpeakers) return;
  if (stacked) {
    const y = whereBottom + 76;
    draw(canvas, rectangle({ x: band.x, y: whereBottom + 40, width: band.width, height: 3 }, color));
    drawSpeakerList(canvas, { x: band.x, y, width: band.width, height: bottom - y }, secondary, layout.name);
    return;
  }
  const x = band.x + column + 48;
  const y = top + Math.round(layout.when * 0.08);
  drawSpeakerList(canvas, { x, y, width: band.x + band.width - x, height: bottom - y }, secondary, layout.name);
}
