import { describe, expect, it } from "vitest";
import { type Crop, firstRegion, moved, sizeWithin, withZoom, zoomed, zoomOf } from "./crop-geometry.ts";

const wide: Crop = { picture: { width: 400, height: 200 }, ratio: 1, whole: false };
const logo: Crop = { ...wide, whole: true };

describe("the first region", () => {
  it.each([
    ["a square of a wide picture", wide, { x: 100, y: 0, width: 200, height: 200 }],
    [
      "a square of a high picture",
      { ...wide, picture: { width: 90, height: 120 } },
      { x: 0, y: 15, width: 90, height: 90 },
    ],
    [
      "a banner of a square",
      { ...wide, picture: { width: 300, height: 300 }, ratio: 3 },
      { x: 0, y: 100, width: 300, height: 100 },
    ],
    ["a whole logo with a border above and below", logo, { x: 0, y: -100, width: 400, height: 400 }],
  ])("is %s, in its middle", (_what, crop, region) => {
    expect(firstRegion(crop)).toEqual(region);
  });
});

describe("moving", () => {
  it("follows the picture, by parts of the frame", () => {
    expect(moved(wide, firstRegion(wide), { x: 0.25, y: 0.5 })).toMatchObject({ x: 50, y: 0 });
    const near = zoomed(wide, firstRegion(wide), 2);
    expect(moved(wide, near, { x: 0.25, y: -0.25 })).toMatchObject({ x: 125, y: 75, width: 100 });
  });

  it("stops at the edges of the picture", () => {
    expect(moved(wide, firstRegion(wide), { x: 9, y: 0 }).x).toBe(0);
    expect(moved(wide, firstRegion(wide), { x: -9, y: 0 }).x).toBe(200);
  });

  it("keeps a picture that is smaller than the frame in its middle", () => {
    expect(moved(logo, firstRegion(logo), { x: 0.5, y: 0.5 })).toEqual(firstRegion(logo));
    const near = zoomed(logo, firstRegion(logo), 1.25);
    expect(moved(logo, near, { x: 9, y: 9 })).toEqual({ x: 0, y: -60, width: 320, height: 320 });
  });
});

describe("zooming", () => {
  it("keeps what is at the point", () => {
    const near = zoomed(wide, firstRegion(wide), 2, { x: 0.75, y: 0.5 });
    expect(near).toEqual({ x: 175, y: 50, width: 100, height: 100 });
    expect(zoomed(wide, near, 0.5, { x: 0.75, y: 0.5 })).toEqual(firstRegion(wide));
  });

  it("stays within the picture, and ends at eight times", () => {
    const corner = zoomed(wide, firstRegion(wide), 4, { x: 0, y: 0 });
    expect(zoomed(wide, corner, 0.01)).toMatchObject({ x: 25, y: 0, width: 200 });
    expect(zoomed(wide, corner, 100).width).toBe(25);
    expect(zoomed(logo, firstRegion(logo), 100).width).toBe(25);
  });

  it("is a number between 0 and 1", () => {
    expect(zoomOf(wide, firstRegion(wide))).toBe(0);
    expect(zoomOf(wide, zoomed(wide, firstRegion(wide), 100))).toBe(1);
    const half = withZoom(wide, firstRegion(wide), 0.5);
    expect(half.width).toBeCloseTo(200 / Math.sqrt(8));
    expect(zoomOf(wide, half)).toBeCloseTo(0.5);
    expect(withZoom(wide, half, 0).width).toBeCloseTo(200);
  });
});

it("reduces large pictures only", () => {
  const box = { width: 1000, height: 500 };
  expect(sizeWithin({ width: 4000, height: 1000 }, box)).toEqual({ width: 1000, height: 250 });
  expect(sizeWithin({ width: 1000, height: 2000 }, box)).toEqual({ width: 250, height: 500 });
  expect(sizeWithin({ width: 4000, height: 1 }, box)).toEqual({ width: 1000, height: 1 });
  expect(sizeWithin({ width: 640.4, height: 480 }, box)).toEqual({ width: 640, height: 480 });
});
