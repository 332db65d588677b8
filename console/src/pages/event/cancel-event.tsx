import { useCallback } from "react";
import type { EventDetails } from "../../../../contract/console/event.ts";
import type { AffectedByCancelling } from "../../../../contract/schema/proposals.ts";
import type { Preview } from "../../api/tools.ts";
import { useChange } from "../../change/use-change.tsx";
import { countOf, formatCount } from "../../format/counts.ts";
import { platformName } from "../../share/platforms.ts";
import { KeyValueList } from "../../ui/key-value.tsx";

/** Cancels an event, or withdraws a proposal, after saying whom and what that concerns. */
export function useCancelEvent() {
  const change = useChange();
  return useCallback(
    ({ id, name, status }: Pick<EventDetails, "id" | "name" | "status">) => {
      const isProposal = status === "draft";
      return change.open({
        tool: "cancel_event",
        args: { event_id: id },
        title: isProposal ? `Withdraw ${name}` : `Cancel ${name}`,
        reason: isProposal ? `Withdrew ${name}` : `Cancelled ${name}`,
        confirmLabel: isProposal ? "Withdraw proposal" : "Cancel event",
        cancelLabel: isProposal ? "Keep proposal" : "Keep event",
        danger: true,
        done: isProposal ? `${name} was withdrawn` : `${name} is cancelled`,
        ...(isProposal ? {} : { describe: (preview: Preview) => <Affected preview={preview} /> }),
      });
    },
    [change],
  );
}

/** One network can have been reported under several names. */
const namesOf = (networks: string[]): string[] => [...new Set(networks.map((name) => platformName(name, "")))];

/** Whom and what the cancellation concerns. */
function Affected({ preview }: { preview: Preview }) {
  const { affects } = preview as Preview & { affects?: AffectedByCancelling };
  if (affects === undefined) return null;
  const { guests, first_guests: first, posted_links: links } = affects;
  const states = (["approved", "pending", "waitlisted", "declined"] as const).filter((state) => guests[state] > 0);
  const more = guests.approved + guests.pending - first.length;
  return (
    <>
      <p>
        The event disappears from lists, for agents and for co-hosts. Your organization can still read it, and Undo
        brings it back.
      </p>
      <KeyValueList
        items={[
          {
            name: "Guests",
            value:
              states.length === 0
                ? "Nobody"
                : states.map((state) => `${formatCount(guests[state])} ${state}`).join(", "),
          },
          ...(first.length === 0
            ? []
            : [
                { name: "Among them", value: `${first.join(", ")}${more > 0 ? ` and ${formatCount(more)} more` : ""}` },
              ]),
          {
            name: "Posted links",
            value:
              links.count === 0 ? "None" : `${countOf(links.count, "link")}: ${namesOf(links.platforms).join(", ")}`,
          },
        ]}
      />
    </>
  );
}
