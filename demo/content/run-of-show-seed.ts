import type { z } from "zod";
import type { segmentKind } from "../../src/modules/run-of-show/schema.js";
import type { PersonKey } from "./people.js";

export type RunOfShow = { event: string; published: boolean; segments: SegmentSeed[] };

export type SegmentSeed = {
  at: string;
  minutes: number;
  kind: z.infer<typeof segmentKind>;
  title: string;
  location: string;
  speakers: readonly PersonKey[];
  notes: string | null;
};

export function segment(
  at: string,
  minutes: number,
  kind: SegmentSeed["kind"],
  title: string,
  location: string,
  speakers: readonly PersonKey[] = [],
  notes: string | null = null,
): SegmentSeed {
  return { at, minutes, kind, title, location, speakers, notes };
}
