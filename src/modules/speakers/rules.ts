import { requireEachOnce } from "../../runner/each-once.js";

/** As many as fit into one result. */
export const maximumSpeakers = 200;

export type Named = { id: string; name: string };

/** The speakers in a new order, which lists each exactly once. */
export function inNewOrder<Row extends Named>(speakers: Row[], wanted: string[]): Row[] {
  const known = new Map(speakers.map((speaker) => [speaker.id, speaker]));
  requireEachOnce("speaker_ids", wanted, [...known.keys()]);
  return wanted.flatMap((id) => known.get(id) ?? []);
}
