import { type PictureUse, pictureLimits, pictureSizes, pictureTypes } from "../../../contract/pictures.ts";
import { type Region, type Size, sizeWithin } from "./crop-geometry.ts";

/** A picture as the browser shows it, turned as the camera was held. */
export type OpenPicture = Size & { image: HTMLImageElement; isDrawing: boolean };

const drawingType = "image/svg+xml";

/** The kinds of files that can be chosen: those that are sent, and drawings, which become pictures here. */
export const chosenTypes = [...pictureTypes, drawingType].join(",");

export const unreadable =
  "This file cannot be read as a picture: it may be of another kind, damaged, or have too many pixels. Choose a PNG, JPEG, WebP or SVG file.";

export async function openPicture(file: Blob, address: string): Promise<OpenPicture> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  if (width === 0 || height === 0) throw new Error("The picture has no size");
  return { image, width, height, isDrawing: file.type === drawingType };
}

/** A part of a picture in the size in which it is stored. Only a logo keeps what is transparent. */
export function cutOut(picture: OpenPicture, region: Region, use: PictureUse): Promise<Blob> {
  const stored = pictureSizes[use];
  const size = picture.isDrawing ? stored : sizeWithin(region, stored);
  return draw(picture, region, size, use === "logo" ? "image/png" : "image/jpeg");
}

/** A whole picture as it can be sent: the file itself, unless it is too large or of another kind. */
export async function wholePicture(file: Blob, use: PictureUse): Promise<Blob> {
  const address = URL.createObjectURL(file);
  try {
    const picture = await openPicture(file, address);
    const isAccepted = (pictureTypes as readonly string[]).includes(file.type);
    const pixels = picture.width * picture.height;
    if (isAccepted && file.size <= pictureLimits.bytes && pixels <= pictureLimits.pixels) return file;
    const { width, height } = picture;
    return await draw(picture, { x: 0, y: 0, width, height }, sizeWithin(picture, pictureSizes[use]), "image/jpeg");
  } finally {
    URL.revokeObjectURL(address);
  }
}

const jpegQuality = 0.92;

async function draw(picture: OpenPicture, region: Region, size: Size, type: string): Promise<Blob> {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, size);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("There is no memory for the picture");
  context.imageSmoothingQuality = "high";
  if (type === "image/jpeg") {
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, size.width, size.height);
  }
  const scale = size.width / region.width;
  const { image, width, height } = picture;
  context.drawImage(image, -region.x * scale, -region.y * scale, width * scale, height * scale);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, jpegQuality));
  if (blob === null) throw new Error("There is no memory for the picture");
  return blob;
}
