import { type Canvas, draw, mostContrasting, place, typeset } from "../canvas.js";
import {
  type Color,
  contrast,
  duotone,
  inkOn,
  lightness,
  mix,
  parseColor,
  readable,
  withLightness,
} from "../colors.js";
import { initialsOf } from "../drawable-text.js";
import type { PosterSpeaker } from "../poster-input.js";
import { arch, archedImage, frame, path, type Rect, rectangle } from "../svg-shapes.js";
import { drawBrand } from "./brand.js";
import { headlineOf, kickerLine, positionOf, selectSpeakers } from "./poster-text.js";

type Layout = {
  text: Rect;
  arches: Rect | undefined;
  title: number;
  body: number;
  archLimit: number;
  titleShare: number;
};

/** If `arches` is undefined, they are between headline and date. */
const layouts: Record<Canvas["format"], Layout> = {
  portrait: {
    text: { x: 96, y: 96, width: 888, height: 1158 },
    arches: undefined,
    title: 132,
    body: 30,
    archLimit: 3,
    titleShare: 0.36,
  },
  square: {
    text: { x: 88, y: 84, width: 904, height: 912 },
    arches: undefined,
    title: 104,
    body: 26,
    archLimit: 3,
    titleShare: 0.34,
  },
  story: {
    text: { x: 104, y: 210, width: 872, height: 1480 },
    arches: undefined,
    title: 150,
    body: 36,
    archLimit: 3,
    titleShare: 0.34,
  },
  landscape: {
    text: { x: 80, y: 68, width: 610, height: 494 },
    arches: { x: 740, y: 68, width: 390, height: 494 },
    title: 84,
    body: 21,
    archLimit: 2,
    titleShare: 0.56,
  },
};
const frameInset = { portrait: 40, square: 36, story: 44, landscape: 28 } as const;
const serif = { family: "fraunces", weight: 600 } as const;

type EditorialColors = { paper: Color; ink: Color; title: Color; muted: Color; tiles: [Color, Color] };

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
  const middle = { x: layout.text.x, y: top, width: layout.text.width, height: bottom - top };
  const { shown, more } = selectSpeakers(canvas, layout.archLimit);
  const isGroup = more > 0;
  const arches = layout.arches ?? withoutNames(middle, isGroup ? Math.round(layout.body * 3.6) : 0);
  if (shown.length === 0) return drawOrnament(canvas, arches, colors);
  await drawArches(canvas, layout, arches, shown, isGroup, colors);
  if (!isGroup) return;
  const names = layout.arches
    ? middle
    : { ...middle, y: arches.y + arches.height, height: middle.y + middle.height - arches.y - arches.height };
  drawNames(canvas, layout, names, colors);
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
function drawHead(canvas: Canvas, layout: Layout, colors: EditorialColors): number {
  const { x, y, width, height } = layout.text;
  const headline = headlineOf(canvas, serif.family);
  const caps = { family: "inter", weight: 600, uppercase: true } as const;
  const label = kickerLine(canvas, headline);
  const size = Math.round(layout.body * 0.72);
  const above = typeset(canvas, label, caps, { width, size, minSize: 15, lines: 2, leading: 1.4, tracking: 0.14 });
  const labelBottom = place(canvas, above, { x, y, width, color: colors.ink, align: "center" });
  const gap = above.height > 0 ? Math.round(layout.body * 0.7) : 0;
  const title = typeset(canvas, headline, serif, {
    width,
    height: height * layout.titleShare - above.height - gap,
    size: layout.title,
    minSize: 30,
    lines: 9,
    leading: 1.04,
    tracking: -0.025,
  });
  return (
    place(canvas, title, { x, y: labelBottom + gap, width, color: colors.title, align: "center" }) + layout.body * 1.1
  );
}

/** Returns the y coordinate above date, place and brand. */
async function drawFoot(canvas: Canvas, layout: Layout, colors: EditorialColors): Promise<number> {
  const { x, width } = layout.text;
  const bottom = layout.text.y + layout.text.height;
  const brandHeight = Math.round(layout.body * 1.9);
  const brandTop = bottom - brandHeight;
  await drawBrand(canvas, {
    x,
    y: brandTop,
    width,
    height: brandHeight,
    background: colors.paper,
    align: "center",
    size: layout.body,
  });
  const { when, where } = canvas.material;
  const date = typeset(canvas, when, serif, {
    width,
    size: Math.round(layout.body * 1.45),
    minSize: 20,
    lines: 2,
    leading: 1.15,
    tracking: -0.01,
  });
  const venue = typeset(
    canvas,
    where ?? "",
    { family: "inter", weight: 500 },
    { width, size: Math.round(layout.body * 0.85), minSize: 16, lines: 2, leading: 1.3 },
  );
  const venueTop = brandTop - Math.round(layout.body * 0.7) - venue.height;
  const dateTop = venueTop - 6 - date.height;
  place(canvas, venue, { x, y: venueTop, width, color: colors.muted, align: "center" });
  place(canvas, date, { x, y: dateTop, width, color: colors.ink, align: "center" });
  const ruleTop = dateTop - Math.round(layout.body * 0.7);
  if (date.height > 0)
    draw(canvas, rectangle({ x: x + width / 2 - 40, y: ruleTop, width: 80, height: 3 }, colors.title));
  return ruleTop - layout.body;
}

