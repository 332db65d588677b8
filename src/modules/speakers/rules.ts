import { requireEachOnce } from "../../tools/each-once.js";

/** So many speakers still fit into one answer. */
export const maximumSpeakers = 200;

export type Named = { id: string; name: string };

/** The speakers in the wanted order, which names each exactly once. */
export function inWantedOrder<Row extends Named>(speakers: Row[], wanted: string[]): Row[] {
  const known = new Map(speakers.map((speaker) => [speaker.id, speaker]));
  requireEachOnce("speaker_ids", wanted, [...known.keys()]);
  return wanted.flatMap((id) => known.get(id) ?? []);
}
