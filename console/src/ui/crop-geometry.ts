/** A size in pixels, or in any other unit. */
export type Size = { width: number; height: number };

/** The part of a picture that is used, in its pixels. What it has beyond the picture stays transparent. */
export type Region = Size & { x: number; y: number };

/** A picture that is cropped to a ratio of width to height. */
export type Crop = {
  picture: Size;
  ratio: number;
  /** Whether the whole picture may be used, with a transparent border where it has another ratio. */
  whole: boolean;
};

/** A point of the frame, each part between 0 and 1. */
export type Point = { x: number; y: number };

const center: Point = { x: 0.5, y: 0.5 };
const largestZoom = 8;

/** The widest and the narrowest region. */
function widthsOf({ picture, ratio, whole }: Crop): { widest: number; narrowest: number } {
  const [width, height] = [picture.width, picture.height * ratio];
  const widest = whole ? Math.max(width, height) : Math.min(width, height);
  return { widest, narrowest: Math.min(width, height) / largestZoom };
}

export function firstRegion(crop: Crop): Region {
  return within(crop, { x: crop.picture.width / 2, y: crop.picture.height / 2 }, widthsOf(crop).widest, center);
}

/** The region after the picture was moved, by parts of the frame: to the right and down if they are positive. */
export function moved(crop: Crop, region: Region, by: Point): Region {
  const held = { x: region.x - by.x * region.width, y: region.y - by.y * region.height };
  return within(crop, held, region.width, { x: 0, y: 0 });
}

/** The region after the picture was enlarged by a factor, around what is at a point of the frame. */
export function zoomed(crop: Crop, region: Region, factor: number, around: Point = center): Region {
  const held = { x: region.x + around.x * region.width, y: region.y + around.y * region.height };
  return within(crop, held, region.width / factor, around);
}

/** How far the picture is enlarged: 0 for the widest region, 1 for the narrowest, in equal steps to the eye. */
export function zoomOf(crop: Crop, { width }: Size): number {
  const { widest, narrowest } = widthsOf(crop);
  return Math.log(widest / width) / Math.log(widest / narrowest);
}

export function withZoom(crop: Crop, region: Region, zoom: number): Region {
  const { widest, narrowest } = widthsOf(crop);
  return zoomed(crop, region, region.width / (widest * (narrowest / widest) ** zoom));
}

/** A region with what is held at a point of the frame, as far as the picture reaches. */
function within(crop: Crop, held: Point, wanted: number, at: Point): Region {
  const { widest, narrowest } = widthsOf(crop);
  const width = Math.min(widest, Math.max(narrowest, wanted));
  const height = width / crop.ratio;
  return {
    width,
    height,
    x: placed(held.x - at.x * width, width, crop.picture.width),
    y: placed(held.y - at.y * height, height, crop.picture.height),
  };
}

/** Where a side of the region starts: within the picture, or with the picture in its middle if that is smaller. */
function placed(start: number, length: number, available: number): number {
  if (length >= available) return (available - length) / 2;
  return Math.min(available - length, Math.max(0, start));
}

/** The same proportions in whole pixels, no larger than the box. */
export function sizeWithin({ width, height }: Size, box: Size): Size {
  const scale = Math.min(1, box.width / width, box.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
