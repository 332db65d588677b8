import {
  type Color,
  contrast,
  inkOn,
  lightness,
  mix,
  parseColor,
  readable,
  withLightness,
} from "../../../contract/colors.js";
import { type Canvas, draw, mostContrasting, place, typeset } from "../canvas.js";
import { arch, frame, path, type Rect, rectangle } from "../svg-shapes.js";
import { drawBrand } from "./brand.js";
import { drawArches, type EditorialColors, type EditorialLayout, serif } from "./editorial-arches.js";
import { drawLink } from "./link.js";
import { headlineOf, isShortened, kickerLine, moreOf, selectSpeakers } from "./poster-text.js";

const layouts: Record<Canvas["format"], EditorialLayout> = {
  portrait: {
    text: { x: 96, y: 96, width: 888, height: 1158 },
    portraits: undefined,
    title: 132,
    body: 30,
    titleShare: 0.36,
  },
  square: {
    text: { x: 88, y: 84, width: 904, height: 912 },
    portraits: undefined,
    title: 104,
    body: 26,
    titleShare: 0.34,
  },
  story: {
    text: { x: 104, y: 210, width: 872, height: 1480 },
    portraits: undefined,
    title: 150,
    body: 36,
    titleShare: 0.34,
  },
  landscape: {
    text: { x: 80, y: 68, width: 610, height: 494 },
    portraits: { x: 740, y: 68, width: 390, height: 494 },
    title: 84,
    body: 21,
    titleShare: 0.56,
  },
};
const frameInset = { portrait: 40, square: 36, story: 44, landscape: 28 } as const;

/** Like a printed invitation: a serif headline on light paper, portraits in arches. */
export async function drawEditorial(canvas: Canvas): Promise<void> {
  const { width, height, format } = canvas;
  const layout = layouts[format];
  const colors = editorialColors(canvas);
  const inset = frameInset[format];
  draw(canvas, rectangle({ x: 0, y: 0, width, height }, colors.paper));
  draw(canvas, frame({ x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset }, colors.title, 3));
  const top = drawHead(canvas, layout, colors);
  const bottom = await drawFoot(canvas, layout, colors);
  const area = layout.portraits ?? { x: layout.text.x, y: top, width: layout.text.width, height: bottom - top };
  if (selectSpeakers(canvas, 1).shown.length === 0) return drawOrnament(canvas, area, colors);
  if (await drawArches(canvas, area, layout, colors)) return;
  drawNames(canvas, area, layout, colors);
}

function editorialColors(canvas: Canvas): EditorialColors {
  const { primary, secondary } = canvas;
  const paper = mix(parseColor("#fbf7ef"), lightness(primary) > 0.5 ? primary : secondary, 0.06);
  const ink = inkOn(paper);
  const visible = (color: Color) =>
    contrast(color, paper) < 1.25 ? withLightness(color, lightness(color) - 0.14) : color;
  return {
    paper,
    ink,
    title: readable(mostContrasting(canvas, paper), paper, 7),
    muted: readable(mix(ink, paper, 0.3), paper, 4.6),
    tiles: [visible(primary), visible(secondary)],
  };
}

/** Returns the y coordinate below the headline. */
function drawHead(canvas: Canvas, layout: EditorialLayout, colors: EditorialColors): number {
  const { x, y, width, height } = layout.text;
  const headline = headlineOf(canvas, serif.family);
  const caps = { family: "inter", weight: 600, uppercase: true } as const;
  const label = kickerLine(canvas, headline);
  const size = Math.round(layout.body * 0.72);
  const above = typeset(canvas, label, caps, { width, size, minSize: 15, lines: 2, leading: 1.4, tracking: 0.14 });
  const labelBottom = place(canvas, above, { x, y, width, color: colors.ink, align: "center" });
  const gap = above.height > 0 ? Math.round(layout.body * 0.7) : 0;
  // A short title without speakers gets part of their space.
  const scale = selectSpeakers(canvas, 1).shown.length === 0 && layout.portraits === undefined ? 1.5 : 1;
  const title = typeset(canvas, headline, serif, {
    width,
    height: height * layout.titleShare - above.height - gap,
    size: Math.round(layout.title * scale),
    minSize: 30,
    lines: 9,
    leading: 1.04,
    tracking: -0.025,
    even: true,
  });
  const at = { x, y: labelBottom + gap, width, color: colors.title, align: "center" } as const;
  return place(canvas, title, at) + layout.body * 1.1;
}

/** Returns the y coordinate above date, place and brand. */
async function drawFoot(canvas: Canvas, layout: EditorialLayout, colors: EditorialColors): Promise<number> {
  const top = await (canvas.material.link === null ? drawCenteredFoot : drawFootWithLink)(canvas, layout, colors);
  const { x, width } = layout.text;
  const ruleTop = top - Math.round(layout.body * 0.7);
  draw(canvas, rectangle({ x: x + width / 2 - 40, y: ruleTop, width: 80, height: 3 }, colors.title));
  return ruleTop - layout.body;
}

