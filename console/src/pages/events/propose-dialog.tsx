import { useNavigate } from "@tanstack/react-router";
import type { Organization } from "../../../../contract/console/account.ts";
import { maximumLine, maximumText } from "../../../../contract/nouns.ts";
import type { ProposalConference } from "../../../../contract/schema/proposals.ts";
import { useChange } from "../../change/use-change.tsx";
import { useDraft } from "../../drafts/use-draft.ts";
import { eventCategoryOptions } from "../../format/categories.ts";
import { DateTimeField } from "../../ui/date-time-field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import { newProposal, proposalArgs, proposalProblems, withConference } from "./proposal-draft.ts";

type Props = { organization: Organization; conferences: ProposalConference[]; onClose: () => void };

/** Proposes an event to the administrators of the platform. */
export function ProposeDialog({ organization, conferences, onClose }: Props) {
  const change = useChange();
  const navigate = useNavigate();
  const zoneOf = (id: string) => conferences.find((each) => each.id === id)?.timezone ?? "UTC";
  const draft = useDraft({
    form: "new-proposal",
    source: conferences[0],
    read: newProposal,
    check: (values) => proposalProblems(values, zoneOf(values.conference_id)),
  });
  const { bind, set, submitted } = draft;
  const zone = zoneOf(draft.values.conference_id);
  const submit = async () => {
    const values = submitted();
    if (values === undefined) return;
    const done = await change.open({
      tool: "propose_event",
      args: proposalArgs(values, zone),
      title: `Propose ${values.name.trim()}`,
      reason: `Proposed ${values.name.trim()}`,
      confirmLabel: "Propose event",
      zone,
      done: `${values.name.trim()} was proposed`,
    });
    if (done === undefined) return;
    draft.saved();
    onClose();
    const { id } = done.after.event as { id: string };
    void navigate({ to: "/o/$organization/events/$event", params: { organization: organization.slug, event: id } });
  };
  return (
    <FormDialog
      draft={draft}
      title="Propose event"
      description="The administrators of the platform accept it or return it with a reason. Until then, only your organization sees it and can prepare it."
      submitLabel="Continue"
      label="New event"
      wide
      onClose={onClose}
      onSubmit={submit}
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
    </FormDialog>
  );
}
