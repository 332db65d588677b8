import { Resvg } from "@resvg/resvg-js";
import sharp from "sharp";
import { parseColor } from "../contract/colors.js";
import { scriptStyleOf, toDrawableText } from "../src/poster-render/drawable-text.js";
import { shapeText } from "../src/poster-render/shape-text.js";
import { fitText } from "../src/poster-render/text-layout.js";
import type { DemoConference, DemoOrganization } from "./content.js";

const logoFontSize = 76;
const bannerSize = { width: 1200, height: 400 };

/** Draws the emblem and the name side by side on a transparent background. */
export async function drawLogo(organization: DemoOrganization, background: "light" | "dark"): Promise<Buffer> {
  const { slug, name, brand_primary_color, brand_secondary_color } = organization;
  const design = logos[slug];
  if (!design) throw new Error(`demo/draw-branding.ts: no logo for the organization "${slug}", add one`);
  const colors =
    background === "light"
      ? { body: brand_primary_color, accent: design.accentOnLight, text: brand_primary_color }
      : { body: "#FFFFFF", accent: brand_secondary_color, text: "#FFFFFF" };
  const text = textAsOutlines(name, logoFontSize, colors.text, design.typeface);
  const width = 160 + name.length * logoFontSize;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="128" viewBox="0 0 ${width} 128">
    <g transform="translate(4 4)">${design.emblem(colors.body, colors.accent)}</g><g transform="translate(146 18)">${text}</g></svg>`;
  const drawn = new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
  return sharp(drawn)
    .trim({ background: "#00000000" })
    .png({ palette: true, effort: 10, compressionLevel: 9 })
    .toBuffer();
}

/** Draws a picture of the city with the names of the conference. */
export async function drawBanner(conference: DemoConference): Promise<Buffer> {
  const { width, height } = bannerSize;
  const design = banners[conference.slug];
  if (!design) throw new Error(`demo/draw-branding.ts: no banner for the conference "${conference.slug}", add one`);
  const { picture, textColor, typeface } = design;
  const shortName = textAsOutlines(conference.short_name, 84, textColor, typeface);
  const fullName = textAsOutlines(conference.name, 34, textColor, { family: "inter", weight: 600 });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    ${picture}<g transform="translate(64 66)">${shortName}</g><g transform="translate(66 172)">${fullName}</g></svg>`;
  const drawn = new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
  return sharp(drawn).removeAlpha().png({ palette: true, effort: 10, compressionLevel: 9 }).toBuffer();
}

type Typeface = { family: "inter" | "bricolage-grotesque" | "fraunces" | "unbounded"; weight: 600 | 800 };

type Logo = {
  typeface: Typeface;
  /** Secondary brand colors that are too pale on white have a stronger variant here. */
  accentOnLight: string;
  /** SVG elements of 120 by 120 units. */
  emblem: (body: string, accent: string) => string;
};

/** By organization slug. */
const logos: Record<string, Logo> = {
  "tidewater-labs": {
    typeface: { family: "bricolage-grotesque", weight: 800 },
    accentOnLight: "#F2A541",
    emblem: (body, accent) => `
      <circle cx="60" cy="60" r="58" fill="${body}"/>
      <g fill="none" stroke="${accent}" stroke-width="9" stroke-linecap="round">
        <path d="M22 46q12.500-14 25 0t25 0t25 0"/><path d="M22 66q12.500-14 25 0t25 0t25 0"/><path d="M31 86q10-12 20 0t20 0t18 0"/>
      </g>`,
  },
  "casa-aberta": {
    typeface: { family: "fraunces", weight: 600 },
    accentOnLight: "#F9C8C0",
    emblem: (body, accent) => `
      <path d="M6 58 60 8l54 50v54H6z" fill="${body}"/>
      <path d="M46 112V62h32v50z" fill="${accent}"/><path d="M78 62l22 10v34l-22 6z" fill="${accent}" opacity=".62"/>`,
  },
  "quorum-systems": {
    typeface: { family: "unbounded", weight: 600 },
    accentOnLight: "#65A30D",
    emblem: (body, accent) => `
      <g stroke="${body}" stroke-width="6" fill="none"><path d="M60 20 104 52 87 102H33L16 52z"/></g>
      <circle cx="60" cy="20" r="16" fill="${accent}"/><circle cx="104" cy="52" r="16" fill="${accent}"/>
      <circle cx="16" cy="52" r="16" fill="${accent}"/><circle cx="87" cy="102" r="16" fill="${body}"/>
      <circle cx="33" cy="102" r="16" fill="${body}"/>`,
  },
  "boreal-commons": {
    typeface: { family: "bricolage-grotesque", weight: 600 },
    accentOnLight: "#4ADE80",
    emblem: (body, accent) => `
      <path d="M4 112 36 38l32 74z" fill="${accent}"/><path d="M36 112 74 10l42 102z" fill="${body}"/>
      <path d="M74 10 88 44 76 54 66 44 60 47z" fill="${accent}"/>`,
  },
  "kamogawa-institute": {
    typeface: { family: "fraunces", weight: 600 },
    accentOnLight: "#C2557C",
    emblem: (body, accent) => `
      <circle cx="60" cy="60" r="53" fill="none" stroke="${body}" stroke-width="10"/>
      <g fill="none" stroke-width="10" stroke-linecap="round">
        <path d="M38 34c8 18-8 34 0 52" stroke="${body}"/><path d="M60 30c8 20-8 40 0 60" stroke="${accent}"/>
        <path d="M82 34c8 18-8 34 0 52" stroke="${body}"/>
      </g>`,
  },
  "signal-orchard": {
    typeface: { family: "inter", weight: 800 },
    accentOnLight: "#F97316",
    emblem: (body, accent) => `
      <rect x="54" y="66" width="12" height="48" rx="6" fill="${body}"/><circle cx="60" cy="62" r="15" fill="${accent}"/>
      <g fill="none" stroke="${body}" stroke-width="11" stroke-linecap="round">
        <path d="M30 72a32 32 0 1 1 60 0"/><path d="M10 80a54 54 0 1 1 100 0"/>
      </g>`,
  },
};

