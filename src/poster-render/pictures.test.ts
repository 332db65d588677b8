import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { black, white } from "../../contract/colors.js";
import { createPictureDecoder, decode } from "./pictures.js";

const size = { width: 120, height: 150 };
const tones = { shadow: black, highlight: white };
const drawing = sharp({ create: { width: 400, height: 300, channels: 3, background: "#884422" } });
const text = (content: string) => new TextEncoder().encode(content);
const photo = new Uint8Array(await drawing.clone().jpeg().toBuffer());

const slightlyTooLarge = await blank(4_000, 4_001);

describe("pictures", () => {
  test.each(["jpeg", "png", "webp", "gif", "avif"] as const)("decodes %s to the requested size", async (format) => {
    const bytes = new Uint8Array(await drawing.clone().toFormat(format).toBuffer());
    const portrait = await createPictureDecoder().portrait(bytes, size, tones);
    const png = Buffer.from(portrait?.href.split(",")[1] ?? "", "base64");
    expect(await sharp(png).metadata()).toMatchObject({ format: "png", ...size });
    expect(await createPictureDecoder().logo(bytes, 200, 60)).toMatchObject({
      width: 80,
      height: 60,
      transparent: false,
    });
  });

  test("turns a photo as its camera was held", async () => {
    const held = new Uint8Array(await drawing.clone().jpeg().withMetadata({ orientation: 6 }).toBuffer());
    expect(await decode(photo)).toMatchObject({ width: 400, height: 300 });
    expect(await decode(held)).toMatchObject({ width: 300, height: 400 });
  });

  test.each([
    ["SVG", text('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>')],
    ["SVG behind an XML declaration", text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["text", text("this is not a picture at all")],
    ["a truncated photo", photo.slice(0, 300)],
    ["a PNG of 60,000 by 60,000 pixels", bomb()],
    ["a row more than 16 megapixels", slightlyTooLarge],
    ["no bytes", new Uint8Array()],
    ["null", null],
  ])("refuses %s", async (_, bytes) => {
    expect(await createPictureDecoder().portrait(bytes, size, tones)).toBeUndefined();
    expect(await createPictureDecoder().logo(bytes, 200, 60)).toBeUndefined();
  });

  test("accepts 16 megapixels", async () => {
    expect(await createPictureDecoder().portrait(await blank(4_000, 4_000), size, tones)).toMatchObject(size);
  });

  test("are decoded once, whatever sizes are asked for, also if they cannot be decoded", async () => {
    const decoded: Uint8Array[] = [];
    const decoder = createPictureDecoder((bytes) => {
      decoded.push(bytes);
      return decode(bytes);
    });
    const broken = photo.slice(0, 300);
    for (const bytes of [photo, broken, photo, broken]) {
      await decoder.portrait(bytes, { width: size.width + decoded.length, height: size.height }, tones);
      await decoder.logo(bytes, 200, 60);
    }
    expect(decoded).toEqual([photo, broken]);
    expect([decoder.isUnusable(photo), decoder.isUnusable(broken), decoder.isUnusable(null)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("a transparent logo reports low contrast with a background of its own color", async () => {
    const square = { width: 100, height: 100, channels: 4 as const, background: "#00000000" };
    const disc = Buffer.from('<svg width="100" height="100"><circle cx="50" cy="50" r="40" fill="#fff"/></svg>');
    const bytes = await sharp({ create: square })
      .composite([{ input: disc }])
      .png()
      .toBuffer();
    const logo = await createPictureDecoder().logo(new Uint8Array(bytes), 100, 100);
    expect(logo?.transparent).toBe(true);
    expect(logo?.lowContrastShare(white)).toBeGreaterThan(0.9);
    expect(logo?.lowContrastShare(black)).toBeLessThan(0.1);
  });
});

function blank(width: number, height: number): Promise<Uint8Array> {
  return sharp({ create: { width, height, channels: 3, background: "#888888" } })
    .webp({ lossless: true, effort: 0 })
    .toBuffer();
}

function bomb(): Uint8Array {
  return Uint8Array.from(Buffer.from("89504e470d0a1a0a0000000d494844520000ea600000ea60080600000000000000", "hex"));
}
