import satori, { type SatoriOptions } from "satori";
import type { PlacedText } from "./canvas.js";
import { toHex } from "./colors.js";
import type { FontSubset } from "./font-catalog.js";

/** A line of text as placed by the layout engine; `room` is the width it was given. */
export type ShapedLine = {
  text: string;
  left: number;
  top: number;
  width: number;
  height: number;
  room: number;
  size: number;
};

type Node = {
  type: "div";
  props: { style: Record<string, string | number>; children: Node[] | string; line?: number };
};

/** Shapes every line (kerning, joined scripts, right-to-left) into outlines, so that rasterizing needs no fonts. */
export async function shapeText(
  texts: PlacedText[],
  width: number,
  height: number,
): Promise<{ markup: string; lines: ShapedLine[] }> {
  const subsets = new Map<string, FontSubset>();
  const artwork: Record<string, string> = {};
  const nodes: Node[] = [];
  const rooms: number[] = [];
  const sizes: number[] = [];
  for (const placed of texts) {
    for (const subset of placed.fitted.text.subsets) subsets.set(subset.id, subset);
    for (const unit of placed.fitted.text.units) if (unit.artwork) artwork[unit.text] = unit.artwork;
    for (const line of lineNodes(placed, rooms.length)) {
      nodes.push(line);
      rooms.push(placed.width);
      sizes.push(placed.fitted.size);
    }
  }
  if (nodes.length === 0) return { markup: "", lines: [] };
  const lines: ShapedLine[] = [];
  const options: SatoriOptions = {
    width,
    height,
    fonts: [...subsets.values()].map(({ id, font }) => ({ name: id, data: font.data, weight: 400, style: "normal" })),
    graphemeImages: artwork,
    onNodeDetected(node) {
      const { line: index }: { line?: unknown } = node.props;
      if (typeof index !== "number") return;
      const { left, top, width: lineWidth, height: lineHeight, textContent = "" } = node;
      lines.push({
        text: textContent,
        left,
        top,
        width: lineWidth,
        height: lineHeight,
        room: rooms[index] ?? 0,
        size: sizes[index] ?? 0,
      });
    },
  };
  const root: Node = {
    type: "div",
    props: { style: { display: "flex", position: "relative", width, height }, children: nodes },
  };
  const svg = await satori(root as Parameters<typeof satori>[0], options);
  return { markup: withInlineArtwork(svg.replace(/^<svg[^>]*>/, "<g>").replace(/<\/svg>$/, "</g>")), lines };
}

function lineNodes({ fitted, x, y, width, color, align }: PlacedText, firstLine: number): Node[] {
  const rightToLeft = fitted.text.rightToLeft;
  const side = align === "start" ? (rightToLeft ? "right" : "left") : align;
  const justifyContent = { left: "flex-start", center: "center", right: "flex-end" }[side];
  return fitted.lines.map((line, index) => ({
    type: "div",
    props: {
      style: {
        display: "flex",
        position: "absolute",
        left: x,
        top: y + index * fitted.lineHeight,
        width,
        height: fitted.lineHeight,
        justifyContent,
      },
      children: [
        {
          type: "div",
          props: {
            line: firstLine + index,
            style: {
              display: "flex",
              flexShrink: 0,
              whiteSpace: "pre",
              fontFamily: fitted.text.subsets.map(({ id }) => id).join(", "),
              fontSize: fitted.size,
              lineHeight: `${fitted.lineHeight}px`,
              letterSpacing: fitted.tracking * fitted.size,
              color: toHex(color),
              direction: rightToLeft ? "rtl" : "ltr",
            },
            children: line.map((unit) => unit.text).join(""),
          },
        },
      ],
    },
  }));
}

/** Inlines emoji: as embedded documents each costs the rasterizer about 20 ms. */
function withInlineArtwork(markup: string): string {
  return markup.replace(
    /<image href="data:image\/svg\+xml;base64,([^"]*)"([^>]*)>(<\/image>)?/g,
    (whole, encoded, rest) => {
      const [x, y, width, height] = ["x", "y", "width", "height"].map(
        (name) => new RegExp(` ${name}="([\\d.-]+)"`).exec(rest)?.[1],
      );
      const artwork = Buffer.from(encoded, "base64").toString("utf8");
      const viewBox = /viewBox="[\d. -]+"/.exec(artwork)?.[0];
      if (!x || !y || !width || !height || !viewBox) return whole;
      return artwork.replace(/<svg[^>]*>/, `<svg x="${x}" y="${y}" width="${width}" height="${height}" ${viewBox}>`);
    },
  );
}
