import { ServiceError } from "../../platform/errors.js";
import type { Host } from "./host-store.js";

/** The hosts of an event and the organization that the change is about. */
export type Hosting = { organization: Omit<Host, "role">; hosts: Host[] };

/** So many still fit into one answer. */
export const maximumHosts = 100;

export function addCohost({ organization, hosts }: Hosting): Hosting {
  if (hosts.some((host) => host.id === organization.id && host.role === "host")) {
    throw new ServiceError("conflict", `${organization.name} is the host of this event already`);
  }
  const known = hosts.some((host) => host.id === organization.id);
  if (!known && hosts.length >= maximumHosts) {
    throw new ServiceError("conflict", `An event has at most ${maximumHosts} hosts: remove a co-host first`);
  }
  return { organization, hosts: known ? hosts : [...hosts, { ...organization, role: "co_host" }] };
}

export function removeCohost({ organization, hosts }: Hosting): Hosting {
  if (hosts.some((host) => host.id === organization.id && host.role === "host")) {
    throw new ServiceError(
      "conflict",
      `${organization.name} is the host and cannot be removed. Make another organization the host first: set_event_primary_host`,
    );
  }
  return { organization, hosts: hosts.filter((host) => host.id !== organization.id) };
}

/** The old host becomes the first co-host. */
export function setPrimaryHost({ organization, hosts }: Hosting): Hosting {
  const others = hosts.filter((host) => host.id !== organization.id);
  return {
    organization,
    hosts: [{ ...organization, role: "host" }, ...others.map((host) => ({ ...host, role: "co_host" as const }))],
  };
}
