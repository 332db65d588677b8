import { type Canvas, draw, place, typeset } from "../canvas.js";
import { type Color, colorDifference, duotone, inkOn, lightness, mix, readable, withLightness } from "../colors.js";
import { image, type Rect, rectangle } from "../svg-shapes.js";
import { drawBrand } from "./brand.js";
import { headlineOf, kickerLine, selectSpeakers } from "./poster-text.js";
import { drawPattern } from "./shape-pattern.js";
import { drawSpeakerList } from "./speaker-list.js";

type Layout = {
  pattern: { x: number; y: number; columns: number; rows: number; side: number };
  panel: Rect;
  title: number;
  body: number;
  /** Column and row of the top left tile of each portrait in the pattern. */
  portraits: [number, number][];
  span: number;
};

const layouts: Record<Canvas["format"], Layout> = {
  portrait: {
    pattern: { x: 0, y: 0, columns: 6, rows: 3, side: 180 },
    panel: { x: 64, y: 580, width: 952, height: 716 },
    title: 96,
    body: 32,
    portraits: [
      [4, 0],
      [0, 1],
      [2, 1],
    ],
    span: 2,
  },
  square: {
    pattern: { x: 0, y: 0, columns: 8, rows: 3, side: 135 },
    panel: { x: 60, y: 440, width: 960, height: 592 },
    title: 84,
    body: 28,
    portraits: [
      [5, 0],
      [1, 1],
      [3, 0],
    ],
    span: 2,
  },
  story: {
    pattern: { x: 0, y: 0, columns: 6, rows: 5, side: 180 },
    panel: { x: 72, y: 950, width: 936, height: 790 },
    title: 108,
    body: 36,
    portraits: [
      [3, 2],
      [0, 1],
      [4, 0],
    ],
    span: 2,
  },
  landscape: {
    pattern: { x: 780, y: 0, columns: 4, rows: 6, side: 105 },
    panel: { x: 52, y: 44, width: 684, height: 546 },
    title: 66,
    body: 23,
    portraits: [
      [2, 0],
      [0, 2],
      [2, 4],
    ],
    span: 2,
  },
};

const display = { family: "unbounded", weight: 800 } as const;

/** A pattern of bold shapes in shades of the two colors; portraits take the place of tiles. */
export async function drawGeometric(canvas: Canvas): Promise<void> {
  const layout = selectSpeakers(canvas, 1).shown.length === 0 ? withTallerPattern(canvas) : layouts[canvas.format];
  const background = withLightness(canvas.primary, 0.2, 0.42);
  draw(canvas, rectangle({ x: 0, y: 0, width: canvas.width, height: canvas.height }, background));
  await drawShapes(canvas, layout, background);
  await drawPanel(canvas, layout, background);
}

/** Without speakers the pattern gets part of their space. */
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

async function drawShapes(canvas: Canvas, { pattern, portraits, span }: Layout, background: Color): Promise<void> {
  const colors = patternColors(canvas, background);
  const reserved = new Set<number>();
  const pictures: string[] = [];
  const withPhoto = canvas.material.speakers.filter(({ photo }) => photo !== null).slice(0, portraits.length);
  for (const [index, speaker] of withPhoto.entries()) {
    const [column, row] = portraits[index] ?? [0, 0];
    const side = pattern.side * span;
    const box = { x: pattern.x + column * pattern.side, y: pattern.y + row * pattern.side, width: side, height: side };
    const color = colors[index % 2] ?? canvas.primary;
    const portrait = await canvas.pictures.portrait(speaker.photo, box, duotone(color));
    if (!portrait) continue;
    pictures.push(rectangle(box, colors[(index + 1) % 2] ?? background), image(box, portrait.href, side / 2));
    for (let tile = 0; tile < span * span; tile += 1) {
      reserved.add((row + Math.floor(tile / span)) * pattern.columns + column + (tile % span));
    }
  }
  const seed = `${canvas.material.event_name}\n${canvas.material.title}`;
  draw(canvas, ...drawPattern({ ...pattern, colors, seed, reserved }), ...pictures);
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
  const labelBottom = place(canvas, above, { x, y: panel.y, width, color: accent, align: "start" });
  const hasSpeakers = selectSpeakers(canvas, 1).shown.length > 0;
  const titleTop = labelBottom + (above.height > 0 ? Math.round(body * 0.5) : 0);
  const foot = Math.round(body * 3.3);
  const title = typeset(canvas, headline, display, {
    width,
    height: (bottom - foot - titleTop) * (hasSpeakers ? 0.58 : 0.94),
    size: hasSpeakers ? layout.title : Math.round(layout.title * 1.25),
    minSize: 26,
    lines: 9,
    leading: 1.06,
    tracking: -0.035,
  });
  const titleBottom = place(canvas, title, { x, y: titleTop, width, color: ink, align: "start" });
  if (hasSpeakers) {
    const y = titleBottom + body;
    drawSpeakerList(canvas, { x, y, width, height: bottom - foot - y - body * 0.5 }, background, body);
  }
  await drawFoot(canvas, { x, y: bottom - foot, width, height: foot }, background, body);
}

async function drawFoot(canvas: Canvas, foot: Rect, background: Color, body: number): Promise<void> {
  const { material } = canvas;
  const ink = inkOn(background);
  draw(
    canvas,
    rectangle(
      { x: foot.x, y: foot.y, width: foot.width, height: 3 },
      canvas.secondary === background ? ink : readable(canvas.secondary, background, 2),
    ),
  );
  const brandWidth = foot.width * 0.34;
  const top = foot.y + Math.round(body * 0.7);
  const height = foot.y + foot.height - top;
  await drawBrand(canvas, {
    x: foot.x + foot.width - brandWidth,
    y: top,
    width: brandWidth,
    height: Math.min(height, 76),
    background,
    align: "right",
    size: body,
  });
  const width = foot.width - brandWidth - 32;
  const when = typeset(
    canvas,
    material.when,
    { family: "inter", weight: 800 },
    { width, height: height * 0.6, size: body, minSize: 17, lines: 2, leading: 1.2, tracking: -0.01 },
  );
  const below = place(canvas, when, { x: foot.x, y: top, width, color: ink });
  const where = typeset(
    canvas,
    material.where ?? "",
    { family: "inter", weight: 500 },
    {
      width,
      height: foot.y + foot.height - below,
      size: Math.round(body * 0.82),
      minSize: 15,
      lines: 2,
      leading: 1.25,
    },
  );
  if (below + where.height <= foot.y + foot.height + 1)
    place(canvas, where, { x: foot.x, y: below, width, color: ink });
}