/** By conference slug. */
const banners: Record<string, { picture: string; textColor: string; typeface: Typeface }> = {
  "meridian-lisbon": {
    textColor: "#0B3C5D",
    typeface: { family: "bricolage-grotesque", weight: 800 },
    picture: `
      <rect width="1200" height="400" fill="#FBE9CF"/><g transform="translate(44 0)"><circle cx="930" cy="196" r="104" fill="#F2A541"/>
      <g fill="none" stroke="#B4432E" stroke-width="5">
        <path d="M560 262Q690 250 760 96Q890 330 1020 96Q1090 250 1240 262"/><path d="M500 268H1240" stroke-width="9"/>
        <path d="M800 178v88M840 222v44M890 213v53M940 222v44M980 178v88M720 176v90M1060 176v90" stroke-width="3"/>
      </g>
      <g fill="#B4432E"><rect x="751" y="84" width="18" height="220"/><rect x="1011" y="84" width="18" height="220"/></g></g>
      <path d="M0 296q50-26 100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0V400H0z" fill="#3E7CB1"/>
      <path d="M-50 326q50-26 100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0V400H0z" fill="#1C5D8C"/>
      <path d="M0 360q50-26 100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0t100 0V400H0z" fill="#0B3C5D"/>`,
  },
  "open-commons-montreal": {
    textColor: "#14532D",
    typeface: { family: "bricolage-grotesque", weight: 600 },
    picture: `
      <rect width="1200" height="400" fill="#E7F6EA"/><circle cx="1050" cy="112" r="58" fill="#FBBF77"/>
      <path d="M260 360Q620 330 760 176Q850 96 950 190Q1060 290 1240 300V400H260z" fill="#86C79A"/>
      <g fill="#5FA97A"><rect x="812" y="206" width="44" height="140"/><rect x="864" y="166" width="36" height="180"/>
        <rect x="908" y="226" width="52" height="120"/><rect x="968" y="190" width="34" height="156"/><rect x="1010" y="244" width="58" height="102"/></g>
      <g fill="#14532D"><path d="M700 356l38-118 38 118z"/><path d="M752 356l28-86 28 86z"/><path d="M1090 356l42-130 42 130z"/>
        <path d="M1060 356l24-76 24 76z"/><path d="M640 356l24-72 24 72z"/></g>
      <path d="M0 340q100-18 200 0t200 0t200 0t200 0t200 0t200 0V400H0z" fill="#2F7D4F"/>
      <path d="M0 370q100-18 200 0t200 0t200 0t200 0t200 0t200 0V400H0z" fill="#14532D"/>`,
  },
  "kyoto-systems-summit": {
    textColor: "#4A1D5F",
    typeface: { family: "fraunces", weight: 600 },
    picture: `
      <rect width="1200" height="400" fill="#FAEDF1"/><circle cx="900" cy="150" r="92" fill="#E58FA6"/>
      <path d="M300 382L560 214 660 262 800 150 930 244 1030 190 1240 320V400H300z" fill="#C9A3CF"/>
      <path d="M480 352L680 266 800 316 960 240 1240 352V400H480z" fill="#8E5AA0"/>
      <g fill="#A32A3F"><path d="M956 200q102 22 204 0l6 22q-108 20-216 0z"/><rect x="972" y="240" width="172" height="13"/>
        <rect x="988" y="214" width="19" height="150"/><rect x="1109" y="214" width="19" height="150"/><rect x="1049" y="220" width="17" height="24"/></g>
      <path d="M0 360Q300 318 600 350T1200 346V400H0z" fill="#4A1D5F"/>
      <g fill="none" stroke="#C9A3CF" stroke-width="4" stroke-linecap="round"><path d="M120 378q60-10 120 0t120 0"/><path d="M520 380q60-10 120 0t120 0"/></g>`,
  },
};

/** Draws one line of text as an SVG element of outlines, which needs no fonts, with its upper left corner at 0, 0. */
function textAsOutlines(text: string, size: number, color: string, typeface: Typeface): string {
  const line = toDrawableText(text, typeface, scriptStyleOf([text]));
  const box = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY, maxSize: size, minSize: size };
  const fitted = fitText(line, { ...box, maxLines: 1, leading: 1.2, tracking: 0, whole: false, even: false });
  return shapeText([{ fitted, x: 0, y: 0, width: 0, color: parseColor(color), align: "left" }]).markup;
}
