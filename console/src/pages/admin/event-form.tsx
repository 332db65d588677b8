import { useNavigate } from "@tanstack/react-router";
import { useChange } from "../../change/use-change.tsx";
import { fromZonedInput } from "../../format/zoned-input.ts";
import { ComboBox } from "../../ui/combo-box.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import type { Conference } from "./admin-api.ts";
import { eventCategories } from "./categories.ts";
import { zoneLabel, zoneOptions } from "./dates.ts";
import { FormDialog } from "./form-dialog.tsx";
import { LookupField } from "./lookup-field.tsx";
import styles from "./row-list.module.css";
import { type Problems, required, useDraft } from "./use-draft.ts";

type Draft = {
  conference_id: string | null;
  organization_id: string | null;
  name: string;
  timezone: string | null;
  start: string;
  end: string;
  venue: string;
  category: string;
  description: string;
};

function check(draft: Draft): Problems<Draft> {
  return {
    conference_id: required(draft.conference_id, "a conference of the list"),
    organization_id: required(draft.organization_id, "an organization of the list"),
    name: required(draft.name, "a name"),
    timezone: required(draft.timezone, "a time zone of the list"),
    start: required(draft.start, "when it starts") ?? skipped(draft.start, draft.timezone),
    end:
      required(draft.end, "when it ends") ??
      skipped(draft.end, draft.timezone) ??
      (draft.end <= draft.start ? "It must end after it starts" : undefined),
  };
}

const skipped = (local: string, zone: string | null): string | undefined =>
  zone !== null && fromZonedInput(local, zone) === undefined
    ? "The clocks of the time zone skip this time: enter another"
    : undefined;

/** Creates an event, with its host, in the given or in a chosen conference. */
export function EventForm({ conference, onClose }: { conference?: Conference; onClose: () => void }) {
  const change = useChange();
  const navigate = useNavigate();
  const { draft, bind, submitted } = useDraft<Draft>(
    {
      ...{ conference_id: conference?.id ?? null, organization_id: null, name: "", venue: "", description: "" },
      ...{ timezone: conference?.timezone ?? null, category: "mainline", end: "" },
      start: conference === undefined ? "" : `${conference.start_date}T18:00`,
    },
    check,
  );
  const submit = async () => {
    const values = submitted();
    if (values === undefined) return;
    const created = await change.open({
      ...{ tool: "create_event", args: argsOf(values), title: `Create ${values.name}` },
      ...{ reason: `Create event ${values.name}`.slice(0, 200), confirmLabel: "Create event" },
      ...{ done: `${values.name} was created as a draft`, zone: values.timezone ?? "UTC" },
    });
    if (created === undefined) return;
    onClose();
    const { id } = created.after.event as { id?: string };
    if (id !== undefined) void navigate({ to: "/admin/events/$id", params: { id } });
  };
  return (
    <FormDialog
      title="Create event"
      description="It starts as a draft. Its host adds speakers, guests and posters."
      submitLabel="Review"
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <div className={styles.stack}>
        <TextField label="Name" autoFocus {...bind("name")} />
        {conference === undefined && <LookupField label="Conference" list="conferences" {...bind("conference_id")} />}
        <LookupField label="Host" list="organizations" {...bind("organization_id")} />
        <div className={styles.two}>
          <TextField label="Starts" type="datetime-local" {...bind("start")} />
          <TextField label="Ends" type="datetime-local" {...bind("end")} />
        </div>
        <div className={styles.two}>
          <ComboBox
            label="Time zone"
            options={zoneOptions}
            defaultInputValue={zoneLabel(draft.timezone ?? "")}
            placeholder="Europe/Lisbon"
            {...bind("timezone")}
          />
          <Select label="Category" options={eventCategories} {...bind("category")} />
        </div>
        <TextField label="Venue" optional {...bind("venue")} />
        <TextArea label="Description" optional rows={3} {...bind("description")} />
      </div>
    </FormDialog>
  );
}

function argsOf({ start, end, venue, description, timezone, ...draft }: Draft): Record<string, unknown> {
  const zone = timezone ?? "UTC";
  return {
    ...{ ...draft, timezone, start_time: fromZonedInput(start, zone), end_time: fromZonedInput(end, zone) },
    ...{ venue: venue === "" ? null : venue, description: description === "" ? null : description },
  };
}
