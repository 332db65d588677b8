import { useNavigate } from "@tanstack/react-router";
import type { ConferenceDetails } from "../../../../contract/console/admin.ts";
import { maximumLine, maximumLongText } from "../../../../contract/nouns.ts";
import { ChangeForm } from "../../change/change-form.tsx";
import { useDraft } from "../../drafts/use-draft.ts";
import { eventCategoryOptions } from "../../format/categories.ts";
import { ComboBox } from "../../ui/combo-box.tsx";
import { DateTimeField } from "../../ui/date-time-field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import { zoneLabel, zoneOptions } from "./dates.ts";
import { eventArgs, eventProblems, newEvent } from "./event-draft.ts";
import { LookupField } from "./lookup-field.tsx";
import styles from "./row-list.module.css";

/** Creates an event, with its host, in the given or in a chosen conference. */
export function EventForm({ conference, onClose }: { conference?: ConferenceDetails; onClose: () => void }) {
  const navigate = useNavigate();
  const draft = useDraft({
    form: `new-event ${conference?.id ?? ""}`,
    source: conference,
    read: newEvent,
    check: eventProblems,
  });
  const { bind } = draft;
  return (
    <ChangeForm
      title="Create event"
      description="It starts as a draft. Its host adds speakers, guests and posters."
      submitLabel="Review"
      draft={draft}
      onClose={onClose}
      change={(values) => ({
        tool: "create_event",
        args: eventArgs(values),
        title: `Create ${values.name}`,
        reason: `Created the event ${values.name}`,
        confirmLabel: "Create event",
        done: `${values.name} was created as a draft`,
        zone: values.timezone ?? "UTC",
      })}
      onDone={({ after }) => {
        onClose();
        const { id } = after.event as { id?: string };
        if (id !== undefined) void navigate({ to: "/admin/events/$id", params: { id } });
      }}
    >
      <div className="column gap-4">
        <TextField label="Name" maxLength={maximumLine} autoFocus {...bind("name")} />
        {conference === undefined && <LookupField label="Conference" list="conferences" {...bind("conference_id")} />}
        <LookupField label="Host" list="organizations" {...bind("organization_id")} />
        <div className="beside">
          <DateTimeField label="Starts" {...bind("start")} />
          <DateTimeField label="Ends" {...bind("end")} />
        </div>
        <div className={styles.two}>
          <ComboBox
            label="Time zone"
            options={zoneOptions}
            defaultInputValue={zoneLabel(draft.values.timezone ?? "")}
            placeholder="Europe/Lisbon"
            {...bind("timezone")}
          />
          <Select label="Category" options={eventCategoryOptions} {...bind("category")} />
        </div>
        <TextField label="Venue" optional maxLength={maximumLine} {...bind("venue")} />
        <TextArea label="Description" optional rows={3} maxLength={maximumLongText} {...bind("description")} />
      </div>
    </ChangeForm>
  );
}