async function drawCenteredFoot(canvas: Canvas, layout: EditorialLayout, colors: EditorialColors): Promise<number> {
  const { x, width } = layout.text;
  const bottom = layout.text.y + layout.text.height;
  const brandHeight = Math.round(layout.body * (canvas.material.co_hosts.length > 0 ? 2.6 : 1.9));
  const brandTop = bottom - brandHeight;
  const brand = { x, y: brandTop, width, height: brandHeight, background: colors.paper, size: layout.body };
  await drawBrand(canvas, { ...brand, align: "center" });
  const { date, venue } = setDateAndPlace(canvas, width, layout);
  const venueTop = brandTop - Math.round(layout.body * 0.7) - venue.height;
  const dateTop = venueTop - 6 - date.height;
  place(canvas, venue, { x, y: venueTop, width, color: colors.muted, align: "center" });
  place(canvas, date, { x, y: dateTop, width, color: colors.ink, align: "center" });
  return dateTop;
}

/** The QR code with everything else beside it. */
async function drawFootWithLink(canvas: Canvas, layout: EditorialLayout, colors: EditorialColors): Promise<number> {
  const { text, body } = layout;
  const side = Math.round(body * 7.4);
  const gap = body;
  const top = text.y + text.height - side;
  const width = Math.min(text.width - side - gap, body * 17);
  const { date, venue } = setDateAndPlace(canvas, width, layout);
  // The group is as wide as its text, and in the middle.
  const used = Math.min(width, Math.max(date.width, venue.width, body * 9) * 1.03);
  const left = text.x + (text.width - side - gap - used) / 2;
  const x = left + side + gap;
  const label = { color: colors.title, size: Math.round(body * 0.86) };
  drawLink(canvas, { x: left, y: top, width: side, height: side, ...label, label: "below" });
  const below = place(canvas, venue, {
    x,
    y: place(canvas, date, { x, y: top, width: used, color: colors.ink }) + 4,
    width: used,
    color: colors.muted,
  });
  const room = top + side - below - gap * 0.5;
  const height = Math.min(room, body * 2.4);
  const brand = { x, y: top + side - height, width: used, height, background: colors.paper };
  if (height >= 20) await drawBrand(canvas, { ...brand, align: "start", size: body });
  return top;
}

function setDateAndPlace(canvas: Canvas, width: number, { body }: EditorialLayout) {
  const { when, where } = canvas.material;
  const dateBox = { size: Math.round(body * 1.45), minSize: 20, lines: 2, leading: 1.15, tracking: -0.01 };
  const date = typeset(canvas, when, serif, { width, ...dateBox, whole: true });
  const venueBox = { size: Math.round(body * 0.85), minSize: 16, lines: 2, leading: 1.3, even: true };
  const venue = typeset(canvas, where ?? "", { family: "inter", weight: 500 }, { width, ...venueBox });
  return { date, venue };
}

/** What the layout takes as one text, in characters. */
const longestList = 440;
const mostNames = 40;

/** Names in the middle, all in one size: as many as fit, and a count of the rest. */
function drawNames(canvas: Canvas, area: Rect, { body }: EditorialLayout, colors: EditorialColors): void {
  const box = { width: area.width, height: area.height, size: Math.round(body * 1.5), minSize: Math.round(body * 0.8) };
  const everyone = selectSpeakers(canvas, mostNames).shown.length;
  for (let limit = everyone; limit > 0; limit -= 1) {
    const { shown, more } = selectSpeakers(canvas, limit);
    const parts = [...shown.map(({ name }) => name.trim()), ...(more > 0 ? [moreOf(canvas, more)] : [])];
    if (limit > 1 && parts.join(" · ").length > longestList) continue;
    const names = typeset(canvas, parts.join(" · "), serif, {
      ...box,
      lines: 14,
      leading: 1.32,
      whole: true,
      even: true,
    });
    const fits = names.height <= area.height && !isShortened(names);
    if (!fits && limit > 1) continue;
    const y = area.y + Math.max(0, (area.height - names.height) / 2);
    if (fits) place(canvas, names, { x: area.x, y, width: area.width, color: colors.ink, align: "center" });
    return;
  }
}

/** Nested arches in place of portraits. */
function drawOrnament(canvas: Canvas, area: Rect, colors: EditorialColors): void {
  if (area.height < 120) return;
  const outer = Math.min(area.width, area.height * 1.25);
  const steps = 6;
  for (let step = 0; step < steps; step += 1) {
    const share = 1 - step / steps;
    const width = outer * share;
    const height = Math.min(area.height, outer) * share;
    const box = { x: area.x + (area.width - width) / 2, y: area.y + area.height - height, width, height };
    const color = step % 2 === 1 ? colors.paper : colors.tiles[step % 4 === 0 ? 0 : 1];
    draw(canvas, path(arch(box), color));
  }
}
