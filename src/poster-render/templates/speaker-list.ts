import { type Canvas, place, typeset } from "../canvas.js";
import { type Color, inkOn, mix, readable } from "../colors.js";
import type { Rect } from "../svg-shapes.js";
import { positionOf, selectSpeakers } from "./poster-text.js";

type ListPlan = { nameSize: number; columns: number; detailed: boolean };

/** Draws names with positions if there is room, else names alone, else some names and a count of the rest. */
export function drawSpeakerList(canvas: Canvas, area: Rect, background: Color, nameSize: number): void {
  const everyone = selectSpeakers(canvas, 100).shown.length;
  if (everyone === 0 || area.height < nameSize) return;
  const plan = chooseRows(everyone, area, nameSize);
  const row = rowHeight(plan);
  const rows = Math.max(1, Math.floor(area.height / row));
  const capacity = rows * plan.columns;
  const { shown, more } = selectSpeakers(canvas, everyone > capacity ? Math.max(1, capacity - 1) : capacity);
  const gap = 32;
  const width = (area.width - gap * (plan.columns - 1)) / plan.columns;
  const cells = shown.length + (more > 0 && shown.length < capacity ? 1 : 0);
  const perColumn = Math.ceil(cells / plan.columns);
  const cell = (index: number) => ({
    x: area.x + Math.floor(index / perColumn) * (width + gap),
    y: area.y + (index % perColumn) * row,
  });
  const ink = inkOn(background);
  const muted = readable(mix(ink, background, 0.28), background, 4.5);
  for (const [index, speaker] of shown.entries()) {
    const at = cell(index);
    const box = { width, size: plan.nameSize, minSize: Math.round(plan.nameSize * 0.75), leading: 1.25 };
    const below = place(canvas, typeset(canvas, speaker.name, { family: "inter", weight: 700 }, box), {
      ...at,
      width,
      color: ink,
    });
    if (!plan.detailed) continue;
    const size = Math.round(plan.nameSize * 0.74);
    const position = typeset(
      canvas,
      positionOf(speaker),
      { family: "inter", weight: 500 },
      { width, size, minSize: Math.round(size * 0.84), leading: 1.25 },
    );
    place(canvas, position, { x: at.x, y: below, width, color: muted });
  }
  if (cells > shown.length) {
    const rest = typeset(canvas, `+${more} more`, { family: "inter", weight: 500 }, { width, size: plan.nameSize });
    place(canvas, rest, { ...cell(shown.length), width, color: muted });
  }
}

function chooseRows(count: number, area: Rect, nameSize: number): ListPlan {
  const wide = area.width >= nameSize * 22;
  const plans: ListPlan[] = [
    { nameSize: Math.round(nameSize * 1.3), columns: 1, detailed: true },
    { nameSize: Math.round(nameSize * 1.15), columns: 1, detailed: true },
    { nameSize, columns: 1, detailed: true },
    ...(wide ? [{ nameSize, columns: 2, detailed: true }] : []),
    { nameSize, columns: 1, detailed: false },
    { nameSize: Math.round(nameSize * 0.86), columns: wide ? 3 : 2, detailed: false },
  ];
  const fitting = plans.find((plan) => Math.ceil(count / plan.columns) * rowHeight(plan) <= area.height);
  return fitting ?? { nameSize: Math.round(nameSize * 0.8), columns: wide ? 3 : 2, detailed: false };
}

function rowHeight({ nameSize, detailed }: ListPlan): number {
  return Math.round(nameSize * (detailed ? 2.6 : 1.5));
}
