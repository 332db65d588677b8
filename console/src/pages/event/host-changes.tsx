import { useOrganization } from "../../api/session.ts";
import type { Preview } from "../../api/tools.ts";
import { DifferenceList } from "../../change/difference-list.tsx";
import { useChange } from "../../change/use-change.tsx";
import { type HostRole, useEvent, useEventPage } from "./event-page.ts";

type Named = { id: string; name: string };

const roleWords: Record<HostRole, string> = { host: "Host", co_host: "Co-host" };

/** The changes of an event's hosts, each with what it gives away. */
export function useHostChanges() {
  const change = useChange();
  const event = useEvent();
  const { hosts } = useEventPage();
  const mine = useOrganization();
  const args = (organization: Named) => ({ event_id: event.id, organization_id: organization.id });
  return {
    add: (organization: Named) =>
      change.open({
        tool: "add_event_cohost",
        args: args(organization),
        title: `Add ${organization.name} as co-host`,
        reason: `${organization.name} co-hosts ${event.name}`.slice(0, 500),
        confirmLabel: "Add co-host",
        describe: describeHosts,
        warnings: [
          `Everyone at ${organization.name}, and its API keys, will see the guests with their e-mail addresses, and its admins can change the event. They cannot change the hosts.`,
        ],
        done: `${organization.name} is a co-host now`,
        undo: { tool: "remove_event_cohost", args: args(organization) },
      }),
    remove: (organization: Named) =>
      change.open({
        tool: "remove_event_cohost",
        args: args(organization),
        title: `Remove ${organization.name}`,
        reason: `${organization.name} no longer co-hosts ${event.name}`.slice(0, 500),
        confirmLabel: "Remove co-host",
        danger: true,
        describe: describeHosts,
        warnings: [`The people and API keys of ${organization.name} lose access to the event and its guests at once.`],
        done: `${organization.name} is no co-host any more`,
        undo: { tool: "add_event_cohost", args: args(organization) },
      }),
    handOver: (organization: Named) =>
      change.open({
        tool: "set_event_primary_host",
        args: args(organization),
        title: `Hand the event over to ${organization.name}`,
        reason: `${organization.name} takes over ${event.name}`.slice(0, 500),
        confirmLabel: "Hand over",
        danger: true,
        describe: describeHosts,
        warnings: [
          `${mine.name} becomes a co-host and gives away deciding who hosts the event. ${organization.name} can then remove ${mine.name}, and only ${organization.name} can hand the event back.`,
          `New posters are drawn in the colours and with the logo of ${organization.name}.`,
          ...(hosts.some(({ id }) => id === organization.id)
            ? []
            : [`${organization.name} does not co-host the event yet: it will see the guests from now on.`]),
        ],
        done: `${organization.name} is the host now`,
      }),
  };
}

type HostRows = { id: string; name: string; role: HostRole }[];

/** Who becomes what, in words; the order of hosts follows from it. */
function describeHosts({ current, proposed }: Preview) {
  const [before, after] = [current.hosts as HostRows, proposed.hosts as HostRows];
  const roleIn = (rows: HostRows, id: string) => {
    const role = rows.find((row) => row.id === id)?.role;
    return role === undefined ? "Not a host" : roleWords[role];
  };
  const all = new Map([...before, ...after].map(({ id, name }) => [id, name]));
  const differences = [...all]
    .map(([id, name]) => ({ kind: "value" as const, label: name, from: roleIn(before, id), to: roleIn(after, id) }))
    .filter(({ from, to }) => from !== to);
  return <DifferenceList differences={differences} />;
}
