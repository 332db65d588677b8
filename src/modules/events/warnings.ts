import { minutesBetween, type Start } from "../../../contract/run-of-show.js";
import type { Warning } from "../../../contract/warnings.js";
import type { OrganizationCaller } from "../../access/caller.js";
import type { Queryable } from "../../infra/database/db.js";
import { getPublishedPosters, type PostersOfEvent } from "../posters/store.js";
import { stalePosterWarnings } from "../posters/warnings.js";
import { countApproved } from "../registrations/store.js";
import { getSchedule } from "../run-of-show/store.js";
import { outsideWarnings, type Schedule, withChanged } from "../run-of-show/warnings.js";
import type { EventDetails, HostCaller, OfferedChange } from "./rules.js";

/** What the warnings about an event's details compare them with; only what the change can be wrong about is read. */
type EventSurroundings = {
  schedule: Schedule | undefined;
  approved: number | undefined;
  posters: PostersOfEvent | undefined;
};

/** Of an event that is new. */
export const noSurroundings: EventSurroundings = { schedule: undefined, approved: undefined, posters: undefined };

const shownTimes = ["start_time", "end_time", "timezone"] as const;

/** The details that posters show. */
const shownOnPosters = ["name", "venue", ...shownTimes] as const;

export async function readSurroundings(
  tx: Queryable,
  eventId: string,
  changes: EventDetails,
): Promise<EventSurroundings> {
  const named = (...fields: (keyof EventDetails)[]) => fields.some((field) => changes[field] !== undefined);
  const [schedule, approved, posters] = await Promise.all([
    named("start_time", "end_time") ? getSchedule(tx, eventId) : undefined,
    named("capacity") ? countApproved(tx, eventId) : undefined,
    named(...shownOnPosters) ? getPublishedPosters(tx, eventId) : undefined,
  ]);
  return { schedule, approved, posters };
}

/** Longer than any event of a conference. */
const usualDays = 4;
const dayMs = 86_400_000;

export function detailsWarnings(
  {
    current,
    proposed,
    input,
  }: { current: EventDetails; proposed: EventDetails & { segments?: Start[] }; input: EventDetails },
  { schedule, approved, posters }: EventSurroundings,
  now = Date.now(),
): Warning[] {
  const moved = (["start_time", "end_time"] as const).filter((name) => current[name] !== proposed[name]);
  const past = moved.filter((name) => Date.parse(proposed[name] ?? "") < now);
  const { start_time: start, end_time: end, capacity } = proposed;
  const days = start === undefined || end === undefined ? 0 : (Date.parse(end) - Date.parse(start)) / dayMs;
  return [
    ...past.map(
      (path): Warning => ({ code: "in_the_past", message: `${path} is in the past: ${proposed[path]}`, path }),
    ),
    ...(moved.length > 0 && days > usualDays
      ? [{ code: "unusual_duration" as const, message: `The event lasts ${Math.round(days)} days`, path: "end_time" }]
      : []),
    ...(input.end_time === undefined ? durationWarnings(current, proposed) : []),
    ...(schedule === undefined
      ? []
      : outsideWarnings(
          { ...schedule, ...pick(proposed, shownTimes) },
          withChanged(schedule.segments, proposed.segments ?? []),
        )),
    ...(typeof capacity === "number" && approved !== undefined && capacity < approved
      ? [
          {
            code: "below_approved" as const,
            message: `More guests are approved (${approved}) than the new capacity (${capacity}). They stay approved`,
            path: "capacity",
          },
        ]
      : []),
    ...stalePosterWarnings(posters, () => pick(proposed, shownOnPosters)),
  ];
}

/** A start that moves without the end is likely meant to move the whole event. */
function durationWarnings(current: EventDetails, proposed: EventDetails): Warning[] {
  const [before, after] = [current, proposed].map(minutesOf);
  if (before === undefined || after === undefined || before === after) return [];
  const message = `The event now lasts ${durations(after, before)}: send end_time too to move it`;
  return [{ code: "duration_changed", message, path: "end_time" }];
}

function minutesOf({ start_time: start, end_time: end }: EventDetails): number | undefined {
  return start === undefined || end === undefined ? undefined : minutesBetween(start, end);
}

/** Two durations in one unit: "30 minutes instead of 90". */
function durations(after: number, before: number): string {
  const longest = Math.max(after, before);
  const [unit, minutes] = longest < 300 ? ["minute", 1] : longest < 2_880 ? ["hour", 60] : ["day", 1_440];
  const [now, then] = [after, before].map((duration) => Math.round((duration / minutes) * 10) / 10);
  return `${now} ${unit}${now === 1 ? "" : "s"} instead of ${then}`;
}

/** The host cannot get an event back that it has handed over: only the new host may change hosts. */
export function handOverWarnings(current: OfferedChange, proposed: OfferedChange, caller: HostCaller): Warning[] {
  const [from] = current.hosts;
  const offer = proposed.offer?.to.id === current.offer?.to.id ? null : proposed.offer;
  const to = offer?.to ?? proposed.hosts[0];
  if (from?.id !== caller.organizationId || to === undefined || to.id === from.id) return [];
  const condition = offer === null ? "" : `Once ${to.name} accepts, `;
  const message = `${condition}${from.name} becomes a co-host and cannot take this back: only ${to.name} can hand the event back, and it can remove ${from.name}`;
  return [{ code: "cannot_take_back", message, path: offer === null ? "hosts" : "offer" }];
}

/** An organization that leaves an event has no way back by itself. */
export function leavingWarnings(
  { organization, hosts }: OfferedChange,
  proposed: OfferedChange,
  { organizationId, via }: OrganizationCaller,
  event: string,
): Warning[] {
  const leaves = organization.id === organizationId && proposed.hosts.length < hosts.length;
  const host = proposed.hosts.find(({ role }) => role === "host");
  if (!leaves || host === undefined) return [];
  const who = via.kind === "session" ? organization.name : `this ${via.kind}`;
  const message = `You leave “${event}”: ${who} cannot see it afterwards; only ${host.name} can add you again`;
  return [{ code: "cannot_take_back", message, path: "hosts" }];
}

/** Those of the details that a change names. */
function pick<Name extends keyof EventDetails>(details: EventDetails, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, details[name]]).filter(([, value]) => value !== undefined)) as {
    [name in Name]?: Exclude<EventDetails[name], undefined>;
  };
}
