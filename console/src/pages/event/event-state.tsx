import type { EventPage } from "../../../../contract/console/event.ts";
import { roleAtLeast } from "../../../../contract/roles.ts";
import { useOrganization } from "../../api/session.ts";
import { useChange } from "../../change/use-change.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { RelativeTime } from "../../ui/time.tsx";

/** Why an event is not shown to others: it is proposed, was returned, or is cancelled. */
export function EventState({ page }: { page: EventPage }) {
  const { event, proposal, cancelled_at } = page;
  const { slug, role } = useOrganization();
  const change = useChange();
  if (cancelled_at !== null) {
    return (
      <Notice>
        <InlineNotice
          tone="danger"
          title="This event is cancelled"
          action={
            <ButtonLink
              size="small"
              to="/o/$organization/events/$event/activity"
              params={{ organization: slug, event: event.id }}
            >
              Show activity
            </ButtonLink>
          }
        >
          Your organization cancelled the event or withdrew its proposal <RelativeTime at={cancelled_at} />. Only your
          organization still sees it. To take that back, undo it in the activity.
        </InlineNotice>
      </Notice>
    );
  }
  if (proposal === null) return null;
  if (proposal.returned_at === null) {
    return (
      <Notice>
        <InlineNotice title="Waiting for the platform’s administrators">
          Proposed <RelativeTime at={proposal.proposed_at} />. Until they accept it, only your organization sees this
          event. You can prepare it meanwhile.
        </InlineNotice>
      </Notice>
    );
  }
  const proposeAgain = () =>
    change.open({
      tool: "resubmit_event_proposal",
      args: { event_id: event.id },
      title: `Propose ${event.name} again`,
      reason: `Proposed ${event.name} again`,
      confirmLabel: "Propose again",
      done: `${event.name} was proposed again`,
    });
  return (
    <Notice>
      <InlineNotice
        tone="warning"
        title="The administrators returned this proposal"
        action={
          roleAtLeast(role, "admin") && (
            <Button size="small" kind="primary" onPress={() => proposeAgain()}>
              Propose again
            </Button>
          )
        }
      >
        <p className="keeps-lines breaks" dir="auto">
          {proposal.return_reason}
        </p>
      </InlineNotice>
    </Notice>
  );
}

const Notice = ({ children }: { children: React.ReactNode }) => <div className="space-below">{children}</div>;
