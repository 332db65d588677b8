import { type Color, duotone, inkOn, lightness, mix, readable, withLightness } from "../../../contract/colors.js";
import { type Canvas, draw, drawUpright, place, typeset } from "../canvas.js";
import { initialsOf } from "../drawable-text.js";
import type { FontFamily } from "../font-catalog.js";
import type { PosterSpeaker } from "../poster-input.js";
import { arch, circle, clipped, image, n, outline, path, type Rect, rectangle, ring } from "../svg-shapes.js";

/** The outline of portraits, and how initials take the place of a photo in it. */
type PortraitForm = {
  shape(box: Rect): string;
  family: FontFamily;
  monogram(box: Rect, colors: MonogramColors): string;
  /** Where the initials are, and their size: in the middle of the box, or at its lower corner. */
  initials(box: Rect): Rect & { size: number; align: "start" | "center" };
};
type MonogramColors = { ground: Color; motif: Color; line: Color };

const anyFill: Color = [0, 0, 0];
const tileRadius = (box: Rect) => Math.min(28, Math.round(box.width * 0.08));

/** A tile with discs rising behind large initials at its lower edge. */
const tile: PortraitForm = {
  shape: (box) => rectangle(box, anyFill, tileRadius(box)),
  family: "bricolage-grotesque",
  monogram: (box, { ground, motif, line }) => {
    const radius = Math.max(box.width, box.height) * 0.56;
    const [x, y] = [box.x + box.width, box.y];
    return (
      rectangle(box, ground) +
      circle(x, y, radius, motif) +
      ring(x, y, radius * 1.22, line, Math.max(2, radius * 0.018)) +
      ring(x, y, radius * 1.44, line, Math.max(2, radius * 0.018))
    );
  },
  initials(box) {
    const size = Math.min(box.width * 0.46, box.height * 0.52);
    const inset = Math.max(10, box.width * 0.075);
    const area = { x: box.x + inset, y: box.y, width: box.width - 2 * inset, height: box.height - inset * 0.5 };
    return { ...area, size, align: "start" };
  },
};

/** An arch with a fine inner arch and a rule below the initials, like a plaque. */
const archForm: PortraitForm = {
  shape: (box) => path(arch(box), anyFill),
  family: "fraunces",
  monogram: (box, { ground, motif, line }) => {
    const inset = box.width * 0.075;
    const inner = { x: box.x + inset, y: box.y + inset, width: box.width - 2 * inset, height: box.height };
    const hill = { x: box.x, y: box.y + box.height * 0.7, width: box.width, height: box.width };
    const rule = { x: box.x + box.width * 0.38, y: box.y + box.height * 0.6, width: box.width * 0.24 };
    return (
      path(arch(box), ground) +
      path(arch(hill), motif) +
      outline(arch(inner), line, Math.max(1.5, box.width * 0.009)) +
      rectangle({ ...rule, height: Math.max(2, box.width * 0.012) }, line)
    );
  },
  initials(box) {
    const size = Math.min(box.width * 0.42, box.height * 0.34);
    return { ...box, y: box.y + box.height * 0.57 - size, height: size, size, align: "center" };
  },
};

/** A disc with a ring, half of it in a second tone. */
const disc: PortraitForm = {
  shape: (box) => circle(box.x + box.width / 2, box.y + box.height / 2, box.width / 2, anyFill),
  family: "unbounded",
  monogram: (box, { ground, motif, line }) => {
    const [x, y, radius] = [box.x + box.width / 2, box.y + box.height / 2, box.width / 2];
    return (
      circle(x, y, radius, ground) +
      path(`M${n(box.x)} ${n(y)}A${n(radius)} ${n(radius)} 0 0 0 ${n(box.x + box.width)} ${n(y)}Z`, motif) +
      ring(x, y, radius * 0.86, line, Math.max(1.5, radius * 0.018))
    );
  },
  initials(box) {
    const size = box.width * 0.3;
    return { ...box, size, align: "center" };
  },
};

const forms = { tile, arch: archForm, disc } satisfies Record<string, PortraitForm>;

/** Draws the speaker's photo in two tones of the color, or the initials in a form of the same outline. */
export async function drawPortrait(
  canvas: Canvas,
  box: Rect,
  speaker: PosterSpeaker,
  color: Color,
  form: keyof typeof forms,
): Promise<void> {
  const { shape, monogram, initials, family } = forms[form];
  const photo = await canvas.pictures.portrait(speaker.photo, box, duotone(color));
  if (photo) return drawUpright(canvas, box, clipped(box, shape(box), image(box, photo.href)));
  const ink = inkOn(color);
  draw(canvas, clipped(box, shape(box), monogram(box, monogramColors(color, ink))));
  const { size, align, ...at } = initials(box);
  const text = typeset(
    canvas,
    initialsOf(speaker.name),
    { family, weight: form === "arch" ? 600 : 800 },
    {
      width: at.width * (align === "center" ? 0.8 : 1),
      size,
      minSize: Math.max(10, size * 0.5),
      leading: 1,
      tracking: -0.02,
    },
  );
  const free = at.height - text.height;
  place(canvas, text, { ...at, y: at.y + (align === "center" ? free / 2 : free), color: ink, align });
}

/** Tones of the ground color, away from the ink, so that the initials stay readable. */
function monogramColors(ground: Color, ink: Color): MonogramColors {
  const level = lightness(ground);
  const isDark = lightness(ink) > level;
  const away = isDark ? level - 0.085 : Math.min(0.97, level + 0.075);
  const motif = withLightness(ground, away);
  return {
    ground,
    motif: isDark && level < 0.2 ? mix(ground, ink, 0.14) : motif,
    line: readable(mix(ground, ink, isDark ? 0.3 : 0.22), ground, 1.2),
  };
}
