import type { Color } from "../../../contract/colors.js";
import { type Canvas, place, typeset } from "../canvas.js";
import { type PosterSpeaker, portraitLimits } from "../poster-input.js";
import type { Rect } from "../svg-shapes.js";
import { drawPortrait } from "./portrait.js";
import { fitPosition, isShortened, selectSpeakers } from "./poster-text.js";

type Arrangement = {
  columns: number;
  cell: { width: number; height: number };
  arch: { width: number; height: number };
  gap: number;
  nameSize: number;
};

/** Draws everyone in arches with a caption each; false if there is no room for all of them. */
export async function drawArches(
  canvas: Canvas,
  area: Rect,
  layout: EditorialLayout,
  colors: EditorialColors,
): Promise<boolean> {
  const { shown, more } = selectSpeakers(canvas, portraitLimits.editorial);
  if (more > 0) return false;
  const arrangements = [1, 2, 3].map((rows) => arrange(canvas, area, layout, shown, rows));
  const fitting = arrangements.filter((each) => each !== undefined);
  if (fitting.length === 0) return false;
  const best = fitting.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  const rows = Math.ceil(shown.length / best.columns);
  const top = area.y + (area.height - rows * best.cell.height - (rows - 1) * best.gap) / 2;
  for (const [index, speaker] of shown.entries()) {
    const row = Math.floor(index / best.columns);
    const inRow = Math.min(best.columns, shown.length - row * best.columns);
    const rowWidth = inRow * best.cell.width + (inRow - 1) * best.gap;
    const left = area.x + (area.width - rowWidth) / 2 + (index % best.columns) * (best.cell.width + best.gap);
    const y = top + row * (best.cell.height + best.gap);
    const box = { x: left + (best.cell.width - best.arch.width) / 2, y, ...best.arch };
    await drawPortrait(canvas, box, speaker, colors.tiles[index % 2 === 0 ? 0 : 1], "arch");
    const caption = { x: left, y: y + best.arch.height, width: best.cell.width };
    drawCaption(canvas, { ...caption, height: best.cell.height - best.arch.height }, speaker, best.nameSize, colors);
  }
  return true;
}

/** Larger arches and names are better. */
function weightOf({ arch, nameSize }: Arrangement): number {
  return arch.width * arch.height * Math.min(nameSize, 34) ** 2;
}

function arrange(
  canvas: Canvas,
  area: Rect,
  { body }: EditorialLayout,
  speakers: PosterSpeaker[],
  rows: number,
): Arrangement | undefined {
  const columns = Math.ceil(speakers.length / rows);
  if (Math.ceil(speakers.length / columns) !== rows) return undefined;
  const gap = Math.round(body * 0.9);
  const width = Math.min((area.width - gap * (columns - 1)) / columns, area.width * 0.62);
  const nameSize = captionSize(canvas, width, body, speakers);
  if (nameSize === undefined) return undefined;
  const caption = Math.round(nameSize * 3.5);
  const room = (area.height - gap * (rows - 1)) / rows - caption;
  const arch = { width: Math.min(width, room * 0.82), height: 0 };
  arch.height = Math.min(room, arch.width * (columns > 3 ? 2 : 1.6));
  if (arch.width < body * 3.6) return undefined;
  return { columns, cell: { width, height: arch.height + caption }, arch, gap, nameSize };
}

/** One size for all names, or undefined if it would be too small to read. */
function captionSize(canvas: Canvas, width: number, body: number, speakers: PosterSpeaker[]): number | undefined {
  const box = { width, size: Math.round(body * 1.08), minSize: Math.round(body * 0.68), lines: 2, leading: 1.1 };
  const names = speakers.map(({ name }) => typeset(canvas, name, serif, box));
  if (names.some((name) => isShortened(name) || name.lines.length > 2)) return undefined;
  return Math.min(...names.map(({ size }) => size));
}

function drawCaption(canvas: Canvas, area: Rect, speaker: PosterSpeaker, size: number, colors: EditorialColors): void {
  const { x, width } = area;
  const name = typeset(canvas, speaker.name, serif, { width, size, lines: 2, leading: 1.1, even: true });
  const y = area.y + size * 0.42;
  const below = place(canvas, name, { x, y, width, color: colors.ink, align: "center" });
  const height = area.y + area.height - below;
  const box = { width, height, size: Math.max(14, Math.round(size * 0.66)), lines: 2, leading: 1.22, even: true };
  const position = fitPosition(canvas, speaker, box);
  if (position) place(canvas, position, { x, y: below + 2, width, color: colors.muted, align: "center" });
}

export type EditorialLayout = {
  text: Rect;
  /** If undefined, the portraits are between headline and date. */
  portraits: Rect | undefined;
  title: number;
  body: number;
  titleShare: number;
};

export type EditorialColors = { paper: Color; ink: Color; title: Color; muted: Color; tiles: [Color, Color] };

export const serif = { family: "fraunces", weight: 600 } as const;
