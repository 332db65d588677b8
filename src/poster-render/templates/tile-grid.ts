import type { Rect } from "../svg-shapes.js";

export type Grid = {
  columns: number;
  /** Captions are beside the tiles instead of below them. */
  beside: boolean;
  nameSize: number;
  radius: number;
  height: number;
  /** Size of tiles and names; only comparable with the score of another grid. */
  score: number;
  cell(index: number, area: Rect): { tile: Rect; caption: Rect };
};

type Size = { width: number; height: number };
type Candidate = {
  columns: number;
  rows: number;
  beside: boolean;
  cell: Size;
  tile: Size;
  captionWidth: number;
  gap: number;
};

const narrowest = 0.58;
const widest = 1.5;
const legibleNameSize = 26;
const captionGap = 12;

/** Chooses the arrangement with the largest near-square tiles and readable names. */
export function chooseGrid(count: number, area: Size, gap: number): Grid {
  const candidates = Array.from({ length: count }, (_, index) => index + 1).flatMap((columns) =>
    [false, true].map((beside) => plan(count, columns, beside, area, gap)),
  );
  const best = candidates.reduce((one, other) => (scoreOf(other, count) > scoreOf(one, count) ? other : one));
  return build(best, count);
}

function plan(count: number, columns: number, beside: boolean, area: Size, gap: number): Candidate {
  const rows = Math.ceil(count / columns);
  const cell = {
    width: (area.width - gap * (columns - 1)) / columns,
    height: Math.max(0, (area.height - gap * (rows - 1)) / rows),
  };
  if (beside) {
    const width = Math.min(cell.width * 0.46, cell.height);
    const tile = { width, height: Math.min(cell.height, width / narrowest) };
    return { columns, rows, beside, cell, tile, captionWidth: cell.width - width - gap, gap };
  }
  const height = Math.max(0, Math.min(cell.height - captionHeight(cell.width), cell.width / narrowest));
  const tile = { width: Math.min(cell.width, height * widest), height };
  return { columns, rows, beside, cell, tile, captionWidth: cell.width, gap };
}

function scoreOf({ tile, cell, captionWidth, beside, columns, rows }: Candidate, count: number): number {
  const legibility = Math.min(1, nameSizeFor(captionWidth, beside) / legibleNameSize) ** 3;
  const wholeRows = columns * rows === count ? 1.7 : 1;
  const filled = beside ? 1 : (tile.width / cell.width) ** 2;
  return tile.width * tile.height * legibility * wholeRows * filled;
}

function build(chosen: Candidate, count: number): Grid {
  const { columns, rows, beside, cell, tile, captionWidth, gap } = chosen;
  const belowHeight = captionHeight(captionWidth);
  const rowHeight = beside ? tile.height : tile.height + belowHeight;
  return {
    columns,
    beside,
    nameSize: nameSizeFor(captionWidth, beside),
    radius: Math.min(28, Math.round(tile.width * 0.08)),
    height: rows * rowHeight + (rows - 1) * gap,
    score: scoreOf(chosen, count),
    cell(index, area) {
      const x = area.x + (index % columns) * (cell.width + gap);
      const y = area.y + Math.floor(index / columns) * (rowHeight + gap);
      const caption = beside
        ? { x: x + tile.width + gap, y, width: captionWidth, height: tile.height }
        : { x, y: y + tile.height + captionGap, width: captionWidth, height: belowHeight - captionGap };
      return { tile: { x, y, ...tile }, caption };
    },
  };
}

/** Fits a name of two lines, or a name and a position. */
function captionHeight(width: number): number {
  return Math.round(captionGap + 12 + nameSizeFor(width, false) * 2.6);
}

function nameSizeFor(captionWidth: number, beside: boolean): number {
  return Math.max(14, Math.min(beside ? 64 : 46, Math.round(captionWidth * 0.108)));
}
