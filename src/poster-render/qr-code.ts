import encodeQR from "qr";
import { black, type Color, toHex, white } from "../../contract/colors.js";
import { type Canvas, drawUpright } from "./canvas.js";
import { n, type Rect, rectangle } from "./svg-shapes.js";

/** Empty modules around the code, which scanners need to find it. */
const border = 3;

/** Dark modules on white, whatever the poster's colors: scanners need the contrast. */
export function drawQrCode(canvas: Canvas, box: Rect, text: string, ink: Color = black): void {
  const modules = encodeQR(text, "raw", { ecc: text.length > 90 ? "low" : "medium", border });
  const count = modules.length;
  // Whole pixels, or seams show between modules.
  const step = Math.max(1, Math.floor(box.width / count));
  const side = step * count;
  const left = Math.round(box.x + (box.width - side) / 2);
  const top = Math.round(box.y + (box.height - side) / 2);
  const runs = modules.flatMap((row, y) => {
    const found: string[] = [];
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      found.push(`M${start} ${y}h${x + 1 - start}v1H${start}z`);
    }
    return found;
  });
  const code = `<path transform="translate(${n(left)} ${n(top)}) scale(${step})" d="${runs.join("")}" fill="${toHex(ink)}"/>`;
  drawUpright(canvas, box, rectangle(box, white, box.width * 0.07) + code);
}
