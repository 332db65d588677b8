/** An event as the overview of an organization shows it. */
export type EventLine = {
  id: string;
  name: string;
  conference: string;
  /** Start and end on the clocks of the venue. */
  local_time: string;
  timezone: string;
  start_time: string;
  venue: string | null;
  status: string;
  role: string;
  speakers: string[];
  guests: Record<string, number>;
  capacity: number | null;
  posters: { published: number; unposted: number; drafts: number };
  run_of_show_published: boolean;
};

/** The same as it is read: both times, and the first speakers of how many. */
export type EventRow = Omit<EventLine, "local_time" | "speakers"> & {
  end_time: string;
  speakers: string[];
  speaker_count: number;
};

export function lineOf({ end_time, speaker_count, ...row }: EventRow): EventLine {
  const { id, name, conference, timezone, speakers, ...rest } = row;
  const more = speaker_count - speakers.length;
  return {
    id,
    name,
    conference,
    local_time: localTime(row.start_time, end_time, timezone),
    timezone,
    ...rest,
    speakers: more === 0 ? speakers : [...speakers, `and ${more} more`],
  };
}

/** Such as "Tue 2026-12-08 09:30–10:45"; the day is repeated if it is another. */
export function localTime(start: string, end: string, timezone: string): string {
  const [from, to] = [localParts(start, timezone), localParts(end, timezone)];
  return `${from.day} ${from.time}–${from.day === to.day ? "" : `${to.day} `}${to.time}`;
}

function localParts(time: string, timezone: string): { day: string; time: string } {
  const parts = Object.fromEntries(
    formatIn(timezone)
      .formatToParts(new Date(time))
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: `${parts.weekday} ${parts.year}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}`,
  };
}

/** Making one takes longer than using it. There are about 600 zones. */
const formats = new Map<string, Intl.DateTimeFormat>();
const maximumFormats = 1_000;

function formatIn(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  if (formats.size < maximumFormats) formats.set(timezone, made);
  return made;
}
