import type { NamedOrganization } from "../../../../contract/console/parts.ts";
import type { HostRole } from "../../../../contract/nouns.ts";
import type { Preview } from "../../api/tools.ts";
import { DifferenceList } from "../../change/difference-list.tsx";
import { useChange } from "../../change/use-change.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";

const tool = "set_event_primary_host";

type OfferedEvent = { event: { id: string; name: string }; from: NamedOrganization; to: NamedOrganization };

/** What can be done with an offer of an event: the organization that is named is to be the host. */
export function useOfferChanges({ event, from, to }: OfferedEvent) {
  const change = useChange();
  const naming = (organization: NamedOrganization) => ({ event_id: event.id, organization_id: organization.id });
  return {
    accept: () =>
      change.open({
        tool,
        args: naming(to),
        title: `Become the host of ${event.name}`,
        describe: describeHosts,
        reason: `Took ${event.name} over from ${from.name}`,
        confirmLabel: "Accept offer",
        done: `${to.name} is the host now`,
      }),
    decline: () =>
      change.open({
        tool,
        args: naming(from),
        title: `Decline ${event.name}`,
        describe: describeHosts,
        reason: `Declined to host ${event.name}`,
        confirmLabel: "Decline offer",
        done: "The offer was declined",
      }),
    withdraw: () =>
      change.open({
        tool,
        args: naming(from),
        title: `Withdraw the offer to ${to.name}`,
        describe: describeHosts,
        reason: `Withdrew the offer of ${event.name} to ${to.name}`,
        confirmLabel: "Withdraw offer",
        done: "The offer was withdrawn",
        // A co-host that is named takes over at once: that would not make the offer again.
        undo: ({ current }) =>
          (current.hosts as HostRows).some(({ id }) => id === to.id) ? null : { tool, args: naming(to) },
      }),
  };
}

type HostRows = { id: string; name: string; role: HostRole }[];
type Offer = { to: NamedOrganization } | null | undefined;

const roleWords: Record<HostRole, string> = { host: "Host", co_host: "Co-host" };

/** Who becomes what, and to whom the event is offered, in words; the order of hosts follows from it. */
export function describeHosts({ current, proposed, ...preview }: Preview) {
  const [before, after] = [current.hosts as HostRows, proposed.hosts as HostRows];
  const roleIn = (rows: HostRows, id: string) => {
    const role = rows.find((row) => row.id === id)?.role;
    return role === undefined ? "Not a host" : roleWords[role];
  };
  const all = new Map([...before, ...after].map(({ id, name }) => [id, name]));
  const offeredTo = (offer: unknown) => (offer as Offer)?.to.name ?? "Nobody";
  const differences = [
    ...[...all].map(([id, name]) => ({ label: name, from: roleIn(before, id), to: roleIn(after, id) })),
    { label: "Offered to", from: offeredTo(current.offer), to: offeredTo(proposed.offer) },
  ]
    .filter(({ from, to }) => from !== to)
    .map((difference) => ({ kind: "value" as const, ...difference }));
  const { effect } = preview as { effect?: string };
  return (
    <>
      <DifferenceList differences={differences} />
      {effect !== undefined && <InlineNotice tone="warning">{effect}</InlineNotice>}
    </>
  );
}
