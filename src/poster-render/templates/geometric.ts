import {
  type Color,
  colorDifference,
  inkOn,
  lightness,
  mix,
  readable,
  withLightness,
} from "../../../contract/colors.js";
import { type Canvas, draw, place, typeset } from "../canvas.js";
import type { PosterSpeaker } from "../poster-input.js";
import { portraitLimits } from "../poster-input.js";
import { type Rect, rectangle } from "../svg-shapes.js";
import { drawFoot } from "./foot.js";
import { drawPortrait } from "./portrait.js";
import { headlineOf, kickerLine, selectSpeakers } from "./poster-text.js";
import { drawPattern } from "./shape-pattern.js";
import { drawSpeakerList } from "./speaker-list.js";

type Layout = {
  pattern: { x: number; y: number; columns: number; rows: number; side: number };
  panel: Rect;
  title: number;
  body: number;
  /** Height of date, place and brand. */
  foot: { plain: number; link: number };
  /** Column and row of the first tile of each portrait, for up to three of two tiles and up to six of one tile. */
  portraits: { large: [number, number][]; small: [number, number][] };
};

const tile = (column: number, row: number): [number, number] => [column, row];

const layouts: Record<Canvas["format"], Layout> = {
  portrait: {
    pattern: { x: 0, y: 0, columns: 6, rows: 3, side: 180 },
    panel: { x: 64, y: 580, width: 952, height: 716 },
    title: 96,
    body: 32,
    foot: { plain: 106, link: 206 },
    portraits: {
      large: [tile(0, 1), tile(2, 1), tile(4, 0)],
      small: [tile(0, 1), tile(1, 1), tile(2, 1), tile(3, 1), tile(4, 1), tile(5, 1)],
    },
  },
  square: {
    pattern: { x: 0, y: 0, columns: 8, rows: 3, side: 135 },
    panel: { x: 60, y: 440, width: 960, height: 592 },
    title: 84,
    body: 28,
    foot: { plain: 92, link: 180 },
    portraits: {
      large: [tile(1, 1), tile(3, 0), tile(5, 0)],
      small: [tile(1, 1), tile(2, 1), tile(3, 1), tile(4, 1), tile(5, 1), tile(6, 1)],
    },
  },
  story: {
    pattern: { x: 0, y: 0, columns: 6, rows: 5, side: 180 },
    panel: { x: 72, y: 950, width: 936, height: 790 },
    title: 108,
    body: 36,
    foot: { plain: 119, link: 240 },
    portraits: {
      large: [tile(0, 1), tile(2, 3), tile(4, 1)],
      small: [tile(0, 2), tile(1, 2), tile(2, 2), tile(3, 2), tile(4, 2), tile(5, 2)],
    },
  },
  landscape: {
    pattern: { x: 780, y: 0, columns: 4, rows: 6, side: 105 },
    panel: { x: 52, y: 44, width: 684, height: 546 },
    title: 66,
    body: 23,
    foot: { plain: 76, link: 138 },
    portraits: {
      large: [tile(0, 0), tile(2, 2), tile(0, 4)],
      small: [tile(1, 1), tile(2, 1), tile(1, 2), tile(2, 2), tile(1, 3), tile(2, 3)],
    },
  },
};

const display = { family: "unbounded", weight: 800 } as const;

/** A pattern of bold shapes in shades of the two colors. Portraits take the place of tiles if all speakers have room. */
export async function drawGeometric(canvas: Canvas): Promise<void> {
  const layout = selectSpeakers(canvas, 3).shown.length < 3 ? withTallerPattern(canvas) : layouts[canvas.format];
  const background = withLightness(canvas.primary, 0.2, 0.42);
  draw(canvas, rectangle({ x: 0, y: 0, width: canvas.width, height: canvas.height }, background));
  await drawShapes(canvas, layout, background);
  await drawPanel(canvas, layout, background);
}

/** With few speakers the pattern gets part of their space. */
function withTallerPattern(canvas: Canvas): Layout {
  const layout = layouts[canvas.format];
  const { pattern, panel } = layout;
  if (canvas.format === "landscape") return layout;
  return {
    ...layout,
    pattern: { ...pattern, rows: pattern.rows + 1 },
    panel: { ...panel, y: panel.y + pattern.side, height: panel.height - pattern.side },
  };
}

