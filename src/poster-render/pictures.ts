import sharp from "sharp";
import { type Color, luminance } from "../../contract/colors.js";

export type Picture = { href: string; width: number; height: number };
export type Logo = Picture & {
  transparent: boolean;
  /** The share of the logo that has too little contrast with this background. */
  lowContrastShare(background: Color): number;
};

/** Decodes the pictures of one poster. Templates ask for them again in each layout attempt, possibly in another size. */
export type PictureDecoder = {
  /** A photo in two tones; undefined if it cannot be decoded safely. */
  portrait(
    bytes: Uint8Array | null,
    size: { width: number; height: number },
    tones: { shadow: Color; highlight: Color },
  ): Promise<Picture | undefined>;
  /** A logo without its transparent border; undefined if it cannot be decoded safely or is empty. */
  logo(bytes: Uint8Array | null, width: number, height: number): Promise<Logo | undefined>;
  isUnusable(bytes: Uint8Array | null): boolean;
};

/** Pixels of a decoded picture, no larger than a poster needs. */
type Source = { pixels: Buffer; width: number; height: number; channels: 3 | 4 };

const bytesLimit = 16 * 1024 * 1024;
const pixelsLimit = 16_000_000;
const decodeSeconds = 5;
/** Larger pictures are scaled down when they are decoded: a poster holds up to 13 of them in memory. */
const longestSide = 1440;
const minLogoContrast = 1.7;
/** Share of a vertical crop that is taken from the top: faces are in the upper part of photos. */
const topCropShare = 0.2;

/** Decodes each picture once, because that takes most of the time. */
export function createPictureDecoder(decodeSource = decode): PictureDecoder {
  const sources = new Map<Uint8Array, Promise<Source | undefined>>();
  const unusable = new Set<Uint8Array>();
  const load = async (bytes: Uint8Array | null): Promise<Source | undefined> => {
    if (bytes === null) return undefined;
    const known = sources.get(bytes) ?? decodeSource(bytes).catch(() => undefined);
    sources.set(bytes, known);
    const source = await known;
    if (source === undefined) unusable.add(bytes);
    return source;
  };
  return {
    async portrait(bytes, size, tones) {
      const source = await load(bytes);
      return source && cropPortrait(source, size, tones);
    },
    async logo(bytes, width, height) {
      const source = await load(bytes);
      return source && fitLogo(source, width, height);
    },
    isUnusable: (bytes) => bytes !== null && unusable.has(bytes),
  };
}

