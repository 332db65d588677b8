import { Resvg } from "@resvg/resvg-js";
import sharp from "sharp";
import type { ConferenceSeed, ConferenceSlug } from "../content/conferences.js";
import { type TextFace, textAsOutlines } from "./wordmark-text.js";

export const bannerSize = { width: 1200, height: 400 };

type Scene = { picture: string; ink: string; face: TextFace };

const scenes: Record<ConferenceSlug, Scene> = {
  "meridian-lisbon": {
    ink: "#0B3C5D",
    face: { family: "bricolage-grotesque", weight: 800 },
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
    ink: "#14532D",
    face: { family: "bricolage-grotesque", weight: 600 },
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
    ink: "#4A1D5F",
    face: { family: "fraunces", weight: 600 },
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

export async function drawBanner(conference: ConferenceSeed): Promise<Buffer> {
  const { picture, ink, face } = scenes[conference.slug];
  const name = await textAsOutlines(conference.shortName, 84, ink, face);
  const place = await textAsOutlines(conference.name, 34, ink, { family: "inter", weight: 600 });
  const { width, height } = bannerSize;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    ${picture}<g transform="translate(64 66)">${name}</g><g transform="translate(66 172)">${place}</g></svg>`;
  const drawn = new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
  return sharp(drawn).removeAlpha().png({ palette: true, effort: 10, compressionLevel: 9 }).toBuffer();
}
