import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { EventDetails } from "../../../../contract/console/event.ts";
import { maximumLine } from "../../../../contract/nouns.ts";
import { useOrganization } from "../../api/session.ts";
import { ChangeForm } from "../../change/change-form.tsx";
import { required, useDraft } from "../../drafts/use-draft.ts";
import { fromZonedInput } from "../../format/zoned-input.ts";
import { DateTimeField } from "../../ui/date-time-field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { aWeekLater } from "../events/proposal-draft.ts";
import { proposalsQuery } from "../events/proposals-data.ts";

/** Proposes a copy of the event at another time. */
export function DuplicateDialog({ event, onClose }: { event: EventDetails; onClose: () => void }) {
  const { id, slug } = useOrganization();
  const navigate = useNavigate();
  const { data } = useQuery(proposalsQuery(id));
  const { conference, timezone } = event;
  const conferences = [conference, ...(data?.conferences ?? []).filter((other) => other.id !== conference.id)];
  const draft = useDraft({
    form: `duplicate-event ${event.id}`,
    source: event,
    read: (original) => ({
      name: original.name,
      start: aWeekLater(original),
      conference_id: original.conference.id,
    }),
    check: ({ name, start }) => ({
      name: required(name, "a name"),
      start:
        fromZonedInput(start, timezone) === undefined
          ? "Enter a day and a time that exist in this time zone"
          : undefined,
    }),
  });
  const { bind } = draft;
  return (
    <ChangeForm
      draft={draft}
      title="Duplicate event"
      description="Details, speakers, run of show and posters are copied; guests, check-ins, posted links and ticketing never. The copy is proposed to the administrators."
      submitLabel="Continue"
      label="Copy of the event"
      onClose={onClose}
      change={(values) => ({
        tool: "duplicate_event",
        args: {
          event_id: event.id,
          start_time: fromZonedInput(values.start, timezone),
          ...(values.name.trim() === event.name ? {} : { name: values.name.trim() }),
          ...(values.conference_id === conference.id ? {} : { conference_id: values.conference_id }),
        },
        title: `Duplicate ${event.name}`,
        reason: `Proposed a copy of ${event.name}`,
        confirmLabel: "Propose the copy",
        zone: timezone,
        done: "The copy was proposed",
      })}
      onDone={({ after }) => {
        onClose();
        const { id: copy } = after.copy as { id: string };
        void navigate({ to: "/o/$organization/events/$event", params: { organization: slug, event: copy } });
      }}
    >
      <TextField label="Name" maxLength={maximumLine} autoFocus {...bind("name")} />
      <DateTimeField
        label="Starts"
        description={`Clocks of ${timezone}. Everything moves by as much as the start.`}
        {...bind("start")}
      />
      {conferences.length > 1 && (
        <Select
          label="Conference"
          options={conferences.map((other) => ({ value: other.id, label: other.name }))}
          {...bind("conference_id")}
        />
      )}
    </ChangeForm>
  );
}
