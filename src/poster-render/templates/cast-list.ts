import { type Color, inkOn, mix, readable } from "../colors.js";
import type { Rect } from "../scene.js";
import { place, type Stage, typeset } from "../stage.js";
import { castOf, positionOf } from "./wording.js";

type CastPlan = { nameSize: number; columns: number; detailed: boolean };

/** Names with positions while there is room, then names alone, then some of them and a count. Returns the y below. */
export function drawCastList(stage: Stage, area: Rect, background: Color, nameSize: number): number {
  const everyone = castOf(stage, 100).shown.length;
  if (everyone === 0 || area.height < nameSize) return area.y;
  const plan = chooseRows(everyone, area, nameSize);
  const row = rowHeight(plan);
  const rows = Math.max(1, Math.floor(area.height / row));
  const capacity = rows * plan.columns;
  const { shown, more } = castOf(stage, everyone > capacity ? Math.max(1, capacity - 1) : capacity);
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
    const wish = { width, size: plan.nameSize, minSize: Math.round(plan.nameSize * 0.75), leading: 1.25 };
    const below = place(stage, typeset(stage, speaker.name, { family: "inter", weight: 700 }, wish), {
      ...at,
      width,
      color: ink,
    });
    if (!plan.detailed) continue;
    const size = Math.round(plan.nameSize * 0.74);
    const position = typeset(
      stage,
      positionOf(speaker),
      { family: "inter", weight: 500 },
      { width, size, minSize: Math.round(size * 0.84), leading: 1.25 },
    );
    place(stage, position, { x: at.x, y: below, width, color: muted });
  }
  if (cells > shown.length) {
    const rest = typeset(stage, `+${more} more`, { family: "inter", weight: 500 }, { width, size: plan.nameSize });
    place(stage, rest, { ...cell(shown.length), width, color: muted });
  }
  return area.y + perColumn * row;
}

function chooseRows(count: number, area: Rect, nameSize: number): CastPlan {
  const wide = area.width >= nameSize * 22;
  const plans: CastPlan[] = [
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

function rowHeight({ nameSize, detailed }: CastPlan): number {
  return Math.round(nameSize * (detailed ? 2.6 : 1.5));
}
