import { ServiceError } from "../../platform/errors.js";

/** So many speakers still fit into one answer. */
export const maximumSpeakers = 200;

export type Named = { id: string; name: string };

/** The speakers in the wanted order. Each must be named exactly once; what is wrong with the list is said by id. */
export function inWantedOrder<Row extends Named>(speakers: Row[], wanted: string[]): Row[] {
  const known = new Map(speakers.map((speaker) => [speaker.id, speaker]));
  const named = new Set(wanted);
  const problems = {
    missing: speakers.map(({ id }) => id).filter((id) => !named.has(id)),
    unknown: [...named].filter((id) => !known.has(id)),
    duplicate: [...new Set(wanted.filter((id, index) => wanted.indexOf(id) !== index))],
  };
  const texts = Object.entries(problems).flatMap(([problem, ids]) =>
    ids.length === 0 ? [] : [`${problem}: ${ids.join(", ")}`],
  );
  if (texts.length > 0) {
    throw new ServiceError(
      "invalid_input",
      `speaker_ids: expects every speaker of the event exactly once; ${texts.join("; ")}`,
      { details: problems },
    );
  }
  return wanted.flatMap((id) => known.get(id) ?? []);
}