async function drawShapes(canvas: Canvas, { pattern, portraits }: Layout, background: Color): Promise<void> {
  const colors = patternColors(canvas, background);
  const reserved = new Set<number>();
  const { places, span, speakers } = choosePortraits(canvas, portraits);
  for (const [column, row] of places) {
    for (let tile = 0; tile < span * span; tile += 1) {
      reserved.add((row + Math.floor(tile / span)) * pattern.columns + column + (tile % span));
    }
  }
  const seed = `${canvas.material.event_name}\n${canvas.material.title}`;
  draw(canvas, ...drawPattern({ ...pattern, colors, seed, reserved }));
  for (const [index, speaker] of speakers.entries()) {
    const [column, row] = places[index] ?? [0, 0];
    const side = pattern.side * span;
    const box = { x: pattern.x + column * pattern.side, y: pattern.y + row * pattern.side, width: side, height: side };
    draw(canvas, rectangle(box, colors[(index + 1) % 2] ?? background));
    await drawPortrait(canvas, box, speaker, colors[index % 2] ?? canvas.primary, "disc");
  }
}

/** Everyone who is named or nobody, in the order of the names; nobody if there are only initials to show. */
function choosePortraits(canvas: Canvas, { large, small }: Layout["portraits"]) {
  const { shown, more } = selectSpeakers(canvas, portraitLimits.geometric);
  const usable = ({ photo }: PosterSpeaker) => photo !== null && !canvas.pictures.isUnusable(photo);
  if (more > 0 || !shown.some(usable)) return { places: [], span: 1, speakers: [] };
  if (shown.length <= large.length) {
    return { places: large.slice(0, shown.length), span: 2, speakers: shown };
  }
  return { places: small.slice(0, shown.length), span: 1, speakers: shown };
}

/** Four colors, each distinguishable from the others. */
function patternColors(canvas: Canvas, background: Color): Color[] {
  const { primary, secondary } = canvas;
  const strong = lightness(primary) < 0.34 ? withLightness(primary, 0.46) : primary;
  const second = colorDifference(strong, secondary) < 0.14 ? withLightness(secondary, 0.8) : secondary;
  const light =
    lightness(second) > 0.88 || lightness(strong) > 0.88 ? mix(strong, second, 0.5) : withLightness(strong, 0.94, 0.3);
  return [strong, second, light, background];
}

async function drawPanel(canvas: Canvas, layout: Layout, background: Color): Promise<void> {
  const { panel, body } = layout;
  const { x, width } = panel;
  const bottom = panel.y + panel.height;
  const ink = inkOn(background);
  const accent = readable(canvas.secondary, background, 4.6);
  const headline = headlineOf(canvas, display.family);
  const label = kickerLine(canvas, headline);
  const inter = { family: "inter", weight: 600 } as const;
  const above = typeset(canvas, label, inter, {
    width,
    size: Math.round(body * 0.88),
    minSize: 17,
    lines: 2,
    leading: 1.25,
  });
  const labelBottom = place(canvas, above, { x, y: panel.y, width, color: accent });
  const hasSpeakers = selectSpeakers(canvas, 1).shown.length > 0;
  const titleTop = labelBottom + (above.height > 0 ? Math.round(body * 0.5) : 0);
  const foot = canvas.material.link === null ? layout.foot.plain : layout.foot.link;
  const title = typeset(canvas, headline, display, {
    width,
    height: (bottom - foot - titleTop) * (hasSpeakers ? 0.58 : 0.94),
    size: hasSpeakers ? layout.title : Math.round(layout.title * 2),
    minSize: 26,
    lines: 9,
    leading: 1.06,
    tracking: -0.035,
    even: true,
  });
  const titleBottom = place(canvas, title, { x, y: titleTop, width, color: ink });
  if (hasSpeakers) {
    const y = titleBottom + body;
    drawSpeakerList(canvas, { x, y, width, height: bottom - foot - y - body * 0.5 }, background, body);
  }
  const rule = { x, y: bottom - foot, width, height: 3 };
  draw(canvas, rectangle(rule, canvas.secondary === background ? ink : readable(canvas.secondary, background, 2)));
  const below = Math.round(body * 0.7);
  await drawFoot(canvas, { x, y: bottom - foot + below, width, height: foot - below }, background, body);
}
