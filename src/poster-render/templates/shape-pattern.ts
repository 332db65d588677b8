import type { Color } from "../../../contract/colors.js";
import { circle, n, path, rectangle, ring } from "../svg-shapes.js";

type Tile = { x: number; y: number; side: number; back: Color; front: Color; accent: Color };

export type PatternOptions = {
  x: number;
  y: number;
  columns: number;
  rows: number;
  side: number;
  colors: Color[];
  seed: string;
  /** Tiles to leave empty, as row * columns + column. */
  reserved: Set<number>;
};

/** Tiles of quarter circles, leaves, arcs and dots, the same for the same seed. `side` must be an integer, or seams show. */
export function drawPattern(options: PatternOptions): string[] {
  const random = createRandom(options.seed);
  const markup: string[] = [];
  let previous = -1;
  const above: number[] = [];
  for (let index = 0; index < options.columns * options.rows; index += 1) {
    const column = index % options.columns;
    const pick = () => Math.floor(random() * shapes.length);
    let shape = pick();
    while (shape === previous || shape === above[column]) shape = pick();
    previous = shape;
    above[column] = shape;
    const [back, front, accent] = threeColors(options.colors, random);
    const tile: Tile = {
      x: options.x + column * options.side,
      y: options.y + Math.floor(index / options.columns) * options.side,
      side: options.side,
      back,
      front,
      accent,
    };
    const turn = Math.floor(random() * 4) * 90;
    if (options.reserved.has(index)) continue;
    const middle = `${n(tile.x + tile.side / 2)} ${n(tile.y + tile.side / 2)}`;
    const field = { x: tile.x, y: tile.y, width: tile.side, height: tile.side };
    markup.push(rectangle(field, back), `<g transform="rotate(${turn} ${middle})">${shapes[shape]?.(tile) ?? ""}</g>`);
  }
  return markup;
}

const shapes: ((tile: Tile) => string)[] = [
  ({ x, y, side, front }) => path(`${quarter(x, y, side)}`, front),
  ({ x, y, side, front, accent }) => path(quarter(x, y, side), front) + path(quarter(x, y, side / 2), accent),
  ({ x, y, side, front }) => path(half(x, y, side), front) + path(half(x, y + side / 2, side), front),
  ({ x, y, side, front, accent }) =>
    circle(x + side / 2, y + side / 2, side * 0.5, front) + circle(x + side / 2, y + side / 2, side * 0.22, accent),
  ({ x, y, side, front }) =>
    path(
      `M${n(x)} ${n(y)}A${n(side)} ${n(side)} 0 0 1 ${n(x + side)} ${n(y + side)}A${n(side)} ${n(side)} 0 0 1 ${n(x)} ${n(y)}Z`,
      front,
    ),
  ({ x, y, side, front }) => path(`M${n(x)} ${n(y)}H${n(x + side)}L${n(x)} ${n(y + side)}Z`, front),
  ({ x, y, side, front }) => dots(x, y, side, front),
  ({ x, y, side, front }) => [0, 1, 2].map((bar) => bars(x, y, side, bar, front)).join(""),
  ({ x, y, side, front, accent }) => path(half(x, y, side), front) + path(half(x, y + side / 2, side), accent),
  ({ x, y, side, front }) =>
    ring(x + side / 2, y + side / 2, side * 0.38, front, side * 0.12) +
    circle(x + side / 2, y + side / 2, side * 0.14, front),
];

function quarter(x: number, y: number, radius: number): string {
  return `M${n(x)} ${n(y)}H${n(x + radius)}A${n(radius)} ${n(radius)} 0 0 1 ${n(x)} ${n(y + radius)}Z`;
}

function half(x: number, y: number, side: number): string {
  return `M${n(x)} ${n(y + side / 2)}A${n(side / 2)} ${n(side / 2)} 0 0 1 ${n(x + side)} ${n(y + side / 2)}Z`;
}

function dots(x: number, y: number, side: number, color: Color): string {
  const steps = [1, 3, 5].map((step) => (side * step) / 6);
  return steps.flatMap((dx) => steps.map((dy) => circle(x + dx, y + dy, side * 0.085, color))).join("");
}

function bars(x: number, y: number, side: number, bar: number, color: Color): string {
  return rectangle({ x, y: y + ((bar * 2 + 0.5) * side) / 6, width: side, height: side / 6 }, color);
}

function threeColors(colors: Color[], random: () => number): [Color, Color, Color] {
  const [first, ...rest] = colors;
  const fallback: Color = first ?? [0, 0, 0];
  const pool = [fallback, ...rest];
  const take = () => pool.splice(Math.floor(random() * pool.length), 1)[0] ?? fallback;
  return [take(), take(), take()];
}

/** mulberry32 seeded with an FNV-1a hash, so that the same seed gives the same pattern in every process. */
function createRandom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
