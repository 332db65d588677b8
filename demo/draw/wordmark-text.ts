import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import satori from "satori";

export type TextFace = { family: "inter" | "bricolage-grotesque" | "fraunces" | "unbounded"; weight: 600 | 800 };

const require = createRequire(import.meta.url);
const slices = ["latin", "latin-ext"] as const;

/** One line of text as an SVG element without fonts, its upper left corner at 0, 0. */
export async function textAsOutlines(text: string, size: number, color: string, face: TextFace): Promise<string> {
  const fonts = slices.map((slice) => ({
    name: slice,
    weight: 400 as const,
    style: "normal" as const,
    data: readFileSync(
      require.resolve(`@fontsource/${face.family}/files/${face.family}-${slice}-${face.weight}-normal.woff`),
    ),
  }));
  const line = {
    type: "div",
    key: null,
    props: {
      style: {
        display: "flex",
        whiteSpace: "nowrap",
        fontFamily: slices.join(","),
        fontSize: size,
        lineHeight: 1.2,
        color,
      },
      children: text,
    },
  };
  return satori(line, { width: Math.ceil(text.length * size), height: Math.ceil(size * 1.3), fonts });
}