/** The size is read from the header first: decoding a few hundred bytes can fill gigabytes. */
export async function decode(bytes: Uint8Array): Promise<Source | undefined> {
  if (!isDecodable(bytes)) return undefined;
  const { width, height } = await open(bytes).metadata();
  if (width * height > pixelsLimit) return undefined;
  const { data, info } = await open(bytes)
    .autoOrient()
    .resize({ width: longestSide, height: longestSide, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 };
}

async function cropPortrait(
  source: Source,
  size: { width: number; height: number },
  tones: { shadow: Color; highlight: Color },
): Promise<Picture> {
  const [width, height] = [Math.round(size.width), Math.round(size.height)];
  const scale = Math.max(width / source.width, height / source.height);
  const covering = { width: Math.ceil(source.width * scale), height: Math.ceil(source.height * scale) };
  const data = await reopen(source)
    .resize({ ...covering, fit: "fill" })
    .extract({
      left: Math.floor((covering.width - width) / 2),
      top: Math.floor((covering.height - height) * topCropShare),
      width,
      height,
    })
    .flatten({ background: "#ffffff" })
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  return {
    href: await pngUri(tinted(stretched(data), tones.shadow, tones.highlight), width, height, 3),
    width,
    height,
  };
}

async function fitLogo(source: Source, width: number, height: number): Promise<Logo | undefined> {
  // An image that is transparent throughout cannot be trimmed.
  const trimmed = source.channels === 4 ? await trimBorder(source) : source;
  if (trimmed === undefined) return undefined;
  const { data, info } = await reopen(trimmed)
    .resize(width, height, { fit: "inside" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { coverage, tones } = summary(data);
  if (coverage < 0.01) return undefined;
  const href = await pngUri(data, info.width, info.height, 4);
  const lowContrastShare = (background: Color) => {
    const faint = tones.filter(({ level }) => ratio(level, luminance(background)) < minLogoContrast);
    return faint.reduce((sum, { share }) => sum + share, 0);
  };
  return { href, width: info.width, height: info.height, transparent: coverage < 0.97, lowContrastShare };
}

async function trimBorder(source: Source): Promise<Source | undefined> {
  try {
    const trimmed = reopen(source).trim({ background: "#00000000", threshold: 8 }).raw();
    const { data, info } = await trimmed.toBuffer({ resolveWithObject: true });
    return { pixels: data, width: info.width, height: info.height, channels: 4 };
  } catch {
    return undefined;
  }
}

function open(bytes: Uint8Array) {
  return sharp(bytes, { limitInputPixels: pixelsLimit, failOn: "error", pages: 1 }).timeout({ seconds: decodeSeconds });
}

function reopen({ pixels, width, height, channels }: Source) {
  return sharp(pixels, { raw: { width, height, channels } });
}

/** By its first bytes. SVG is refused because it can reference other documents. */
export function isDecodable(bytes: Uint8Array): boolean {
  if (bytes.length < 16 || bytes.length > bytesLimit) return false;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, 16).toString("latin1");
  if (head.startsWith("\u00ff\u00d8\u00ff") || head.startsWith("\u0089PNG\r\n\u001a\n") || head.startsWith("GIF8"))
    return true;
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return true;
  return head.slice(4, 12) === "ftypavif";
}

/** Stretches the contrast, so that portraits of different exposure look alike. */
function stretched(greys: Buffer): Buffer {
  const counts = new Uint32Array(256);
  for (const grey of greys) counts[grey] = (counts[grey] ?? 0) + 1;
  const percentile = (share: number) => {
    let left = greys.length * share;
    return counts.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
  };
  const [low, high] = [percentile(0.01), percentile(0.99)];
  const range = Math.max(48, high - low);
  return greys.map((grey) => Math.max(0, Math.min(255, Math.round(((grey - low) * 255) / range)))) as Buffer;
}

function tinted(greys: Buffer, shadow: Color, highlight: Color): Buffer {
  const tones = Buffer.alloc(256 * 3);
  for (let grey = 0; grey < 256; grey += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const from = shadow[channel] ?? 0;
      tones[grey * 3 + channel] = Math.round(255 * (from + ((highlight[channel] ?? 1) - from) * (grey / 255)));
    }
  }
  const colored = Buffer.alloc(greys.length * 3);
  for (const [index, grey] of greys.entries()) tones.copy(colored, index * 3, grey * 3, grey * 3 + 3);
  return colored;
}

function summary(pixels: Buffer): { coverage: number; tones: { level: number; share: number }[] } {
  const steps = 32;
  const weights = new Float64Array(steps);
  let covered = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels.readUInt8(at + 3) / 255;
    const level = luminance([
      pixels.readUInt8(at) / 255,
      pixels.readUInt8(at + 1) / 255,
      pixels.readUInt8(at + 2) / 255,
    ]);
    const step = Math.min(steps - 1, Math.floor(level * steps));
    weights[step] = (weights[step] ?? 0) + alpha;
    covered += alpha;
  }
  const tones = Array.from(weights, (weight, step) => ({
    level: step / (steps - 1),
    share: weight / Math.max(covered, 1),
  }));
  return { coverage: covered / (pixels.length / 4), tones };
}

function ratio(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

async function pngUri(data: Buffer, width: number, height: number, channels: 3 | 4): Promise<string> {
  const png = await sharp(data, { raw: { width, height, channels } }).png({ compressionLevel: 1 }).toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}
