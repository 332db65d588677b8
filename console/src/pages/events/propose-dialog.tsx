import { useNavigate } from "@tanstack/react-router";
import type { Organization } from "../../../../contract/console/account.ts";
import { maximumLine, maximumText } from "../../../../contract/nouns.ts";
import type { ProposalConference } from "../../../../contract/schema/proposals.ts";
import { ChangeForm } from "../../change/change-form.tsx";
import { useDraft } from "../../drafts/use-draft.ts";
import { eventCategoryOptions } from "../../format/categories.ts";
import { DateTimeField } from "../../ui/date-time-field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import { newProposal, proposalArgs, proposalProblems, withConference } from "./proposal-draft.ts";

type Props = { organization: Organization; conferences: ProposalConference[]; onClose: () => void };

/** Proposes an event to the administrators of the platform. */
export function ProposeDialog({ organization, conferences, onClose }: Props) {
  const navigate = useNavigate();
  const zoneOf = (id: string) => conferences.find((each) => each.id === id)?.timezone ?? "UTC";
  const draft = useDraft({
    form: "new-proposal",
    source: conferences[0],
    read: newProposal,
    check: (values) => proposalProblems(values, zoneOf(values.conference_id)),
  });
  const { bind, set } = draft;
  const zone = zoneOf(draft.values.conference_id);
  return (
    <ChangeForm
      draft={draft}
      title="Propose event"
      description="The administrators of the platform accept it or return it with a reason. Until then, only your organization sees it and can prepare it."
      submitLabel="Continue"
      label="New event"
      wide
      onClose={onClose}
      change={(values) => ({
        tool: "propose_event",
        args: proposalArgs(values, zone),
        title: `Propose ${values.name.trim()}`,
        reason: `Proposed ${values.name.trim()}`,
        confirmLabel: "Propose event",
        zone,
        done: `${values.name.trim()} was proposed`,
      })}
      onDone={({ after }) => {
        onClose();
        const { id } = after.event as { id: string };
        void navigate({ to: "/o/$organization/events/$event", params: { organization: organization.slug, event: id } });
      }}
    >
      <TextField label="Name" maxLength={maximumLine} autoFocus {...bind("name")} />
      <Select
        label="Conference"
        options={conferences.map(({ id, name }) => ({ value: id, label: name }))}
        {...bind("conference_id")}
        onChange={(id) => set((values) => withConference(values, conferences, id))}
      />
      <DateTimeField label="Starts" description={`Clocks of ${zone}`} {...bind("start")} />
      <DateTimeField label="Ends" {...bind("end")} />
      <Select label="Category" options={eventCategoryOptions} {...bind("category")} />
      <TextField label="Venue" optional maxLength={maximumLine} {...bind("venue")} />
      <TextArea label="Description" optional rows={4} maxLength={maximumText} {...bind("description")} />
    </ChangeForm>
  );
}
