import sharp from "sharp";
import { type PosterFormat, posterFormats, posterTemplates } from "../../contract/poster-designs.js";
import type { PosterInput, PosterMaterial, PosterSpeaker } from "../../src/poster-render/poster-input.js";

export type Design = Pick<PosterInput, "template" | "format">;
export const formats = Object.keys(posterFormats) as PosterFormat[];
export const everyDesign = posterTemplates.flatMap((template) => formats.map((format) => ({ template, format })));

/** Designs in which every template and every format occurs once; together the four shifts are all designs. */
export function latinSquare(shift: number): Design[] {
  return everyDesign.filter(
    ({ template, format }) => (posterTemplates.indexOf(template) + shift) % formats.length === formats.indexOf(format),
  );
}

export function speaker(name: string, more: Partial<PosterSpeaker> = {}): PosterSpeaker {
  return { name, title: "Head of Platform", company: "Northwind Labs", role: "speaker", photo: null, ...more };
}

export function material(more: Partial<PosterMaterial> = {}): PosterMaterial {
  return {
    title: "The Quiet Infrastructure",
    event_name: "Evening talks",
    conference_name: "Nordic Systems Week",
    when: "Day 2 · Thu 18:30–20:00",
    where: "Harbour Hall, Pier 4",
    speakers: [speaker("Amara Okonkwo"), speaker("Jonas Lindqvist"), speaker("Sofía Restrepo", { role: "moderator" })],
    organization: { name: "Fjord Collective", logo: null },
    co_hosts: [],
    link: null,
    words: { with: "with", more: "more", moderator: "Moderator", host: "Host" },
    primary_color: "#1d4ed8",
    secondary_color: "#facc15",
    ...more,
  };
}

export function crowd(count: number): PosterSpeaker[] {
  return Array.from({ length: count }, (_, index) => speaker(`Speaker Number ${index + 1}`));
}

export const photo = new Uint8Array(
  await sharp({
    create: {
      width: 200,
      height: 256,
      channels: 3,
      background: "#b08968",
      noise: { type: "gaussian", mean: 128, sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer(),
);
