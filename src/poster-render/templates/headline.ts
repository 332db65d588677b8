import { inkOn, mix, readable } from "../../../contract/colors.js";
import { type Canvas, draw, place, typeset } from "../canvas.js";
import { n, path, type Rect, rectangle } from "../svg-shapes.js";
import { drawBrand } from "./brand.js";
import { drawLink } from "./link.js";
import { headlineOf, kickerOf, selectSpeakers } from "./poster-text.js";
import { drawSpeakerList } from "./speaker-list.js";

/** What the band holds beside date and place decides how high it is. */
type BandContent = "speakers" | "speakersAndLink" | "link" | "dateOnly";
type Layout = {
  margin: number;
  top: number;
  bottom: number;
  band: Record<BandContent, number>;
  title: number;
  when: number;
  where: number;
  name: number;
  event: number;
};

const layouts: Record<Canvas["format"], Layout> = {
  portrait: {
    margin: 72,
    top: 64,
    bottom: 64,
    title: 250,
    when: 62,
    where: 31,
    name: 33,
    event: 38,
    band: { speakers: 430, speakersAndLink: 560, link: 320, dateOnly: 250 },
  },
  square: {
    margin: 68,
    top: 56,
    bottom: 52,
    title: 220,
    when: 52,
    where: 27,
    name: 28,
    event: 34,
    band: { speakers: 322, speakersAndLink: 440, link: 280, dateOnly: 214 },
  },
  story: {
    margin: 80,
    top: 200,
    bottom: 200,
    title: 260,
    when: 88,
    where: 38,
    name: 40,
    event: 42,
    band: { speakers: 880, speakersAndLink: 980, link: 590, dateOnly: 540 },
  },
  landscape: {
    margin: 56,
    top: 38,
    bottom: 36,
    title: 156,
    when: 40,
    where: 22,
    name: 22,
    event: 26,
    band: { speakers: 196, speakersAndLink: 236, link: 216, dateOnly: 150 },
  },
};

const display = { family: "bricolage-grotesque", weight: 800 } as const;
const barHeight = 64;
const columnGap = 48;
/** More speakers than this get a higher band and a wider column. */
const crowd = 6;

/** Typographic: the headline as large as possible, above a band in the secondary color. */
export async function drawHeadline(canvas: Canvas): Promise<void> {
  const { width, height, primary, secondary, format } = canvas;
  const layout = layouts[format];
  const inner = width - 2 * layout.margin;
  const bandHeight = bandHeightOf(canvas, layout);
  const bandTop = height - bandHeight;
  draw(canvas, rectangle({ x: 0, y: 0, width, height }, primary));
  draw(canvas, rectangle({ x: 0, y: bandTop, width, height: bandHeight }, secondary));
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
    even: true,
  });
  const titleTop = bottom - title.height;
  const textTop = titleTop - gap - event.height;
  place(canvas, event, { x: layout.margin, y: textTop, width: inner, color: readable(secondary, primary, 4.5) });
  place(canvas, title, { x: layout.margin, y: titleTop, width: inner, color: inkOn(primary) });
  drawArrow(canvas, { x: layout.margin, y: top, width: inner, height: textTop - top - 36 });
  drawBand(canvas, { x: layout.margin, y: bandTop, width: inner, height: bandHeight - layout.bottom });
}

/** Higher for many speakers, lower for few. */
function bandHeightOf(canvas: Canvas, { band }: Layout): number {
  const content = bandContent(canvas);
  const count = selectSpeakers(canvas, 100).shown.length;
  if (canvas.format === "landscape" || count === 0) return band[content];
  const unit = canvas.format === "story" ? 100 : 40;
  const fewer = content === "speakers" ? Math.max(0, 3 - count) : 0;
  return band[content] + (count > crowd ? 120 : 0) - fewer * unit;
}

function bandContent(canvas: Canvas): BandContent {
  const hasLink = canvas.material.link !== null;
  if (selectSpeakers(canvas, 1).shown.length === 0) return hasLink ? "link" : "dateOnly";
  return hasLink ? "speakersAndLink" : "speakers";
}

async function drawTopBar(canvas: Canvas, bar: Rect, conference: string): Promise<void> {
  const background = canvas.primary;
  const ink = inkOn(background);
  const half = bar.width / 2 - 20;
  await drawBrand(canvas, { ...bar, width: half, background, align: "start" });
  const name = typeset(
    canvas,
    conference,
    { family: "inter", weight: 600 },
    { width: half, height: bar.height, size: 28, minSize: 20, lines: 2, leading: 1.2, even: true },
  );
  const at = { x: bar.x + bar.width - half, y: bar.y + (bar.height - name.height) / 2 };
  place(canvas, name, { ...at, width: half, color: ink, align: "end" });
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
  const top = band.y + (canvas.format === "landscape" ? 26 : 46);
  const area = { ...band, y: top, height: band.y + band.height - top };
  if (canvas.format === "story") drawStackedBand(canvas, area);
  else drawBandInColumns(canvas, area);
}

