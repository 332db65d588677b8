import {
  exactTime,
  formatClock,
  formatDay,
  formatRange,
  formatRelative,
  formatTime,
  type Instant,
  localZone,
} from "../format/times.ts";
import { useNow } from "./use-now.ts";

type Props = {
  at: Instant;
  zone: string /** Makes it a range. */;
  until?: Instant;
  show?: "full" | "short" | "day" | "clock";
};

/** A time in words, in its zone. The exact value is its description: shown on hover, and read only by who asks for it. */
export function Time({ at, zone, until, show = "full" }: Props) {
  const exact = until === undefined ? exactTime(at, zone) : `${exactTime(at, zone)} to ${exactTime(until, zone)}`;
  return (
    <time dateTime={new Date(at).toISOString()} title={exact}>
      {words({ at, zone, show, ...(until === undefined ? {} : { until }) })}
    </time>
  );
}

function words({ at, zone, until, show }: Props): string {
  if (show === "day") return formatDay(at, zone);
  if (show === "short") return `${formatDay(at, zone)}, ${formatClock(at, zone)}`;
  if (show === "clock") return formatClock(at, zone);
  return until === undefined ? formatTime(at, zone) : formatRange(at, until, zone);
}

/** "3 hours ago". Keeps up with the clock. */
export function RelativeTime({ at, zone = localZone() }: { at: Instant; zone?: string }) {
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at, zone)}>
      {formatRelative(at, now)}
    </time>
  );
}
