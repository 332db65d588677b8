const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** "8–11 Dec 2026": days without a time, so no zone applies. */
export function formatDates(start: string, end: string): string {
  return day.formatRange(new Date(`${start}T00:00:00Z`), new Date(`${end}T00:00:00Z`));
}

/** With spaces, as people type the names of cities. */
export const zoneLabel = (zone: string): string => zone.replaceAll("_", " ");

export const zoneOptions = Intl.supportedValuesOf("timeZone").map((zone) => ({ value: zone, label: zoneLabel(zone) }));
