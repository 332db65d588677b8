import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { black, white } from "./colors.js";
import { decodeLogo, decodePortrait } from "./pictures.js";

const size = { width: 120, height: 150 };
const tones = { shadow: black, highlight: white };
const drawing = sharp({ create: { width: 400, height: 300, channels: 3, background: "#884422" } });
const text = (content: string) => new TextEncoder().encode(content);
const photo = new Uint8Array(await drawing.clone().jpeg().toBuffer());

describe("pictures", () => {
  test.each(["jpeg", "png", "webp", "gif", "avif"] as const)("decodes %s to the requested size", async (format) => {
    const bytes = new Uint8Array(await drawing.clone().toFormat(format).toBuffer());
    const portrait = await decodePortrait(bytes, size, tones);
    const png = Buffer.from(portrait?.href.split(",")[1] ?? "", "base64");
    expect(await sharp(png).metadata()).toMatchObject({ format: "png", ...size });
    expect(await decodeLogo(bytes, 200, 60)).toMatchObject({ width: 80, height: 60, transparent: false });
  });

  test.each([
    ["SVG", text('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>')],
    ["SVG behind an XML declaration", text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["text", text("this is not a picture at all")],
    ["a truncated photo", photo.slice(0, 300)],
    ["a PNG of 60,000 by 60,000 pixels", bomb()],
    ["no bytes", new Uint8Array()],
    ["null", null],
  ])("refuses %s", async (_, bytes) => {
    expect(await decodePortrait(bytes, size, tones)).toBeUndefined();
    expect(await decodeLogo(bytes, 200, 60)).toBeUndefined();
  });

  test("a transparent logo reports low contrast with a background of its own color", async () => {
    const square = { width: 100, height: 100, channels: 4 as const, background: "#00000000" };
    const disc = Buffer.from('<svg width="100" height="100"><circle cx="50" cy="50" r="40" fill="#fff"/></svg>');
    const bytes = await sharp({ create: square })
      .composite([{ input: disc }])
      .png()
      .toBuffer();
    const logo = await decodeLogo(new Uint8Array(bytes), 100, 100);
    expect(logo?.transparent).toBe(true);
    expect(logo?.lowContrastShare(white)).toBeGreaterThan(0.9);
    expect(logo?.lowContrastShare(black)).toBeLessThan(0.1);
  });
});

function bomb(): Uint8Array {
  return Uint8Array.from(Buffer.from("89504e470d0a1a0a0000000d494844520000ea600000ea60080600000000000000", "hex"));
}
