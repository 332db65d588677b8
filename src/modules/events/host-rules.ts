import { ServiceError } from "../../platform/errors.js";
import type { Host } from "./host-store.js";

/** The hosts of an event, and the organization that a change is about. */
export type HostChange = { organization: Omit<Host, "role">; hosts: Host[] };

/** As many as fit into one result. */
export const maximumHosts = 100;

export function addCohost({ organization, hosts }: HostChange): HostChange {
  if (hosts.some((host) => host.id === organization.id && host.role === "host")) {
    throw new ServiceError("conflict", `${organization.name} is already the host of this event`);
  }
  const known = hosts.some((host) => host.id === organization.id);
  if (!known && hosts.length >= maximumHosts) {
    throw new ServiceError("conflict", `An event has at most ${maximumHosts} hosts: remove a co-host first`);
  }
  return { organization, hosts: known ? hosts : [...hosts, { ...organization, role: "co_host" }] };
}

export function removeCohost({ organization, hosts }: HostChange): HostChange {
  if (hosts.some((host) => host.id === organization.id && host.role === "host")) {
    throw new ServiceError(
      "conflict",
      `${organization.name} is the host and cannot be removed. Make another organization the host first: set_event_primary_host`,
    );
  }
  return { organization, hosts: hosts.filter((host) => host.id !== organization.id) };
}

/** The old host becomes the first co-host. */
export function setPrimaryHost({ organization, hosts }: HostChange): HostChange {
  const others = hosts.filter((host) => host.id !== organization.id);
  return {
    organization,
    hosts: [{ ...organization, role: "host" }, ...others.map((host) => ({ ...host, role: "co_host" as const }))],
  };
}
