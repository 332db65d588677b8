import { type Canvas, draw, mostContrasting, place, typeset } from "../canvas.js";
import { type Color, duotone, inkOn, lightness, mix, readable, withLightness } from "../colors.js";
import { initialsOf } from "../drawable-text.js";
import type { PosterSpeaker } from "../poster-input.js";
import { circle, image, path, type Rect, rectangle } from "../svg-shapes.js";
import { drawBrand } from "./brand.js";
import { headlineOf, kickerLine, positionOf, selectSpeakers } from "./poster-text.js";
import { chooseGrid, type Grid } from "./tile-grid.js";

const layouts = {
  portrait: { margin: 64, top: 60, footer: 150, title: 168, gap: 28, kicker: 30, foot: 32 },
  square: { margin: 56, top: 48, footer: 130, title: 140, gap: 24, kicker: 26, foot: 28 },
  story: { margin: 72, top: 190, footer: 340, title: 190, gap: 32, kicker: 34, foot: 38 },
  landscape: { margin: 44, top: 36, footer: 104, title: 100, gap: 20, kicker: 22, foot: 24 },
} as const;
const tileLimit = 12;
/** Shares of the space between top and footer that the headline may take, largest first. */
const headerShares = [0.5, 0.42, 0.35, 0.28, 0.22];

type LineupColors = { paper: Color; ink: Color; muted: Color; tiles: Color[] };

/** A grid of portraits, with initials for speakers without a photo. */
export async function drawLineup(canvas: Canvas): Promise<void> {
  const { width, height, format } = canvas;
  const { margin, top, footer, gap } = layouts[format];
  const colors = lineupColors(canvas);
  const inner = width - 2 * margin;
  const footerTop = height - footer;
  draw(canvas, rectangle({ x: 0, y: 0, width, height }, colors.paper));
  await drawFooter(canvas, { x: 0, y: footerTop, width, height: footer }, canvas.primary);

  const total = selectSpeakers(canvas, 100).shown.length;
  const { shown, more } = selectSpeakers(canvas, total > tileLimit ? tileLimit - 1 : tileLimit);
  const space = footerTop - top;
  if (shown.length === 0) {
    const below = drawHeader(canvas, { x: margin, y: top, width: inner, height: space * 0.55 }, colors);
    return drawSun(canvas, { x: 0, y: below + gap, width, height: footerTop - below - gap });
  }
  const count = shown.length + (more > 0 ? 1 : 0);
  const plans = headerShares.map((share) => {
    const header = space * share;
    return { header, grid: chooseGrid(count, { width: inner, height: space - header - 2 * gap }, gap) };
  });
  const enough = 0.75 * Math.max(...plans.map(({ grid }) => grid.score));
  const plan = plans.find(({ grid }) => grid.score >= enough) ?? plans[0];
  if (!plan) return;
  const headerBottom = drawHeader(canvas, { x: margin, y: top, width: inner, height: plan.header }, colors);
  const area = { x: margin, y: headerBottom + gap, width: inner, height: footerTop - headerBottom - 2 * gap };
  const grid = chooseGrid(count, area, gap);
  const anchored = { ...area, y: area.y + area.height - grid.height };
  for (const [index, speaker] of shown.entries()) await drawTile(canvas, grid, anchored, index, speaker, colors);
  if (more > 0) drawMoreTile(canvas, grid, anchored, shown.length, more, colors);
}

function lineupColors(canvas: Canvas): LineupColors {
  const { primary, secondary } = canvas;
  const paper = withLightness(primary, 0.965, 0.1);
  const ink = inkOn(paper);
  const visible = (color: Color) => (lightness(color) > 0.9 ? withLightness(color, 0.86) : color);
  const tiles = [primary, secondary].map(visible);
  return { paper, ink, muted: readable(mix(ink, paper, 0.35), paper, 4.6), tiles };
}

function drawHeader(canvas: Canvas, area: Rect, colors: LineupColors): number {
  const layout = layouts[canvas.format];
  const headline = headlineOf(canvas, "inter");
  const label = kickerLine(canvas, headline);
  const above = typeset(
    canvas,
    label,
    { family: "inter", weight: 700 },
    { width: area.width, size: layout.kicker, minSize: 18, lines: 2, leading: 1.25 },
  );
  const accent = readable(mostContrasting(canvas, colors.paper), colors.paper, 4.6);
  const labelBottom = place(canvas, above, { x: area.x, y: area.y, width: area.width, color: accent, align: "start" });
  const gap = above.height > 0 ? 12 : 0;
  const title = typeset(
    canvas,
    headline,
    { family: "inter", weight: 800 },
    {
      width: area.width,
      height: area.height - above.height - gap,
      size: layout.title,
      minSize: 28,
      lines: 10,
      leading: 0.98,
      tracking: -0.042,
    },
  );
  return place(canvas, title, {
    x: area.x,
    y: labelBottom + gap,
    width: area.width,
    color: colors.ink,
    align: "start",
  });
}

