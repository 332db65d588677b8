import type { Color } from "../../../contract/colors.js";
import { type Canvas, place, typeset } from "../canvas.js";
import { drawQrCode } from "../qr-code.js";
import type { Rect } from "../svg-shapes.js";

export type LinkBox = Rect & {
  color: Color;
  size: number;
  /** Where the call to action is. */
  label: "before" | "after" | "below";
};

/** Draws the QR code as large as the box allows, with the call to action beside or below it. */
export function drawLink(canvas: Canvas, box: LinkBox): void {
  const { link } = canvas.material;
  if (link === null) return;
  const face = { family: "bricolage-grotesque", weight: 800 } as const;
  const gap = Math.round(box.size * 0.6);
  const options = { size: box.size, minSize: Math.min(box.size, 15), leading: 1.1, even: true };
  if (box.label === "below") {
    const label = typeset(canvas, link.call_to_action, face, {
      ...options,
      width: box.width,
      height: box.size * 2.4,
      lines: 2,
    });
    const side = Math.round(Math.min(box.width, box.height - label.height - gap * 0.6));
    drawQrCode(canvas, { x: box.x + (box.width - side) / 2, y: box.y, width: side, height: side }, link.url);
    place(canvas, label, { ...box, y: box.y + side + gap * 0.6, align: "center" });
    return;
  }
  const side = Math.round(Math.min(box.height, box.width * 0.62));
  const width = box.width - side - gap;
  const y = box.y + (box.height - side) / 2;
  const label = typeset(canvas, link.call_to_action, face, { ...options, width, height: side, lines: 4 });
  const isBefore = box.label === "before";
  drawQrCode(canvas, { x: isBefore ? box.x + box.width - side : box.x, y, width: side, height: side }, link.url);
  place(canvas, label, {
    x: isBefore ? box.x : box.x + side + gap,
    y: y + (side - label.height) / 2,
    width,
    color: box.color,
    align: isBefore ? "end" : "start",
  });
}
