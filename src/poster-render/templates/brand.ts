import { type Color, inkOn, white } from "../colors.js";
import { findLogo, type Logo } from "../pictures.js";
import { image, rectangle } from "../scene.js";
import { draw, place, type Stage, typeset } from "../stage.js";

type BrandSpot = {
  x: number;
  y: number;
  width: number;
  height: number;
  background: Color;
  align: "left" | "center" | "right";
  size?: number;
};

/** The organization's logo, or its name where there is no logo that can be drawn. Returns the width it takes. */
export async function drawBrand(stage: Stage, spot: BrandSpot): Promise<number> {
  const { organization } = stage.material;
  const logo = await findLogo(organization.logo, Math.round(spot.width), Math.round(spot.height));
  if (logo) return drawLogo(stage, spot, logo);
  const face = { family: "bricolage-grotesque", weight: 800 } as const;
  const wish = {
    width: spot.width,
    height: spot.height,
    size: spot.size ?? 34,
    minSize: 20,
    lines: 2,
    leading: 1.05,
    tracking: -0.01,
  };
  const name = typeset(stage, organization.name, face, wish);
  place(stage, name, {
    x: spot.x,
    y: spot.y + (spot.height - name.height) / 2,
    width: spot.width,
    color: inkOn(spot.background),
    align: spot.align,
  });
  return name.width;
}

function drawLogo(stage: Stage, spot: BrandSpot, logo: Logo): number {
  const tile = findLogoTile(spot, logo);
  const padding = tile ? spot.height * 0.16 : 0;
  const scale = (spot.height - 2 * padding) / spot.height;
  const inner = { width: logo.width * scale, height: logo.height * scale };
  const outer = { width: inner.width + 2 * padding, height: inner.height + 2 * padding };
  const free = spot.width - outer.width;
  const x = spot.x + { left: 0, center: free / 2, right: free }[spot.align];
  const y = spot.y + (spot.height - outer.height) / 2;
  if (tile) draw(stage, rectangle({ x, y, ...outer }, tile, 12));
  draw(stage, image({ x: x + padding, y: y + padding, ...inner }, logo.href, logo.transparent ? 0 : 8));
  return outer.width;
}

/** A see-through logo of which a part would drown in the background stands on a white or dark tile. */
function findLogoTile(spot: BrandSpot, logo: Logo): Color | undefined {
  if (!logo.transparent || logo.lostOn(spot.background) < 0.1) return undefined;
  const dark = inkOn(white);
  return logo.lostOn(white) <= logo.lostOn(dark) ? white : dark;
}