async function drawTile(
  canvas: Canvas,
  grid: Grid,
  area: Rect,
  index: number,
  speaker: PosterSpeaker,
  colors: LineupColors,
): Promise<void> {
  const { tile, caption } = grid.cell(index, area);
  const checker = (Math.floor(index / grid.columns) + (index % grid.columns)) % colors.tiles.length;
  const background = colors.tiles[checker] ?? canvas.primary;
  drawCaption(canvas, grid, caption, speaker, colors);
  const portrait = await canvas.pictures.portrait(speaker.photo, tile, duotone(background));
  if (portrait) return draw(canvas, image(tile, portrait.href, grid.radius));
  draw(canvas, rectangle(tile, background, grid.radius));
  const initials = typeset(
    canvas,
    initialsOf(speaker.name),
    { family: "bricolage-grotesque", weight: 800 },
    { width: tile.width * 0.8, size: Math.min(tile.width, tile.height) * 0.42, minSize: 12, leading: 1 },
  );
  const middle = tile.y + (tile.height - initials.height) / 2;
  place(canvas, initials, { x: tile.x, y: middle, width: tile.width, color: inkOn(background), align: "center" });
}

function drawCaption(canvas: Canvas, grid: Grid, caption: Rect, speaker: PosterSpeaker, colors: LineupColors): void {
  const { x, width } = caption;
  const name = typeset(
    canvas,
    speaker.name,
    { family: "inter", weight: 700 },
    {
      width,
      height: caption.height * 0.62,
      size: grid.nameSize,
      minSize: Math.max(14, Math.round(grid.nameSize * 0.72)),
      lines: 2,
      leading: 1.12,
      tracking: -0.012,
    },
  );
  const size = Math.max(14, Math.round(grid.nameSize * 0.7));
  const room = caption.height - name.height - 4;
  const position = typeset(
    canvas,
    positionOf(speaker),
    { family: "inter", weight: 500 },
    { width, height: room, size, minSize: Math.min(size, 14), lines: grid.beside ? 3 : 2, leading: 1.22 },
  );
  const fits = position.height <= room;
  const y = caption.y + (grid.beside ? Math.max(0, (room - position.height) / 2) : 0);
  const below = place(canvas, name, { x, y, width, color: colors.ink });
  if (fits) place(canvas, position, { x, y: below + 4, width, color: colors.muted });
}

function drawMoreTile(canvas: Canvas, grid: Grid, area: Rect, index: number, more: number, colors: LineupColors): void {
  const { tile } = grid.cell(index, area);
  const background = mix(colors.paper, colors.ink, 0.09);
  draw(canvas, rectangle(tile, background, grid.radius));
  const face = { family: "bricolage-grotesque", weight: 800 } as const;
  const size = Math.min(tile.width, tile.height) * 0.3;
  const count = typeset(canvas, `+${more}`, face, { width: tile.width * 0.9, size, minSize: 14, leading: 1 });
  const word = typeset(
    canvas,
    "more",
    { family: "inter", weight: 600 },
    { width: tile.width * 0.9, size: Math.max(14, size * 0.42) },
  );
  const y = tile.y + (tile.height - count.height - word.height) / 2;
  const below = place(canvas, count, { x: tile.x, y, width: tile.width, color: colors.ink, align: "center" });
  place(canvas, word, { x: tile.x, y: below, width: tile.width, color: colors.ink, align: "center" });
}

async function drawFooter(canvas: Canvas, bar: Rect, background: Color): Promise<void> {
  const { material, format } = canvas;
  const layout = layouts[format];
  draw(canvas, rectangle(bar, background));
  const color = inkOn(background);
  const content = { y: bar.y, height: format === "story" ? 170 : bar.height };
  const inner = bar.width - 2 * layout.margin;
  const brandWidth = inner * 0.34;
  const brandHeight = Math.min(content.height * 0.55, 72);
  await drawBrand(canvas, {
    x: bar.x + bar.width - layout.margin - brandWidth,
    y: content.y + (content.height - brandHeight) / 2,
    width: brandWidth,
    height: brandHeight,
    background,
    align: "right",
    size: layout.foot,
  });
  const width = inner - brandWidth - 32;
  const room = content.height * 0.6;
  const when = typeset(
    canvas,
    material.when,
    { family: "inter", weight: 800 },
    { width, height: room * 0.6, size: layout.foot, minSize: 18, lines: 2, leading: 1.15, tracking: -0.015 },
  );
  const where = typeset(
    canvas,
    material.where ?? "",
    { family: "inter", weight: 500 },
    { width, height: room - when.height, size: Math.round(layout.foot * 0.8), minSize: 16, lines: 2, leading: 1.25 },
  );
  const y = content.y + (content.height - when.height - where.height) / 2;
  const below = place(canvas, when, { x: layout.margin, y, width, color });
  place(canvas, where, { x: layout.margin, y: below, width, color });
}

/** Concentric half discs above the footer, in place of portraits. */
function drawSun(canvas: Canvas, area: Rect): void {
  const bottom = area.y + area.height;
  const centre = area.x + area.width / 2;
  const radius = Math.min(area.height * 0.92, area.width * 0.44);
  const steps = 5;
  for (let step = 0; step < steps; step += 1) {
    const share = 1 - step / steps;
    const color = mix(canvas.secondary, canvas.primary, step / (steps - 1));
    const r = radius * share;
    draw(canvas, path(`M${centre - r} ${bottom}A${r} ${r} 0 0 1 ${centre + r} ${bottom}Z`, color));
  }
  draw(canvas, circle(area.x + area.width * 0.86, area.y + area.height * 0.12, radius * 0.07, canvas.primary));
}
