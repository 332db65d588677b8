import { type Canvas, draw, place, typeset } from "../canvas.js";
import { type Color, inkOn, white } from "../colors.js";
import type { Logo } from "../pictures.js";
import { image, rectangle } from "../svg-shapes.js";

type BrandBox = {
  x: number;
  y: number;
  width: number;
  height: number;
  background: Color;
  align: "left" | "center" | "right";
  size?: number;
};

/** Draws the organization's logo, or its name if there is no usable logo. */
export async function drawBrand(canvas: Canvas, box: BrandBox): Promise<void> {
  const { organization } = canvas.material;
  const logo = await canvas.pictures.logo(organization.logo, Math.round(box.width), Math.round(box.height));
  if (logo) return drawLogo(canvas, box, logo);
  const face = { family: "bricolage-grotesque", weight: 800 } as const;
  const textBox = {
    width: box.width,
    height: box.height,
    size: box.size ?? 34,
    minSize: 20,
    lines: 2,
    leading: 1.05,
    tracking: -0.01,
  };
  const name = typeset(canvas, organization.name, face, textBox);
  place(canvas, name, {
    x: box.x,
    y: box.y + (box.height - name.height) / 2,
    width: box.width,
    color: inkOn(box.background),
    align: box.align,
  });
}

function drawLogo(canvas: Canvas, box: BrandBox, logo: Logo): void {
  const tile = findLogoTile(box, logo);
  const padding = tile ? box.height * 0.16 : 0;
  const scale = (box.height - 2 * padding) / box.height;
  const inner = { width: logo.width * scale, height: logo.height * scale };
  const outer = { width: inner.width + 2 * padding, height: inner.height + 2 * padding };
  const free = box.width - outer.width;
  const x = box.x + { left: 0, center: free / 2, right: free }[box.align];
  const y = box.y + (box.height - outer.height) / 2;
  if (tile) draw(canvas, rectangle({ x, y, ...outer }, tile, 12));
  draw(canvas, image({ x: x + padding, y: y + padding, ...inner }, logo.href, logo.transparent ? 0 : 8));
}

/** A transparent logo with too little contrast in places gets a white or dark tile. */
function findLogoTile(box: BrandBox, logo: Logo): Color | undefined {
  if (!logo.transparent || logo.lowContrastShare(box.background) < 0.1) return undefined;
  const dark = inkOn(white);
  return logo.lowContrastShare(white) <= logo.lowContrastShare(dark) ? white : dark;
}
