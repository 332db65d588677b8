import { type Color, inkOn, lightness, mix, readable, white, withLightness } from "../../../contract/colors.js";
import { type Canvas, draw, mostContrasting, place, typeset } from "../canvas.js";
import { type PosterSpeaker, portraitLimits } from "../poster-input.js";
import { circle, clipped, path, type Rect, rectangle } from "../svg-shapes.js";
import { drawFoot } from "./foot.js";
import { drawPortrait } from "./portrait.js";
import { fitPosition, headlineOf, kickerLine, selectSpeakers } from "./poster-text.js";
import { chooseGrid, type Grid } from "./tile-grid.js";

const layouts = {
  portrait: { margin: 64, top: 60, footer: { plain: 150, link: 244 }, title: 168, gap: 28, kicker: 30, foot: 32 },
  square: { margin: 56, top: 48, footer: { plain: 130, link: 220 }, title: 140, gap: 24, kicker: 26, foot: 28 },
  story: { margin: 72, top: 190, footer: { plain: 340, link: 460 }, title: 190, gap: 32, kicker: 34, foot: 38 },
  landscape: { margin: 44, top: 36, footer: { plain: 104, link: 158 }, title: 100, gap: 20, kicker: 22, foot: 24 },
} as const;
/** The lower part of a story is covered by controls. */
const coveredInStories = 170;
const tileLimit = portraitLimits.lineup;
/** Shares of the space between top and footer that the headline may take, largest first. */
const headerShares = [0.5, 0.42, 0.35, 0.28, 0.22];

type LineupColors = { paper: Color; ink: Color; muted: Color; tiles: Color[] };

