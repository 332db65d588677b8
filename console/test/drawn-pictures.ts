import sharp from "sharp";
import { afterEach, beforeEach, vi } from "vitest";

/** What was drawn on a canvas: the picture by its place and size, in the pixels of the canvas. */
export type Drawing = { canvas: { width: number; height: number }; place: number[] };

/**
 * Stands for what a browser knows of pictures, in the tests of a file: every file is a picture of this size, unless it is
 * named "broken", and a canvas makes real ones, which the service can read.
 */
export function withPictures(size = { width: 400, height: 200 }): { drawings: Drawing[] } {
  const drawings: Drawing[] = [];
  const files = new Map<string, Blob>();
  beforeEach(() => {
    drawings.length = 0;
    vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
      const address = `blob:${files.size}`;
      files.set(address, file as Blob);
      return address;
    });
    const image = HTMLImageElement.prototype;
    const decode = async function (this: HTMLImageElement) {
      if ((files.get(this.src) as File | undefined)?.name === "broken") throw new Error("It cannot be decoded");
    };
    Object.defineProperties(image, {
      decode: { configurable: true, value: decode },
      naturalWidth: { configurable: true, get: () => size.width },
      naturalHeight: { configurable: true, get: () => size.height },
    });
    const canvas = HTMLCanvasElement.prototype;
    vi.spyOn(canvas, "getContext").mockImplementation(function (this: HTMLCanvasElement) {
      const { width, height } = this;
      const drawImage = (_image: unknown, ...place: number[]) =>
        drawings.push({ canvas: { width, height }, place: place.map((part) => part + 0) });
      return { drawImage, fillRect() {} } as unknown as RenderingContext;
    } as typeof canvas.getContext);
    vi.spyOn(canvas, "toBlob").mockImplementation(function (this: HTMLCanvasElement, take, type = "image/png") {
      const { width, height } = this;
      const drawn = sharp({ create: { width, height, channels: 3, background: "#2a52be" } });
      const format = type === "image/png" ? drawn.png() : drawn.jpeg();
      void format.toBuffer().then((bytes) => take(new Blob([new Uint8Array(bytes)], { type })));
    });
  });
  afterEach(() => {
    for (const name of ["decode", "naturalWidth", "naturalHeight"]) {
      delete (HTMLImageElement.prototype as unknown as Record<string, unknown>)[name];
    }
  });
  return { drawings };
}

/** The bytes of a picture as a file that somebody has. */
export async function pictureFile(name = "picture.png", type = "image/png"): Promise<File> {
  const bytes = await sharp({ create: { width: 400, height: 200, channels: 3, background: "#b8291f" } })
    .png()
    .toBuffer();
  return new File([new Uint8Array(bytes)], name, { type });
}
