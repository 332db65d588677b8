import { type Color, inkOn, mix, readable, white } from "../../../contract/colors.js";
import { type Canvas, draw, drawUpright, place, type TextAlign, typeset } from "../canvas.js";
import type { Logo } from "../pictures.js";
import { clipped, image, type Rect, rectangle } from "../svg-shapes.js";
import { nameList } from "./poster-text.js";

type BrandBox = Rect & { background: Color; align: TextAlign; size?: number };

const shownCoHosts = 4;

/** Draws the organization's logo, or its name if there is no usable logo, and the names of its co-hosts below. */
export async function drawBrand(canvas: Canvas, box: BrandBox): Promise<void> {
  const size = box.size ?? 34;
  const coHosts = coHostLine(canvas, box, Math.max(15, Math.round(size * 0.6)));
  const room = box.height - coHosts.height;
  const { organization } = canvas.material;
  const logo = await canvas.pictures.logo(organization.logo, Math.round(box.width), Math.round(room));
  const face = { family: "bricolage-grotesque", weight: 800 } as const;
  const textBox = { width: box.width, height: room, size, minSize: 18, lines: 2, leading: 1.05, tracking: -0.01 };
  const name = typeset(canvas, logo ? "" : organization.name, face, { ...textBox, even: true });
  const height = (logo ? room : name.height) + coHosts.height;
  const top = box.y + (box.height - height) / 2;
  if (logo) drawLogo(canvas, { ...box, y: top, height: room }, logo);
  const below = logo ? top + room : place(canvas, name, { ...box, y: top, color: inkOn(box.background) });
  place(canvas, coHosts, { ...box, y: below, color: coHostColor(box.background) });
}

function coHostLine(canvas: Canvas, { width, height }: BrandBox, size: number) {
  const { co_hosts, words } = canvas.material;
  const names = co_hosts.map((name) => name.trim()).filter((name) => name !== "");
  const text = names.length === 0 ? "" : `${words.with} ${nameList(canvas, names, shownCoHosts)}`;
  const box = { width, height: height * 0.6, size, minSize: 13, lines: 2, leading: 1.2, even: true };
  return typeset(canvas, text, { family: "inter", weight: 500 }, box);
}

function coHostColor(background: Color): Color {
  return readable(mix(inkOn(background), background, 0.2), background, 4.5);
}

function drawLogo(canvas: Canvas, box: BrandBox, logo: Logo): void {
  const tile = findLogoTile(box, logo);
  const padding = tile ? box.height * 0.16 : 0;
  const scale = (box.height - 2 * padding) / box.height;
  const inner = { width: logo.width * scale, height: logo.height * scale };
  const outer = { width: inner.width + 2 * padding, height: inner.height + 2 * padding };
  const free = box.width - outer.width;
  const x = box.x + { start: 0, center: free / 2, end: free }[box.align];
  const y = box.y + (box.height - outer.height) / 2;
  if (tile) draw(canvas, rectangle({ x, y, ...outer }, tile, 12));
  const at = { x: x + padding, y: y + padding, ...inner };
  const corners = rectangle(at, white, logo.transparent ? 0 : 8);
  drawUpright(canvas, at, clipped(at, corners, image(at, logo.href)));
}

/** A transparent logo with too little contrast in places gets a white or dark tile. */
function findLogoTile(box: BrandBox, logo: Logo): Color | undefined {
  if (!logo.transparent || logo.lowContrastShare(box.background) < 0.1) return undefined;
  const dark = inkOn(white);
  return logo.lowContrastShare(white) <= logo.lowContrastShare(dark) ? white : dark;
}
