import { type Frame, type FrameKind, mergeSmall } from "./flame-graph.js";

const width = 1200;
const rowHeight = 18;
const margin = 12;
const headHeight = 64;
const fontSize = 11;
/** Of a monospaced font. */
const characterWidth = fontSize * 0.602;
/** Frames below this part of the whole are merged: they would be narrower than 6 pixels. */
const minimumShare = 0.005;

const colours: Record<FrameKind, string> = {
  service: "#f5b04c",
  package: "#9cc5a1",
  node: "#a9c4e4",
  engine: "#d5d5da",
};

const legend: [FrameKind, string][] = [
  ["service", "the service"],
  ["package", "packages"],
  ["node", "Node"],
  ["engine", "engine and native code"],
];

type Box = { frame: Frame; x: number; depth: number; width: number };

/** A flame graph, the first caller at the bottom. Only attributes, no styles: it works under any content security policy. */
export function renderFlameGraph(profile: Frame, title: string, subtitle: string): string {
  const root = mergeSmall(profile, profile.micros * minimumShare);
  const boxes = layOut(root, margin, 0, (width - 2 * margin) / Math.max(1, root.micros));
  const depth = Math.max(...boxes.map((box) => box.depth)) + 1;
  const height = headHeight + depth * rowHeight + margin;
  const top = (box: Box) => height - margin - (box.depth + 1) * rowHeight;
  const groups = legend.map(([kind]) => {
    const rects = boxes.filter(({ frame }) => frame.kind === kind).map((box) => rectOf(box, top(box), root.micros));
    return `<g fill="${colours[kind]}">${rects.join("")}</g>`;
  });
  const texts = boxes.map((box) => labelOf(box, top(box))).join("");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#fff"/>`,
    `<g font-family="system-ui, sans-serif" fill="#1d1d22">`,
    `<text x="${margin}" y="26" font-size="16" font-weight="600">${escaped(title)}</text>`,
    `<text x="${margin}" y="46" font-size="12" fill="#5c5c66">${escaped(subtitle)}</text>`,
    legendText(),
    "</g>",
    ...groups,
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="${fontSize}" fill="#1d1d22" pointer-events="none">${texts}</g>`,
    "</svg>",
    "",
  ].join("\n");
}

function layOut(frame: Frame, x: number, depth: number, scale: number): Box[] {
  const boxes: Box[] = [{ frame, x, depth, width: frame.micros * scale }];
  let left = x;
  for (const child of frame.children) {
    boxes.push(...layOut(child, left, depth + 1, scale));
    left += child.micros * scale;
  }
  return boxes;
}

function rectOf({ frame, x, width: wide }: Box, y: number, total: number): string {
  const share = (micros: number) => `${((micros / total) * 100).toFixed(1)} %`;
  const self = frame.self === frame.micros ? "" : `, itself ${share(frame.self)}`;
  const text = `${frame.name}${frame.file === "" ? "" : ` (${frame.file})`}: ${share(frame.micros)}${self}`;
  const size = `width="${round(Math.max(0.5, wide - 1))}" height="${rowHeight - 1}" rx="2"`;
  return `<rect x="${round(x)}" y="${y}" ${size}><title>${escaped(text)}</title></rect>`;
}

/** The name, and the file where there is room for it. */
function labelOf({ frame, x, width: wide }: Box, y: number): string {
  const room = Math.floor((wide - 8) / characterWidth);
  if (room < 3) return "";
  const long = frame.file === "" ? frame.name : `${frame.name}  ${frame.file}`;
  const text =
    long.length <= room ? long : frame.name.length <= room ? frame.name : `${frame.name.slice(0, room - 1)}…`;
  return `<text x="${round(x + 4)}" y="${y + 12.5}">${escaped(text)}</text>`;
}

function legendText(): string {
  let x = width - margin;
  return legend
    .toReversed()
    .map(([kind, text]) => {
      x -= text.length * 6.4 + 34;
      const mark = `<rect x="${round(x)}" y="15" width="12" height="12" rx="2" fill="${colours[kind]}"/>`;
      return `${mark}<text x="${round(x + 17)}" y="25" font-size="12">${escaped(text)}</text>`;
    })
    .join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
