import { type Color, toHex } from "../../contract/colors.js";

export type Rect = { x: number; y: number; width: number; height: number };

export function rectangle(rect: Rect, fill: Color, radius = 0): string {
  return `<rect ${box(rect)} rx="${n(radius)}" fill="${toHex(fill)}"/>`;
}

export function circle(x: number, y: number, radius: number, fill: Color): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${toHex(fill)}"/>`;
}

export function ring(x: number, y: number, radius: number, stroke: Color, width: number): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="none" stroke="${toHex(stroke)}" stroke-width="${n(width)}"/>`;
}

export function frame(rect: Rect, stroke: Color, width: number, radius = 0): string {
  return `<rect ${box(rect)} rx="${n(radius)}" fill="none" stroke="${toHex(stroke)}" stroke-width="${n(width)}"/>`;
}

export function path(data: string, fill: Color): string {
  return `<path d="${data}" fill="${toHex(fill)}"/>`;
}

export function outline(data: string, stroke: Color, width: number): string {
  return `<path d="${data}" fill="none" stroke="${toHex(stroke)}" stroke-width="${n(width)}"/>`;
}

/** Markup that is only visible inside a shape. The id is made from the coordinates, so that the same poster has the same SVG. */
export function clipped(rect: Rect, shape: string, markup: string): string {
  const id = `clip-${n(rect.x)}-${n(rect.y)}-${n(rect.width)}`;
  return `<clipPath id="${id}">${shape}</clipPath><g clip-path="url(#${id})">${markup}</g>`;
}

/** Fills the rectangle. */
export function image(rect: Rect, href: string): string {
  return `<image ${box(rect)} preserveAspectRatio="xMidYMid slice" href="${href}"/>`;
}

/** Path of an arch: straight sides under a semicircle. */
export function arch(rect: Rect): string {
  const radius = Math.min(rect.width / 2, rect.height);
  return (
    `M${n(rect.x)} ${n(rect.y + rect.height)}V${n(rect.y + radius)}` +
    `A${n(radius)} ${n(radius)} 0 0 1 ${n(rect.x + rect.width)} ${n(rect.y + radius)}V${n(rect.y + rect.height)}Z`
  );
}

/** Formats a coordinate with up to two decimals. */
export function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function box(rect: Rect): string {
  return `x="${n(rect.x)}" y="${n(rect.y)}" width="${n(rect.width)}" height="${n(rect.height)}"`;
}
