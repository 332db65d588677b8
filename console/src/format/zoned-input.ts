import { exactFormatter, type Instant } from "./times.ts";

/** Times as a field has them ("2031-05-01T18:30"), in a named zone. */

const minuteMs = 60_000;

export function toZonedInput(at: Instant, zone: string): string {
  const time = new Date(at).getTime();
  return new Date(time + offsetAt(time, zone)).toISOString().slice(0, 16);
}

/**
 * The instant of a local time; undefined if the text is no time, or one that the clocks of the zone skip. Of a time that
 * they repeat it is the first.
 */
export function fromZonedInput(text: string, zone: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return undefined;
  const wall = Date.parse(`${text}Z`);
  // 30 February would become a day of March.
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(text)) return undefined;
  // The offsets half a day before and after are all that can apply around one change of the clocks.
  const offsets = [wall - 12 * 60 * minuteMs, wall + 12 * 60 * minuteMs].map((near) => offsetAt(near, zone));
  const instants = offsets.map((offset) => wall - offset).filter((time) => time + offsetAt(time, zone) === wall);
  return instants.length === 0 ? undefined : new Date(Math.min(...instants)).toISOString();
}

/** What the clocks of the zone are ahead of UTC by, in milliseconds. */
export function offsetAt(time: number, zone: string): number {
  const [clock = ""] = exactFormatter(zone).format(time).split(" GMT");
  return Date.parse(`${clock.padStart(19, "0").replace(" ", "T")}Z`) - Math.floor(time / 1000) * 1000;
}
