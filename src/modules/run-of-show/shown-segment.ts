import { ServiceError } from "../../../contract/errors.js";
import type { Segment } from "../../../contract/schema/run-of-show.js";
import { someOf } from "../../../contract/shortened.js";
import type { Queryable } from "../../infra/database/db.js";
import { listSpeakerNames, type SpeakerName } from "../speakers/store.js";

/** A segment as previews show it: with its speakers by name. */
export type ShownSegment = Omit<Segment, "speaker_ids"> & { speakers: SpeakerName[] };

type Shown<Fields> = Omit<Fields, "speaker_ids"> &
  (Fields extends { speaker_ids: string[] } ? { speakers: SpeakerName[] } : { speakers?: SpeakerName[] });

type Stored<Fields> = Omit<Fields, "speakers"> &
  (Fields extends { speakers: SpeakerName[] } ? { speaker_ids: string[] } : { speaker_ids?: string[] });

/** Some fields of a segment, with the speakers by name if they are among them. */
export function shownSegment<Fields extends { speaker_ids?: string[] }>(
  { speaker_ids: ids, ...fields }: Fields,
  names: SpeakerName[],
): Shown<Fields> {
  const speakers = ids?.flatMap((id) => names.filter((speaker) => speaker.id === id));
  return { ...fields, ...(speakers && { speakers }) } as Shown<Fields>;
}

/** The same fields as they are stored. */
export function storedSegment<Fields extends { speakers?: SpeakerName[] }>({
  speakers,
  ...fields
}: Fields): Stored<Fields> {
  return { ...fields, ...(speakers && { speaker_ids: speakers.map(({ id }) => id) }) } as Stored<Fields>;
}

/** The names of an event's speakers, if any are named; ids that are not theirs are refused. */
export async function readSpeakers(tx: Queryable, eventId: string, ids: string[] | undefined): Promise<SpeakerName[]> {
  if (ids === undefined) return [];
  const names = await listSpeakerNames(tx, eventId);
  const known = new Set(names.map(({ id }) => id));
  const unknown = [...new Set(ids.filter((id) => !known.has(id)))];
  if (unknown.length === 0) return names;
  throw new ServiceError(
    "invalid_input",
    `speaker_ids: no speakers of this event: ${someOf(unknown)}. get_event_admin_snapshot lists them`,
  );
}

/** The speakers that rows of a request name; undefined if none says who speaks. */
export function speakersOf(rows: { speaker_ids?: string[] }[]): string[] | undefined {
  const named = rows.flatMap(({ speaker_ids: ids }) => (ids === undefined ? [] : [ids]));
  return named.length === 0 ? undefined : named.flat();
}
