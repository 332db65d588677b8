import { useState } from "react";
import type { AdminEventDetails } from "../../../../contract/console/admin.ts";
import { maximumReturnReason } from "../../../../contract/nouns.ts";
import { ChangeForm } from "../../change/change-form.tsx";
import { useChange } from "../../change/use-change.tsx";
import { required, useDraft } from "../../drafts/use-draft.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { KeyValueList } from "../../ui/key-value.tsx";
import { Link } from "../../ui/link.tsx";
import { Section } from "../../ui/section.tsx";
import { TextArea } from "../../ui/text-field.tsx";
import { Time } from "../../ui/time.tsx";
import { eventWarnings } from "./status-warnings.ts";

type Proposal = NonNullable<AdminEventDetails["proposal"]>;
type Props = { event: AdminEventDetails; proposal: Proposal };

export const ProposalBadge = ({ proposal: { returned_at } }: { proposal: Pick<Proposal, "returned_at"> }) =>
  returned_at === null ? <Badge tone="warning">Proposed</Badge> : <Badge>Returned</Badge>;

/** Who proposed the event, and the decision about it. */
export function ProposalSection({ event, proposal }: Props) {
  const [isReturning, setReturning] = useState(false);
  const change = useChange();
  const { id, name, timezone } = event;
  const { organization, proposed_at, returned_at, return_reason } = proposal;
  const accept = () =>
    change.open({
      tool: "set_event_status",
      args: { event_id: id, status: "approved" },
      title: `Accept ${name}`,
      reason: `Accepted ${name}, which ${organization.name} proposed`,
      confirmLabel: "Accept event",
      done: `${name} is approved`,
      warnings: eventWarnings(event, "approved"),
      undo: { tool: "set_event_status", args: { event_id: id, status: "draft" } },
    });
  return (
    <Section
      title="Proposal"
      description={
        returned_at === null
          ? "Organizers ask to add this event to the conference. Once accepted, it is approved and its host can publish it."
          : "It was returned: the organizers change it and propose it again. You can still accept it."
      }
      actions={
        <>
          <Button kind="primary" onPress={() => accept()}>
            Accept
          </Button>
          <Button onPress={() => setReturning(true)}>Return…</Button>
        </>
      }
    >
      <KeyValueList
        items={[
          {
            name: "Proposed by",
            value: (
              <Link quiet to="/admin/organizations/$id" params={{ id: organization.id }}>
                {organization.name}
              </Link>
            ),
          },
          { name: "Proposed", value: <Time at={proposed_at} zone={timezone} /> },
          ...(returned_at === null
            ? []
            : [
                { name: "Returned", value: <Time at={returned_at} zone={timezone} /> },
                { name: "Reason", value: <p className="keeps-lines">{return_reason}</p> },
              ]),
          { name: "Description", value: event.description && <p className="keeps-lines">{event.description}</p> },
        ]}
      />
      {isReturning && <ReturnForm event={event} onClose={() => setReturning(false)} />}
    </Section>
  );
}

function ReturnForm({ event, onClose }: { event: AdminEventDetails; onClose: () => void }) {
  const draft = useDraft({
    form: `return-proposal ${event.id}`,
    source: { message: "" },
    read: (empty) => empty,
    check: ({ message }) => ({ message: required(message, "what the organizers should change") }),
  });
  const { bind } = draft;
  return (
    <ChangeForm
      draft={draft}
      title="Return proposal"
      description="The organizers read the reason on the event’s page and in their list of proposals."
      submitLabel="Review"
      label="Reason"
      onClose={onClose}
      change={(values) => ({
        tool: "return_event_proposal",
        args: { event_id: event.id, message: values.message.trim() },
        title: `Return ${event.name}`,
        reason: `Returned the proposal of ${event.name}`,
        confirmLabel: "Return proposal",
        done: `${event.name} was returned`,
      })}
    >
      <TextArea
        label="What should they change?"
        rows={4}
        maxLength={maximumReturnReason}
        autoFocus
        {...bind("message")}
      />
    </ChangeForm>
  );
}
