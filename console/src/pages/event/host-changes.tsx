import { useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../../api/session.ts";
import { useChange } from "../../change/use-change.tsx";
import { useEvent } from "./event-page.ts";
import { describeHosts } from "./offer-changes.tsx";

type Named = { id: string; name: string };

/** The changes of an event's hosts, each with what it gives away. */
export function useHostChanges() {
  const change = useChange();
  const event = useEvent();
  const mine = useOrganization();
  const navigate = useNavigate();
  const args = (organization: Named) => ({ event_id: event.id, organization_id: organization.id });
  return {
    add: (organization: Named) =>
      change.open({
        tool: "add_event_cohost",
        args: args(organization),
        title: `Add ${organization.name} as co-host`,
        reason: `Added ${organization.name} to the hosts of ${event.name}`,
        confirmLabel: "Add co-host",
        describe: describeHosts,
        warnings: [
          `Everyone at ${organization.name}, and its API keys, will see the guests with their e-mail addresses, and its admins can change the event. They cannot change the hosts.`,
        ],
        done: `${organization.name} is a co-host now`,
      }),
    remove: (organization: Named) =>
      change.open({
        tool: "remove_event_cohost",
        args: args(organization),
        title: `Remove ${organization.name}`,
        reason: `Removed ${organization.name} from the hosts of ${event.name}`,
        confirmLabel: "Remove co-host",
        danger: true,
        describe: describeHosts,
        warnings: [`The people and API keys of ${organization.name} lose access to the event and its guests at once.`],
        done: `${organization.name} is no co-host any more`,
      }),
    leave: () =>
      change.open({
        tool: "remove_event_cohost",
        args: args(mine),
        title: `Leave ${event.name}`,
        reason: `Left the hosts of ${event.name}`,
        confirmLabel: "Leave event",
        danger: true,
        describe: describeHosts,
        warnings: [`The people and API keys of ${mine.name} lose access to the event and its guests at once.`],
        done: `${mine.name} has left ${event.name}`,
        // Only the host can let the organization in again.
        undo: null,
        onDone: () => navigate({ to: `/o/${mine.slug}` }),
      }),
    /** Makes a co-host the host. */
    handOver: (organization: Named) =>
      change.open({
        tool: "set_event_primary_host",
        args: args(organization),
        title: `Hand the event over to ${organization.name}`,
        reason: `Handed ${event.name} over to ${organization.name}`,
        confirmLabel: "Hand over",
        danger: true,
        describe: describeHosts,
        done: `${organization.name} is the host now`,
      }),
  };
}
