import { type Color, inkOn, mix, readable } from "../../../contract/colors.js";
import { type Canvas, place, typeset } from "../canvas.js";
import type { PosterSpeaker } from "../poster-input.js";
import type { Rect } from "../svg-shapes.js";
import type { FittedText } from "../text-layout.js";
import { fitPosition, isShortened, moreOf, selectSpeakers } from "./poster-text.js";

type ListPlan = { size: number; columns: number; detailed: boolean };
type Entry = { name: FittedText; position: FittedText | undefined; height: number };
type SetList = { columns: Entry[][]; width: number; gap: number; plan: ListPlan };

const nameFace = { family: "inter", weight: 700 } as const;
const columnGap = 32;
const leading = 1.25;

/**
 * Draws names with positions if there is room, else names alone, else some names and a count of the rest. All names have one
 * size, and a second column comes before a smaller size.
 */
export function drawSpeakerList(canvas: Canvas, area: Rect, background: Color, nameSize: number): void {
  const everyone = selectSpeakers(canvas, 100).shown;
  if (everyone.length === 0 || area.height < nameSize) return;
  const list = setList(canvas, area, nameSize, everyone);
  const ink = inkOn(background);
  const muted = readable(mix(ink, background, 0.28), background, 4.5);
  for (const [column, entries] of list.columns.entries()) {
    const at = { x: area.x + column * (list.width + columnGap), width: list.width };
    let y = area.y;
    for (const { name, position, height } of entries) {
      const below = place(canvas, name, { ...at, y, color: ink });
      if (position) place(canvas, position, { ...at, y: below, color: muted });
      y += height + list.gap;
    }
  }
}

function setList(canvas: Canvas, area: Rect, nameSize: number, everyone: PosterSpeaker[]): SetList {
  const plans = plansFor(nameSize, area);
  for (const plan of plans) {
    const list = setPlan(canvas, area, plan, everyone, selectSpeakers(canvas, everyone.length).more);
    if (list && isLegible(list, everyone)) return list;
  }
  const { more: unnamed } = selectSpeakers(canvas, everyone.length);
  const dense = plans.filter(({ detailed }) => !detailed).toReversed();
  for (let shown = everyone.length; shown > 0; shown -= 1) {
    for (const plan of dense) {
      const list = setPlan(canvas, area, plan, everyone.slice(0, shown), unnamed + everyone.length - shown);
      if (list) return list;
    }
  }
  return { columns: [], width: area.width, gap: 0, plan: { size: nameSize, columns: 1, detailed: false } };
}

/** In the order of preference. */
function plansFor(nameSize: number, area: Rect): ListPlan[] {
  const plans = (detailed: boolean, columns: number, shares: number[]): ListPlan[] =>
    shares
      .map((share) => ({ size: Math.round(nameSize * share), columns, detailed }))
      .filter(({ size }) => columns === 1 || columnWidth(area, columns) >= size * 6.4);
  return [
    ...plans(true, 1, [1.3, 1.15, 1]),
    ...plans(true, 2, [1, 0.9]),
    ...plans(false, 1, [1.15, 1]),
    ...plans(false, 2, [1, 0.9]),
    ...plans(false, 3, [0.9]),
    ...plans(false, 1, [0.86]),
    ...plans(false, 2, [0.8]),
    ...plans(false, 3, [0.8, 0.72]),
    ...plans(false, 2, [0.72]),
  ];
}

function columnWidth(area: Rect, columns: number): number {
  return (area.width - columnGap * (columns - 1)) / columns;
}

/** The list as this plan sets it; undefined if it is too high. */
function setPlan(
  canvas: Canvas,
  area: Rect,
  plan: ListPlan,
  speakers: PosterSpeaker[],
  more: number,
): SetList | undefined {
  const width = columnWidth(area, plan.columns);
  const entries = speakers.map((speaker) => setEntry(canvas, width, plan, speaker));
  if (more > 0) {
    const rest = typeset(
      canvas,
      moreOf(canvas, more),
      { family: "inter", weight: 500 },
      { width, size: plan.size, leading },
    );
    entries.push({ name: rest, position: undefined, height: rest.height });
  }
  const gap = Math.round(plan.size * (entries.some(({ position }) => position) ? 0.42 : 0.26));
  const perColumn = Math.ceil(entries.length / plan.columns);
  const columns = Array.from({ length: plan.columns }, (_, column) =>
    entries.slice(column * perColumn, (column + 1) * perColumn),
  );
  const highest = Math.max(...columns.map((column) => column.reduce((sum, { height }) => sum + height + gap, -gap)));
  return highest <= area.height ? { columns, width, gap, plan } : undefined;
}

function setEntry(canvas: Canvas, width: number, plan: ListPlan, speaker: PosterSpeaker): Entry {
  const name = typeset(canvas, speaker.name, nameFace, { width, size: plan.size, lines: 2, leading, even: true });
  const box = { width, size: Math.round(plan.size * 0.74), leading };
  const position = plan.detailed ? fitPosition(canvas, speaker, box) : undefined;
  return { name, position, height: name.height + (position?.height ?? 0) };
}

/** Few names are broken, none is shortened, and everyone who has a position has it shown if anyone does. */
function isLegible({ columns, plan }: SetList, speakers: PosterSpeaker[]): boolean {
  const entries = columns.flat();
  const broken = entries.filter(({ name }) => name.lines.length > 1).length;
  if (broken > entries.length / 4 || entries.some(({ name }) => isShortened(name))) return false;
  const hasPosition = ({ title, company }: PosterSpeaker) => Boolean(title?.trim() || company?.trim());
  return (
    !plan.detailed ||
    entries.every(({ position }, index) => position || !speakers[index] || !hasPosition(speakers[index]))
  );
}
