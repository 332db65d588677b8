import { type Color, difference, duotone, inkOn, lightness, mix, readable, withLightness } from "../colors.js";
import { findPortrait } from "../pictures.js";
import { image, type Rect, rectangle } from "../scene.js";
import { draw, place, type Stage, typeset } from "../stage.js";
import { drawBrand } from "./brand.js";
import { drawCastList } from "./cast-list.js";
import { drawPattern } from "./shape-pattern.js";
import { castOf, headlineOf, kickerOf } from "./wording.js";

type Layout = {
  pattern: { x: number; y: number; columns: number; rows: number; side: number };
  panel: Rect;
  title: number;
  body: number;
  /** Where portraits sit in the pattern, as column and row of their top left tile. */
  portraits: [number, number][];
  span: number;
};

const layouts: Record<Stage["format"], Layout> = {
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

/** Bold shapes in the two colours and their shades; portraits are tiles among tiles. */
export async function drawGeometric(stage: Stage): Promise<void> {
  const layout = castOf(stage, 1).shown.length === 0 ? withTallerPattern(stage) : layouts[stage.format];
  const ground = withLightness(stage.primary, 0.2, 0.42);
  draw(stage, rectangle({ x: 0, y: 0, width: stage.width, height: stage.height }, ground));
  await drawShapes(stage, layout, ground);
  await drawPanel(stage, layout, ground);
}

/** Without names to show, the shapes take some of their room. */
function withTallerPattern(stage: Stage): Layout {
  const layout = layouts[stage.format];
  const { pattern, panel } = layout;
  if (stage.format === "landscape") return layout;
  return {
    ...layout,
    pattern: { ...pattern, rows: pattern.rows + 1 },
    panel: { ...panel, y: panel.y + pattern.side, height: panel.height - pattern.side },
  };
}

async function drawShapes(stage: Stage, { pattern, portraits, span }: Layout, ground: Color): Promise<void> {
  const colors = patternColors(stage, ground);
  const reserved = new Set<number>();
  const pictures: string[] = [];
  const seated = stage.material.speakers.filter(({ photo }) => photo !== null).slice(0, portraits.length);
  for (const [index, speaker] of seated.entries()) {
    const [column, row] = portraits[index] ?? [0, 0];
    const side = pattern.side * span;
    const seat = { x: pattern.x + column * pattern.side, y: pattern.y + row * pattern.side, width: side, height: side };
    const color = colors[index % 2] ?? stage.primary;
    const portrait = await findPortrait(speaker.photo, seat, duotone(color));
    if (!portrait) continue;
    pictures.push(rectangle(seat, colors[(index + 1) % 2] ?? ground), image(seat, portrait.href, side / 2));
    for (let tile = 0; tile < span * span; tile += 1) {
      reserved.add((row + Math.floor(tile / span)) * pattern.columns + column + (tile % span));
    }
  }
  const seed = `${stage.material.event_name}\n${stage.material.title}`;
  draw(stage, ...drawPattern({ ...pattern, colors, seed, reserved }), ...pictures);
}

/** Four colours of which any two can be told apart. */
function patternColors(stage: Stage, ground: Color): Color[] {
  const { primary, secondary } = stage;
  const strong = lightness(primary) < 0.34 ? withLightness(primary, 0.46) : primary;
  const second = difference(strong, secondary) < 0.14 ? withLightness(secondary, 0.8) : secondary;
  const light =
    lightness(second) > 0.88 || lightness(strong) > 0.88 ? mix(strong, second, 0.5) : withLightness(strong, 0.94, 0.3);
  return [strong, second, light, ground];
}

async function drawPanel(stage: Stage, layout: Layout, ground: Color): Promise<void> {
  const { panel, body } = layout;
  const { x, width } = panel;
  const bottom = panel.y + panel.height;
  const ink = inkOn(ground);
  const accent = readable(stage.secondary, ground, 4.6);
  const headline = headlineOf(stage, display.family);
  const kicker = kickerOf(stage, headline);
  const label = [kicker.conference, kicker.event].filter((part) => part !== "").join(" · ");
  const inter = { family: "inter", weight: 600 } as const;
  const above = typeset(stage, label, inter, {
    width,
    size: Math.round(body * 0.88),
    minSize: 17,
    lines: 2,
    leading: 1.25,
  });
  const labelBottom = place(stage, above, { x, y: panel.y, width, color: accent, align: "start" });
  const hasCast = castOf(stage, 1).shown.length > 0;
  const titleTop = labelBottom + (above.height > 0 ? Math.round(body * 0.5) : 0);
  const foot = Math.round(body * 3.3);
  const title = typeset(stage, headline, display, {
    width,
    height: (bottom - foot - titleTop) * (hasCast ? 0.58 : 0.94),
    size: hasCast ? layout.title : Math.round(layout.title * 1.25),
    minSize: 26,
    lines: 9,
    leading: 1.06,
    tracking: -0.035,
  });
  const titleBottom = place(stage, title, { x, y: titleTop, width, color: ink, align: "start" });
  if (hasCast) {
    const y = titleBottom + body;
    drawCastList(stage, { x, y, width, height: bottom - foot - y - body * 0.5 }, ground, body);
  }
  await drawFoot(stage, { x, y: bottom - foot, width, height: foot }, ground, body);
}

async function drawFoot(stage: Stage, foot: Rect, ground: Color, body: number): Promise<void> {
  const { material } = stage;
  const ink = inkOn(ground);
  draw(
    stage,
    rectangle(
      { x: foot.x, y: foot.y, width: foot.width, height: 3 },
      stage.secondary === ground ? ink : readable(stage.secondary, ground, 2),
    ),
  );
  const brandWidth = foot.width * 0.34;
  const top = foot.y + Math.round(body * 0.7);
  const height = foot.y + foot.height - top;
  await drawBrand(stage, {
    x: foot.x + foot.width - brandWidth,
    y: top,
    width: brandWidth,
    height: Math.min(height, 76),
    background: ground,
    align: "right",
    size: body,
  });
  const width = foot.width - brandWidth - 32;
  const when = typeset(
    stage,
    material.when,
    { family: "inter", weight: 800 },
    { width, height: height * 0.6, size: body, minSize: 17, lines: 2, leading: 1.2, tracking: -0.01 },
  );
  const below = place(stage, when, { x: foot.x, y: top, width, color: ink });
  const where = typeset(
    stage,
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
  if (below + where.height <= foot.y + foot.height + 1) place(stage, where, { x: foot.x, y: below, width, color: ink });
}