/** Date and place, then the speakers below; the link at the end side. */
function drawStackedBand(canvas: Canvas, area: Rect): void {
  const { name } = layouts[canvas.format];
  const side = canvas.material.link === null ? 0 : 270;
  const width = side === 0 ? area.width : area.width - side - columnGap;
  const color = inkOn(canvas.secondary);
  const bottom = Math.max(drawDateAndPlace(canvas, { ...area, width }), side === 0 ? 0 : area.y + side + 76);
  if (side > 0) {
    const x = area.x + area.width - side;
    drawLink(canvas, { x, y: area.y, width: side, height: side + 76, color, size: 30, label: "below" });
  }
  if (selectSpeakers(canvas, 1).shown.length === 0) return;
  draw(canvas, rectangle({ x: area.x, y: bottom + 40, width: area.width, height: 3 }, color));
  const y = bottom + 76;
  drawSpeakerList(canvas, { ...area, y, height: area.y + area.height - y }, canvas.secondary, name);
}

/** Date and place in the first column; speakers, the link or the place in the second. */
function drawBandInColumns(canvas: Canvas, area: Rect): void {
  const { format, secondary, material } = canvas;
  const layout = layouts[format];
  const color = inkOn(secondary);
  const content = bandContent(canvas);
  if (content === "dateOnly") {
    drawDateBesidePlace(canvas, area);
    return;
  }
  const isWide = format === "landscape";
  const linkWidth = isWide && content === "speakersAndLink" ? area.height - 26 : 0;
  const columns = area.width - (linkWidth === 0 ? 0 : linkWidth + columnGap);
  const share = selectSpeakers(canvas, 100).shown.length > crowd ? 0.4 : 0.48;
  const first = Math.round((columns - columnGap) * share);
  const second = { ...area, x: area.x + first + columnGap, width: columns - first - columnGap };
  const size = Math.round(layout.where * 1.05);
  const below = drawDateAndPlace(canvas, { ...area, width: first });
  if (content === "link") {
    const height = Math.min(area.height, 230);
    drawLink(canvas, { ...second, height, y: area.y + (area.height - height) / 2, color, size, label: "after" });
    return;
  }
  drawSpeakerList(canvas, { ...second, y: area.y + Math.round(layout.when * 0.08) }, secondary, layout.name);
  if (material.link === null) return;
  if (isWide) {
    const x = area.x + area.width - linkWidth;
    drawLink(canvas, { ...area, x, width: linkWidth, color, size: 18, label: "below" });
    return;
  }
  const height = Math.min(area.y + area.height - below - 28, 190);
  drawLink(canvas, { ...area, width: first, y: area.y + area.height - height, height, color, size, label: "after" });
}

function drawDateBesidePlace(canvas: Canvas, area: Rect): void {
  const { material, format, secondary } = canvas;
  const layout = layouts[format];
  const color = inkOn(secondary);
  const hasPlace = (material.where ?? "").trim() !== "";
  const first = hasPlace ? Math.round((area.width - columnGap) * 0.58) : area.width;
  const when = setDate(canvas, { width: first, height: area.height }, Math.round(layout.when * 1.12));
  place(canvas, when, { x: area.x, y: area.y, width: first, color });
  const width = area.width - first - columnGap;
  if (!hasPlace) return;
  const size = Math.round(layout.where * 1.25);
  const where = setPlace(canvas, { width, height: area.height }, size);
  // The first lines of both share a baseline, more or less.
  const y = area.y + Math.max(0, (when.lineHeight - where.lineHeight) / 2);
  place(canvas, where, { x: area.x + first + columnGap, y, width, color, align: "start" });
}

/** Returns the y coordinate below. */
function drawDateAndPlace(canvas: Canvas, area: Rect): number {
  const { format, secondary } = canvas;
  const layout = layouts[format];
  const color = inkOn(secondary);
  const when = setDate(canvas, { width: area.width, height: area.height * 0.62 }, layout.when);
  const whenBottom = place(canvas, when, { ...area, color });
  const gap = format === "landscape" ? 8 : 16;
  const room = Math.min(area.y + area.height - whenBottom - gap, 130);
  const where = setPlace(canvas, { width: area.width, height: room }, layout.where);
  return place(canvas, where, { ...area, y: whenBottom + gap, color });
}

function setDate(canvas: Canvas, box: { width: number; height: number }, size: number) {
  const options = { size, minSize: 22, lines: 3, leading: 1.04, tracking: -0.02, whole: true };
  return typeset(canvas, canvas.material.when, display, { ...box, ...options });
}

function setPlace(canvas: Canvas, box: { width: number; height: number }, size: number) {
  const options = { size, minSize: 17, lines: 3, leading: 1.28, even: true };
  return typeset(canvas, canvas.material.where ?? "", { family: "inter", weight: 500 }, { ...box, ...options });
}