async function drawArches(
  canvas: Canvas,
  layout: Layout,
  area: Rect,
  speakers: PosterSpeaker[],
  isGroup: boolean,
  colors: EditorialColors,
): Promise<void> {
  const gap = layout.body;
  const caption = isGroup ? 0 : Math.round(layout.body * 3.9);
  const cell = (area.width - gap * (speakers.length - 1)) / speakers.length;
  const room = area.height - caption;
  if (room < 90) return drawNames(canvas, layout, area, colors);
  const width = Math.min(cell, room * 0.8, area.width * (layout.arches ? 0.85 : 0.5));
  const height = Math.min(room, width * 1.6);
  const top = area.y + (room - height) / 2;
  const step = isGroup ? width + gap : cell + gap;
  const first = area.x + (area.width - step * (speakers.length - 1) - width) / 2;
  for (const [index, speaker] of speakers.entries()) {
    const box = { x: first + index * step, y: top, width, height };
    const color = colors.tiles[index % 2 === 0 ? 0 : 1];
    const portrait = await canvas.pictures.portrait(speaker.photo, box, duotone(color));
    if (portrait) draw(canvas, archedImage(box, portrait.href));
    else drawInitials(canvas, box, speaker, color);
    if (isGroup) continue;
    const below = { x: box.x + width / 2 - cell / 2, y: box.y + height, width: cell, height: caption };
    drawCaption(canvas, layout, below, speaker, colors);
  }
}

function drawInitials(canvas: Canvas, box: Rect, { name }: PosterSpeaker, color: Color): void {
  draw(canvas, path(arch(box), color));
  const initials = typeset(canvas, initialsOf(name), serif, {
    width: box.width * 0.8,
    size: Math.min(box.width, box.height) * 0.38,
    minSize: 12,
    leading: 1,
  });
  const y = box.y + (box.height - initials.height) * 0.54;
  place(canvas, initials, { x: box.x, y, width: box.width, color: inkOn(color), align: "center" });
}

function drawCaption(
  canvas: Canvas,
  layout: Layout,
  area: Rect,
  speaker: PosterSpeaker,
  colors: EditorialColors,
): void {
  const { x, width } = area;
  const name = typeset(canvas, speaker.name, serif, {
    width,
    height: area.height * 0.5,
    size: Math.round(layout.body * 1.08),
    minSize: 15,
    lines: 2,
    leading: 1.1,
  });
  const below = place(canvas, name, { x, y: area.y + layout.body * 0.5, width, color: colors.ink, align: "center" });
  const room = area.y + area.height - below;
  const size = Math.round(layout.body * 0.7);
  const position = typeset(
    canvas,
    positionOf(speaker),
    { family: "inter", weight: 500 },
    { width, height: room, size, minSize: Math.min(size, 14), lines: 2, leading: 1.25 },
  );
  if (position.height <= room)
    place(canvas, position, { x, y: below + 2, width, color: colors.muted, align: "center" });
}

function drawNames(canvas: Canvas, layout: Layout, area: Rect, colors: EditorialColors): void {
  const { shown, more } = selectSpeakers(canvas, selectSpeakers(canvas, 100).shown.length <= 9 ? 9 : 8);
  const sentence = `With ${shown.map(({ name }) => name.trim()).join(", ")}${more > 0 ? ` +${more} more` : ""}`;
  const size = Math.round(layout.body * 0.94);
  const gap = Math.round(layout.body * 0.6);
  const box = { width: area.width, height: area.height - gap, size, minSize: 15, lines: 3, leading: 1.3 };
  const names = typeset(canvas, sentence, { family: "inter", weight: 500 }, box);
  if (names.height <= area.height)
    place(canvas, names, { x: area.x, y: area.y + gap, width: area.width, color: colors.ink, align: "center" });
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
    const color = step % 2 === 1 ? colors.paper : mix(colors.tiles[0], colors.tiles[1], step / (steps - 2));
    draw(canvas, path(arch(box), color));
  }
}

function withoutNames(area: Rect, names: number): Rect {
  return { ...area, height: area.height - names };
}
