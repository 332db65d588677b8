import { ServiceError } from "../../contract/errors.js";

/** The tool that lists the ids of each kind of row. Arguments with ids are named after the kind. */
export const idSources = {
  event: "get_organization_admin_snapshot",
  speaker: "get_event_admin_snapshot",
  registration: "list_event_registrations",
  segment: "get_event_run_of_show",
  poster: "get_event_asset_workspace",
} as const;

type Kind = keyof typeof idSources;

/** What to send as an argument such as `event_id` or `segments[2].speaker_ids[0]`; undefined if it is not of a known kind. */
export function sourceOfIds(path: string): string | undefined {
  const kind = /([a-z]+)_ids?(?:\[\d+\])?$/.exec(path)?.[1] ?? "";
  // A key has one or the other, by its scopes.
  if (kind === "event") return `${idSources.event}, or ${idSources.registration} without event_id`;
  return Object.hasOwn(idSources, kind) ? idSources[kind as Kind] : undefined;
}

export function unknownId(kind: Exclude<Kind, "event">, id: string): ServiceError {
  return new ServiceError("not_found", `No ${kind} of this event has the id ${id}: ${idSources[kind]} lists them`);
}

const eventSource = `${sourceOfIds("event_id")}, lists the events of your organization with their ids`;

/** What to do about an event that a call names and that the organization cannot use. */
export const eventAdvice = { event: `: ${eventSource}`, host: ". Ask the host: get_event_host_snapshot names it" };

export function eventNotFound(): ServiceError {
  return new ServiceError("not_found", `Event not found${eventAdvice.event}`);
}
