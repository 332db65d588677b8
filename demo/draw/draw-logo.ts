import { Resvg } from "@resvg/resvg-js";
import sharp from "sharp";
import type { OrganizationSeed, OrganizationSlug } from "../content/organizations.js";
import { type TextFace, textAsOutlines } from "./wordmark-text.js";

type Mark = (body: string, accent: string) => string;

/** Emblems of 120 by 120, in two colours. */
const marks: Record<OrganizationSlug, Mark> = {
  "tidewater-labs": (body, accent) => `
    <circle cx="60" cy="60" r="58" fill="${body}"/>
    <g fill="none" stroke="${accent}" stroke-width="9" stroke-linecap="round">
      <path d="M22 46q12.500-14 25 0t25 0t25 0"/><path d="M22 66q12.500-14 25 0t25 0t25 0"/><path d="M31 86q10-12 20 0t20 0t18 0"/>
    </g>`,
  "casa-aberta": (body, accent) => `
    <path d="M6 58 60 8l54 50v54H6z" fill="${body}"/>
    <path d="M46 112V62h32v50z" fill="${accent}"/><path d="M78 62l22 10v34l-22 6z" fill="${accent}" opacity=".62"/>`,
  "quorum-systems": (body, accent) => `
    <g stroke="${body}" stroke-width="6" fill="none"><path d="M60 20 104 52 87 102H33L16 52z"/></g>
    <circle cx="60" cy="20" r="16" fill="${accent}"/><circle cx="104" cy="52" r="16" fill="${accent}"/>
    <circle cx="16" cy="52" r="16" fill="${accent}"/><circle cx="87" cy="102" r="16" fill="${body}"/>
    <circle cx="33" cy="102" r="16" fill="${body}"/>`,
  "boreal-commons": (body, accent) => `
    <path d="M4 112 36 38l32 74z" fill="${accent}"/><path d="M36 112 74 10l42 102z" fill="${body}"/>
    <path d="M74 10 88 44 76 54 66 44 60 47z" fill="${accent}"/>`,
  "kamogawa-institute": (body, accent) => `
    <circle cx="60" cy="60" r="53" fill="none" stroke="${body}" stroke-width="10"/>
    <g fill="none" stroke-width="10" stroke-linecap="round">
      <path d="M38 34c8 18-8 34 0 52" stroke="${body}"/><path d="M60 30c8 20-8 40 0 60" stroke="${accent}"/>
      <path d="M82 34c8 18-8 34 0 52" stroke="${body}"/>
    </g>`,
  "signal-orchard": (body, accent) => `
    <rect x="54" y="66" width="12" height="48" rx="6" fill="${body}"/><circle cx="60" cy="62" r="15" fill="${accent}"/>
    <g fill="none" stroke="${body}" stroke-width="11" stroke-linecap="round">
      <path d="M30 72a32 32 0 1 1 60 0"/><path d="M10 80a54 54 0 1 1 100 0"/>
    </g>`,
};

const faces: Record<OrganizationSlug, TextFace> = {
  "tidewater-labs": { family: "bricolage-grotesque", weight: 800 },
  "casa-aberta": { family: "fraunces", weight: 600 },
  "quorum-systems": { family: "unbounded", weight: 600 },
  "boreal-commons": { family: "bricolage-grotesque", weight: 600 },
  "kamogawa-institute": { family: "fraunces", weight: 600 },
  "signal-orchard": { family: "inter", weight: 800 },
};

/** The emblem and the name side by side, on a transparent ground. */
export async function drawLogo(organization: OrganizationSeed, ground: "light" | "dark"): Promise<Buffer> {
  const { slug, name, primaryColor, secondaryColor } = organization;
  const colors =
    ground === "light"
      ? { body: primaryColor, accent: accentsOnLight[slug], text: primaryColor }
      : { body: "#FFFFFF", accent: secondaryColor, text: "#FFFFFF" };
  const size = 76;
  const text = await textAsOutlines(name, size, colors.text, faces[slug]);
  const width = 160 + name.length * size;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="128" viewBox="0 0 ${width} 128">
    <g transform="translate(4 4)">${marks[slug](colors.body, colors.accent)}</g><g transform="translate(146 18)">${text}</g></svg>`;
  const drawn = new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
  return sharp(drawn)
    .trim({ background: "#00000000" })
    .png({ palette: true, effort: 10, compressionLevel: 9 })
    .toBuffer();
}

/** Pale second colours would be lost on white: these are their stronger relatives. */
const accentsOnLight: Record<OrganizationSlug, string> = {
  "tidewater-labs": "#F2A541",
  "casa-aberta": "#F9C8C0",
  "quorum-systems": "#65A30D",
  "boreal-commons": "#4ADE80",
  "kamogawa-institute": "#C2557C",
  "signal-orchard": "#F97316",
};