/** A grid of portraits, with initials for speakers without a photo. */
export async function drawLineup(canvas: Canvas): Promise<void> {
  const { width, height, format } = canvas;
  const { margin, top, gap, foot, ...layout } = layouts[format];
  const footer = canvas.material.link === null ? layout.footer.plain : layout.footer.link;
  const colors = lineupColors(canvas);
  const inner = width - 2 * margin;
  const footerTop = height - footer;
  draw(canvas, rectangle({ x: 0, y: 0, width, height }, colors.paper));
  draw(canvas, rectangle({ x: 0, y: footerTop, width, height: footer }, canvas.primary));
  const footHeight = footer - (format === "story" ? coveredInStories : 0);
  const padding = Math.round(canvas.material.link === null ? footHeight * 0.2 : foot * 1.05);
  const info = { x: margin, y: footerTop + padding, width: inner, height: footHeight - 2 * padding };
  await drawFoot(canvas, info, canvas.primary, foot);

  const total = selectSpeakers(canvas, 100).shown.length;
  const { shown, more } = selectSpeakers(canvas, total > tileLimit ? tileLimit - 1 : tileLimit);
  const space = footerTop - top;
  if (shown.length === 0) {
    const header = { x: margin, y: top, width: inner, height: space * 0.55 };
    const below = drawHeader(canvas, header, colors, layout.title * 1.8);
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
  const size = captionSize(canvas, grid, anchored, shown);
  for (const [index, speaker] of shown.entries()) {
    const { tile, caption } = grid.cell(index, anchored);
    drawCaption(canvas, grid, caption, speaker, size, colors);
    await drawPortrait(canvas, tile, speaker, tileColor(canvas, grid, index, colors), "tile");
  }
  if (more > 0) drawMoreTile(canvas, grid, anchored, shown.length, more, colors);
  for (let index = count; index % grid.columns !== 0; index += 1) drawSpareTile(canvas, grid, anchored, index, colors);
}

function lineupColors(canvas: Canvas): LineupColors {
  const { primary, secondary } = canvas;
  const paper = withLightness(primary, 0.965, 0.1);
  const ink = inkOn(paper);
  const visible = (color: Color) => (lightness(color) > 0.9 ? withLightness(color, 0.86) : color);
  const tiles = [primary, secondary].map(visible);
  return { paper, ink, muted: readable(mix(ink, paper, 0.35), paper, 4.6), tiles };
}

function drawHeader(
  canvas: Canvas,
  area: Rect,
  colors: LineupColors,
  titleSize: number = layouts[canvas.format].title,
): number {
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
  const labelBottom = place(canvas, above, { x: area.x, y: area.y, width: area.width, color: accent });
  const gap = above.height > 0 ? 12 : 0;
  const title = typeset(
    canvas,
    headline,
    { family: "inter", weight: 800 },
    {
      width: area.width,
      height: area.height - above.height - gap,
      size: titleSize,
      minSize: 28,
      lines: 10,
      leading: 0.98,
      tracking: -0.042,
      even: true,
    },
  );
  return place(canvas, title, {
    x: area.x,
    y: labelBottom + gap,
    width: area.width,
    color: colors.ink,
  });
}

function tileColor(canvas: Canvas, grid: Grid, index: number, colors: LineupColors): Color {
  const checker = (Math.floor(index / grid.columns) + (index % grid.columns)) % colors.tiles.length;
  return colors.tiles[checker] ?? canvas.primary;
}

const nameFace = { family: "inter", weight: 700 } as const;
const nameShare = 0.62;

/** The largest size at which every name fits below its tile: all names have the same. */
function captionSize(canvas: Canvas, grid: Grid, area: Rect, speakers: PosterSpeaker[]): number {
  const { caption } = grid.cell(0, area);
  const least = Math.max(14, Math.round(grid.nameSize * 0.6));
  const box = {
    width: caption.width,
    height: caption.height * nameShare,
    size: grid.nameSize,
    minSize: least,
    lines: 2,
  };
  const sizes = speakers.map(
    ({ name }) => typeset(canvas, name, nameFace, { ...box, leading: 1.12, tracking: -0.012 }).size,
  );
  return Math.min(grid.nameSize, ...sizes);
}

function drawCaption(
  canvas: Canvas,
  grid: Grid,
  caption: Rect,
  speaker: PosterSpeaker,
  size: number,
  colors: LineupColors,
): void {
  const { x, width } = caption;
  const name = typeset(canvas, speaker.name, nameFace, {
    width,
    height: caption.height * nameShare,
    size,
    lines: 2,
    leading: 1.12,
    tracking: -0.012,
    even: true,
  });
  const room = caption.height - name.height - 4;
  const positionSize = Math.max(14, Math.round(size * 0.7));
  const box = { width, height: room, size: positionSize, lines: grid.beside ? 3 : 2, leading: 1.22, even: true };
  const position = fitPosition(canvas, speaker, box);
  const y = caption.y + (grid.beside ? Math.max(0, (room - (position?.height ?? 0)) / 2) : 0);
  const below = place(canvas, name, { x, y, width, color: colors.ink });
  if (position) place(canvas, position, { x, y: below + 4, width, color: colors.muted });
}

/** Shapes in a place of the last row that nobody takes. */
function drawSpareTile(canvas: Canvas, grid: Grid, area: Rect, index: number, colors: LineupColors): void {
  const { tile } = grid.cell(index, area);
  const ground = mix(colors.paper, tileColor(canvas, grid, index, colors), 0.16);
  const front = mix(colors.paper, tileColor(canvas, grid, index, colors), 0.34);
  const radius = Math.min(tile.width, tile.height);
  const quarter = (size: number, color: Color) => circle(tile.x + tile.width, tile.y + tile.height, size, color);
  const shapes = rectangle(tile, ground) + quarter(radius * 0.92, front) + quarter(radius * 0.46, ground);
  draw(canvas, clipped(tile, rectangle(tile, ground, grid.radius), shapes));
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
    canvas.material.words.more,
    { family: "inter", weight: 600 },
    { width: tile.width * 0.9, size: Math.max(14, size * 0.42) },
  );
  const y = tile.y + (tile.height - count.height - word.height) / 2;
  const below = place(canvas, count, { x: tile.x, y, width: tile.width, color: colors.ink, align: "center" });
  place(canvas, word, { x: tile.x, y: below, width: tile.width, color: colors.ink, align: "center" });
}

/** Concentric half discs above the footer, in place of portraits. */
function drawSun(canvas: Canvas, area: Rect): void {
  const bottom = area.y + area.height;
  const centre = area.x + area.width / 2;
  const radius = Math.min(area.height * 0.92, area.width * 0.44);
  const { primary, secondary } = canvas;
  const colors = [secondary, mix(secondary, white, 0.4), mix(primary, white, 0.7), mix(primary, white, 0.4), primary];
  for (const [step, color] of colors.entries()) {
    const r = radius * (1 - step / colors.length);
    draw(canvas, path(`M${centre - r} ${bottom}A${r} ${r} 0 0 1 ${centre + r} ${bottom}Z`, color));
  }
  draw(canvas, circle(area.x + area.width * 0.86, area.y + area.height * 0.12, radius * 0.07, canvas.primary));
}
