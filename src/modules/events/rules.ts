import type { z } from "zod";
import { ServiceError } from "../../../contract/errors.js";
import type { eventChanges } from "../../../contract/schema/events.js";
import type { Host, HostOffer } from "./host-store.js";

/** Some of an event's editable fields. */
export type EventDetails = z.output<typeof eventChanges>;

/** Applies the changes; an event must end after it starts. */
export function changeDetails(current: EventDetails, changes: EventDetails): EventDetails {
  if (Object.keys(changes).length === 0) {
    throw new ServiceError("invalid_input", "Send at least one field to change, such as venue or start_time");
  }
  return requireTimes({ ...current, ...changes });
}

export function requireTimes<Times extends Pick<EventDetails, "start_time" | "end_time">>(event: Times): Times {
  const { start_time: start, end_time: end } = event;
  if (start !== undefined && end !== undefined && Date.parse(end) <= Date.parse(start)) {
    throw new ServiceError(
      "invalid_input",
      `end_time: expected a time after start_time (${start}), not ${end}: to move an event, send both`,
    );
  }
  return event;
}

/** The hosts of an event, and the organization that a change is about. */
export type HostChange = { organization: Omit<Host, "role">; hosts: Host[] };

/** As many as fit into one result. */
export const maximumHosts = 100;

export function addCohost({ organization, hosts }: HostChange): HostChange {
  if (hosts.some((host) => host.id === organization.id && host.role === "host")) {
    throw new ServiceError(
      "conflict",
      `${organization.name} is already the host of this event: name another organization`,
    );
  }
  requireRoom({ organization, hosts });
  const known = isHost({ hosts }, organization.id);
  return { organization, hosts: known ? hosts : [...hosts, { ...organization, role: "co_host" }] };
}

/** Whether an organization hosts or co-hosts the event. */
function isHost({ hosts }: Pick<HostChange, "hosts">, id: string): boolean {
  return hosts.some((host) => host.id === id);
}

function requireRoom({ organization, hosts }: HostChange): void {
  if (hosts.length < maximumHosts || isHost({ hosts }, organization.id)) return;
  throw new ServiceError("conflict", `An event has at most ${maximumHosts} hosts: remove a co-host first`);
}

/** The same with the open offer of the event to another organization. */
export type OfferedChange = HostChange & { offer: HostOffer | null };

/** The host removes others, and a co-host removes itself. An offer to a co-host that is removed ends. */
export function removeCohost({ organization, hosts, offer }: OfferedChange): OfferedChange {
  if (hosts.some((host) => host.id === organization.id && host.role === "host")) {
    throw new ServiceError(
      "conflict",
      `${organization.name} is the host and cannot be removed. Make another organization the host first: set_event_primary_host`,
    );
  }
  const ends = isHost({ hosts }, organization.id) && offer?.to.id === organization.id;
  return {
    organization,
    hosts: hosts.filter((host) => host.id !== organization.id),
    offer: ends ? null : offer,
  };
}

/** Refuses a co-host that names an organization other than its own. */
export function requireHostOrItself({ organization, hosts }: HostChange, callerId: string): void {
  const caller = hosts.find((host) => host.id === callerId);
  if (caller?.role === "host" || organization.id === callerId) return;
  throw new ServiceError(
    "forbidden",
    `Only the host of this event may remove ${organization.name}; your organization is a co-host and may only leave itself${caller === undefined ? "" : `: name ${caller.slug}`}`,
  );
}

/** The old host becomes the first co-host. */
export function setPrimaryHost({ organization, hosts }: HostChange): HostChange {
  const others = hosts.filter((host) => host.id !== organization.id);
  return {
    organization,
    hosts: [{ ...organization, role: "host" }, ...others.map((host) => ({ ...host, role: "co_host" as const }))],
  };
}

/** The same without an offer: one by the old host ends, one to the new host has come true. */
export function setHost(current: OfferedChange): OfferedChange {
  const isSame = current.hosts.some(({ id, role }) => id === current.organization.id && role === "host");
  return isSame ? current : { ...setPrimaryHost(current), offer: null };
}

/** Who changes the host: for which organization, and whether the person also administers the organization that is named. */
export type HostCaller = { organizationId: string; administersNamed: boolean };

/**
 * The organization that is named is to be the host. A co-host takes over at once, because it has the event already, and so does
 * an organization that the person administers too. Any other gets an offer: it accepts by naming itself or declines by naming
 * the host, which withdraws by naming itself.
 */
export function decideHost(current: OfferedChange, caller: HostCaller): OfferedChange {
  const { organization, hosts, offer } = current;
  const host = hosts.find(({ role }) => role === "host");
  const accepted = () => {
    requireRoom(current);
    return setHost(current);
  };
  if (host?.id === caller.organizationId) {
    if (organization.id === host.id) return { ...current, offer: null };
    if (isHost(current, organization.id) || caller.administersNamed) return accepted();
    if (offer?.to.id === organization.id) return current;
    requireRoom(current);
    const { role: _, ...from } = host;
    return { ...current, offer: { to: organization, from, offered_at: null } };
  }
  if (offer?.to.id !== caller.organizationId) {
    throw new ServiceError("forbidden", "This event is not offered to your organization any more. Nothing was changed");
  }
  if (organization.id === caller.organizationId) return accepted();
  if (organization.id === host?.id) return { ...current, offer: null };
  throw new ServiceError(
    "conflict",
    `${offer.from.name} offers this event to ${offer.to.name}: name ${offer.to.slug} to accept, or ${offer.from.slug} to decline`,
  );
}

/** What a change of the host or of an offer gives away and to whom, in words. */
export function effectOfHost(current: OfferedChange, proposed: OfferedChange, caller: HostCaller): string | undefined {
  const [before, after] = [current, proposed].map(({ hosts }) => hosts.find(({ role }) => role === "host"));
  const rights = "alone decides who hosts the event; new posters carry its colours and logo";
  if (before?.id !== after?.id) {
    const to = after?.id === caller.organizationId ? "Your organization" : after?.name;
    const from = before?.id === caller.organizationId ? "Your organization" : before?.name;
    const why = after !== undefined && isHost(current, after.id) ? "it is a co-host" : "you administer both";
    const atOnce = before?.id === caller.organizationId ? ` at once, because ${why}` : "";
    return `${to} becomes the host${atOnce}: it ${rights}. ${from} becomes a co-host.`;
  }
  if (proposed.offer !== null && current.offer?.to.id !== proposed.offer.to.id) {
    const { to, from } = proposed.offer;
    const replaced = current.offer === null ? "" : ` The offer to ${current.offer.to.name} is withdrawn.`;
    return `Nothing changes until ${to.name} accepts. It then becomes the host: it ${rights}. It will see the guests with their e-mail addresses. Until then, name ${from.slug} to withdraw.${replaced}`;
  }
  if (current.offer === null || proposed.offer !== null) return undefined;
  const { to, from } = current.offer;
  return to.id === caller.organizationId
    ? `The offer is declined: ${from.name} stays the host.`
    : `The offer to ${to.name} is withdrawn: ${from.name} stays the host.`;
}
